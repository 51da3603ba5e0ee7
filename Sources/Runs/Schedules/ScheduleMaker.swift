public import DeadzoneClient
public import DeadzoneCompare
public import DeadzonePrimitives

/// A schedule, found by letting the strategy itself fail again and again.
public struct ScheduleMaker {
    /// More would be read by nobody.
    static let mostAttempts = 10_000

    private let name: String
    private let strategy: AnyStrategy
    private let failing: ScheduleReport.Failing
    private let length: TimeSpan

    public init(name: String, strategy: AnyStrategy, failing: ScheduleReport.Failing, length: TimeSpan) {
        self.name = name
        self.strategy = strategy
        self.failing = failing
        self.length = length
    }

    public func report() -> ScheduleReport {
        let course = rehearse(failing).run(attempts: Self.mostAttempts, until: .zero + length)
        let isAlone = course.attempts.count < 2
        let hasGivenUp = course.ending != .stillTrying
        // Where nobody says anything, one without a limit of its own waits for ever.
        let hasNoLaw = isAlone && hasGivenUp && failing != .frozen
        let attempts = hasNoLaw ? [] : self.attempts(course.attempts)
        return ScheduleReport(
            strategy: name, failing: failing, length: length, attempts: attempts,
            hasGivenUp: hasGivenUp && !isAlone, note: note(course, hasNoLaw))
    }

    private func rehearse(_ failing: ScheduleReport.Failing, _ dice: Dice.Rehearsal = .usual) -> Rehearsal {
        let manner: Rehearsal.Failing =
            switch failing {
            case .refused: .refused
            case .blackhole: .blackhole
            case .frozen: .frozen
            }
        return Rehearsal(strategy, failing: manner, dice: dice)
    }

    /// Where attempts are refused at once, what lies between two of them is the wait and nothing else; where nobody answers, or
    /// nobody says anything, what an attempt takes is its limit.
    private func attempts(_ course: [Rehearsal.Attempt]) -> [ScheduleReport.Attempt] {
        func waits(_ dice: Dice.Rehearsal) -> [TimeSpan] {
            let starts = rehearse(.refused, dice).run(attempts: course.count).attempts.map(\.at)
            return [.zero] + zip(starts.dropFirst(), starts).map { $0 - $1 }
        }
        func limits(_ dice: Dice.Rehearsal) -> [TimeSpan?] {
            rehearse(failing == .frozen ? .frozen : .blackhole, dice).run(attempts: course.count).attempts.map {
                attempt in
                attempt.abandonedAt.map { $0 - attempt.at }
            }
        }
        let bounds = Dice.Rehearsal.allCases.map(waits)
        let ends = Dice.Rehearsal.allCases.map(limits)
        func at<Value>(_ index: Int, of values: [Value]) -> Value? {
            values.indices.contains(index) ? values[index] : nil
        }
        return course.indices.map { index in
            let delay = at(index, of: bounds[0])
            return ScheduleReport.Attempt(
                at: course[index].at - .zero, delay: delay, lowest: at(index, of: bounds[1]) ?? delay,
                highest: at(index, of: bounds[2]) ?? delay, limit: at(index, of: ends[0]) ?? nil,
                lowestLimit: at(index, of: ends[1]) ?? nil, highestLimit: at(index, of: ends[2]) ?? nil)
        }
    }

    private func note(_ course: Rehearsal.Course, _ hasNoLaw: Bool) -> String? {
        if case .crashed(let at) = course.ending {
            return
                "\(name) ends its own process after attempt \(course.attempts.count), \(at.nanoseconds / 1_000_000_000) s from the first."
        }
        if course.isConnectionless { return "\(name) sends datagrams: there is no connection to try again." }
        if course.attempts.isEmpty {
            return "\(name) makes no attempt of its own: the app, or a push, has to ask for one."
        }
        if hasNoLaw { return "\(name) has no retry law: after a failure the app that uses it has to try again." }
        return course.attempts.count == Self.mostAttempts ? "Only the first \(Self.mostAttempts) attempts." : nil
    }
}
