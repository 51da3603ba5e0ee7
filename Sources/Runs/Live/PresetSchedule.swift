import DeadzoneClient
import DeadzoneCompare
import DeadzoneFit
import DeadzonePrimitives

/// The waits between connection attempts that a preset allows, as bounds for the waits of a real client.
struct PresetSchedule {
    private let refused: [ScheduleReport.ScheduledAttempt]
    private let silent: [ScheduleReport.ScheduledAttempt]

    init(name: String, _ strategy: AnyStrategy, length: TimeSpan) {
        func attempts(_ failing: ScheduleReport.AttemptFailure) -> [ScheduleReport.ScheduledAttempt] {
            ScheduleMaker(name: name, strategy: strategy, failing: failing, length: length).report().attempts
        }
        refused = attempts(.refused)
        silent = attempts(.blackhole)
    }

    /// Bounds of the wait after a lost connection, if the client waits there as after a failed attempt; `nil` if it
    /// retries at once. If it waits, later attempts count one step further in the schedule.
    func firstWait(_ wait: TimeSpan) -> ClosedRange<TimeSpan>? {
        guard refused.count > 1, let lowest = refused[1].lowest, let highest = refused[1].highest,
            MeasurementTolerance.holds(wait, in: lowest...highest)
        else { return nil }
        return lowest...highest
    }

    /// Bounds of the time between an attempt and the next. After a refused attempt this is the preset's wait alone.
    /// After an unanswered attempt it also includes the attempt's time limit. Libraries that start the wait with the
    /// attempt need only the longer of the two.
    /// - Parameter number: index of the following attempt, from 0.
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
