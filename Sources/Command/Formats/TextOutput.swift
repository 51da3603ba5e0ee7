import DeadzoneHost
import DeadzoneRuns

/// A format of which every file is text, made of one kind of result.
protocol TextFormat: NamedFormat {
    associatedtype Result
    static var json: Self { get }
    var fileName: String { get }
    var make: @Sendable (Result) -> String { get }
    /// Files that lie beside it: its pictures.
    var besides: @Sendable (Result) -> [(name: String, text: String)] { get }
}

extension TextFormat {
    var besides: @Sendable (Result) -> [(name: String, text: String)] { { _ in [] } }
}

/// `--out`, `--format` and `--json`, read together: they say where a result goes.
struct TextOutput<Format: TextFormat> {
    private let folder: OutputFolder?
    private let formats: [Format]
    /// What goes to standard output instead of tables.
    let printed: Format?

    /// Tables are all that is asked for.
    var isOnTerminal: Bool { printed == nil && folder == nil }

    /// Everything that is made of the result, wherever it goes.
    var wanted: [Format] { formats + [printed].compactMap(\.self) }

    /// Opens the folder before anything is done: a mistaken name should not cost the work.
    init(_ invocation: Invocation) throws(ToolFault) {
        let named =
            try invocation.text(.format).map { list throws(ToolFault) in try Format.named(in: list) } ?? []
        let path = invocation.text(.out)
        if path == nil, named.count > 1 || (invocation.has(.json) && named.contains { $0.name != "json" }) {
            throw ToolFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
        formats = path == nil ? [] : named.isEmpty ? [.json] : named
        printed = invocation.has(.json) ? .json : path == nil ? named.first : nil
        do throws(SystemFault) { folder = try path.map(OutputFolder.init) } catch { throw .unwritable(error) }
    }

    func write(_ result: Format.Result) throws(ToolFault) {
        guard let folder else { return }
        do throws(SystemFault) {
            for format in formats {
                try folder.stage(Array(format.make(result).utf8), as: format.fileName)
                for file in format.besides(result) { try folder.stage(Array(file.text.utf8), as: file.name) }
            }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }
}
