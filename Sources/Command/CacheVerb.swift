import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

extension Flag {
    static let noCache = Flag("no-cache", "Simulate everything, even if the result of an earlier run is known")
}

extension CommandContext {
    /// Results of earlier runs. `nil` in CI, where a fresh machine has none, and if the user has no home folder.
    var cache: ResultCache? { cacheFolder.flatMap { folder in programCache(folder) } }

    private func programCache(_ folder: CacheFolder) -> ResultCache? {
        HostMachine.programIdentity.map { ResultCache(folder, program: $0) }
    }

    /// The folder for results of earlier runs; `nil` if none are kept.
    fileprivate var cacheFolder: CacheFolder? {
        if let path = environment["DEADZONE_CACHE"], !path.isEmpty { return CacheFolder(path) }
        guard (environment["CI"] ?? "").isEmpty else { return nil }
        return CacheFolder.standardPath(environment).map { CacheFolder($0) }
    }
}

extension Verb {
    static let cache: Verb = Verb(
        "cache", "Show or remove the results that are kept for later runs",
        arguments: .optional("WORD", "`clear` removes all results"), flags: [.json],
        examples: [
            Example("deadzone cache", "show where results are kept, and how much space they take"),
            Example("deadzone cache clear", "remove all of them"),
        ],
        next: [Example("deadzone run mine.yaml --no-cache", "simulate everything, whatever is kept")],
        details: """
            `run`, `compare`, `baseline`, `boundary`, `tune`, `claims` and `report` keep the result of each replica. If the
            world, the strategy, the seed and the program are the same, a later run reads it instead of simulating. Any
            change of one of them is a new result, so a kept result is never out of date. Output is the same with and
            without.

            The folder is $XDG_CACHE_HOME/deadzone or ~/.cache/deadzone, on macOS ~/Library/Caches/deadzone.
            DEADZONE_CACHE names another one. It holds at most about 512 MiB; the results that were not used for the
            longest time are removed. In CI (if the variable CI is set) nothing is kept, unless DEADZONE_CACHE is set.
            """
    ) { invocation, context in
        if let word = invocation.arguments.first, word != "clear" {
            throw ToolFault.unknownName(word, "action", among: ["clear"], help: "deadzone help cache")
        }
        guard let folder = context.cacheFolder else {
            if invocation.has(.json) {
                context.output.write(document(nil, files: 0, bytes: 0))
            } else {
                context.output.write("no results are kept: deadzone help cache\n")
            }
            return .ok
        }
        if !invocation.arguments.isEmpty { folder.clear() }
        let (files, bytes) = folder.usage
        context.output.write(
            invocation.has(.json)
                ? document(folder.path, files: files, bytes: bytes)
                : "\(visible(folder.path, atMost: 400)): \(plural(files, "result")), \(bytes) bytes\n")
        return .ok
    }

    private static func document(_ path: String?, files: Int, bytes: Int) -> String {
        let fields: [String: JSON] = [
            "schema": DocumentSchema.cache.json, "folder": path.map(JSON.string) ?? .null,
            "results": .integer(Int128(files)),
            "bytes": .integer(Int128(bytes)),
        ]
        return JSON.object(fields).text() + "\n"
    }
}
