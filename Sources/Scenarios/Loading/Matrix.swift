import DeadzoneBase

/// Expands one scenario file with a `matrix:` key into many scenarios, one for each combination of values. Each axis of
/// the matrix is a list of values, a map from labels to values, or a range. Its name is a path into the scenario
/// (`phone.radios.cellular`), or it replaces the placeholders `${name}` and `${name.key}`.
struct Matrix {
    static let largest = 1_000
    /// Top-level keys that an axis may set even if the document does not have them.
    private static let axisRoots = [
        "duration", "replicas", "seed", "phones", "phone", "links", "timeline", "traffic", "server", "strategies",
    ]

    struct Axis {
        var name: String
        var mark: SourceMark
        var values: [(label: String, node: Node)]
        /// Keys of the path that the axis changes; empty if the axis only replaces placeholders.
        var path: [String]
    }

    struct MatrixCell {
        var labels: [(axis: String, value: String)]
        var node: Node
    }

    /// Groups of axes that advance together. All ranges with drawn values form one factor.
    private var factors: [[Axis]] = []
    private var drawn: [(axis: Axis, range: MatrixRange)] = []
    private var sample: MatrixSample?
    var faults: Faults

    private var axes: [Axis] { factors.flatMap(\.self) }
    private var count: Int { factors.reduce(1) { min(Self.largest + 1, $0 * $1[0].values.count) } }

    /// Reads the matrix and the sample of a document.
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

    /// Draws the points for all ranges without steps together.
    private mutating func draw(_ document: Node) {
        guard let first = drawn.first else {
            if let node = document["sample"], sample != nil {
                faults.note(
                    node.fault(
                        .matrixAxis, "`sample` without a range to draw from",
                        label: "every range has `steps`, or there is no range",
                        help: "matrix: {ping: {range: [30s, 10m], scale: log}}"))
            }
            return
        }
        guard let sample else {
            faults.note(
                Fault(
                    .matrixAxis, at: first.axis.mark, width: first.axis.name.unicodeScalars.count,
                    "the number of values of \(quote(first.axis.name)) is missing",
                    label: "a range without `steps`",
                    help:
                        "steps: 8 sets 8 values of this range; sample: {cells: 64} sets 64 points over all such ranges")
            )
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
                axis.values = sample.positions(of: axis.name, count: points).map { part in
                    let text = range.value(at: part)
                    return (text, Node(.scalar(text, quoted: false), at: axis.mark))
                }
                return axis
            })
    }

    private mutating func read(_ entry: Node.MapEntry, _ document: Node) {
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
        let isPlace = path.count > 1 || document[entry.key] != nil || Self.axisRoots.contains(entry.key)
        if !isUsed && !isPlace {
            let name = visible(entry.key, atMost: 40)
            let isKey = document.hasKey(holder)
            faults.note(
                Fault(
                    .matrixAxis, at: entry.keyMark, width: entry.key.unicodeScalars.count,
                    "the axis \(quote(entry.key)) changes nothing",
                    label: isKey ? "a placeholder stands for a value, not for a key" : "used nowhere",
                    help: isKey
                        ? "let the axis have maps as values, and write ${\(name)} in place of the map with this key"
                        : "name it by a path such as phone.radios.cellular, or write ${\(name)} somewhere"))
            return
        }
        let axis = Axis(name: entry.key, mark: entry.keyMark, values: values, path: isUsed ? [] : path)
        if let range, range.steps == nil { drawn.append((axis, range)) } else { factors.append([axis]) }
    }

    /// Reads a range. If it has steps, its values are known at once.
    private mutating func range(_ entry: Node.MapEntry, _ values: inout [(String, Node)]) -> MatrixRange? {
        var settings = SettingsReader(entry.value, of: "a range", faults: faults)
        let range = MatrixRange(reading: &settings)
        settings.finish()
        faults = settings.faults
        if let range, let steps = range.steps {
            values = range.grid(steps).map { ($0, Node(.scalar($0, quoted: false), at: entry.value.mark)) }
        }
        return range
    }

    private func label(_ node: Node) -> String { node.isEmpty ? "none" : node.scalar ?? flowText(node) }

    /// The scenario nodes for all combinations of axis values; the last axis changes fastest.
    mutating func cells(of document: Node) -> [MatrixCell] {
        var base = document
        base.content = .map((document.entries ?? []).filter { !["matrix", "sample"].contains($0.key) })
        var filler = PlaceholderSubstitution()
        let isSmall = factors.isEmpty || filler.spend(count * filler.weight(of: base))
        var cells = [MatrixCell(labels: [], node: base)]
        for factor in factors where isSmall {
            cells = cells.flatMap { cell in
                factor[0].values.indices.map { index in
                    factor.reduce(into: cell) { cell, axis in
                        let (label, value) = axis.values[index]
                        cell.node =
                            axis.path.isEmpty
                            ? filler.substituted(cell.node, axis.name, value)
                            : cell.node.placed(value, at: axis.path[...])
                        cell.labels.append((axis.name, label))
                    }
                }
            }
        }
        if filler.isExhausted, let node = document["matrix"] {
            faults.note(
                node.fault(.matrixSize, "the cells have too much text", help: FaultCode.matrixSize.explanation))
            return []
        }
        if let left = cells[0].node.firstPlaceholder {
            faults.note(
                left.fault(
                    .placeholder, "\(left.kind) is not the name of an axis",
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

    /// `true` if a key in the node contains the text.
    fileprivate func hasKey(_ text: String) -> Bool {
        switch content {
        case .scalar: false
        case .list(let items): items.contains { $0.hasKey(text) }
        case .map(let entries): entries.contains { $0.key.holds(text) || $0.value.hasKey(text) }
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

    /// The node with the value set at a path of keys. Missing maps are created. An empty value (`~`) removes the last key.
    func placed(_ value: Node, at path: ArraySlice<String>) -> Node {
        guard let key = path.first else { return value }
        var entries = entries ?? []
        if value.isEmpty, path.count == 1 || !entries.contains(where: { $0.key == key }) {
            return Node(.map(entries.filter { $0.key != key }), at: mark, width: width)
        }
        if let place = entries.firstIndex(where: { $0.key == key }) {
            entries[place].value = entries[place].value.placed(value, at: path.dropFirst())
        } else {
            let inner = Node(.map([]), at: value.mark, width: value.width).placed(value, at: path.dropFirst())
            entries.append(Node.MapEntry(key: key, keyMark: value.mark, value: inner))
        }
        return Node(.map(entries), at: mark, width: width)
    }
}
