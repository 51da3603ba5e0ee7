import DeadzoneSettings

/// `matrix:` makes many scenarios of one. An axis is a list of values, or a map from labels to values. It is named by the
/// place it changes (`phone.radios.cellular`), or it fills in `${name}`, `${name.key}` where those stand.
struct Matrix {
    static let largest = 1_000
    /// What an axis may set where the document does not mention it.
    private static let places = [
        "duration", "replicas", "seed", "phones", "phone", "links", "timeline", "traffic", "server", "strategies",
    ]

    struct Axis {
        var name: String
        var mark: Mark
        var values: [(label: String, node: Node)]
        /// The keys that lead to the place it changes; empty where it only fills in placeholders.
        var path: [String]
    }

    struct Cell {
        var labels: [(axis: String, value: String)]
        var node: Node
    }

    var axes: [Axis] = []
    var faults: Faults

    /// The cells of a document, and what its matrix is like in canonical text.
    init(_ document: Node, faults: Faults) {
        self.faults = faults
        guard let node = document["matrix"] else { return }
        guard let entries = node.entries else {
            self.faults.note(node.wrongType("a map of axes"))
            return
        }
        for entry in entries where !entry.key.hasPrefix("x-") { read(entry, document) }
        let count = axes.reduce(1) { min(Self.largest + 1, $0 * $1.values.count) }
        if count > Self.largest {
            self.faults.note(
                node.fault(.matrixSize, "more than \(Self.largest) cells", help: FaultCode.matrixSize.explanation))
            axes = []
        }
    }

    private mutating func read(_ entry: Node.Entry, _ document: Node) {
        var values: [(String, Node)] = []
        switch entry.value.content {
        case .list(let items): values = items.map { (label($0), $0) }
        case .map(let named): values = named.filter { !$0.key.hasPrefix("x-") }.map { ($0.key, $0.value) }
        case .scalar: faults.note(entry.value.wrongType("a list of values"))
        }
        if values.isEmpty {
            if entry.value.scalar == nil { faults.note(entry.value.fault(.matrixAxis, "an axis without values")) }
            return
        }
        let holder = "${\(entry.key)"
        let isUsed = document.mentions(holder + "}") || document.mentions(holder + ".")
        let path = entry.key.split(separator: ".").map(String.init)
        let isPlace = path.count > 1 || document[entry.key] != nil || Self.places.contains(entry.key)
        if !isUsed && !isPlace {
            faults.note(
                Fault(
                    .matrixAxis, at: entry.keyMark, width: entry.key.unicodeScalars.count,
                    "the axis \(quote(entry.key)) changes nothing", label: "used nowhere",
                    help:
                        "name it by a path such as phone.radios.cellular, or write ${\(visible(entry.key, atMost: 40))} somewhere"
                ))
            return
        }
        axes.append(Axis(name: entry.key, mark: entry.keyMark, values: values, path: isUsed ? [] : path))
    }

    private func label(_ node: Node) -> String { node.scalar ?? flowText(node) }

    /// Every combination, the last axis fastest.
    mutating func cells(of document: Node) -> [Cell] {
        var base = document
        base.content = .map((document.entries ?? []).filter { $0.key != "matrix" })
        var filler = Filler()
        let count = axes.reduce(1) { $0 * $1.values.count }
        let isSmall = axes.isEmpty || filler.spend(count * filler.weight(of: base))
        var cells = [Cell(labels: [], node: base)]
        for axis in axes where isSmall {
            cells = cells.flatMap { cell in
                axis.values.map { label, value in
                    let node =
                        axis.path.isEmpty
                        ? filler.filled(cell.node, axis.name, value) : cell.node.placed(value, at: axis.path[...])
                    return Cell(labels: cell.labels + [(axis.name, label)], node: node)
                }
            }
        }
        if filler.isExhausted, let node = document["matrix"] {
            faults.note(
                node.fault(.matrixSize, "the cells come to too much text", help: FaultCode.matrixSize.explanation))
            return []
        }
        if let left = cells[0].node.firstPlaceholder {
            faults.note(
                left.fault(
                    .placeholder, "\(left.kind) names no axis",
                    label:
                        "expected \(axes.isEmpty ? "a `matrix:`" : axes.map { "${\($0.name)}" }.joined(separator: ", "))",
                    help: FaultCode.placeholder.explanation))
        }
        return cells
    }
}

extension Node {
    fileprivate func mentions(_ text: String) -> Bool {
        switch content {
        case .scalar(let own, _): own.contains(text)
        case .list(let items): items.contains { $0.mentions(text) }
        case .map(let entries): entries.contains { $0.key != "matrix" && $0.value.mentions(text) }
        }
    }

    fileprivate var firstPlaceholder: Node? {
        switch content {
        case .scalar(let text, _): text.contains("${") ? self : nil
        case .list(let items): items.lazy.compactMap(\.firstPlaceholder).first
        case .map(let entries):
            entries.lazy.filter { !$0.key.hasPrefix("x-") }.compactMap(\.value.firstPlaceholder).first
        }
    }

    /// With the value at a path of keys, which are made where they are missing.
    fileprivate func placed(_ value: Node, at path: ArraySlice<String>) -> Node {
        guard let key = path.first else { return value }
        var entries = entries ?? []
        if let place = entries.firstIndex(where: { $0.key == key }) {
            entries[place].value = entries[place].value.placed(value, at: path.dropFirst())
        } else {
            let inner = Node(.map([]), at: value.mark, width: value.width).placed(value, at: path.dropFirst())
            entries.append(Node.Entry(key: key, keyMark: value.mark, value: inner))
        }
        return Node(.map(entries), at: mark, width: width)
    }
}
