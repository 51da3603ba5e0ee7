package import DeadzoneBase
import DeadzoneClient
import DeadzoneFit
import DeadzoneLive
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator

/// Checks whether a program behaves as its preset: its attempts against the schedule, its metrics against the
/// simulated twin.
extension LiveMaker {
    func compare(with preset: AnyStrategy, _ report: inout LiveReport, by executor: ParallelExecutor) {
        let schedule = PresetSchedule(
            name: name, preset, length: max(.minutes(10), (scenario.world.horizon - Instant.zero) * 2))
        var index = 0
        for outcome in outcomes {
            for attempt in outcome.attempts {
                let start = PresetSchedule.SeriesStart(lostBy: attempt.lostBy)
                let wait = attempt.number == 0 ? attempt.afterLoss : attempt.afterAttempt
                let bounds =
                    attempt.number == 0
                    ? start == .unknown ? nil : schedule.boundsAfterLoss(start)
                    : attempt.wasRefused.flatMap { schedule.bounds(of: attempt.number, in: start, wasRefused: $0) }
                if let wait, let bounds {
                    report.attempts[index].bounds = bounds
                    let timers: Int64 = attempt.number > 0 && attempt.wasRefused == false ? 2 : 1
                    report.attempts[index].isInside = MeasurementTolerance.holds(wait, in: bounds, timers: timers)
                }
                index += 1
            }
        }
        let judged = report.attempts.compactMap(\.isInside)
        if !judged.isEmpty {
            report.presetChecks.append(
                .init(
                    name: "backoff", inside: judged.count { $0 }, of: judged.count,
                    tolerance: "at most 30 ms early, at most 150 ms per timer or 1% late"))
        }
        let twin = SimulationPlan(scenario.ofOneClient, [preset], seed: seed, replicas: outcomes.count).run(
            by: executor.withoutProgress)
        guard twin.replicaCount > 0 else { return }
        let measurement = Measurement(of: twin.byStrategy[0].replicas, seed: seed)
        report.twin = (name, measurement)
        // A client that ended early covers less time than its twin, so its metrics are not comparable.
        let isWhole = outcomes.allSatisfy { $0.length >= (scenario.world.horizon - Instant.zero) / 100 * 99 }
        for (metric, share, slack) in Self.comparedMetrics where isWhole {
            guard report.measuredMetrics.contains(metric), case .value(let own)? = report.measurement.figure(metric),
                case .value(let other)? = measurement.figure(metric)
            else { continue }
            // Without a dead connection there is no detection to compare.
            if metric == "detection.max", own.count == 0, other.count == 0 { continue }
            let unit = metric == "battery.joules" ? "J" : "s"
            let reach = max(Int128(slack), other.count * Int128(share) / 100)
            let isInside = (other.count - reach...other.count + reach).contains(own.count)
            report.presetChecks.append(
                .init(
                    name: metric, inside: isInside ? 1 : 0, of: 1,
                    tolerance: "within \(share)% of the simulation, or \(Double(slack) / 1e9) \(unit): "
                        + "\(Self.text(own)) \(unit), simulated \(Self.text(other)) \(unit)"
                ))
        }
        noteUntested(&report)
    }

    /// Notes the rules of the preset that the run did not test. Other rules may hold although these are wrong.
    private func noteUntested(_ report: inout LiveReport) {
        guard !report.presetChecks.isEmpty else { return }
        let rules = [
            ("backoff", "no attempt followed a loss or a failed attempt that the packets show"),
            ("detection.max", "no dead connection was detected"),
        ]
        for (rule, reason) in rules where !report.presetChecks.contains(where: { $0.name == rule }) {
            report.notes.append("\(rule) is not compared with the preset: \(reason)")
        }
    }

    private static func text(_ value: Billionths) -> String { decimalText(value.count / 1_000_000, places: 3) }

    /// Records the simulated twin of the first run, always to its end: part of a simulation has no end of its radio
    /// states, so it cannot be drawn. Returns `false` without a recording if there is no preset, or if a run was stopped.
    package func recordTwin(into recorder: inout some Recorder) -> Bool {
        guard let preset, outcomes.allSatisfy(\.isComplete) else { return false }
        SimulationPlan(scenario.ofOneClient, [preset], seed: seed, replicas: 1).rerun(
            0, 0, of: [0..<1], into: &recorder
        ) { false }
        return true
    }

    /// Compared metrics: name, relative tolerance in percent, and absolute tolerance in billionths of the unit. The
    /// detection time depends on the point of the ping period at which the path broke, so its tolerance is wide.
    private static let comparedMetrics: [(metric: String, share: Int, slack: Int64)] = [
        ("detection.max", 25, 2_000_000_000), ("battery.joules", 15, 500_000_000),
    ]
}

extension Scenario {
    /// The scenario with the compared strategy in its first group. The live client is the first phone of that group.
    fileprivate var ofOneClient: Scenario {
        var scenario = self
        if !population.isEmpty { scenario.population[0].strategy = nil }
        return scenario
    }
}
