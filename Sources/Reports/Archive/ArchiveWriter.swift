import DeadzoneBase
package import DeadzoneMetrics
import Synchronization

/// Writes the results of simulation runs to an existing empty SQLite file as they arrive. The order is: replicas in
/// order, then the results of their run. Memory use does not grow with the number of replicas. The same calls give the
/// same bytes for the same version of SQLite.
package final class ArchiveWriter: Sendable {
    private let state: Mutex<State>

    package init(_ path: String, tool: String) throws(ArchiveFault) {
        state = Mutex(try State(path, tool: tool))
    }

    /// Writes one replica of the next run. It does not throw: the first fault is reported by `finish`. Nothing is lost
    /// by that, since no later row can be stored anyway.
    /// - Parameter groups: The figures of each population group that is reported separately.
    package func add(_ replica: Int, _ strategy: Int, digest: String, _ figures: [Figure], groups: [[Figure]] = []) {
        state.withLock {
            $0.runUnlessFailed { (state) throws(ArchiveFault) in
                try state.add(replica, strategy, digest, figures)
                for (place, figures) in groups.enumerated() { try state.add(replica, strategy, group: place, figures) }
            }
        }
    }

    /// Writes the results of the run that the last replicas belong to.
    package func finishRun(_ report: RunReport) {
        state.withLock { $0.runUnlessFailed { (state) throws(ArchiveFault) in try state.finishRun(report) } }
    }

    /// Completes and closes the file.
    /// - Parameter isSingle: `true` if one scenario was requested, so that a report of the file is a document of one
    ///   run.
    package func finish(isComplete: Bool, isSingle: Bool) throws(ArchiveFault) {
        try state.withLock { (state) throws(ArchiveFault) in try state.finish(isComplete, isSingle) }
    }

    private struct State {
        /// Number of rows per transaction.
        private static let batch = 1_000

        private(set) var fault: ArchiveFault?
        private let tool: String
        private var run = 0
        private var rows = 0
        /// `nil` after the file is closed.
        private var database: SQLiteDatabase?
        private var replicas: SQLiteStatement
        private var atLeast: SQLiteStatement
        private var groupReplicas: SQLiteStatement
        private var groupAtLeast: SQLiteStatement

        init(_ path: String, tool: String) throws(ArchiveFault) {
            self.tool = tool
            let database = try SQLiteDatabase(path, for: .writing)
            try database.run(
                """
                PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = OFF;
                PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384;
                PRAGMA application_id = \(ArchiveSchema.applicationID); PRAGMA user_version = \(ArchiveSchema.version);
                BEGIN;
                """)
            try database.run(ArchiveSchema.creationSQL)
            let metrics = try database.prepare(ArchiveSchema.metrics.insertSQL)
            for metric in Catalogue.all {
                metrics.bind(metric.name)
                metrics.bind(metric.unit.rawValue)
                metrics.bind(metric.better.rawValue)
                metrics.bind(metric.meaning)
                try metrics.run()
            }
            replicas = try database.prepare(ArchiveSchema.replicas.insertSQL)
            atLeast = try database.prepare(ArchiveSchema.atLeast.insertSQL)
            groupReplicas = try database.prepare(ArchiveSchema.groupReplicas.insertSQL)
            groupAtLeast = try database.prepare(ArchiveSchema.groupAtLeast.insertSQL)
            self.database = database
        }

        /// Runs the body unless an earlier call has failed. The first fault is stored.
        mutating func runUnlessFailed(_ body: (inout State) throws(ArchiveFault) -> Void) {
            guard fault == nil else { return }
            do throws(ArchiveFault) { try body(&self) } catch { fault = error }
        }

        mutating func add(
            _ replica: Int, _ strategy: Int, _ digest: String, _ figures: [Figure]
        ) throws(ArchiveFault) {
            for number in [run, replica, strategy] { replicas.bind(number) }
            replicas.bind(digest)
            for figure in figures { replicas.bind(figure) }
            try replicas.run()
            try writeLowerBounds(figures, [run, replica, strategy], atLeast)
            try count()
        }

        mutating func add(
            _ replica: Int, _ strategy: Int, group: Int, _ figures: [Figure]
        ) throws(ArchiveFault) {
            let key = [run, replica, strategy, group]
            for number in key { groupReplicas.bind(number) }
            for figure in figures { groupReplicas.bind(figure) }
            try groupReplicas.run()
            try writeLowerBounds(figures, key, groupAtLeast)
            try count()
        }

        /// Writes a row for each figure that is only a lower bound.
        private func writeLowerBounds(_ figures: [Figure], _ key: [Int], _ table: SQLiteStatement) throws(ArchiveFault)
        {
            for (metric, figure) in zip(Catalogue.all, figures) {
                guard case .atLeast = figure else { continue }
                for number in key { table.bind(number) }
                table.bind(metric.name)
                try table.run()
            }
        }

        private mutating func count() throws(ArchiveFault) {
            rows += 1
            if rows % Self.batch == 0 { try database?.run("COMMIT; BEGIN") }
        }

        mutating func finishRun(_ report: RunReport) throws(ArchiveFault) {
            guard let database else { return }
            try database.write(report, as: run)
            run += 1
        }

        mutating func finish(_ isComplete: Bool, _ isSingle: Bool) throws(ArchiveFault) {
            if let fault { throw fault }
            guard let database else { return }
            let row = try database.prepare(ArchiveSchema.result.insertSQL)
            row.bind(tool)
            row.bind(isComplete ? 1 : 0)
            row.bind(isSingle ? 1 : 0)
            try row.run()
            try database.run("COMMIT")
            self.database = nil
        }
    }
}

