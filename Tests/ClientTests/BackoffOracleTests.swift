import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Foundation
import Testing

/// Compares the jitter draws with distributions from SciPy.
@Suite(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
struct BackoffOracleTests {
    struct JitterCheck: Sendable {
        let jitter: Backoff.JitterRule
        /// Distribution of the waits with a base of one second, in nanoseconds, in the format that `distributions.py`
        /// reads.
        let distribution: String
        let checks: String
        let lines: Int

        /// A uniform distribution between the bounds, in milliseconds.
        init(_ jitter: Backoff.JitterRule, from low: Int, to high: Int) {
            self.jitter = jitter
            distribution = "\"law\": \"uniform\", \"parameters\": [\(low * 1_000_000), \(high * 1_000_000)]"
            checks = "[\"moments\", \"quantiles\"]"
            lines = 13
        }

        /// Decimals of the draw r: a first decimal of 8, 6, 4, 2 or 0 shortens the wait, and 1, 3, 5, 7 or 9
        /// lengthens it. This gives ten line segments with gaps between them.
        static let parity: JitterCheck = {
            let ends = [(550, 600), (650, 700), (750, 800), (850, 900), (950, 1_000)]
            let mirrored = [(1_050, 1_100), (1_150, 1_200), (1_250, 1_300), (1_350, 1_400), (1_450, 1_500)]
            var points: [String] = []
            for (index, line) in (ends + mirrored).enumerated() {
                points.append("[\(index * 100_000), \(line.0)000000]")
                points.append("[\((index + 1) * 100_000), \(line.1)000000]")
            }
            return JitterCheck(table: points.joined(separator: ", "))
        }()

        private init(table: String) {
            jitter = .parity(500_000)
            distribution = "\"law\": \"table\", \"parameters\": [\(table)]"
            checks = "[\"moments\"]"
            lines = 2
        }
    }

    static let jitterChecks: [JitterCheck] = [
        JitterCheck(.full, from: 0, to: 1_000), JitterCheck(.equal, from: 500, to: 1_000),
        JitterCheck(.spread(200_000), from: 800, to: 1_200), JitterCheck(.decorrelated, from: 1_000, to: 3_000),
        JitterCheck(.plus(.milliseconds(300), .seconds(3)), from: 1_300, to: 4_000),
        JitterCheck(.times(800_000, 1_000_000), from: 800, to: 1_000),
        JitterCheck(.perProcess(.zero, .seconds(4)), from: 1_000, to: 5_000), .parity,
    ]

    /// Broken: the draws stay within their bounds and have the right mean, but follow another distribution than
    /// documented.
    @Test func drawsFollowTheirDistribution() throws {
        let count: UInt32 = 100_000
        var input = Data()
        for question in Self.jitterChecks {
            let header = "{\(question.distribution), \"checks\": \(question.checks), \"count\": \(count)}\n"
            input.append(Data(header.utf8))
            let backoff = Backoff(base: .seconds(1), cap: .minutes(1), jitter: question.jitter)
            for phone in 0..<count {
                var dice = Dice(seed: 20_260_101, phone: PhoneID(phone), purpose: .test)
                var attempts = Backoff.Attempts()
                let wait = backoff.next(&attempts, using: &dice).nanoseconds.littleEndian
                withUnsafeBytes(of: wait) { input.append(contentsOf: $0) }
            }
        }
        let lines = try Oracle.run(script: "distributions.py", input: input).split(separator: "\n")
        for line in lines where !line.hasPrefix("ok ") { Issue.record("\(line)") }
        #expect(lines.count == Self.jitterChecks.reduce(0) { $0 + $1.lines }, "a check is missing")
    }
}
