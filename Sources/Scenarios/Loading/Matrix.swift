import DeadzoneSettings

/// `matrix:` makes many scenarios of one. An axis is a list of values, a map from labels to values, or a range. It is named by
/// the place it changes (`phone.radios.cellular`), or it fills in `${name}`, `${name.key}` where those stand.
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

    /// Axes that move together stand in one factor: all ranges that are drawn from.
    private var factors: [[Axis]] = []
    private var drawn: [(axis: Axis, range: MatrixRange)] = []
    private var sample: MatrixSample?
    var faults: Faults

    private var axes: [Axis] { factors.flatMap(\.self) }
    private var count: Int { factors.reduce(1) { min(Self.largest + 1, $0 * $1[0].values.count) } }

    /// The cells of a document, and what its matrix is like in canonical text.
    init(_ document: Node, faults: Faults) {
        self.faults = faults
        if let node = document["sample"] {
            var settings = SettingsReader(node, of: "sample", faults: self.faults)
            sample = MatrixSample(reading: &settings)
            settings.finish()
            self.faults = settings.faults
        }
        guard let node = document["matrix"] else {
            draw(document)
            return
        }
        guard let entries = node.entries else {
            self.faults.note(node.wrongType("a map of axes"))
            return
        }
        for entry in entries where !entry.key.hasPrefix("x-") { read(entry, document) }
        draw(document)
        if count > Self.largest {
            self.faults.note(
                node.fault(.matrixSize, "more than \(Self.largest) cells", help: FaultCode.matrixSize.explanation))
            factors = []
        }
    }

    /// Points of all ranges without steps, drawn together.
    private mutating func draw(_ document: Node) {
        guard let first = drawn.first else {
            if let node = document["sample"], sample != nil {
                faults.note(
                    node.fault(
                        .matrixAxis, "a sample of nothing", label: "no axis is a range without `steps`",
                        help: "matrix: {ping: {range: [30s, 10m], scale: log}}"))
            }
            return
        }
        guard let sample else {
            faults.note(
                Fault(
                    .matrixAxis, at: first.axis.mark, width: first.axis.name.unicodeScalars.count,
                    "nothing says how many values of \(quote(first.axis.name)) are tried",
                    label: "a range without `steps`",
                    help: "steps: 8 takes so many of this one; sample: {cells: 64} so many points of all such ranges"))
            return
        }
        let replicas = document["replicas"]?.scalar.flatMap { Int($0) } ?? 1
        let strategies = document["strategies"]?.entries?.count ?? 1
        let points = sample.count(runs: count * max(1, replicas) * max(1, strategies))
        guard points >= 2 else {
            if let node = document["sample"], faults.isEmpty {
                faults.note(
                    node.fault(
                        .matrixSize, "the budget is too small for two points",
                        label: "one point takes \(count * replicas * strategies) runs",
                        help: "more runs, fewer replicas, or fewer values of the other axes"))
            }
            return
        }
        factors.append(
            drawn.map { axis, range in
                var axis = axis
                axis.values = sample.parts(of: axis.name, count: points).map { part in
                    let text = range.value(at: part)
                    return (text, Node(.scalar(text, quoted: false), at: axis.mark))
                }
                return axis
            })
    }

    private mutating func read(_ entry: Node.Entry, _ document: Node) {
        var values: [(String, Node)] = []
        var range: MatrixRange?
        switch entry.value.content {
        case .list(let items): values = items.map { (label($0), $0) }
        case .map where MatrixRange.describes(entry.value): range = self.range(entry, &values)
        case .map(let named): values = named.filter { !$0.key.hasPrefix("x-") }.map { ($0.key, $0.value) }
        case .scalar: faults.note(entry.value.wrongType("a list of values"))
        }
        if values.isEmpty, range == nil {
            if MatrixRange.describes(entry.value) { return }
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
        let axis = Axis(name: entry.key, mark: entry.keyMark, values: values, path: isUsed ? [] : path)
        if let range, range.steps == nil { drawn.append((axis, range)) } else { factors.append([axis]) }
    }

    /// Its values are known at once if it has steps.
    private mutating func range(_ entry: Node.Entry, _ values: inout [(String, Node)]) -> MatrixRange? {
        var settings = SettingsReader(entry.value, of: "a range", faults: faults)
        let range = MatrixRange(reading: &settings)
        settings.finish()
        faults = settings.faults
        if let range, let steps = range.steps {
            values = range.grid(steps).map { ($0, Node(.scalar($0, quoted: false), at: entry.value.mark)) }
        }
        return range
    }

    private func label(_ node: Node) -> String { node.scalar ?? flowText(node) }

    /// Every combination, the last axis fastest.
    mutating func cells(of document: Node) -> [Cell] {
        var base = document
        base.content = .map((document.entries ?? []).filter { !["matrix", "sample"].contains($0.key) })
        var filler = Filler()
        let isSmall = factors.isEmpty || filler.spend(count * filler.weight(of: base))
        var cells = [Cell(labels: [], node: base)]
        for factor in factors where isSmall {
            cells = cells.flatMap { cell in
                factor[0].values.indices.map { index in
                    factor.reduce(into: cell) { cell, axis in
                        let (label, value) = axis.values[index]
                        cell.node =
                            axis.path.isEmpty
                            ? filler.filled(cell.node, axis.name, value) : cell.node.placed(value, at: axis.path[...])
                        cell.labels.append((axis.name, label))
                    }
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
        case .scalar(let own, _): own.holds(text)
        case .list(let items): items.contains { $0.mentions(text) }
        case .map(let entries): entries.contains { !["matrix", "sample"].contains($0.key) && $0.value.mentions(text) }
        }
    }

    fileprivate var firstPlaceholder: Node? {
        switch content {
        case .scalar(let text, _): text.holds("${") ? self : nil
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
