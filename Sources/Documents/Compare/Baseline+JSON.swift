public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// Error of the reader of baseline files, with the position in the file.
public struct BaselineFault: Error, Hashable, Sendable {
    public let message: String
}

extension Baseline {
    public static let schema = "deadzone/baseline/1"

    /// Sorted text with one metric per line, so that version control shows the changes.
    public var text: String { json.text(.rows) + "\n" }

    var json: JSON {
        .object([
            "schema": .string(Self.schema), "tool": .object(["version": .string(tool)]),
            "metrics": .array(metrics.sorted().map { .string($0) }), "scenarios": .array(runs.map(\.json)),
        ])
    }

    /// Reads a file that `text` wrote, and validates all of it.
    public init(text bytes: [UInt8]) throws(BaselineFault) {
        let document: JSON
        do throws(JSONFault) {
            document = try JSON(text: bytes)
        } catch {
            throw BaselineFault(message: "byte \(error.offset): \(error.message)")
        }
        guard let schema = document["schema"]?.string else { throw BaselineFault(message: "it has no `schema`") }
        guard schema == Self.schema else {
            throw BaselineFault(
                message: "its schema is `\(schema.escapedForTerminal.prefix(60))`, not `\(Self.schema)`")
        }
        let reader = BaselineReader(document, at: "")
        let runs = try reader.list("scenarios") { (run) throws(BaselineFault) in try BaselineRun(run) }
        self.init(
            tool: try reader.member("tool").text("version"), metrics: try reader.texts("metrics"), runs: runs)
        for index in self.runs.indices.dropFirst() where self.runs[index].name == self.runs[index - 1].name {
            throw BaselineFault(
                message: "two scenarios are called `\(self.runs[index].name.escapedForTerminal.prefix(200))`")
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
            throw reader.fault("two strategies are called `\(strategies[index].name.escapedForTerminal.prefix(200))`")
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

    private static func json(_ all: [String: MetricSeries]) -> [String: JSON] {
        var each: [String: JSON] = [:]
        for (name, series) in all where series.each.contains(where: { $0 != series.whole }) {
            each[name] = .array(series.each.map(\.storedJSON))
        }
        return ["metrics": .object(all.mapValues(\.whole.storedJSON)), "each": .object(each)]
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
                throw reader.fault("two groups are called `\(group.name.escapedForTerminal.prefix(200))`")
            }
        }
    }

    private static func series(_ reader: BaselineReader, _ replicas: Int) throws(BaselineFault) -> [String:
        MetricSeries]
    {
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

extension Figure {
    /// `null` if there was nothing to measure, `"never"` for a value that no number expresses.
    fileprivate var storedJSON: JSON {
        switch self {
        case .value, .atLeast: Figure?.some(self).json
        case .never: .string("never")
        case .nothing: .null
        }
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
