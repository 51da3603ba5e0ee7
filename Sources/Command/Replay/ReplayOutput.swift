import DeadzoneHost
import DeadzoneReporting

/// A kind of file that a replay becomes. One more line in `all` is one more format of `replay`.
struct ReplayFormat: Sendable {
    let name: String
    let fileName: String
    /// A picture of radio time is kept only where somebody draws it.
    var isDrawn = false
    let make: @Sendable (ReplayReport) -> String

    static let json = ReplayFormat(name: "json", fileName: "replay.json") { $0.json.text() + "\n" }

    static let all = [
        json,
        ReplayFormat(name: "html", fileName: "replay.html", isDrawn: true, make: ReplayPage.html),
        ReplayFormat(name: "csv", fileName: "replay.csv", make: \.csv),
        ReplayFormat(name: "md", fileName: "replay.md", make: \.markdown),
    ]

    static var names: [String] { all.map(\.name) }

    /// - Parameter list: names with commas between them; each counts once.
    static func named(in list: String) throws(CommandFault) -> [ReplayFormat] {
        var formats: [ReplayFormat] = []
        for word in list.split(separator: ",").map(String.init) {
            guard let format = all.first(where: { $0.name == word }) else {
                throw .badFlagValue("--format", word, oneOf: names)
            }
            if !formats.contains(where: { $0.name == word }) { formats.append(format) }
        }
        guard !formats.isEmpty else { throw .badFlagValue("--format", list, oneOf: names) }
        return formats
    }
}

/// `--out`, `--format` and `--json`, read together: they say where a replay goes.
struct ReplayOutput {
    private let folder: OutputFolder?
    private let formats: [ReplayFormat]
    /// What goes to standard output instead of tables.
    let printed: ReplayFormat?

    var isDrawn: Bool { (formats + [printed].compactMap(\.self)).contains(where: \.isDrawn) }

    /// Opens the folder before anything is read: a mistaken name should not cost the replay.
    init(_ invocation: Invocation) throws(CommandFault) {
        let named =
            try invocation.text(.format).map { list throws(CommandFault) in try ReplayFormat.named(in: list) }
            ?? []
        let path = invocation.text(.out)
        if path == nil, named.count > 1 || (invocation.has(.json) && named.contains { $0.name != "json" }) {
            throw CommandFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
        formats = path == nil ? [] : named.isEmpty ? [.json] : named
        printed = invocation.has(.json) ? .json : path == nil ? named.first : nil
        do throws(SystemFault) { folder = try path.map(OutputFolder.init) } catch { throw .unwritable(error) }
    }

    func write(_ report: ReplayReport) throws(CommandFault) {
        guard let folder else { return }
        for format in formats {
            do throws(SystemFault) {
                try folder.write(Array(format.make(report).utf8), to: format.fileName)
            } catch {
                throw .unwritable(error)
            }
        }
    }
}
