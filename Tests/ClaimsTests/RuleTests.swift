import Testing
@testable import DeadzoneMetrics

/// Verdicts of claim rules.
struct RuleTests {
    private func findings(_ values: [(String, Double)]) -> [ClaimReport.ClaimFinding] {
        values.map { ClaimReport.ClaimFinding($0, .count, .value(Billionths(count: Int128($1 * 1e9)))) }
    }

    /// Broken: a setting without effect is called refuted, or a harmful one is called inert.
    @Test func `a setting that changes nothing is inert`() {
        let rule = ClaimRule.moves(["with": "at most 50% of without"])
        #expect(rule.verdict(findings([("with", 10), ("without", 100)])) == .confirmed)
        #expect(rule.verdict(findings([("with", 100), ("without", 100)])) == .inert)
        #expect(rule.verdict(findings([("with", 101), ("without", 100)])) == .inert)
        #expect(rule.verdict(findings([("with", 102), ("without", 100)])) == .refuted)
    }

    /// Broken: two statements that exclude each other count as a measurement error.
    @Test func `values that do not agree are a contradiction`() {
        let rule = ClaimRule.agrees(["code": "within 0% of text"])
        #expect(rule.verdict(findings([("code", 5), ("text", 5)])) == .confirmed)
        #expect(rule.verdict(findings([("code", 5), ("text", 6)])) == .contradiction)
    }

    /// Broken: worlds that disagree are decided by majority, or by the worst of them.
    @Test func `a claim that holds in some worlds is conditional`() {
        #expect(ClaimRule.verdict([.confirmed, .confirmed]) == .confirmed)
        #expect(ClaimRule.verdict([.confirmed, .inert]) == .conditional)
        #expect(ClaimRule.verdict([.refuted, .refuted]) == .refuted)
        #expect(ClaimRule.verdict([.refuted, .inert]) == .refuted)
        #expect(ClaimRule.verdict([.inert, .inert]) == .inert)
        #expect(ClaimRule.verdict([.contradiction, .refuted]) == .contradiction)
        #expect(ClaimRule.verdict([.confirmed, .open]) == .open)
        #expect(ClaimRule.verdict([]) == .open)
    }

    /// Broken: a value that was never measured, or never arrives, satisfies an upper bound.
    @Test func `a missing value leaves a claim open`() {
        let rule = ClaimRule.holds(["late": "at most 5"])
        func verdict(_ figure: Figure) -> ClaimVerdict {
            rule.verdict([ClaimReport.ClaimFinding("late", .count, figure)])
        }
        #expect(verdict(.nothing) == .open)
        #expect(verdict(.never) == .refuted)
        #expect(verdict(.value(Billionths(count: 5_000_000_000))) == .confirmed)
    }
}
