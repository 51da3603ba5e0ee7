public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// A result that an `ArchiveWriter` has written. What it says is looked at, and nothing of it is run.
public struct Archive {
    public let tool: String
    /// What the tool could measure.
    public let metrics: [String]
    public let isComplete: Bool
    public let isSingle: Bool
    public let runs: [Run]
    private let database: Database

    public struct Run: Sendable {
        fileprivate let number: Int
        public let name: String
        public let worldHash: String
        public let resolved: String
        public let cell: [CellAxis]
        public let seed: UInt64
        public let replicas: Int
        public let focus: Focus
        public let isComplete: Bool
        public let strategies: [Strategy]
        /// Why it proves nothing.
        public let troubles: [String]
    }

    public struct Strategy: Sendable {
        public let name: String
        public let hash: String
        public let digest: String
    }

    /// Whether a file says of itself that it is one.
    public static func isOne(_ path: String) -> Bool {
        guard let database = try? Database(path, for: .reading) else { return false }
        return (try? database.number("PRAGMA application_id")) == Tables.owner
    }

    public init(reading path: String) throws(ArchiveFault) {
        database = try Database(path, for: .reading)
        // A stranger's file may hold views and triggers in the place of tables.
        try database.run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        let version = try database.number("PRAGMA user_version")
        guard version == Tables.version else {
            throw ArchiveFault(message: "its version is \(version ?? 0), not \(Tables.version)")
        }
        for table in Tables.all {
            let known = try database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
            known.give(table.name)
            guard try known.next() else { throw ArchiveFault(message: "it has no table `\(table.name)`") }
        }
        let result = try database.prepare("SELECT tool_version, complete, single FROM result")
        guard try result.next(), let tool = result.text(0) else {
            throw ArchiveFault(message: "it was not written to its end")
        }
        self.tool = tool
        (isComplete, isSingle) = (result.integer(1) == 1, result.integer(2) == 1)
        var metrics: [String] = []
        let rows = try database.prepare("SELECT metric FROM metrics ORDER BY rowid")
        while try rows.next() { metrics.append(try rows.needed(0)) }
        self.metrics = metrics
        runs = try database.runs()
    }

    /// All of it, as what another result is compared with.
    public func baseline() throws(ArchiveFault) -> Baseline {
        var all: [BaselineRun] = []
        for run in runs {
            if let twin = all.first(where: { $0.name == run.name }) {
                throw ArchiveFault(message: "two runs are called `\(twin.name.visible.prefix(200))`")
            }
            all.append(try baseline(of: run))
        }
        return Baseline(tool: tool, metrics: metrics, runs: all)
    }

    /// Which minute was another one it does not say: of a hundred thousand replicas that is more than their numbers.
    private func baseline(of run: Run) throws(ArchiveFault) -> BaselineRun {
        let known = Catalogue.all.filter { Set(metrics).contains($0.name) }
        var strategies: [BaselineStrategy] = []
        for (number, strategy) in run.strategies.enumerated() {
            let whole = ArchivedPart(run: run.number, strategy: number, group: nil)
            let series = try series(of: whole, named: strategy.name, run.replicas, known)
            var kept = BaselineStrategy(
                name: strategy.name, hash: strategy.hash, digests: try digests(of: whole), minutes: [], series: series)
            for (place, group) in try groups(of: whole).enumerated() {
                let part = ArchivedPart(run: run.number, strategy: number, group: place)
                kept.groups[group] = try self.series(of: part, named: group, run.replicas, known)
            }
            strategies.append(kept)
        }
        return BaselineRun(
            name: run.name, worldHash: run.worldHash, seed: run.seed, replicas: run.replicas, minute: .minutes(1),
            strategies: strategies)
    }

    private func groups(of part: ArchivedPart) throws(ArchiveFault) -> [String] {
        let rows = try database.prepare("SELECT name FROM groups WHERE run = ? AND strategy = ? ORDER BY place")
        for number in part.key { rows.give(number) }
        var names: [String] = []
        while try rows.next() { names.append(try rows.needed(0)) }
        return names
    }

    private func digests(of part: ArchivedPart) throws(ArchiveFault) -> [String] {
        let rows = try database.prepare(
            "SELECT digest FROM replicas WHERE run = ? AND strategy = ? ORDER BY replica")
        for number in part.key { rows.give(number) }
        var digests: [String] = []
        while try rows.next() { digests.append(try rows.needed(0)) }
        return digests
    }

    private func series(
        of part: ArchivedPart, named name: String, _ replicas: Int, _ metrics: [Metric]
    ) throws(ArchiveFault) -> [String: BaselineStrategy.Series] {
        let wholes = try figures(of: part)
        let columns = try columns(of: part, metrics)
        var series: [String: BaselineStrategy.Series] = [:]
        for (metric, column) in zip(metrics, columns) {
            guard column.count == replicas else {
                throw ArchiveFault(
                    message: "`\(name.visible.prefix(60))` has \(column.count) replicas, and not \(replicas)")
            }
            let one = BaselineStrategy.Series(whole: (wholes[metric.name] ?? .nothing).kept, each: column)
            if !one.isZero { series[metric.name] = one }
        }
        return series
    }

