import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Foundation
import Testing

/// Quantiles and intervals compared with NumPy and SciPy.
@Suite(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
struct StatisticsOracleTests {
    @Test("Quantiles equal those of NumPy, and intervals those of SciPy")
    func quantilesEqualNumPyAndIntervalsSciPy() throws {
        var queries: [[String: Any]] = []
        for seed in 1...20 as ClosedRange<UInt64> { queries += Self.quantiles(seed: seed) }
        for seed in 1...20 as ClosedRange<UInt64> { queries += Self.censored(seed: seed) }
        for replicas in [10, 20, 40] { queries += Self.intervals(replicas: replicas) }
        let input = try JSONSerialization.data(withJSONObject: queries)
        let lines = try Oracle.run(script: "statistics.py", input: input).split(separator: "\n")
        #expect(lines.count == queries.count && queries.count == 20 * 7 + 20 * 6 + 3 * 3)
        for line in lines where !line.hasPrefix("ok ") { Issue.record("\(line)") }
    }

    private static func quantiles(seed: UInt64) -> [[String: Any]] {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        let samples = (0..<100 + Int(seed)).map { _ in Int64(dice.next() >> (14 + dice.next() % 40)) }
        let lost = Int(seed % 7)
        var histogram = SpanHistogram()
        for sample in samples { histogram.record(sample) }
        histogram.recordLost(Int64(lost))
        return [0, 50, 250, 500, 750, 950, 1_000].map { thousandths in
            [
                "kind": "quantile", "name": "seed \(seed), \(thousandths) thousandths", "samples": samples,
                "lost": lost,
                "share": Double(thousandths) / 1_000,
                "answer": histogram.quantile(Share(thousandths: thousandths)).span ?? NSNull(),
            ]
        }
    }

    /// Quantiles with ties among arrived samples, among pending ones, and between both.
    private static func censored(seed: UInt64) -> [[String: Any]] {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        let samples = (0..<40 + Int(seed)).map { _ in Int64(dice.next() % 60) }
        let ages = (0..<Int(seed)).map { _ in Int64(dice.next() % 80) }
        let lost = Int(seed % 5)
        var histogram = SpanHistogram()
        for sample in samples { histogram.record(sample) }
        for age in ages { histogram.recordWaiting(age) }
        histogram.recordLost(Int64(lost))
        return [50, 250, 500, 750, 900, 950].map { (thousandths: Int64) in
            let quantile = histogram.quantile(Share(thousandths: thousandths))
            var answer: Any = NSNull()
            if case .span(let span) = quantile { answer = span }
            if case .atLeast(let least) = quantile { answer = ["at_least": least] }
            return [
                "kind": "censored", "name": "seed \(seed), \(thousandths) thousandths", "samples": samples,
                "ages": ages,
                "lost": lost, "share": Double(thousandths) / 1_000, "answer": answer,
            ]
        }
    }

    /// The mean of a count per replica, and two quantiles of spans pooled over replicas of unequal size.
    private static func intervals(replicas: Int) -> [[String: Any]] {
        var dice = Dice(seed: UInt64(replicas), phone: PhoneID(0), purpose: .test)
        let pings = (0..<replicas).map { _ in 10 + Int(dice.next() % 90) }
        let spans = pings.map { count in (0..<count).map { _ in Int64(dice.next() % 1_000_000_000) * 1_000 } }
        let folds = zip(pings, spans).map { count, spans in
            fold(
                (0..<count).map { _ in Record(at: .zero, phone: 0, kind: .pinged) }
                    + spans.map { Record(at: .zero, phone: 0, kind: .deliveredDown, value: $0) })
        }
        let run = Measurement(of: folds, prices: Prices(radios: RadioProfiles(wifi: nil, cellular: nil)), seed: 3)
        func question(_ metric: String, _ statistic: Any, _ samples: [[Double]]) -> [String: Any] {
            let interval = run.interval(metric)
            return [
                "kind": "interval", "name": "\(metric) of \(replicas)", "replicas": samples, "statistic": statistic,
                "answer": [interval?.low.double ?? -1, interval?.high.double ?? -1],
            ]
        }
        let milliseconds = spans.map { $0.map { Double($0) / 1e6 } }
        return [
            question("keepalive.pings", "mean", pings.map { [Double($0)] }),
            question("latency.down.p50", 0.5, milliseconds), question("latency.down.p95", 0.95, milliseconds),
        ]
    }
}
