import DeadzoneClient
import DeadzoneCompare
import DeadzoneFit
import DeadzonePrimitives

/// What a preset says of when a client tries again.
struct PresetSchedule {
    private let refused: [ScheduleReport.Attempt]
    private let silent: [ScheduleReport.Attempt]

    init(name: String, _ strategy: AnyStrategy, length: TimeSpan) {
        func attempts(_ failing: ScheduleReport.Failing) -> [ScheduleReport.Attempt] {
            ScheduleMaker(name: name, strategy: strategy, failing: failing, length: length).report().attempts
        }
        refused = attempts(.refused)
        silent = attempts(.blackhole)
    }

    /// Libraries try at once after a loss, or wait first as after a failure: then the waits that follow are each one further on.
    func firstWait(_ wait: TimeSpan) -> ClosedRange<TimeSpan>? {
        guard refused.count > 1, let lowest = refused[1].lowest, let highest = refused[1].highest,
            Slack.holds(wait, in: lowest...highest)
        else { return nil }
        return lowest...highest
    }

    /// After an attempt that was refused the law's wait and nothing else; after one that nobody answered its limit as well, or the
    /// longer of both, where a library waits beside it.
    /// - Parameter number: of the attempt that follows, from 0.
    func bounds(of number: Int, wasRefused: Bool) -> ClosedRange<TimeSpan>? {
        let schedule = wasRefused ? refused : silent
        guard let row = schedule.indices.contains(number) ? schedule[number] : schedule.last, let lowest = row.lowest,
            let highest = row.highest
        else { return nil }
        guard !wasRefused else { return lowest...highest }
        let before = number <= schedule.count ? schedule[number - 1] : row
        return max(lowest, before.limit ?? .zero)...(before.limit.map { highest + $0 } ?? .longest)
    }
}
