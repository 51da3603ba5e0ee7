import DeadzoneBase
package import DeadzoneMetrics

/// Error of the reader of baseline files, with the position in the file.
package struct BaselineFault: Error, Hashable, Sendable {
    package let message: String
}

extension Baseline {
    /// Reads a file that `text` wrote, or an older one, and validates all of it.
    package init(text bytes: [UInt8]) throws(BaselineFault) {
        let document: JSON
        do throws(JSONFault) {
            document = try JSON(text: bytes)
        } catch {
            throw BaselineFault(message: "byte \(error.offset): \(error.message)")
        }
        guard let schema = document["schema"]?.string else { throw BaselineFault(message: "it has no `schema`") }
        let reader = BaselineReader(document, at: "")
        let tool = try reader.member("tool").text("version")
        let metrics = try reader.texts("metrics")
        let runs: [BaselineRun]
        switch schema {
        case DocumentSchema.baseline.rawValue:
            runs = try reader.member("scenarios").named { (name, run) throws(BaselineFault) in
                try BaselineRun(name, run, metrics)
            }
        case DocumentSchema.firstBaseline.rawValue:
            runs = try reader.list("scenarios") { (run) throws(BaselineFault) in try BaselineRun(first: run) }
        default:
            throw BaselineFault(
                message:
                    "its schema is `\(schema.escapedForTerminal.prefix(60))`, not `\(DocumentSchema.baseline.rawValue)`"
            )
        }
        self.init(tool: tool, metrics: metrics, runs: runs)
        for index in self.runs.indices.dropFirst() where self.runs[index].name == self.runs[index - 1].name {
            throw BaselineFault(
                message: "two scenarios are called `\(self.runs[index].name.escapedForTerminal.prefix(200))`")
        }
    }
}

extension BaselineRun {
    /// - Parameter strategies: reads the strategies of the run, with its number of replicas.
    private init(
        _ name: String, _ reader: BaselineReader,
        _ strategies: (Int) throws(BaselineFault) -> [BaselineStrategy]
    ) throws(BaselineFault) {
        let replicas = Int(try reader.integer("replicas", in: 1...100_000))
        self.init(
            name: name, worldHash: try reader.text("world_hash"),
            seed: UInt64(try reader.integer("seed", in: 0...Int128(UInt64.max))), replicas: replicas,
            minute: .seconds(Int64(try reader.integer("minute_s", in: 1...1_000_000_000))),
            strategies: try strategies(replicas))
    }

    fileprivate init(_ name: String, _ reader: BaselineReader, _ metrics: [String]) throws(BaselineFault) {
        let patterns = reader.value["nothing"] == nil ? [] : try reader.texts("nothing")
        let unmeasured = metrics.filter { metric in
            patterns.contains { $0 == metric || String(metric.dropLast(metric.lastName.count)) + "*" == $0 }
        }
        try self.init(name, reader) { (replicas) throws(BaselineFault) in
            try reader.member("strategies").named { (name, item) throws(BaselineFault) in
                try BaselineStrategy(name, item, replicas, unmeasured)
            }
        }
        guard reader.value["order"] != nil else { return }
        let order = try reader.texts("order")
        let known = strategies
        strategies = order.compactMap { name in known.first { $0.name == name } }
        guard strategies.count == known.count, Set(order).count == known.count else {
            throw reader.fault("`order` does not name each strategy once")
        }
    }

    fileprivate init(first reader: BaselineReader) throws(BaselineFault) {
        try self.init(try reader.text("name"), reader) { (replicas) throws(BaselineFault) in
            try reader.list("strategies") { (item) throws(BaselineFault) in
                try BaselineStrategy(first: item, replicas)
            }
        }
        for index in strategies.indices
        where strategies[..<index].contains(where: { $0.name == strategies[index].name }) {
            throw reader.fault("two strategies are called `\(strategies[index].name.escapedForTerminal.prefix(200))`")
        }
    }
}

extension String {
    /// The part of a metric's name after the last dot.
    fileprivate var lastName: Substring { split(separator: ".", omittingEmptySubsequences: false).last ?? "" }
}

extension BaselineStrategy {
    private static func digests(_ reader: BaselineReader, _ replicas: Int) throws(BaselineFault) -> [String] {
        let digests = try reader.texts("digests")
        guard digests.count == replicas else { throw reader.fault("`digests` has not \(replicas) entries") }
        return digests
    }

    /// - Parameter unmeasured: metrics for which no strategy of the run measured anything.
    fileprivate init(
        _ name: String, _ reader: BaselineReader, _ replicas: Int, _ unmeasured: [String]
    ) throws(BaselineFault) {
        var series = try Self.series(try reader.member("metrics"), replicas)
        let nothing = MetricSeries(whole: .nothing, each: FigureColumn(repeating: .nothing, count: replicas))
        for metric in unmeasured where series[metric] == nil { series[metric] = nothing }
        self.init(
            name: name, hash: try reader.text("strategy_hash"), digests: try Self.digests(reader, replicas),
            minutes: try reader.textLists("minutes").map { $0.joined() }, series: series)
        guard reader.value["groups"] != nil else { return }
        let named = try reader.member("groups").named { (name, item) throws(BaselineFault) in
            (name: name, series: try Self.series(item, replicas))
        }
        groups = Dictionary(named.map { ($0.name, $0.series) }) { first, _ in first }
    }

