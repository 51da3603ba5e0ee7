import DeadzoneBase
package import DeadzoneMetrics

/// Reads a SQLite file with the results of simulation runs, as `ArchiveWriter` wrote it. Its content is treated as data
/// and never executed.
package struct Archive {
    package let tool: String
    /// Names of the metrics that the tool could measure.
    package let metrics: [String]
    package let isComplete: Bool
    package let isSingle: Bool
    package let runs: [ArchivedRun]
    private let database: SQLiteDatabase

    /// Maximum number of replicas of a run: `--replicas` accepts no more.
    fileprivate static let maxReplicas = 100_000

    package struct ArchivedRun: Sendable {
        fileprivate let number: Int
        package let name: String
        package let worldHash: String
        package let resolved: String
        package let cell: [CellAxis]
        package let seed: UInt64
        package let replicas: Int
        package let focus: Focus
        package let isComplete: Bool
        package let strategies: [ArchivedStrategy]
        /// Reasons why the run proves nothing.
        package let troubles: [String]
    }

    package struct ArchivedStrategy: Sendable {
        package let name: String
        package let hash: String
        package let digest: String
    }

    /// `true` if the file is an archive by its application ID.
    package static func isArchive(_ path: String) -> Bool {
        guard let database = try? SQLiteDatabase(path, for: .reading) else { return false }
        return (try? database.number("PRAGMA application_id")) == ArchiveSchema.applicationID
    }

    package init(reading path: String) throws(ArchiveFault) {
        database = try SQLiteDatabase(path, for: .reading)
        // A file of unknown origin may contain views and triggers instead of tables.
        try database.run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        let version = try database.number("PRAGMA user_version")
        guard version == ArchiveSchema.version else {
            throw ArchiveFault(message: "its version is \(version ?? 0), not \(ArchiveSchema.version)")
        }
        for table in ArchiveSchema.all {
            let known = try database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
            known.bind(table.name)
            guard try known.next() else { throw ArchiveFault(message: "it has no table `\(table.name)`") }
            // A generated column is computed while it is read, by an expression of the file's author.
            let generated = try database.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0")
            generated.bind(table.name)
            guard try !generated.next() else {
                throw ArchiveFault(message: "its table `\(table.name)` has a generated column")
            }
        }
        let result = try database.prepare("SELECT tool_version, complete, single FROM result")
        guard try result.next(), let tool = result.text(0) else {
            throw ArchiveFault(message: "it is incomplete")
        }
        self.tool = tool
        (isComplete, isSingle) = (result.integer(1) == 1, result.integer(2) == 1)
        var metrics: [String] = []
        let rows = try database.prepare("SELECT metric FROM metrics ORDER BY rowid")
        while try rows.next() { metrics.append(try rows.requiredText(0)) }
        self.metrics = metrics
        runs = try database.runs()
    }

    /// Converts the archive to a baseline, for comparison with another result.
    package func baseline() throws(ArchiveFault) -> Baseline {
        var all: [BaselineRun] = []
        for run in runs {
            if let twin = all.first(where: { $0.name == run.name }) {
                throw ArchiveFault(message: "two runs are called `\(twin.name.escapedForTerminal.prefix(200))`")
            }
            all.append(try baseline(of: run))
        }
        return Baseline(tool: tool, metrics: metrics, runs: all)
    }

    /// An archive stores no hashes of minutes, so a comparison cannot name the first minute that differs. For a hundred
    /// thousand replicas they would take more space than the figures.
    private func baseline(of run: ArchivedRun) throws(ArchiveFault) -> BaselineRun {
        let known = Catalogue.all.filter { Set(metrics).contains($0.name) }
        var strategies: [BaselineStrategy] = []
        for (number, strategy) in run.strategies.enumerated() {
            let whole = ArchivedPart(run: run.number, strategy: number, group: nil)
            let series = try series(of: whole, named: strategy.name, run.replicas, known)
            var stored = BaselineStrategy(
                name: strategy.name, hash: strategy.hash, digests: try digests(of: whole), minutes: [], series: series)
            for (place, group) in try groups(of: whole).enumerated() {
                let part = ArchivedPart(run: run.number, strategy: number, group: place)
                stored.groups[group] = try self.series(of: part, named: group, run.replicas, known)
            }
            strategies.append(stored)
        }
        return BaselineRun(
            name: run.name, worldHash: run.worldHash, seed: run.seed, replicas: run.replicas, minute: .minutes(1),
            strategies: strategies)
    }

    private func groups(of part: ArchivedPart) throws(ArchiveFault) -> [String] {
        let rows = try database.prepare("SELECT name FROM groups WHERE run = ? AND strategy = ? ORDER BY place")
        for number in part.key { rows.bind(number) }
        var names: [String] = []
        while try rows.next() { names.append(try rows.requiredText(0)) }
        return names
    }

    private func digests(of part: ArchivedPart) throws(ArchiveFault) -> [String] {
        let rows = try database.prepare(
            "SELECT digest FROM replicas WHERE run = ? AND strategy = ? ORDER BY replica")
        for number in part.key { rows.bind(number) }
        var digests: [String] = []
        while try rows.next() { digests.append(try rows.requiredText(0)) }
        return digests
    }

    private func series(
        of part: ArchivedPart, named name: String, _ replicas: Int, _ metrics: [Metric]
    ) throws(ArchiveFault) -> [String: BaselineStrategy.MetricSeries] {
        let wholes = try figures(of: part)
        let columns = try columns(of: part, metrics)
        var series: [String: BaselineStrategy.MetricSeries] = [:]
        for (metric, column) in zip(metrics, columns) {
            guard column.count == replicas else {
                throw ArchiveFault(
                    message: "`\(name.escapedForTerminal.prefix(60))` has \(column.count) replicas, not \(replicas)"
                )
            }
            let one = BaselineStrategy.MetricSeries(whole: (wholes[metric.name] ?? .nothing).stored, each: column)
            if !one.isZero { series[metric.name] = one }
        }
        return series
    }

    private func figures(of part: ArchivedPart) throws(ArchiveFault) -> [String: Figure] {
        let rows = try database.prepare(
            "SELECT metric, value, at_least FROM \(part.table(ArchiveSchema.figures, ArchiveSchema.groupFigures)) WHERE \(part.place)"
        )
        for number in part.key { rows.bind(number) }
        var figures: [String: Figure] = [:]
        while try rows.next() {
            figures[try rows.requiredText(0)] = Figure(archived: rows.double(1), isAtLeast: rows.integer(2) == 1)
        }
        return figures
    }

    /// One column per metric, replica by replica.
    private func columns(of part: ArchivedPart, _ metrics: [Metric]) throws(ArchiveFault) -> [FigureColumn] {
        let open = try database.prepare(
            "SELECT replica, metric FROM \(part.table(ArchiveSchema.atLeast, ArchiveSchema.groupAtLeast)) WHERE \(part.place) "
                + "ORDER BY replica")
        for number in part.key { open.bind(number) }
        let places = Dictionary(uniqueKeysWithValues: metrics.enumerated().map { ($1.name, $0) })
        var isMore = try open.next()
        let names = metrics.map { ", " + ArchiveSchema.quoted($0.name) }.joined()
        let rows = try database.prepare(
            "SELECT replica\(names) FROM \(part.table(ArchiveSchema.replicas, ArchiveSchema.groupReplicas)) WHERE \(part.place) "
                + "ORDER BY replica")
        for number in part.key { rows.bind(number) }
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

/// The key that selects one strategy's rows in an archive, for all phones or for one group.
private struct ArchivedPart {
    let run: Int
    let strategy: Int
    let group: Int?

    var key: [Int] { [run, strategy] + (group.map { [$0] } ?? []) }
    var place: String { "run = ? AND strategy = ?" + (group == nil ? "" : " AND place = ?") }

    func table(_ whole: ArchiveTable, _ ofGroups: ArchiveTable) -> String { group == nil ? whole.name : ofGroups.name }
}

extension Figure {
    fileprivate init(archived number: Double?, isAtLeast: Bool) {
        switch number {
        case let number? where number.isInfinite: self = .never
        case let number? where number >= 0: self = (isAtLeast ? Self.atLeast : Self.value)(Billionths(stored: number))
        default: self = .nothing
        }
    }
}

extension SQLiteStatement {
    fileprivate func requiredText(_ column: Int) throws(ArchiveFault) -> String {
        guard let text = text(column) else { throw ArchiveFault(message: "a name is missing") }
        return text
    }
}

extension SQLiteDatabase {
    fileprivate func number(_ question: String) throws(ArchiveFault) -> Int? {
        let row = try prepare(question)
        return try row.next() ? row.integer(0) : nil
    }

    fileprivate func runs() throws(ArchiveFault) -> [Archive.ArchivedRun] {
        let rows = try prepare(
            "SELECT run, name, world_hash, resolved, seed, replicas, replica, phone, complete FROM runs ORDER BY run")
        var runs: [Archive.ArchivedRun] = []
        while try rows.next() {
            guard let number = rows.integer(0), let seed = rows.text(4).flatMap({ UInt64($0) }),
                let replicas = rows.integer(5), (1...Archive.maxReplicas).contains(replicas)
            else { throw ArchiveFault(message: "a run has no number, no seed or no valid number of replicas") }
            let focus = Focus(replica: rows.integer(6), phone: rows.integer(7))
            guard (0..<Archive.maxReplicas).contains(focus.replica ?? 0),
                (0...Int(UInt32.max)).contains(focus.phone ?? 0)
            else { throw ArchiveFault(message: "a run has an invalid replica or phone") }
            let strategies = try pairs(
                "SELECT name, strategy_hash, digest FROM strategies WHERE run = ? ORDER BY strategy", number
            ).map { Archive.ArchivedStrategy(name: $0[0], hash: $0[1], digest: $0[2]) }
            guard !strategies.isEmpty else { throw ArchiveFault(message: "a run has no strategies") }
            guard Set(strategies.map(\.name)).count == strategies.count else {
                throw ArchiveFault(message: "a run has a strategy twice")
            }
            runs.append(
                Archive.ArchivedRun(
                    number: number, name: try rows.requiredText(1), worldHash: try rows.requiredText(2),
                    resolved: try rows.requiredText(3),
                    cell: try pairs("SELECT key, value FROM cells WHERE run = ? ORDER BY place", number)
                        .map { CellAxis(key: $0[0], value: $0[1]) },
                    seed: seed, replicas: replicas, focus: focus,
                    isComplete: rows.integer(8) == 1,
                    strategies: strategies,
                    troubles: try pairs("SELECT trouble FROM troubles WHERE run = ? ORDER BY place", number).map {
                        $0[0]
                    }))
        }
        return runs
    }

    /// The text columns of each row about a run.
    private func pairs(_ question: String, _ run: Int) throws(ArchiveFault) -> [[String]] {
        let rows = try prepare(question)
        rows.bind(run)
        var all: [[String]] = []
        while try rows.next() {
            var texts: [String] = []
            for column in 0..<rows.columns { texts.append(try rows.requiredText(column)) }
            all.append(texts)
        }
        return all
    }
}
