import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// A parsed result file of an earlier `run`: the input to repeat its runs, and the expected result hashes (digests).
/// The repetition must reproduce the digests.
struct SavedResult {
    /// Maximum file size, far above the size of ten thousand runs.
    private static let limit = 1 << 30
    private static let mostReplicas: Int128 = 100_000

    let runs: [SavedRun]
    /// `true` if one scenario was requested, so that the document holds a single run.
    let isSingle: Bool

    init(_ path: String, _ context: CommandContext) throws(ToolFault) {
        if let archive = try Archive.at(path) {
            isSingle = archive.isSingle
            guard archive.isComplete else { throw .noResult(path, "the run was stopped before its end") }
            runs = archive.runs.map(SavedRun.init)
            return
        }
        let bytes: [UInt8]
        do throws(SystemFault) {
            bytes =
                path == PathExpansion.standardInput
                ? try context.input(Self.limit) : try Files.read(path, limit: Self.limit)
        } catch {
            throw .unreadable(error)
        }
        let document: JSON
        do throws(JSONFault) {
            document = try JSON(text: bytes)
        } catch {
            throw .noResult(path, "it is not JSON: at byte \(error.offset), \(error.message)")
        }
        switch document["schema"]?.string {
        case DocumentSchema.run.rawValue:
            isSingle = true
            runs = [try SavedRun(document, in: path)]
        case DocumentSchema.runs.rawValue:
            isSingle = false
            guard let items = document["runs"]?.items else { throw .noResult(path, "it has no `runs`") }
            if document["incomplete"]?.bool == true { throw .noResult(path, "the run was stopped before its end") }
            var runs: [SavedRun] = []
            for item in items { runs.append(try SavedRun(item, in: path)) }
            self.runs = runs
            if let twin = runs.indices.first(where: { runs[..<$0].contains(runs[$0]) }) {
                throw .noResult(path, "it has the scenario \(quoteForResult(runs[twin].name)) twice")
            }
        case let schema?: throw .noResult(path, "its schema is \(quoteForResult(schema))")
        case nil: throw .noResult(path, "it has no `schema`")
        }
    }

    /// One simulation run in a saved result file: its seed, scenario, strategies and result hashes.
    struct SavedRun: Equatable {
        let seed: UInt64
        let replicas: Int
        /// The names of the strategies that ran, in order.
        let selection: [String]
        let name: String
        let worldHash: String
        /// The complete scenario text.
        let resolved: String
        let cell: [CellAxis]
        /// The single replica or phone that was requested, if any.
        let focus: Focus
        /// Per strategy: the hash of the strategy and the digest of its run.
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
                        value.integer.flatMap { (0..<limit).contains($0) ? $0 : nil }, "a valid `\(key)`"))
            }
            let phones = max(1, scenario["phones"]?.integer ?? 1)
            focus = Focus(
                replica: try place("replica", below: SavedResult.mostReplicas),
                phone: try place("phone", below: phones))
            if let twin = Self.doubled(selection) {
                throw .noResult(path, "it has the strategy \(quoteForResult(twin)) twice")
            }
        }

        init(_ run: Archive.ArchivedRun) {
            (seed, replicas, name, focus) = (run.seed, run.replicas, run.name, run.focus)
            (worldHash, resolved, cell) = (run.worldHash, run.resolved, run.cell)
            selection = run.strategies.map(\.name)
            hashes = run.strategies.map(\.hash)
            digests = run.strategies.map(\.digest)
        }

        /// The first name that appears twice.
        private static func doubled(_ names: [String]) -> String? {
            var seen: Set<String> = []
            return names.first { !seen.insert($0).inserted }
        }

        private static func texts(_ key: String, of items: [JSON]) -> [String]? {
            let texts = items.compactMap { $0[key]?.string }
            return texts.count == items.count && !texts.isEmpty ? texts : nil
        }

        /// Orders the axes as in the scenario's name. The JSON document has them in the order of their keys.
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

private func quoteForResult(_ schema: String) -> String { "`\(String(schema.escapedForTerminal.prefix(60)))`" }

extension Archive {
    /// The archive at this path. `nil` if there is none.
    static func at(_ path: String) throws(ToolFault) -> Archive? {
        guard path != PathExpansion.standardInput, Files.kind(of: path) == .file, isArchive(path) else { return nil }
        do throws(ArchiveFault) { return try Archive(reading: path) } catch { throw .noResult(path, error.message) }
    }
}

extension ToolFault {
    static func noResult(_ path: String, _ why: String) -> Self {
        Self(
            .noResult, "\(String(path.escapedForTerminal.prefix(200))) cannot be reported: \(why)",
            help: ["deadzone run SCENARIO --out DIR writes one: DIR/results.json"])
    }
}
