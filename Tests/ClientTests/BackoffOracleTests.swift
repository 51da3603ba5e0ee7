import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTestKit
import Foundation
import Testing

/// What SciPy says of the draws of jitter.
@Suite(.enabled(if: Oracle.isWanted, "\(Oracle.advice)"))
struct BackoffOracleTests {
    struct Question: Sendable {
        let jitter: Backoff.Jitter
        /// A distribution as `distributions.py` reads it, of waits with a base of a second, in nanoseconds.
        let distribution: String
        let checks: String
        let lines: Int

        /// Anything between, in milliseconds.
        init(_ jitter: Backoff.Jitter, from low: Int, to high: Int) {
            self.jitter = jitter
            distribution = "\"law\": \"uniform\", \"parameters\": [\(low * 1_000_000), \(high * 1_000_000)]"
            checks = "[\"moments\", \"quantiles\"]"
            lines = 13
        }

        /// Of r, the first decimals 8 6 4 2 0 lower the wait and 1 3 5 7 9 raise it: ten lines with gaps between them.
        static let parity: Question = {
            let ends = [(550, 600), (650, 700), (750, 800), (850, 900), (950, 1_000)]
            let mirrored = [(1_050, 1_100), (1_150, 1_200), (1_250, 1_300), (1_350, 1_400), (1_450, 1_500)]
            var points: [String] = []
            for (index, line) in (ends + mirrored).enumerated() {
                points.append("[\(index * 100_000), \(line.0)000000]")
                points.append("[\((index + 1) * 100_000), \(line.1)000000]")
            }
            return Question(table: points.joined(separator: ", "))
        }()

        private init(table: String) {
            jitter = .parity(500_000)
            distribution = "\"law\": \"table\", \"parameters\": [\(table)]"
            checks = "[\"moments\"]"
            lines = 2
        }
    }

    static let questions: [Question] = [
        Question(.full, from: 0, to: 1_000), Question(.equal, from: 500, to: 1_000),
        Question(.spread(200_000), from: 800, to: 1_200), Question(.decorrelated, from: 1_000, to: 3_000),
        Question(.plus(.milliseconds(300), .seconds(3)), from: 1_300, to: 4_000),
        Question(.times(800_000, 1_000_000), from: 800, to: 1_000),
        Question(.perProcess(.zero, .seconds(4)), from: 1_000, to: 5_000), .parity,
    ]

    /// Broken: the draws are within their bounds and have the right mean, but are of another law than is said.
    @Test func drawsWhatIsExpected() throws {
        let count: UInt32 = 100_000
        var input = Data()
        for question in Self.questions {
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
        #expect(lines.count == Self.questions.reduce(0) { $0 + $1.lines }, "a check was not made")
    }
}
