public import DeadzoneCompare
public import DeadzoneMetrics
import DeadzonePrimitives
import Synchronization

/// Writes results as they come, into a file that is there and empty: replicas one after the other, and behind them what is of their run. What
/// it has in memory does not grow with them. The same calls give the same bytes, as long as SQLite is the same.
public final class ArchiveWriter: Sendable {
    private let state: Mutex<State>

    public init(_ path: String, tool: String) throws(ArchiveFault) {
        state = Mutex(try State(path, tool: tool))
    }

    /// One replica of the run that comes next. It never fails: who is told of a fault at the end has lost nothing that could be kept.
    /// - Parameter groups: the figures of each group of the population that is told apart.
    public func add(_ replica: Int, _ strategy: Int, digest: String, _ figures: [Figure], groups: [[Figure]] = []) {
        state.withLock {
            $0.keep { (state) throws(ArchiveFault) in
                try state.add(replica, strategy, digest, figures)
                for (place, figures) in groups.enumerated() { try state.add(replica, strategy, group: place, figures) }
            }
        }
    }

    /// The run that the last replicas were of.
    public func end(_ report: RunReport) {
        state.withLock { $0.keep { (state) throws(ArchiveFault) in try state.end(report) } }
    }

    /// True once something could not be written: more is in vain.
    public var hasFailed: Bool { state.withLock { $0.fault != nil } }

    /// Nothing comes any more.
    /// - Parameter isSingle: whether one scenario was asked for, so that a report of it is a document of one run.
    public func finish(isComplete: Bool, isSingle: Bool) throws(ArchiveFault) {
        try state.withLock { (state) throws(ArchiveFault) in try state.finish(isComplete, isSingle) }
    }

    private struct State {
        /// So many rows are written at once.
        private static let batch = 1_000

        private(set) var fault: ArchiveFault?
        private let tool: String
        private var run = 0
        private var rows = 0
        /// Nil once it is closed.
        private var database: Database?
        private var replicas: Statement
        private var atLeast: Statement
        private var groupReplicas: Statement
        private var groupAtLeast: Statement

        init(_ path: String, tool: String) throws(ArchiveFault) {
            self.tool = tool
            let database = try Database(path, for: .writing)
            try database.run(
                """
                PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = OFF;
                PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384;
                PRAGMA application_id = \(Tables.owner); PRAGMA user_version = \(Tables.version);
                BEGIN;
                """)
            try database.run(Tables.made)
            let metrics = try database.prepare(Tables.metrics.insertion)
            for metric in Catalogue.all {
                metrics.give(metric.name)
                metrics.give(metric.unit.rawValue)
                metrics.give(metric.better.rawValue)
                metrics.give(metric.meaning)
                try metrics.run()
            }
            replicas = try database.prepare(Tables.replicas.insertion)
            atLeast = try database.prepare(Tables.atLeast.insertion)
            groupReplicas = try database.prepare(Tables.groupReplicas.insertion)
            groupAtLeast = try database.prepare(Tables.groupAtLeast.insertion)
            self.database = database
        }

        /// The first fault is kept, and nothing is tried after it.
        mutating func keep(_ body: (inout State) throws(ArchiveFault) -> Void) {
            guard fault == nil else { return }
            do throws(ArchiveFault) { try body(&self) } catch { fault = error }
        }

        mutating func add(
            _ replica: Int, _ strategy: Int, _ digest: String, _ figures: [Figure]
        ) throws(ArchiveFault) {
            for number in [run, replica, strategy] { replicas.give(number) }
            replicas.give(digest)
            for figure in figures { replicas.give(figure) }
            try replicas.run()
            try note(figures, [run, replica, strategy], atLeast)
            try count()
        }

        mutating func add(
            _ replica: Int, _ strategy: Int, group: Int, _ figures: [Figure]
        ) throws(ArchiveFault) {
            let key = [run, replica, strategy, group]
            for number in key { groupReplicas.give(number) }
            for figure in figures { groupReplicas.give(figure) }
            try groupReplicas.run()
            try note(figures, key, groupAtLeast)
            try count()
        }

        /// Which of the figures are only known to be no less.
        private func note(_ figures: [Figure], _ key: [Int], _ table: Statement) throws(ArchiveFault) {
            for (metric, figure) in zip(Catalogue.all, figures) {
                guard case .atLeast = figure else { continue }
                for number in key { table.give(number) }
                table.give(metric.name)
                try table.run()
            }
        }

