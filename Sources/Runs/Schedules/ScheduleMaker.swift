package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneMetrics

/// Builds the retry schedule of a strategy: runs its code while all connection attempts fail, and lists the waits.
package struct ScheduleMaker {
    /// Maximum number of attempts; a longer list would be of no use.
    static let maximumAttempts = 10_000

    private let name: String
    private let strategy: AnyStrategy
    private let failing: ScheduleReport.AttemptFailure
    private let length: TimeSpan
    private let first: IsolatedSchedule.FirstAttempt

    /// - Parameter first: If the first attempt opens, the second row of the schedule has the wait after the loss.
    package init(
        name: String, strategy: AnyStrategy, failing: ScheduleReport.AttemptFailure, length: TimeSpan,
        first: IsolatedSchedule.FirstAttempt = .fails
    ) {
        self.name = name
        self.strategy = strategy
        self.failing = failing
        self.first = first
        self.length = length
    }

    package func report() -> ScheduleReport {
        let log = isolatedSchedule(failing).run(attempts: Self.maximumAttempts, until: .zero + length)
        let isAlone = log.attempts.count < 2
        let hasGivenUp = log.ending != .stillTrying
        // A strategy without a limit of its own waits for ever on a silent server. That is not a missing retry rule.
        let hasNoRetryRule = isAlone && hasGivenUp && failing != .frozen
        let attempts = hasNoRetryRule ? [] : self.attempts(log.attempts)
        return ScheduleReport(
            strategy: name, failing: failing, length: length, attempts: attempts,
            hasGivenUp: hasGivenUp && !isAlone, note: note(log, hasNoRetryRule))
    }

    private func isolatedSchedule(_ failing: ScheduleReport.AttemptFailure, _ dice: Dice.FixedDraw = .usual)
        -> IsolatedSchedule
    {
        let simulatedFailure: IsolatedSchedule.SimulatedFailure =
            switch failing {
            case .refused: .refused
            case .blackhole: .blackhole
            case .frozen: .frozen
            }
        return IsolatedSchedule(strategy, failing: simulatedFailure, first: first, dice: dice)
    }

    /// Returns the wait before each attempt, from the end of the attempt before.
    private func waits(
        _ failing: ScheduleReport.AttemptFailure, _ dice: Dice.FixedDraw, attempts count: Int
    ) -> [TimeSpan] {
        let log = isolatedSchedule(failing, dice).run(attempts: count)
        var ends = log.attempts.map { $0.abandonedAt ?? $0.kernelEndedAt ?? $0.at }
        if let lost = log.lostAt { ends[0] = lost }
        return [.zero] + zip(log.attempts.dropFirst(), ends).map { $0.at - $1 }
    }

    /// Combines two kinds of runs. If attempts are refused at once, the time between them is the wait alone. If the
    /// server does not answer, the duration of an attempt is its time limit.
    private func attempts(_ log: [IsolatedSchedule.ConnectAttempt]) -> [ScheduleReport.ScheduledAttempt] {
        func waits(_ dice: Dice.FixedDraw) -> [TimeSpan] {
            // A limit of the time without a connection is reached after fewer attempts if each takes long. If an
            // attempt follows at once, the waits of this client may have begun with the attempts before.
            let own = self.waits(failing, dice, attempts: log.count)
            let followEnds = own.dropFirst().allSatisfy { $0 > .zero }
            return followEnds ? own : self.waits(.refused, dice, attempts: log.count)
        }
        func limits(_ dice: Dice.FixedDraw) -> [(own: TimeSpan?, kernel: TimeSpan?)] {
            isolatedSchedule(failing == .frozen ? .frozen : .blackhole, dice).run(attempts: log.count).attempts.map {
                attempt in
                (attempt.abandonedAt.map { $0 - attempt.at }, attempt.kernelEndedAt.map { $0 - attempt.at })
            }
        }
        let bounds = Dice.FixedDraw.allCases.map(waits)
        let ends = Dice.FixedDraw.allCases.map(limits)
        func at<Value>(_ index: Int, of values: [Value]) -> Value? {
            values.indices.contains(index) ? values[index] : nil
        }
        return log.indices.map { index in
            // The lowest random numbers do not always give the shortest wait: with shorter waits, a limit of the time
            // without a connection comes at a later attempt.
            let (delay, waits) = (at(index, of: bounds[0]), bounds.compactMap { at(index, of: $0) })
            return ScheduleReport.ScheduledAttempt(
                at: log[index].at - .zero, delay: delay, lowest: waits.min(), highest: waits.max(),
                limit: at(index, of: ends[0])?.own,
                lowestLimit: at(index, of: ends[1])?.own, highestLimit: at(index, of: ends[2])?.own,
                kernelLimit: failing == .refused ? nil : ends.lazy.compactMap { at(index, of: $0)?.kernel }.first)
        }
    }

    private func note(_ log: IsolatedSchedule.AttemptLog, _ hasNoRetryRule: Bool) -> String? {
        if case .crashed(let at) = log.ending {
            return
                "\(name) crashes after attempt \(log.attempts.count), \(at.nanoseconds / 1_000_000_000) s after the first."
        }
        if log.isConnectionless { return "\(name) sends datagrams: there is no connection to retry." }
        if log.attempts.isEmpty {
            return "\(name) makes no attempt by itself: the app or a push must request one."
        }
        if hasNoRetryRule { return "\(name) has no retry rule: after a failure, the app must retry." }
        return log.attempts.count == Self.maximumAttempts
            ? "Shows only the first \(Self.maximumAttempts) attempts." : nil
    }
}