extension SQLiteStatement {
    func bind(_ figure: Figure?) {
        switch figure {
        case .value(let value)?, .atLeast(let value)?: bind(value.double)
        case .never?: bind(Double.infinity)
        case .nothing?, nil: bindNull()
        }
    }

    fileprivate func bind(_ number: Int?) {
        if let number { bind(number) } else { bindNull() }
    }

    fileprivate func bind(_ text: String?) {
        if let text { bind(text) } else { bindNull() }
    }
}

extension SQLiteDatabase {
    fileprivate func write(_ report: RunReport, as run: Int) throws(ArchiveFault) {
        let row = try prepare(ArchiveSchema.runs.insertSQL)
        row.bind(run)
        row.bind(report.scenario.name)
        row.bind(report.scenario.about)
        row.bind(Double(report.scenario.duration.nanoseconds) / 1e9)
        row.bind(report.scenario.phones)
        row.bind(report.scenario.worldHash)
        row.bind(report.scenario.resolved)
        row.bind(String(report.seed))
        row.bind(report.replicas)
        row.bind(report.focus.replica)
        row.bind(report.focus.phone)
        row.bind(report.verdict.rawValue)
        row.bind(report.isComplete ? 1 : 0)
        try row.run()
        let cells = try prepare(ArchiveSchema.cells.insertSQL)
        for (place, axis) in report.scenario.cell.enumerated() {
            for number in [run, place] { cells.bind(number) }
            for text in [axis.key, axis.value] { cells.bind(text) }
            try cells.run()
        }
        let troubles = try prepare(ArchiveSchema.troubles.insertSQL)
        for (place, trouble) in report.troubles.enumerated() {
            for number in [run, place] { troubles.bind(number) }
            troubles.bind(trouble)
            try troubles.run()
        }
        for (number, strategy) in report.strategies.enumerated() { try write(strategy, as: number, of: run) }
    }

    private func write(_ strategy: StrategyReport, as number: Int, of run: Int) throws(ArchiveFault) {
        let row = try prepare(ArchiveSchema.strategies.insertSQL)
        for number in [run, number] { row.bind(number) }
        for text in [strategy.name, strategy.hash, strategy.digest] { row.bind(text) }
        try row.run()
        try write(strategy.measurement, [run, number], try prepare(ArchiveSchema.figures.insertSQL))
        let groups = try prepare(ArchiveSchema.groups.insertSQL)
        let figures = try prepare(ArchiveSchema.groupFigures.insertSQL)
        for (place, group) in strategy.groups.enumerated() {
            for number in [run, number, place] { groups.bind(number) }
            groups.bind(group.name)
            groups.bind(group.phones)
            groups.bind(group.strategy)
            try groups.run()
            try write(group.measurement, [run, number, place], figures)
        }
        let expectations = try prepare(ArchiveSchema.expectations.insertSQL)
        for (place, outcome) in strategy.outcomes.enumerated() {
            let threshold = outcome.expectation.threshold
            for number in [run, number, place] { expectations.bind(number) }
            for text in [outcome.expectation.metric, threshold.relation.rawValue] { expectations.bind(text) }
            expectations.bind(outcome.bounds.map { Figure.value($0.lowerBound) })
            expectations.bind(outcome.bounds.map { Figure.value($0.upperBound) })
            expectations.bind(threshold.reference)
            expectations.bind(outcome.value)
            expectations.bind(outcome.verdict.rawValue)
            expectations.bind(outcome.expectation.subject.group)
            try expectations.run()
        }
    }

    private func write(_ measurement: Measurement, _ key: [Int], _ table: SQLiteStatement) throws(ArchiveFault) {
        for (metric, figure) in zip(Catalogue.all, measurement.figures) {
            for number in key { table.bind(number) }
            table.bind(metric.name)
            table.bind(figure)
            table.bind(figure.isAtLeast ? 1 : 0)
            let interval = measurement.interval(metric.name)
            table.bind(interval?.low)
            table.bind(interval?.high)
            try table.run()
        }
    }
}

extension Figure {
    fileprivate var isAtLeast: Bool {
        if case .atLeast = self { true } else { false }
    }
}
