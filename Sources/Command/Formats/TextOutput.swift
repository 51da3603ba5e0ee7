import DeadzoneHost
import DeadzoneRuns

/// An output format that converts one kind of result to text files.
protocol TextFormat: NamedFormat {
    associatedtype Result
    static var json: Self { get }
    /// The formats that a folder gets if none is named.
    static var usual: [Self] { get }
    var fileName: String { get }
    var make: @Sendable (Result) -> String { get }
    /// Additional files of the format: its pictures.
    var extraFiles: @Sendable (Result) -> [(name: String, text: String)] { get }
}

extension TextFormat {
    var extraFiles: @Sendable (Result) -> [(name: String, text: String)] { { _ in [] } }
    static var usual: [Self] { [json] }
}

/// Writes a result in the text formats that `--out`, `--format` and `--json` select. These flags depend on each other.
struct TextOutput<Format: TextFormat> {
    private let folder: OutputFolder?
    private let formats: [Format]
    /// The format printed to standard output instead of tables.
    let printed: Format?

    /// `true` if only tables are requested.
    var isOnTerminal: Bool { printed == nil && folder == nil }

    /// All requested formats, for the folder or for standard output.
    var request: [Format] { formats + [printed].compactMap(\.self) }

    /// Opens the folder before any work, so that a wrong name does not waste it.
    init(_ invocation: Invocation) throws(ToolFault) {
        let named =
            try invocation.text(.format).map { list throws(ToolFault) in try Format.named(in: list) } ?? []
        let path = invocation.text(.out)
        if path == nil, named.count > 1 || (invocation.has(.json) && named.contains { $0.name != "json" }) {
            throw ToolFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
        formats = path == nil ? [] : named.isEmpty ? Format.usual : named
        printed = invocation.has(.json) ? .json : path == nil ? named.first : nil
        do throws(SystemFault) { folder = try path.map(OutputFolder.init) } catch { throw .unwritable(error) }
    }

    func write(_ result: Format.Result) throws(ToolFault) {
        guard let folder else { return }
        do throws(SystemFault) {
            for format in formats {
                try folder.stage(Array(format.make(result).utf8), as: format.fileName)
                for file in format.extraFiles(result) { try folder.stage(Array(file.text.utf8), as: file.name) }
            }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }
}
