public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// Why a file is no baseline, with the place in it.
public struct BaselineFault: Error, Hashable, Sendable {
    public let message: String
}

extension Baseline {
    public static let schema = "deadzone/baseline/1"

    /// Sorted, a metric to a line, so that version control shows what has changed.
    public var text: String { json.text(.rows) + "\n" }

    var json: JSON {
        .object([
            "schema": .string(Self.schema), "tool": .object(["version": .string(tool)]),
            "metrics": .array(metrics.sorted().map { .string($0) }), "scenarios": .array(runs.map(\.json)),
        ])
    }

    /// Reads what `text` wrote. Everything is looked at: what is read is a baseline.
    public init(text bytes: [UInt8]) throws(BaselineFault) {
        let document: JSON
        do throws(JSONFault) {
            document = try JSON(text: bytes)
        } catch {
            throw BaselineFault(message: "byte \(error.offset): \(error.message)")
        }
        guard let schema = document["schema"]?.string else { throw BaselineFault(message: "it names no `schema`") }
        guard schema == Self.schema else {
            throw BaselineFault(message: "its schema is `\(schema.visible.prefix(60))`, not `\(Self.schema)`")
        }
        let reader = BaselineReader(document, at: "")
        let runs = try reader.list("scenarios") { (run) throws(BaselineFault) in try BaselineRun(run) }
        self.init(
            tool: try reader.member("tool").text("version"), metrics: try reader.texts("metrics"), runs: runs)
        for index in self.runs.indices.dropFirst() where self.runs[index].name == self.runs[index - 1].name {
            throw BaselineFault(message: "two scenarios are called `\(self.runs[index].name.visible.prefix(200))`")
        }
    }
}

extension BaselineRun {
    fileprivate var json: JSON {
        .object([
            "name": .string(name), "world_hash": .string(worldHash), "seed": .integer(Int128(seed)),
            "replicas": .integer(Int128(replicas)), "minute_s": .integer(Int128(minute.nanoseconds / 1_000_000_000)),
            "strategies": .array(strategies.map(\.json)),
        ])
    }

    fileprivate init(_ reader: BaselineReader) throws(BaselineFault) {
        let replicas = Int(try reader.integer("replicas", in: 1...100_000))
        self.init(
            name: try reader.text("name"), worldHash: try reader.text("world_hash"),
            seed: UInt64(try reader.integer("seed", in: 0...Int128(UInt64.max))), replicas: replicas,
            minute: .seconds(Int64(try reader.integer("minute_s", in: 1...1_000_000_000))),
            strategies: try reader.list("strategies") { (item) throws(BaselineFault) in
                try BaselineStrategy(item, replicas)
            })
        for index in strategies.indices
        where strategies[..<index].contains(where: { $0.name == strategies[index].name }) {
            throw reader.fault("two strategies are called `\(strategies[index].name.visible.prefix(200))`")
        }
    }
}