        private mutating func count() throws(ArchiveFault) {
            rows += 1
            if rows % Self.batch == 0 { try database?.run("COMMIT; BEGIN") }
        }

        mutating func end(_ report: RunReport) throws(ArchiveFault) {
            guard let database else { return }
            try database.write(report, as: run)
            run += 1
        }

        mutating func finish(_ isComplete: Bool, _ isSingle: Bool) throws(ArchiveFault) {
            if let fault { throw fault }
            guard let database else { return }
            let row = try database.prepare(Tables.result.insertion)
            row.give(tool)
            row.give(isComplete ? 1 : 0)
            row.give(isSingle ? 1 : 0)
            try row.run()
            try database.run("COMMIT")
            self.database = nil
        }
    }
}

extension Statement {
    func give(_ figure: Figure?) {
        switch figure {
        case .value(let value)?, .atLeast(let value)?: give(value.double)
        case .never?: give(Double.infinity)
        case .nothing?, nil: giveNothing()
        }
    }

    fileprivate func give(_ number: Int?) {
        if let number { give(number) } else { giveNothing() }
    }

    fileprivate func give(_ text: String?) {
        if let text { give(text) } else { giveNothing() }
    }
}

extension Database {
    fileprivate func write(_ report: RunReport, as run: Int) throws(ArchiveFault) {
        let row = try prepare(Tables.runs.insertion)
        row.give(run)
        row.give(report.scenario.name)
        row.give(report.scenario.about)
        row.give(Double(report.scenario.duration.nanoseconds) / 1e9)
        row.give(report.scenario.phones)
        row.give(report.scenario.worldHash)
        row.give(report.scenario.resolved)
        row.give(String(report.seed))
        row.give(report.replicas)
        row.give(report.focus.replica)
        row.give(report.focus.phone)
        row.give(report.verdict.rawValue)
        row.give(report.isComplete ? 1 : 0)
        try row.run()
        let cells = try prepare(Tables.cells.insertion)
        for (place, axis) in report.scenario.cell.enumerated() {
            for number in [run, place] { cells.give(number) }
            for text in [axis.key, axis.value] { cells.give(text) }
            try cells.run()
        }
        let troubles = try prepare(Tables.troubles.insertion)
        for (place, trouble) in report.troubles.enumerated() {
            for number in [run, place] { troubles.give(number) }
            troubles.give(trouble)
            try troubles.run()
        }
        for (number, strategy) in report.strategies.enumerated() { try write(strategy, as: number, of: run) }
    }

    private func write(_ strategy: StrategyReport, as number: Int, of run: Int) throws(ArchiveFault) {
        let row = try prepare(Tables.strategies.insertion)
        for number in [run, number] { row.give(number) }
        for text in [strategy.name, strategy.hash, strategy.digest] { row.give(text) }
        try row.run()
        try write(strategy.measurement, [run, number], try prepare(Tables.figures.insertion))
        let groups = try prepare(Tables.groups.insertion)
        let figures = try prepare(Tables.groupFigures.insertion)
        for (place, group) in strategy.groups.enumerated() {
            for number in [run, number, place] { groups.give(number) }
            groups.give(group.name)
            groups.give(group.phones)
            groups.give(group.strategy)
            try groups.run()
            try write(group.measurement, [run, number, place], figures)
        }
        let expectations = try prepare(Tables.expectations.insertion)
        for (place, outcome) in strategy.outcomes.enumerated() {
            let threshold = outcome.expectation.threshold
            for number in [run, number, place] { expectations.give(number) }
            for text in [outcome.expectation.metric, threshold.relation.rawValue] { expectations.give(text) }
            expectations.give(outcome.bounds.map { Figure.value($0.lowerBound) })
            expectations.give(outcome.bounds.map { Figure.value($0.upperBound) })
            expectations.give(threshold.reference)
            expectations.give(outcome.value)
            expectations.give(outcome.verdict.rawValue)
            expectations.give(outcome.expectation.subject.group)
            try expectations.run()
        }
    }

    private func write(_ measurement: Measurement, _ key: [Int], _ table: Statement) throws(ArchiveFault) {
        for (metric, figure) in zip(Catalogue.all, measurement.figures) {
            for number in key { table.give(number) }
            table.give(metric.name)
            table.give(figure)
            table.give(figure.isAtLeast ? 1 : 0)
            let interval = measurement.interval(metric.name)
            table.give(interval?.low)
            table.give(interval?.high)
            try table.run()
        }
    }
}

extension Figure {
    fileprivate var isAtLeast: Bool {
        if case .atLeast = self { true } else { false }
    }
}