    /// Reads one value, or the value over all replicas followed by those of the replicas.
    private static func series(
        _ reader: BaselineReader, _ replicas: Int
    ) throws(BaselineFault) -> [String: MetricSeries] {
        var series: [String: MetricSeries] = [:]
        for (name, value) in reader.members {
            guard let items = value.items else {
                let whole = try reader.figure(value, name)
                series[name] = MetricSeries(whole: whole, each: FigureColumn(repeating: whole, count: replicas))
                continue
            }
            guard items.count == 2 || items.count == replicas + 1 else {
                throw reader.fault("`\(name.escapedForTerminal.prefix(60))` has not \(replicas) replicas")
            }
            var figures: [Figure] = []
            for item in items { figures.append(try reader.figure(item, name)) }
            let each = figures.dropFirst()
            series[name] = MetricSeries(
                whole: figures[0],
                each: each.count == 1 ? FigureColumn(repeating: each[1], count: replicas) : FigureColumn(each))
        }
        return series
    }

    fileprivate init(first reader: BaselineReader, _ replicas: Int) throws(BaselineFault) {
        self.init(
            name: try reader.text("name"), hash: try reader.text("strategy_hash"),
            digests: try Self.digests(reader, replicas),
            minutes: try reader.texts("minutes").map(MinuteHash.text(fromHex:)),
            series: try Self.firstSeries(reader, replicas))
        guard reader.value["groups"] != nil else { return }
        let named = try reader.list("groups") { (item) throws(BaselineFault) in
            (name: try item.text("name"), series: try Self.firstSeries(item, replicas))
        }
        for group in named {
            guard groups.updateValue(group.series, forKey: group.name) == nil else {
                throw reader.fault("two groups are called `\(group.name.escapedForTerminal.prefix(200))`")
            }
        }
    }

    private static func firstSeries(
        _ reader: BaselineReader, _ replicas: Int
    ) throws(BaselineFault) -> [String: MetricSeries] {
        let each = try reader.member("each")
        var series: [String: MetricSeries] = [:]
        for (name, value) in try reader.member("metrics").members {
            let whole = try reader.figure(value, name)
            var figures = Array(repeating: whole, count: replicas)
            if let items = each.value[name] {
                guard let items = items.items, items.count == replicas else {
                    throw each.fault("`\(name.escapedForTerminal.prefix(60))` has not \(replicas) entries")
                }
                for index in figures.indices { figures[index] = try each.figure(items[index], name) }
            }
            series[name] = MetricSeries(whole: whole, each: FigureColumn(figures))
        }
        return series
    }
}

/// Reads the members of one JSON object in a baseline file; it knows the object's path for error messages.
private struct BaselineReader {
    let value: JSON
    private let path: String

    init(_ value: JSON, at place: String) {
        self.value = value
        self.path = place
    }

    func fault(_ what: String) -> BaselineFault {
        BaselineFault(message: path.isEmpty ? what : "\(path): \(what)")
    }

    /// Sorted by name, so that a file with several errors always reports the same one.
    var members: [(key: String, value: JSON)] {
        guard case .object(let members) = value else { return [] }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    func member(_ key: String) throws(BaselineFault) -> BaselineReader {
        guard let member = value[key], case .object = member else { throw fault("`\(key)` is not an object") }
        return BaselineReader(member, at: memberPath(key))
    }

    func text(_ key: String) throws(BaselineFault) -> String {
        guard let text = value[key]?.string else { throw fault("`\(key)` is not a text") }
        return text
    }

    func texts(_ key: String) throws(BaselineFault) -> [String] {
        let items = value[key]?.items
        guard let texts = items?.compactMap(\.string), texts.count == items?.count else {
            throw fault("`\(key)` is not a list of texts")
        }
        return texts
    }

    func textLists(_ key: String) throws(BaselineFault) -> [[String]] {
        let lists = value[key]?.items?.map { $0.items?.compactMap(\.string) ?? [] }
        guard let lists, lists.map(\.count) == value[key]?.items?.map({ $0.items?.count ?? -1 }) else {
            throw fault("`\(key)` is not a list of lists of texts")
        }
        return lists
    }

    /// Reads each member of the object, by its name.
    func named<Item>(
        _ read: (String, BaselineReader) throws(BaselineFault) -> Item
    ) throws(BaselineFault) -> [Item] {
        var result: [Item] = []
        for (name, value) in members {
            let reader = BaselineReader(value, at: memberPath(String(name.escapedForTerminal.prefix(60))))
            guard case .object = value else { throw reader.fault("it is not an object") }
            result.append(try read(name, reader))
        }
        return result
    }

    func integer(_ key: String, in range: ClosedRange<Int128>) throws(BaselineFault) -> Int128 {
        guard let number = value[key]?.integer, range.contains(number) else {
            throw fault("`\(key)` is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func figure(_ value: JSON, _ name: String) throws(BaselineFault) -> Figure {
        if value == .null { return .nothing }
        if value.string == "never" { return .never }
        if let number = value["at_least"]?.double { return .atLeast(Billionths(stored: number)) }
        guard let number = value.double else { throw fault("`\(name.escapedForTerminal.prefix(60))` is not a number") }
        return .value(Billionths(stored: number))
    }

    func list<Item>(
        _ key: String, _ read: (BaselineReader) throws(BaselineFault) -> Item
    ) throws(BaselineFault) -> [Item] {
        guard let items = value[key]?.items else { throw fault("`\(key)` is not a list") }
        var result: [Item] = []
        for (index, item) in items.enumerated() {
            let reader = BaselineReader(item, at: memberPath("\(key)[\(index)]"))
            guard case .object = item else { throw reader.fault("it is not an object") }
            result.append(try read(reader))
        }
        return result
    }

    private func memberPath(_ key: String) -> String { path.isEmpty ? key : path + "." + key }
}
