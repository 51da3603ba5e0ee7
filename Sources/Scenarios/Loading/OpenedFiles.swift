import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings

/// Why a file could not be read, in words that follow its name.
public struct FileTrouble: Error, Hashable, Sendable {
    public var message: String

    public init(_ message: String) { self.message = message }
}

/// Reads a file. Reading scenarios touches no file system by itself.
public typealias FileReading = (_ path: String) -> Result<[UInt8], FileTrouble>

/// The files of one scenario: itself, what it extends, the profiles it names. Their order numbers the marks.
final class OpenedFiles {
    private(set) var files: [SourceText] = []
    private let limits: TextLimits
    private let read: FileReading
    private var composed: [String: Composition] = [:]
    private var traces: [String: Result<LinkTrace, FileTrouble>] = [:]
    private var radios: [(name: String, node: Node, sketch: RadioSketch)] = []
    /// The latest.
    private var world: (bytes: [UInt8], fingerprint: Fingerprint)?

    init(limits: TextLimits = TextLimits(), read: @escaping FileReading) {
        self.limits = limits
        self.read = read
    }

    /// A text that lies in no file, or that was read already.
    func compose(_ name: String, _ bytes: [UInt8]) -> Composition {
        if let known = composed[name] { return known }
        files.append(SourceText(name: name, bytes: bytes))
        let composition = DeadzoneScenarios.compose(bytes, file: files.count - 1, limits: limits)
        composed[name] = composition
        return composition
    }

    /// Of a world in canonical text. The cells of a matrix often differ in what is compared, not in where: most have the one before.
    func fingerprint(of text: String) -> Fingerprint {
        let bytes = Array(text.utf8)
        if let world, world.bytes == bytes { return world.fingerprint }
        let fingerprint = Fingerprint(ofBytes: bytes)
        world = (bytes, fingerprint)
        return fingerprint
    }

    /// A file named in another one.
    func open(_ path: String) -> Result<Composition, FileTrouble> {
        if let known = composed[path] { return .success(known) }
        return read(path).map { compose(path, $0) }
    }

    /// A link trace; read once, however many links follow it.
    func trace(_ path: String) -> Result<LinkTrace, FileTrouble> {
        if let known = traces[path] { return known }
        let found = read(path).flatMap(TraceText.read)
        traces[path] = found
        return found
    }

    /// The radio that such a profile was read as, where it was sound: the cells of a matrix mostly name the same ones.
    func radio(_ name: String, _ node: Node) -> RadioSketch? {
        radios.first { $0.name == name && $0.node == node }?.sketch
    }

    func keep(_ sketch: RadioSketch, of node: Node, _ name: String) { radios.append((name, node, sketch)) }

    /// A path relative to the file that names it.
    func path(_ path: String, from mark: Mark) -> String {
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