extension BaselineStrategy {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(name), "strategy_hash": .string(hash), "digests": .array(digests.map { .string($0) }),
            "minutes": .array(minutes.map { .string($0) }),
        ]
        members.merge(Self.json(series)) { first, _ in first }
        if !groups.isEmpty {
            members["groups"] = .array(
                groups.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, series in
                    .object(Self.json(series).merging(["name": .string(name)]) { first, _ in first })
                })
        }
        return .object(members)
    }

    private static func json(_ all: [String: Series]) -> [String: JSON] {
        var each: [String: JSON] = [:]
        for (name, series) in all where series.each.contains(where: { $0 != series.whole }) {
            each[name] = .array(series.each.map(\.keptJSON))
        }
        return ["metrics": .object(all.mapValues(\.whole.keptJSON)), "each": .object(each)]
    }

    fileprivate init(_ reader: BaselineReader, _ replicas: Int) throws(BaselineFault) {
        let digests = try reader.texts("digests")
        guard digests.count == replicas else { throw reader.fault("`digests` has not \(replicas) entries") }
        self.init(
            name: try reader.text("name"), hash: try reader.text("strategy_hash"), digests: digests,
            minutes: try reader.texts("minutes"), series: try Self.series(reader, replicas))
        guard reader.value["groups"] != nil else { return }
        let named = try reader.list("groups") { (item) throws(BaselineFault) in
            (name: try item.text("name"), series: try Self.series(item, replicas))
        }
        for group in named {
            guard groups.updateValue(group.series, forKey: group.name) == nil else {
                throw reader.fault("two groups are called `\(group.name.visible.prefix(200))`")
            }
        }
    }

    private static func series(_ reader: BaselineReader, _ replicas: Int) throws(BaselineFault) -> [String: Series] {
        let each = try reader.member("each")
        var series: [String: Series] = [:]
        for (name, value) in try reader.member("metrics").members {
            let whole = try reader.figure(value, name)
            var figures = Array(repeating: whole, count: replicas)
            if let items = each.value[name] {
                guard let items = items.items, items.count == replicas else {
                    throw each.fault("`\(name.visible.prefix(60))` has not \(replicas) entries")
                }
                for index in figures.indices { figures[index] = try each.figure(items[index], name) }
            }
            series[name] = Series(whole: whole, each: FigureColumn(figures))
        }
        return series
    }
}

extension Figure {
    /// Null where there was nothing to measure; a word for what no number holds.
    fileprivate var keptJSON: JSON {
        switch self {
        case .value, .atLeast: Figure?.some(self).json
        case .never: .string("never")
        case .nothing: .null
        }
    }
}

/// One object of the file, with its place in it for the message.
private struct BaselineReader {
    let value: JSON
    private let place: String

    init(_ value: JSON, at place: String) {
        self.value = value
        self.place = place
    }

    func fault(_ what: String) -> BaselineFault {
        BaselineFault(message: place.isEmpty ? what : "\(place): \(what)")
    }

    /// In the order of their names, so that of several faults it is always the same one that is told.
    var members: [(key: String, value: JSON)] {
        guard case .object(let members) = value else { return [] }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    func member(_ key: String) throws(BaselineFault) -> BaselineReader {
        guard let member = value[key], case .object = member else { throw fault("`\(key)` is no object") }
        return BaselineReader(member, at: inside(key))
    }

    func text(_ key: String) throws(BaselineFault) -> String {
        guard let text = value[key]?.string else { throw fault("`\(key)` is no text") }
        return text
    }

    func texts(_ key: String) throws(BaselineFault) -> [String] {
        let items = value[key]?.items
        guard let texts = items?.compactMap(\.string), texts.count == items?.count else {
            throw fault("`\(key)` is no list of texts")
        }
        return texts
    }

    func integer(_ key: String, in range: ClosedRange<Int128>) throws(BaselineFault) -> Int128 {
        guard let number = value[key]?.integer, range.contains(number) else {
            throw fault("`\(key)` is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func figure(_ value: JSON, _ name: String) throws(BaselineFault) -> Figure {
        if value == .null { return .nothing }
        if value.string == "never" { return .never }
        if let number = value["at_least"]?.double { return .atLeast(Billionths(kept: number)) }
        guard let number = value.double else { throw fault("`\(name.visible.prefix(60))` is no number") }
        return .value(Billionths(kept: number))
    }

    func list<Item>(
        _ key: String, _ read: (BaselineReader) throws(BaselineFault) -> Item
    ) throws(BaselineFault) -> [Item] {
        guard let items = value[key]?.items else { throw fault("`\(key)` is no list") }
        var result: [Item] = []
        for (index, item) in items.enumerated() {
            let reader = BaselineReader(item, at: inside("\(key)[\(index)]"))
            guard case .object = item else { throw reader.fault("it is no object") }
            result.append(try read(reader))
        }
        return result
    }

    private func inside(_ key: String) -> String { place.isEmpty ? key : place + "." + key }
}