    private func figures(of part: ArchivedPart) throws(ArchiveFault) -> [String: Figure] {
        let rows = try database.prepare(
            "SELECT metric, value, at_least FROM \(part.table(Tables.figures, Tables.groupFigures)) WHERE \(part.place)"
        )
        for number in part.key { rows.give(number) }
        var figures: [String: Figure] = [:]
        while try rows.next() {
            figures[try rows.needed(0)] = Figure(archived: rows.double(1), isAtLeast: rows.integer(2) == 1)
        }
        return figures
    }

    /// Of each metric a column, replica by replica.
    private func columns(of part: ArchivedPart, _ metrics: [Metric]) throws(ArchiveFault) -> [FigureColumn] {
        let open = try database.prepare(
            "SELECT replica, metric FROM \(part.table(Tables.atLeast, Tables.groupAtLeast)) WHERE \(part.place) "
                + "ORDER BY replica")
        for number in part.key { open.give(number) }
        let places = Dictionary(uniqueKeysWithValues: metrics.enumerated().map { ($1.name, $0) })
        var isMore = try open.next()
        let names = metrics.map { ", " + Tables.quoted($0.name) }.joined()
        let rows = try database.prepare(
            "SELECT replica\(names) FROM \(part.table(Tables.replicas, Tables.groupReplicas)) WHERE \(part.place) "
                + "ORDER BY replica")
        for number in part.key { rows.give(number) }
        var columns = Array(repeating: FigureColumn(), count: metrics.count)
        while try rows.next() {
            let replica = rows.integer(0)
            var atLeast: Set<Int> = []
            while isMore, let other = open.integer(0), other == replica {
                if let place = open.text(1).flatMap({ places[$0] }) { atLeast.insert(place) }
                isMore = try open.next()
            }
            for index in columns.indices {
                columns[index].append(Figure(archived: rows.double(index + 1), isAtLeast: atLeast.contains(index)))
            }
        }
        return columns
    }
}

/// All phones under a strategy of a run, or those of one group.
private struct ArchivedPart {
    let run: Int
    let strategy: Int
    let group: Int?

    var key: [Int] { [run, strategy] + (group.map { [$0] } ?? []) }
    var place: String { "run = ? AND strategy = ?" + (group == nil ? "" : " AND place = ?") }

    func table(_ whole: Table, _ ofGroups: Table) -> String { group == nil ? whole.name : ofGroups.name }
}

extension Figure {
    fileprivate init(archived number: Double?, isAtLeast: Bool) {
        switch number {
        case let number? where number.isInfinite: self = .never
        case let number? where number >= 0: self = (isAtLeast ? Self.atLeast : Self.value)(Billionths(kept: number))
        default: self = .nothing
        }
    }
}

extension Statement {
    fileprivate func needed(_ column: Int) throws(ArchiveFault) -> String {
        guard let text = text(column) else { throw ArchiveFault(message: "a name is missing") }
        return text
    }
}

extension Database {
    fileprivate func number(_ question: String) throws(ArchiveFault) -> Int? {
        let row = try prepare(question)
        return try row.next() ? row.integer(0) : nil
    }

    fileprivate func runs() throws(ArchiveFault) -> [Archive.Run] {
        let rows = try prepare(
            "SELECT run, name, world_hash, resolved, seed, replicas, replica, phone, complete FROM runs ORDER BY run")
        var runs: [Archive.Run] = []
        while try rows.next() {
            guard let number = rows.integer(0), let seed = rows.text(4).flatMap({ UInt64($0) }),
                let replicas = rows.integer(5), replicas > 0
            else { throw ArchiveFault(message: "a run has no number, no seed or no replicas") }
            runs.append(
                Archive.Run(
                    number: number, name: try rows.needed(1), worldHash: try rows.needed(2),
                    resolved: try rows.needed(3),
                    cell: try pairs("SELECT key, value FROM cells WHERE run = ? ORDER BY place", number)
                        .map { CellAxis(key: $0[0], value: $0[1]) },
                    seed: seed, replicas: replicas, focus: Focus(replica: rows.integer(6), phone: rows.integer(7)),
                    isComplete: rows.integer(8) == 1,
                    strategies: try pairs(
                        "SELECT name, strategy_hash, digest FROM strategies WHERE run = ? ORDER BY strategy", number
                    ).map { Archive.Strategy(name: $0[0], hash: $0[1], digest: $0[2]) },
                    troubles: try pairs("SELECT trouble FROM troubles WHERE run = ? ORDER BY place", number).map {
                        $0[0]
                    }))
        }
        return runs
    }

    /// The texts of each row about a run.
    private func pairs(_ question: String, _ run: Int) throws(ArchiveFault) -> [[String]] {
        let rows = try prepare(question)
        rows.give(run)
        var all: [[String]] = []
        while try rows.next() {
            var texts: [String] = []
            for column in 0..<rows.columns { texts.append(try rows.needed(column)) }
            all.append(texts)
        }
        return all
    }
}
