import DeadzoneClient
import DeadzoneCompare
import DeadzoneEngine
public import DeadzoneJournal
import DeadzoneFit
import DeadzoneLive
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSystem
import DeadzoneWorld

/// Whether a program behaves as its preset says: its attempts against the schedule, its figures against the simulated twin's.
extension LiveMaker {
    func compare(with preset: AnyStrategy, _ report: inout LiveReport, by crew: Crew) {
        let schedule = PresetSchedule(
            name: name, preset, length: max(.minutes(10), (scenario.world.horizon - Instant.zero) * 2))
        var index = 0
        for course in courses {
            var waited = 0
            for attempt in course.attempts {
                let bounds: ClosedRange<TimeSpan>?
                var wait = attempt.afterAttempt
                if attempt.number == 0 {
                    wait = attempt.afterLoss
                    bounds = wait.flatMap(schedule.firstWait)
                    waited = bounds == nil ? 0 : 1
                } else {
                    bounds = attempt.wasRefused.flatMap {
                        schedule.bounds(of: attempt.number + waited, wasRefused: $0)
                    }
                }
                if let wait, let bounds {
                    report.attempts[index].bounds = bounds
                    report.attempts[index].isInside = Slack.holds(wait, in: bounds)
                }
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
        let twin = Assignment(scenario.ofOneClient, [preset], seed: seed, replicas: courses.count).run(by: crew.silent)
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

    /// What happens to the simulated twin of the first run. False: there is none.
    public func twin(into recorder: inout some Recorder, _ isStopped: () -> Bool) -> Bool {
        guard let preset else { return false }
        Assignment(scenario.ofOneClient, [preset], seed: seed, replicas: 1).again(
            0, 0, of: [0..<1], into: &recorder, isStopped)
        return true
    }

    /// Metric, share in percent, and what is too little to matter, in billionths of its unit. Detection hangs on where in its period
    /// a ping was as the path went.
    private static let compared: [(metric: String, share: Int, slack: Int64)] = [
        ("detection.max", 25, 2_000_000_000), ("battery.joules", 15, 500_000_000),
    ]
}

extension Scenario {
    /// The first group, whose first phone is enacted, runs what the client is to be like.
    fileprivate var ofOneClient: Scenario {
        var scenario = self
        if !population.isEmpty { scenario.population[0].strategy = nil }
        return scenario
    }
}
