extension ValueFormat where Value == Distribution {
    /// A distribution. A plain value is constant; a map with one key names the distribution law.
    public static func distribution(_ measure: QuantityKind, in range: ClosedRange<Int64> = 0 ... .max) -> ValueFormat {
        distribution(of: .quantity(measure, in: range))
    }

    /// A distribution of values that are written as `plain` says.
    public static func distribution(of plain: ValueFormat<Int64>) -> ValueFormat {
        ValueFormat(
            "\(plain.expected), or a distribution such as {uniform: [a, b]}",
            shape: { .varying(plain.shape(), laws: DistributionLaw.allCases.map { $0.shape(plain) }) },
            read: { node, faults in
                guard node.entries != nil else { return plain.read(node, &faults).map { .constant($0) } }
                return readLaw(node, plain, &faults)
            },
            write: { writeLaw($0.law, plain) })
    }

    private static func readLaw(
        _ node: Node, _ plain: ValueFormat<Int64>, _ faults: inout Faults
    ) -> Distribution? {
        let entries = (node.entries ?? []).filter { !$0.key.hasPrefix("x-") }
        let names = DistributionLaw.allCases.map(\.rawValue)
        guard let entry = entries.first, entries.count == 1 else {
            let message = entries.isEmpty ? "an empty map" : "\(entries.count) distributions where one is expected"
            faults.note(node.fault(.wrongForm, message, label: "expected one of \(names.joined(separator: ", "))"))
            return nil
        }
        guard let law = DistributionLaw(rawValue: entry.key) else {
            let key = Node(.scalar(entry.key, quoted: false), at: entry.keyMark, width: entry.key.unicodeScalars.count)
            faults.note(key.unknown("distribution", entry.key, among: names, .unknownKey))
            return nil
        }
        return law.read(entry.value, plain, &faults)
    }

    private static func writeLaw(_ law: Distribution.ProbabilityLaw, _ plain: ValueFormat<Int64>) -> Node {
        let ppm = ValueFormat<Int64>.decimal(in: 0 ... .max)
        func map(_ entries: (String, Node)...) -> Node { .map(entries.map { Node.MapEntry(key: $0.0, value: $0.1) }) }
        switch law {
        case .constant(let value): return plain.write(value)
        case .uniform(let low, let high): return map(("uniform", .list([plain.write(low), plain.write(high)])))
        case .exponential(let mean): return map(("exponential", plain.write(mean)))
        case .normal(let mean, let deviation):
            return map(("normal", map(("deviation", plain.write(deviation)), ("mean", plain.write(mean)))))
        case .logNormal(let median, let sigma):
            return map(("lognormal", map(("median", plain.write(median)), ("sigma", ppm.write(sigma)))))
        case .pareto(let scale, let shape):
            return map(("pareto", map(("scale", plain.write(scale)), ("shape", ppm.write(shape)))))
        case .table(let quantiles):
            let rows = quantiles.map {
                Node.list([ValueFormat<Probability>.probability.write($0.probability), plain.write($0.value)])
            }
            return map(("table", .list(rows)))
        }
    }
}

/// The kinds of probability distribution that a user's file can name, such as uniform.
enum DistributionLaw: String, CaseIterable {
    case uniform, exponential, normal, lognormal, pareto, table

    /// Maximum number of rows. More rows describe nothing that fewer rows could not.
    static let longestTable = 1_000

    func shape(_ plain: ValueFormat<Int64>) -> Shape {
        let number = ValueFormat<Int64>.decimal(in: 0 ... .max).shape()
        func fields(_ fields: (String, Shape)...) -> Shape {
            .map(MapShape(fields: fields.map { Field(key: $0.0, help: "", shape: $0.1, isRequired: true) }))
        }
        let value: Shape =
            switch self {
            case .uniform: .list(plain.shape(), counts: 2...2)
            case .exponential: plain.shape()
            case .normal: fields(("mean", plain.shape()), ("deviation", plain.shape()))
            case .lognormal: fields(("median", plain.shape()), ("sigma", number))
            case .pareto: fields(("scale", plain.shape()), ("shape", number))
            case .table:
                .list(.list(.either([.fraction, plain.shape()]), counts: 2...2), counts: 2...Self.longestTable)
            }
        return fields((rawValue, value))
    }

