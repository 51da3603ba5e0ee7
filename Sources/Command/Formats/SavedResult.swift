import DeadzoneArchive
import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios

/// A result that `run` has written: what it takes to run it again, and what must then come out.
struct SavedResult {
    /// Far beyond ten thousand runs.
    private static let limit = 1 << 30
    private static let mostReplicas: Int128 = 100_000

    let runs: [SavedRun]
    /// True if one scenario was asked for, so that the result is a document of one run.
    let isSingle: Bool

    init(_ path: String, _ surroundings: Surroundings) throws(ToolFault) {
        if let archive = try Archive.at(path) {
            isSingle = archive.isSingle
            guard archive.isComplete else { throw .noResult(path, "the run was stopped before its end") }
            runs = archive.runs.map(SavedRun.init)
            return
        }
        let bytes: [UInt8]
        do throws(SystemFault) {
            bytes =
                path == Expansion.standardInput
                ? try surroundings.input(Self.limit) : try Files.read(path, limit: Self.limit)
        } catch {
            throw .unreadable(error)
        }
        let document: JSON
        do throws(JSONFault) {
            document = try JSON(text: bytes)
        } catch {
            throw .noResult(path, "it is no JSON: at byte \(error.offset), \(error.message)")
        }
        switch document["schema"]?.string {
        case "deadzone/run/1":
            isSingle = true
            runs = [try SavedRun(document, in: path)]
        case "deadzone/runs/1":
            isSingle = false
            guard let items = document["runs"]?.items else { throw .noResult(path, "it has no `runs`") }
            if document["incomplete"]?.bool == true { throw .noResult(path, "the run was stopped before its end") }
            var runs: [SavedRun] = []
            for item in items { runs.append(try SavedRun(item, in: path)) }
            self.runs = runs
            if let twin = runs.indices.first(where: { runs[..<$0].contains(runs[$0]) }) {
                throw .noResult(path, "it has the scenario \(quoteForResult(runs[twin].name)) twice")
            }
        case let schema?: throw .noResult(path, "it is of \(quoteForResult(schema))")
        case nil: throw .noResult(path, "it has no `schema`")
        }
    }

    /// One run of the document.
    struct SavedRun: Equatable {
        let seed: UInt64
        let replicas: Int
        /// The names of the strategies that ran, in their order.
        let selection: [String]
        let name: String
        let worldHash: String
        /// The scenario, whole.
        let resolved: String
        let cell: [CellAxis]
        /// What of it was asked for alone.
        let focus: Focus
        /// By strategy: what it was, and what it did.
        let hashes: [String]
        let digests: [String]

        init(_ run: JSON, in path: String) throws(ToolFault) {
            func need<Value>(_ value: Value?, _ what: String) throws(ToolFault) -> Value {
                guard let value else { throw .noResult(path, "it lacks \(what)") }
                return value
            }
            if run["complete"]?.bool == false { throw .noResult(path, "the run was stopped before its end") }
            seed = try need(run["seed"]?.integer.flatMap(UInt64.init(exactly:)), "a `seed`")
            replicas = Int(
                try need(
                    run["replicas"]?.integer.flatMap { (1...SavedResult.mostReplicas).contains($0) ? $0 : nil },
                    "a number of `replicas`"))
            let strategies = try need(run["strategies"]?.items, "`strategies`")
            selection = try need(Self.texts("name", of: strategies), "the `name` of a strategy")
            hashes = try need(Self.texts("strategy_hash", of: strategies), "the `strategy_hash` of a strategy")
            digests = try need(Self.texts("digest", of: strategies), "the `digest` of a strategy")
            let scenario = try need(run["scenario"], "a `scenario`")
            name = try need(scenario["name"]?.string, "the scenario's `name`")
            worldHash = try need(scenario["world_hash"]?.string, "the `world_hash`")
            resolved = try need(scenario["resolved"]?.string, "the `resolved` scenario")
            cell = Self.axes(scenario["cell"], in: name)
            func place(_ key: String, below limit: Int128) throws(ToolFault) -> Int? {
                guard let value = run[key] else { return nil }
                return Int(
                    try need(
                        value.integer.flatMap { (0..<limit).contains($0) ? $0 : nil }, "a sound `\(key)`"))
            }
            let phones = max(1, scenario["phones"]?.integer ?? 1)
            focus = Focus(
                replica: try place("replica", below: SavedResult.mostReplicas),
                phone: try place("phone", below: phones))
            if let twin = Self.doubled(selection) {
                throw .noResult(path, "it has the strategy \(quoteForResult(twin)) twice")
            }
        }

        init(_ run: Archive.Run) {
            (seed, replicas, name, focus) = (run.seed, run.replicas, run.name, run.focus)
            (worldHash, resolved, cell) = (run.worldHash, run.resolved, run.cell)
            selection = run.strategies.map(\.name)
            hashes = run.strategies.map(\.hash)
            digests = run.strategies.map(\.digest)
        }

        /// The first name that stands there a second time.
        private static func doubled(_ names: [String]) -> String? {
            var seen: Set<String> = []
            return names.first { !seen.insert($0).inserted }
        }

        private static func texts(_ key: String, of items: [JSON]) -> [String]? {
            let texts = items.compactMap { $0[key]?.string }
            return texts.count == items.count && !texts.isEmpty ? texts : nil
        }

        /// The document has them in the order of their keys, the name of the cell in that of the scenario.
        private static func axes(_ cell: JSON?, in name: String) -> [CellAxis] {
            guard case .object(let members)? = cell else { return [] }
            let axes = members.compactMap { key, value in value.string.map { CellAxis(key: key, value: $0) } }
            let places = axes.map { axis in
                (name.ranges(of: "\(axis.key)=\(axis.value)").last?.lowerBound ?? name.endIndex, axis)
            }
            return places.sorted { ($0.0, $0.1.key) < ($1.0, $1.1.key) }.map(\.1)
        }
    }
}

private func quoteForResult(_ schema: String) -> String { "`\(String(schema.visible.prefix(60)))`" }

extension Archive {
    /// What lies there, if it is one.
    static func at(_ path: String) throws(ToolFault) -> Archive? {
        guard path != Expansion.standardInput, Files.kind(of: path) == .file, isOne(path) else { return nil }
        do throws(ArchiveFault) { return try Archive(reading: path) } catch { throw .noResult(path, error.message) }
    }
}

extension ToolFault {
    static func noResult(_ path: String, _ why: String) -> Self {
        Self(
            .noResult, "\(String(path.visible.prefix(200))) is no result that can be reported: \(why)",
            help: ["deadzone run SCENARIO --out DIR writes one: DIR/results.json"])
    }
}
