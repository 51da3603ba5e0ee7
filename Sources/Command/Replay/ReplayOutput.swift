import DeadzoneDocuments
import DeadzoneHost
import DeadzonePages
import DeadzoneRuns

/// A kind of file that a replay becomes. One more line in `all` is one more format of `replay`.
struct ReplayFormat: NamedFormat {
    let name: String
    let fileName: String
    /// A picture of radio time is kept only where somebody draws it.
    var isDrawn = false
    let make: @Sendable (ReplayResult) -> String

    static let json = ReplayFormat(name: "json", fileName: "replay.json") { $0.json.text() + "\n" }

    static let all = [
        json,
        ReplayFormat(name: "html", fileName: "replay.html", isDrawn: true, make: ReplayPage.html),
        ReplayFormat(name: "csv", fileName: "replay.csv", make: \.csv),
        ReplayFormat(name: "md", fileName: "replay.md", make: \.markdown),
    ]
}

/// `--out`, `--format` and `--json`, read together: they say where a replay goes.
struct ReplayOutput {
    private let folder: OutputFolder?
    private let formats: [ReplayFormat]
    /// What goes to standard output instead of tables.
    let printed: ReplayFormat?

    /// Tables are all that is asked for.
    var isOnTerminal: Bool { printed == nil && folder == nil }

    var isDrawn: Bool { (formats + [printed].compactMap(\.self)).contains(where: \.isDrawn) }

    /// Opens the folder before anything is read: a mistaken name should not cost the replay.
    init(_ invocation: Invocation) throws(ToolFault) {
        let named =
            try invocation.text(.format).map { list throws(ToolFault) in try ReplayFormat.named(in: list) }
            ?? []
        let path = invocation.text(.out)
        if path == nil, named.count > 1 || (invocation.has(.json) && named.contains { $0.name != "json" }) {
            throw ToolFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
        formats = path == nil ? [] : named.isEmpty ? [.json] : named
        printed = invocation.has(.json) ? .json : path == nil ? named.first : nil
        do throws(SystemFault) { folder = try path.map(OutputFolder.init) } catch { throw .unwritable(error) }
    }

    func write(_ report: ReplayResult) throws(ToolFault) {
        guard let folder else { return }
        do throws(SystemFault) {
            for format in formats { try folder.stage(Array(format.make(report).utf8), as: format.fileName) }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }
}
