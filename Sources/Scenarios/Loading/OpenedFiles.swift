import DeadzoneBase
import DeadzoneTransport

/// The reason why a file could not be read. Error output shows this message after the file's name.
package struct FileError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}

/// Reads a file. The scenario reader itself does not access the file system.
package typealias FileReader = (_ path: String) -> Result<[UInt8], FileError>

/// Reads and caches the files of one scenario: the file itself, the files it extends, its profiles. A file's position
/// in this order is its number in marks (positions in files).
final class OpenedFiles {
    private(set) var files: [SourceText] = []
    private let read: FileReader
    private var composed: [String: Composition] = [:]
    private var traces: [String: Result<LinkTrace, FileError>] = [:]
    private var radios: [(name: String, node: Node, sketch: RadioSketch)] = []
    /// The settings of the scenario that was read last, without its strategies. The cells of a matrix often differ only in
    /// the strategies.
    var lastSketch: ReadPart<ScenarioSketch>?
    /// The world compiled from `lastSketch`; `nil` if it has faults, or belongs to a group of a population.
    var lastWorld: CompiledWorld?

    init(read: @escaping FileReader) {
        self.read = read
    }

    /// Composes a text that is not in a file, or that was already read. Each name is composed once.
    func compose(_ name: String, _ bytes: [UInt8]) -> Composition {
        if let known = composed[name] { return known }
        files.append(SourceText(name: name, bytes: bytes))
        let composition = DeadzoneScenarios.compose(bytes, file: files.count - 1)
        composed[name] = composition
        return composition
    }

    /// Reads a file that another file names.
    func open(_ path: String) -> Result<Composition, FileError> {
        if let known = composed[path] { return .success(known) }
        return read(path).map { compose(path, $0) }
    }

    /// Reads a link trace. Each trace is read once, however many links use it.
    func trace(_ path: String) -> Result<LinkTrace, FileError> {
        if let known = traces[path] { return known }
        let found = read(path).flatMap(LinkTraceParser.read)
        traces[path] = found
        return found
    }

    /// The cached radio of a profile, if it was read without faults. Most cells of a matrix name the same profiles.
    func radio(_ name: String, _ node: Node) -> RadioSketch? {
        radios.first { $0.name == name && $0.node.isWritten(as: node) }?.sketch
    }

    func keep(_ sketch: RadioSketch, of node: Node, _ name: String) { radios.append((name, node, sketch)) }

    /// Resolves a path relative to the file that names it.
    func path(_ path: String, from mark: SourceMark) -> String {
        guard !path.hasPrefix("/"), files.indices.contains(mark.file) else { return path }
        let folder = files[mark.file].name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        var parts = folder.map(String.init)
        for part in path.split(separator: "/") {
            switch part {
            case ".": continue
            case "..":
                if let last = parts.last, last != "..", last != "" { parts.removeLast() } else { parts.append("..") }
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}
