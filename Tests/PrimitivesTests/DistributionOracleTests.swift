import DeadzoneBase
import DeadzoneTestKit
import Foundation
import Testing

/// Compares the distributions and their elementary functions with SciPy and mpmath.
@Suite(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
struct DistributionOracleTests {
    private static let count = 1_000_000

    /// Shared by all sets, because one distribution is compared at a time.
    private static let words: [UInt64] = {
        let dice = Dice(seed: 20_260_101, phone: PhoneID(0), purpose: .test)
        return (0..<UInt64(count)).map(dice.at)
    }()

    struct Question: Sendable {
        let distribution: Distribution
        /// Any of `moments`, `quantiles`, `whole` (Kolmogorov-Smirnov) and `counts` (chi-square over the integers).
        let checks: [String]
        let lines: Int
    }

    /// `moments` only where the fourth moment exists and is moderate. `whole` and `quantiles` only where no single
    /// integer has a large probability.
    static let questions: [Question] = [
        Question(distribution: .uniform(1, 6), checks: ["moments", "counts"], lines: 3),
        Question(distribution: .uniform(-5_000_000, 20_000_000_000), checks: ["moments", "quantiles"], lines: 13),
        Question(distribution: .exponential(mean: 3), checks: ["counts"], lines: 1),
        Question(
            distribution: .exponential(mean: 60_000_000_000), checks: ["moments", "quantiles", "whole"], lines: 14),
        Question(
            distribution: .normal(mean: 50_000_000, deviation: 20_000_000), checks: ["moments", "quantiles", "whole"],
            lines: 14),
        Question(distribution: .normal(mean: -7, deviation: 3), checks: ["counts"], lines: 1),
        Question(
            distribution: .logNormal(median: 40_000_000, sigmaPPM: 300_000), checks: ["moments", "quantiles", "whole"],
            lines: 14),
        Question(
            distribution: .logNormal(median: 1_000_000_000, sigmaPPM: 2_000_000), checks: ["quantiles", "whole"],
            lines: 12),
        Question(
            distribution: .pareto(scale: 1_000_000_000, shapePPM: 12_000_000),
            checks: ["moments", "quantiles", "whole"], lines: 14),
        Question(
            distribution: .pareto(scale: 1_000_000_000, shapePPM: 1_100_000), checks: ["quantiles", "whole"], lines: 12),
        Question(
            distribution: .table([
                Quantile(ppm: 0, 10_000_000), Quantile(ppm: 500_000, 35_000_000), Quantile(ppm: 900_000, 90_000_000),
                Quantile(ppm: 1_000_000, 2_000_000_000),
            ]), checks: ["moments", "quantiles"], lines: 13),
        Question(
            distribution: .table([
                Quantile(ppm: 0, 100_000), Quantile(ppm: 300_000, 100_000), Quantile(ppm: 300_000, 500_000),
                Quantile(ppm: 1_000_000, 900_000),
            ]), checks: ["moments"], lines: 2),
    ]

    @Test func `a million draws of each distribution match SciPy`() throws {
        // A distribution that is monotone and reproducible can still be the wrong distribution.
        var input = Data()
        for question in Self.questions {
            input.append(Data(try Self.header(question).utf8))
            let draws = Self.words.map { question.distribution.draw($0).littleEndian }
            draws.withUnsafeBytes { input.append(contentsOf: $0) }
        }
        let lines = try Oracle.run(script: "distributions.py", input: input).split(separator: "\n")
        for line in lines where !line.hasPrefix("ok ") { Issue.record("\(line)") }
        #expect(lines.count == Self.questions.reduce(0) { $0 + $1.lines }, "a check is missing")
    }

    private static func header(_ question: Question) throws -> String {
        let (law, parameters): (String, Any) =
            switch question.distribution.law {
            case .constant(let value): ("constant", [value])
            case .uniform(let low, let high): ("uniform", [low, high])
            case .exponential(let mean): ("exponential", [mean])
            case .normal(let mean, let deviation): ("normal", [mean, deviation])
            case .logNormal(let median, let sigma): ("logNormal", [median, sigma])
            case .pareto(let scale, let shape): ("pareto", [scale, shape])
            case .table(let quantiles):
                ("table", quantiles.map { [Double($0.probability.halves) / 0x1p63 * 1e6, Double($0.value)] })
            }
        let object: [String: Any] = ["law": law, "parameters": parameters, "checks": question.checks, "count": count]
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
    }

    /// log2 of the error bounds that the headers promise, and the number of values compared.
    @Test(arguments: [("log", -52.0, 5_500), ("exp", -55.0, 5_500), ("quantile", -44.0, 5_500)])
    func `errors stay within the documented bounds`(_ name: String, _ bound: Double, _ least: Int) throws {
        // Readers rely on the bounds in the headers.
        let lines = Self.grid(name)
        let answer = try Oracle.run(script: "elementary.py", input: Data(lines.joined(separator: "\n").utf8))
        let fields = answer.split(whereSeparator: \.isWhitespace)
        try #require(fields.count == 3 && fields[0] == name)
        #expect(Int(fields[1]) == lines.count && lines.count >= least)
        let error = try #require(Double(fields[2]))
        #expect(error < bound, "largest error of \(name): 2^\(error)")
        #expect(error > bound - 4, "the bound of \(name) is far too loose: 2^\(error)")
    }

    private static func grid(_ name: String) -> [String] {
        if name == "exp" {
            var arguments = words.prefix(5_000).map { Int64(bitPattern: $0) }
            for step: Int64 in 0..<700 { arguments += [step << 48, -step << 48] }
            arguments += [.min, .max]
            return arguments.map { units in
                let power = FixedPoint(units: units).exponential
                return "exp \(units) \(power.mantissa) \(power.exponent)"
            }
        }
        // Evenly spaced over the logarithm of the tail on both sides, every power of two with its neighbours, and both
        // ends.
        var grid: Set<UInt64> = [1, 2, .max, .max - 1]
        for (index, word) in words.prefix(3_000).enumerated() {
            let shifted = max(1, word >> UInt64(index % 64))
            grid.formUnion([shifted, 0 &- shifted])
        }
        for bit: UInt64 in 1..<64 {
            let power: UInt64 = 1 << bit
            grid.formUnion([power, power - 1, power + 1, 0 &- power])
        }
        return grid.sorted().map { word in
            let value = name == "log" ? FixedPoint.minusLog(of: word) : FixedPoint.normalQuantile(of: word)
            return "\(name) \(word) \(value.units)"
        }
    }
}
