package import DeadzoneBase

/// Limits of size and nesting for one YAML file, so that no input can exhaust memory.
package enum TextLimits {
    package static let bytes = 1 << 20
    /// Maximum nesting of lists and maps, with aliases expanded.
    static let depth = 64
    /// Maximum number of alias expansions, including those inside expanded aliases.
    static let expansions = 10_000
    /// Maximum number of nodes and bytes that aliases may add.
    static let addedNodes = 250_000
    static let addedBytes = 4 << 20
    /// Maximum number of entries of a timeline.
    package static let timelineEntries = 10_000
}

/// The result of parsing a YAML file: a tree of nodes, and the errors. The tree is `nil` if the file could not be read.
package struct Composition: Sendable {
    package var node: Node?
    package var faults: Faults
}

/// Reads YAML text. For any input it terminates within the limits, and returns a tree or a fault with a position.
package func compose(_ bytes: [UInt8], file: Int = 0) -> Composition {
    var faults = Faults()
    if let fault = TextCheck.fault(in: bytes, file: file, limit: TextLimits.bytes) {
        faults.note(fault)
        return Composition(node: nil, faults: faults)
    }
    var composer = Composer(EventStream(bytes, file: file), file: file)
    let node = composer.document()
    return Composition(node: node, faults: composer.faults)
}

/// Builds the tree of nodes of a YAML file from the parser's events. After faults that keep the structure intact,
/// reading continues; other faults end it.
struct Composer {
    /// A completed YAML node, with the cost that each alias to it adds.
    struct ComposedNode {
        var node: Node
        /// Nesting depth of lists and maps.
        var height = 0
        var nodes = 1
        var bytes = 0
        var expansions = 0
    }

    struct Stop: Error {}

    private let stream: EventStream
    private let file: Int
    private(set) var faults = Faults()
    var anchors: [String: ComposedNode] = [:]
    var openAnchors: Set<String> = []
    var expansions = 0
    var addedNodes = 0
    var addedBytes = 0

    init(_ stream: EventStream, file: Int) {
        self.stream = stream
        self.file = file
    }

    mutating func document() -> Node? {
        do throws(Stop) {
            guard case .documentStart = try next().kind else {
                note(
                    Fault(
                        .emptyFile, at: SourceMark(line: 1, column: 1, file: file), "the file is empty",
                        help: FaultCode.emptyFile.explanation))
                return nil
            }
            let part = try composeNode(try next(), depth: 0)
            _ = try next()
            let after = try next()
            if case .documentStart = after.kind {
                note(
                    Fault(
                        .severalDocuments, at: after.mark, width: 3, "a second document begins here",
                        help: "a file may contain only one document"))
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

    mutating func composeNode(_ event: YAMLEvent, depth: Int) throws(Stop) -> ComposedNode {
        if let anchor = event.anchor { openAnchors.insert(anchor) }
        var part: ComposedNode
        switch event.kind {
        case .scalar(let text, let quoted):
            let isText = quoted || event.tag == "tag:yaml.org,2002:str"
            part = ComposedNode(node: Node(.scalar(text, quoted: isText), at: event.mark, width: event.width))
            part.bytes = text.utf8.count
            checkTag(event, "str")
        case .alias(let name): part = try expand(name, event, depth: depth)
        case .listStart:
            checkTag(event, "seq")
            if depth >= TextLimits.depth { throw tooDeep(event) }
            part = try list(event, depth: depth)
        case .mapStart:
            checkTag(event, "map")
            if depth >= TextLimits.depth { throw tooDeep(event) }
            part = try map(event, depth: depth)
        default: throw stop(.syntax, event, "this is not YAML: a value is missing")
        }
        if let anchor = event.anchor {
            openAnchors.remove(anchor)
            anchors[anchor] = part
        }
        return part
    }

    private mutating func list(_ start: YAMLEvent, depth: Int) throws(Stop) -> ComposedNode {
        var items: [Node] = []
        var whole = ComposedNode(node: Node(.list([]), at: start.mark, width: 1), height: 1)
        while true {
            let event = try next()
            if case .listEnd = event.kind { break }
            let part = try composeNode(event, depth: depth + 1)
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
        stop(.tooDeep, event, "nested more than \(TextLimits.depth) deep")
    }

    private mutating func checkTag(_ event: YAMLEvent, _ usual: String) {
        guard let tag = event.tag, tag != "tag:yaml.org,2002:\(usual)", tag != "!" else { return }
        note(
            Fault(
                .tag, at: event.mark, "the tag \(quote(tag)) is not read here", label: "remove it",
                help: FaultCode.tag.explanation))
    }
}
