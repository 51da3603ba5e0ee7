public import DeadzoneSettings

/// How much a file may ask for.
public struct TextLimits: Hashable, Sendable {
    public var bytes = 1 << 20
    /// Lists and maps inside each other, aliases expanded.
    public var depth = 64
    /// Aliases, counted again inside every expansion.
    public var expansions = 10_000
    /// Nodes and bytes that aliases may add.
    public var addedNodes = 250_000
    public var addedBytes = 4 << 20

    public init() {}
}

/// A file as a tree of nodes, as far as it could be read.
public struct Composition: Sendable {
    public var node: Node?
    public var faults: Faults
}

/// Reads YAML text. Whatever the bytes are, it ends soon, and with a tree or a fault that has a place.
public func compose(_ bytes: [UInt8], file: Int = 0, limits: TextLimits = TextLimits()) -> Composition {
    var faults = Faults()
    if let fault = TextCheck.fault(in: bytes, file: file, limit: limits.bytes) {
        faults.note(fault)
        return Composition(node: nil, faults: faults)
    }
    var composer = Composer(EventStream(bytes, file: file), limits: limits, file: file)
    let node = composer.document()
    return Composition(node: node, faults: composer.faults)
}

/// Builds the tree from events. Faults that leave the structure intact are noted and reading goes on; the others end it.
struct Composer {
    /// A finished part, with what an alias of it would cost.
    struct Part {
        var node: Node
        /// Lists and maps inside each other.
        var height = 0
        var nodes = 1
        var bytes = 0
        var expansions = 0
    }

    struct Stop: Error {}

    private let stream: EventStream
    let limits: TextLimits
    private let file: Int
    private(set) var faults = Faults()
    var anchors: [String: Part] = [:]
    var open: Set<String> = []
    var expansions = 0
    var addedNodes = 0
    var addedBytes = 0

    init(_ stream: EventStream, limits: TextLimits, file: Int) {
        self.stream = stream
        self.limits = limits
        self.file = file
    }

    mutating func document() -> Node? {
        do throws(Stop) {
            guard case .documentStart = try next().kind else {
                note(
                    Fault(
                        .emptyFile, at: Mark(line: 1, column: 1, file: file), "there is nothing in the file",
                        help: FaultCode.emptyFile.explanation))
                return nil
            }
            let part = try part(try next(), depth: 0)
            _ = try next()
            let after = try next()
            if case .documentStart = after.kind {
                note(
                    Fault(
                        .severalDocuments, at: after.mark, width: 3, "a second document begins here",
                        help: "one document to a file"))
            }
            return part.node
        } catch {
            return nil
        }
    }

    mutating func note(_ fault: Fault) { faults.note(fault) }

    mutating func next() throws(Stop) -> YAMLEvent {
        do throws(EventStream.SyntaxFault) {
            return try stream.next()
        } catch {
            note(error.fault)
            throw Stop()
        }
    }

    mutating func part(_ event: YAMLEvent, depth: Int) throws(Stop) -> Part {
        if let anchor = event.anchor { open.insert(anchor) }
        var part: Part
        switch event.kind {
        case .scalar(let text, let quoted):
            let isText = quoted || event.tag == "tag:yaml.org,2002:str"
            part = Part(node: Node(.scalar(text, quoted: isText), at: event.mark, width: event.width))
            part.bytes = text.utf8.count
            checkTag(event, "str")
        case .alias(let name): part = try expand(name, event, depth: depth)
        case .listStart:
            checkTag(event, "seq")
            if depth >= limits.depth { throw tooDeep(event) }
            part = try list(event, depth: depth)
        case .mapStart:
            checkTag(event, "map")
            if depth >= limits.depth { throw tooDeep(event) }
            part = try map(event, depth: depth)
        default: throw stop(.syntax, event, "this is not YAML: a value is missing")
        }
        if let anchor = event.anchor {
            open.remove(anchor)
            anchors[anchor] = part
        }
        return part
    }

    private mutating func list(_ start: YAMLEvent, depth: Int) throws(Stop) -> Part {
        var items: [Node] = []
        var whole = Part(node: Node(.list([]), at: start.mark, width: 1), height: 1)
        while true {
            let event = try next()
            if case .listEnd = event.kind { break }
            let part = try part(event, depth: depth + 1)
            whole.add(part)
            items.append(part.node)
        }
        whole.node.content = .list(items)
        return whole
    }

    mutating func stop(_ code: FaultCode, _ event: YAMLEvent, _ message: String) -> Stop {
        note(Fault(code, at: event.mark, width: event.width, message, help: code.explanation))
        return Stop()
    }

    mutating func tooDeep(_ event: YAMLEvent) -> Stop {
        stop(.tooDeep, event, "nested more than \(limits.depth) deep")
    }

    private mutating func checkTag(_ event: YAMLEvent, _ usual: String) {
        guard let tag = event.tag, tag != "tag:yaml.org,2002:\(usual)", tag != "!" else { return }
        note(
            Fault(
                .tag, at: event.mark, "the tag \(quote(tag)) is not read here", label: "remove it",
                help: FaultCode.tag.explanation))
    }
}
