import DeadzoneBase
import DeadzoneClient
import DeadzoneFit
import DeadzoneMetrics

/// The waits between connection attempts that a preset allows, as bounds for the waits of a real client.
struct PresetSchedule {
    /// The event that a series of attempts follows.
    enum SeriesStart: CaseIterable {
        /// The start of the program, or a connection with an unseen end.
        case unknown
        /// A connection that the server or the network ended.
        case reportedLoss
        /// A connection that the client itself closed.
        case ownClose
    }

    /// Time that a program may need to clean up after a connection that it has closed, before its wait begins.
    private static let cleanUpTime = TimeSpan.milliseconds(500)

    private struct Rows {
        let refused: [ScheduleReport.ScheduledAttempt]
        let silent: [ScheduleReport.ScheduledAttempt]
    }

    private let series: [SeriesStart: Rows]

    init(name: String, _ strategy: AnyStrategy, length: TimeSpan) {
        func attempts(_ failing: ScheduleReport.AttemptFailure, _ start: SeriesStart)
            -> [ScheduleReport.ScheduledAttempt]
        {
            let first: IsolatedSchedule.FirstAttempt =
                switch start {
                case .unknown: .fails
                case .reportedLoss: .opensAndEnds
                case .ownClose: .opensAndFallsSilent
                }
            return ScheduleMaker(name: name, strategy: strategy, failing: failing, length: length, first: first)
                .report().attempts
        }
        series = Dictionary(
            uniqueKeysWithValues: SeriesStart.allCases.map {
                ($0, Rows(refused: attempts(.refused, $0), silent: attempts(.blackhole, $0)))
            })
    }

    /// Bounds of the wait from the end of a connection to the next attempt. `nil` if the preset makes no such attempt
    /// by itself. After an end that the network reports there is no upper bound: a program may read it from its socket
    /// later, for instance with its next request.
    func boundsAfterLoss(_ start: SeriesStart) -> ClosedRange<TimeSpan>? {
        guard let row = rows(start).first(where: { $0.refused.count > 1 })?.refused[1], let lowest = row.lowest,
            let highest = row.highest
        else { return nil }
        return lowest...(start == .reportedLoss ? .longest : highest + Self.cleanUpTime)
    }

    /// A client without a rule for silence closes for a reason that is not in the preset; the wait is then that after a
    /// reported loss.
    private func rows(_ start: SeriesStart) -> [Rows] {
        let order: [SeriesStart] = start == .ownClose ? [.ownClose, .reportedLoss] : [start]
        return order.compactMap { series[$0] }
    }

    /// Bounds of the time between an attempt and the next. After a refused attempt this is the preset's wait alone.
    /// After an unanswered attempt it also includes the attempt's time limit. Libraries that start the wait with the
    /// attempt need only the longer of the two.
    /// - Parameter number: number of the following attempt in its series, from 0.
    func bounds(of number: Int, in start: SeriesStart, wasRefused: Bool) -> ClosedRange<TimeSpan>? {
        // The connection that was lost is the first row of its schedule.
        let lost = rows(start).map { wasRefused ? $0.refused : $0.silent }.first { $0.count > 1 }
        let place = start == .unknown || lost == nil ? number : number + 1
        let schedule = lost ?? series[.unknown].map { wasRefused ? $0.refused : $0.silent } ?? []
        guard let row = schedule.indices.contains(place) ? schedule[place] : schedule.last, let lowest = row.lowest,
            let highest = row.highest
        else { return nil }
        guard !wasRefused else { return lowest...highest }
        let before = (1...schedule.count).contains(place) ? schedule[place - 1] : row
        return max(lowest, before.limit ?? .zero)...(before.limit.map { highest + $0 } ?? .longest)
    }
}

extension PresetSchedule.SeriesStart {
    init(lostBy ending: Recording.RecordedConnection.EndedBy?) {
        switch ending {
        case .client: self = .ownClose
        case .server: self = .reportedLoss
        case .refused, nil: self = .unknown
        }
    }
}
