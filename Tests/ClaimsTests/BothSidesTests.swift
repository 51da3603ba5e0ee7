import Testing
@testable import DeadzoneMetrics

@testable import DeadzoneClaims

/// Evaluates the rule of every claim on both sides of each of its bounds.
struct BothSidesTests {
    /// Broken: a bound of a claim decides nothing, or holds on the wrong side.
    @Test(arguments: ArticleClaim.all.map(\.id))
    func `a verdict changes where a bound ends`(_ id: String) throws {
        let rule = try #require(ArticleClaim.all.first { $0.id == id }).rule
        let units = try Self.units(of: id)
        let kept = Self.kept(by: rule, units)
        #expect(rule.verdict(kept) == .confirmed)
        for bound in rule.bounds {
            for (inside, outside) in Self.edges(of: bound, units, kept) {
                let unit = units[bound.finding]!
                let within = Self.replacing(bound.finding, by: inside, unit, in: kept)
                #expect(ClaimRule.BoundTest(bound, within).isKept, "\(bound.finding): \(bound.words) at \(inside)")
                let beyond = Self.replacing(bound.finding, by: outside, unit, in: kept)
                let verdict = rule.verdict(beyond)
                #expect(verdict != .confirmed && verdict != .open, "\(bound.finding): \(bound.words) at \(outside)")
                #expect(ClaimRule.verdict([rule.verdict(kept), verdict]) == .conditional)
                let unknown = Self.replacing(bound.finding, by: nil, unit, in: kept)
                #expect(rule.verdict(unknown) == .open)
            }
        }
    }

    /// Units of the findings that the rule may use.
    private static func units(of id: String) throws -> [String: Metric.Unit] {
        let claim = try #require(ArticleClaim.all.first { $0.id == id })
        let units: [(String, Metric.Unit)] =
            switch claim.procedure {
            case .scenario(_, let readings): readings.map { ($0.name, $0.unit) }
            case .computation(_, let cells): try cells()[0].findings.map { ($0.name, $0.unit) }
            }
        return Dictionary(uniqueKeysWithValues: units)
    }

    /// Findings that satisfy every bound. Each lies at the edge of its own bound, in the order of the bounds.
    private static func kept(by rule: ClaimRule, _ units: [String: Metric.Unit]) -> [ClaimReport.ClaimFinding] {
        var findings = units.map { ClaimReport.ClaimFinding($0, $1, .value(thousand)) }
        for bound in rule.bounds {
            let inside = edges(of: bound, units, findings)[0].inside
            findings = replacing(bound.finding, by: inside, units[bound.finding]!, in: findings)
        }
        return findings
    }

    private static let thousand = Billionths(count: 1_000_000_000_000)

    private static func replacing(
        _ name: String, by number: Int128?, _ unit: Metric.Unit, in findings: [ClaimReport.ClaimFinding]
    ) -> [ClaimReport.ClaimFinding] {
        let figure = number.map { Figure.value(Billionths(count: $0)) } ?? .nothing
        return findings.map { $0.name == name ? ClaimReport.ClaimFinding(name, unit, figure) : $0 }
    }

    /// Values one billionth inside and outside each end of a bound.
    private static func edges(
        of bound: ClaimRule.ClaimBound, _ units: [String: Metric.Unit], _ findings: [ClaimReport.ClaimFinding]
    ) -> [(inside: Int128, outside: Int128)] {
        guard let unit = units[bound.finding], let threshold = try? Threshold(bound.words, in: unit),
            let range = threshold.resolved(
                reference: threshold.reference.flatMap { name in findings.first { $0.name == name }?.figure })
        else {
            Issue.record("\(bound.finding): \(bound.words) cannot be read")
            return [(0, 0)]
        }
        let (low, high) = (range.lowerBound.count, range.upperBound.count)
        return switch threshold.relation {
        case .equal, .between: [(low, low - 1), (high, high + 1)]
        case .below: [(low - 1, low)]
        case .atMost: [(low, low + 1)]
        case .above: [(low + 1, low)]
        case .atLeast: [(low, low - 1)]
        }
    }
}
