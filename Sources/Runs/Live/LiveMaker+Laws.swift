import DeadzoneClient
import DeadzoneCompare
import DeadzoneEngine
import DeadzoneLive
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSystem
import DeadzoneWorld

/// Whether a program behaves as its preset says: its attempts against the schedule, its figures against the simulated twin's.
extension LiveMaker {
    /// A timer of a real program may be early by a rounding, and late by what a loaded machine takes.
    static let early = TimeSpan.milliseconds(30)
    static let late = TimeSpan.milliseconds(150)

    func compare(with preset: AnyStrategy, _ report: inout LiveReport, by crew: Crew) {
        let schedules = ScheduleReport.Failing.allCases.map { failing in
            ScheduleMaker(
                name: name, strategy: preset, failing: failing,
                length: max(.minutes(10), (scenario.world.horizon - Instant.zero) * 2)
            ).report().attempts
        }
        var index = 0
        for course in courses {
            var waited = 0
            for attempt in course.attempts {
                if attempt.number == 0 { waited = judgeFirst(attempt, &report.attempts[index], schedules[0]) }
                judge(attempt, waited, &report.attempts[index], refused: schedules[0], silent: schedules[1])
                index += 1
            }
        }
        let judged = report.attempts.compactMap(\.isInside)
        if !judged.isEmpty {
            report.laws.append(
                .init(
                    name: "backoff", inside: judged.count { $0 }, of: judged.count,
                    tolerance: "30 ms early, 150 ms or 1 % late"))
        }
        let twin = Assignment(scenario, [preset], seed: seed, replicas: courses.count).run(by: crew.silent)
        guard twin.count > 0 else { return }
        let measurement = Measurement(of: twin.crops[0].replicas, seed: seed)
        report.twin = (name, measurement)
        // A client that ends early has lived through less than its twin.
        let isWhole = courses.allSatisfy { $0.length >= (scenario.world.horizon - Instant.zero) / 100 * 99 }
        for (metric, share, slack) in Self.compared where isWhole {
            guard report.seen.contains(metric), case .value(let own)? = report.measurement.figure(metric),
                case .value(let other)? = measurement.figure(metric)
            else { continue }
            let reach = max(Int128(slack), other.count * Int128(share) / 100)
            let isInside = (other.count - reach...other.count + reach).contains(own.count)
            report.laws.append(
                .init(
                    name: metric, inside: isInside ? 1 : 0, of: 1,
                    tolerance:
                        "\(share) % of the simulated, or \(Double(slack) / 1e9) \(metric == "battery.joules" ? "J" : "s")"
                ))
        }
    }

    /// Metric, share in percent, and what is too little to matter, in billionths of its unit. Detection hangs on where in its period
    /// a ping was as the path went.
    private static let compared: [(metric: String, share: Int, slack: Int64)] = [
        ("detection.max", 25, 2_000_000_000), ("battery.joules", 15, 500_000_000),
    ]

    /// Libraries try at once after a loss, or wait first as after a failure: then the waits that follow are each one further on.
    private func judgeFirst(
        _ attempt: LiveAttempt, _ judged: inout LiveReport.Attempt, _ schedule: [ScheduleReport.Attempt]
    ) -> Int {
        guard schedule.count > 1, let wait = attempt.afterLoss, let lowest = schedule[1].lowest,
            let highest = schedule[1].highest, Self.isInside(wait, lowest...highest)
        else { return 0 }
        judged.bounds = lowest...highest
        judged.isInside = true
        return 1
    }

    private static func isInside(_ wait: TimeSpan, _ bounds: ClosedRange<TimeSpan>) -> Bool {
        bounds.lowerBound - early <= wait && wait <= bounds.upperBound + max(late, bounds.upperBound / 100)
    }

    /// After an attempt that was refused the law's wait and nothing else; after one that nobody answered its limit as well, or the
    /// longer of both, where a library waits beside it.
    private func judge(
        _ attempt: LiveAttempt, _ waited: Int, _ judged: inout LiveReport.Attempt, refused: [ScheduleReport.Attempt],
        silent: [ScheduleReport.Attempt]
    ) {
        guard let wait = attempt.afterAttempt, let wasRefused = attempt.wasRefused, attempt.number > 0 else { return }
        let schedule = wasRefused ? refused : silent
        let number = attempt.number + waited
        guard let row = schedule.indices.contains(number) ? schedule[number] : schedule.last, let lowest = row.lowest,
            let highest = row.highest
        else { return }
        var bounds = lowest...highest
        if !wasRefused {
            let before = number <= schedule.count ? schedule[number - 1] : row
            bounds = max(lowest, before.limit ?? .zero)...(before.limit.map { highest + $0 } ?? .longest)
        }
        judged.bounds = bounds
        judged.isInside = Self.isInside(wait, bounds)
    }
}