    func read(_ node: Node, _ plain: ValueFormat<Int64>, _ faults: inout Faults) -> Distribution? {
        switch self {
        case .uniform: return uniform(node, plain, &faults)
        case .exponential: return plain.read(node, &faults).map { .exponential(mean: $0) }
        case .normal:
            return pair(node, ("mean", plain), ("deviation", plain), &faults).map { .normal(mean: $0, deviation: $1) }
        case .lognormal:
            let sigma = ValueFormat<Int64>.decimal(in: 0...10_000_000)
            return pair(node, ("median", plain), ("sigma", sigma), &faults).map { .logNormal(median: $0, sigmaPPM: $1) }
        case .pareto:
            let shape = ValueFormat<Int64>.decimal(in: 1_000...1_000_000_000)
            return pair(node, ("scale", plain), ("shape", shape), &faults).map { .pareto(scale: $0, shapePPM: $1) }
        case .table: return table(node, plain, &faults)
        }
    }

    private func uniform(_ node: Node, _ plain: ValueFormat<Int64>, _ faults: inout Faults) -> Distribution? {
        guard let items = node.items, items.count == 2 else {
            faults.note(node.fault(.wrongForm, "`uniform` takes two values", label: "expected [least, greatest]"))
            return nil
        }
        let (low, high) = (plain.read(items[0], &faults), plain.read(items[1], &faults))
        guard let low, let high else { return nil }
        if low <= high { return .uniform(low, high) }
        faults.note(
            items[1].fault(.contradiction, "the greatest value is below the least", label: "expected [least, greatest]")
        )
        return nil
    }

    private func pair(
        _ node: Node, _ first: (String, ValueFormat<Int64>), _ second: (String, ValueFormat<Int64>),
        _ faults: inout Faults
    ) -> (Int64, Int64)? {
        var reader = SettingsReader(node, of: "`\(rawValue)`", faults: faults)
        let before = reader.faults.found
        let a = reader.required(first.0, first.1, standIn: 0)
        let b = reader.required(second.0, second.1, standIn: 0)
        reader.finish()
        faults = reader.faults
        return faults.found == before ? (a, b) : nil
    }

    private func table(_ node: Node, _ plain: ValueFormat<Int64>, _ faults: inout Faults) -> Distribution? {
        let label = "expected rows [probability, value] from 0 to 1, for example [[0, 10ms], [50%, 20ms], [1, 90ms]]"
        guard let rows = node.items, 2...Self.longestTable ~= rows.count else {
            faults.note(node.fault(.wrongForm, "`table` takes 2 to \(Self.longestTable) rows", label: label))
            return nil
        }
        var quantiles: [Quantile] = []
        for row in rows {
            guard let cells = row.items, cells.count == 2 else {
                faults.note(row.fault(.wrongForm, "a row has a probability and a value", label: label))
                return nil
            }
            let (probability, value) = (
                ValueFormat<Probability>.probability.read(cells[0], &faults), plain.read(cells[1], &faults)
            )
            guard let probability, let value else { return nil }
            if let last = quantiles.last, probability < last.probability || value < last.value {
                faults.note(row.fault(.contradiction, "the rows of a table never fall", label: label))
                return nil
            }
            quantiles.append(Quantile(probability, value))
        }
        guard quantiles.first?.probability == .zero, quantiles.last?.probability == .one else {
            faults.note(node.fault(.wrongForm, "the table does not reach from 0 to 1", label: label))
            return nil
        }
        return .table(quantiles)
    }
}

extension SettingsReader {
    public mutating func distribution(
        _ key: String, _ measure: QuantityKind, default fallback: Distribution,
        in range: ClosedRange<Int64> = 0 ... .max,
        _ help: String = ""
    ) -> Distribution { value(key, .distribution(measure, in: range), default: fallback, help) }

    public mutating func distribution(
        _ key: String, _ measure: QuantityKind, in range: ClosedRange<Int64> = 0 ... .max, _ help: String = ""
    ) -> Distribution? { value(key, .distribution(measure, in: range), help) }
}
