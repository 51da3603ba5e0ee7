import DeadzoneMetrics
import Testing

@testable import DeadzoneCompare

/// The rules themselves.
struct RuleTests {
    private func findings(_ values: [(String, Double)]) -> [ClaimReport.Finding] {
        values.map { ClaimReport.Finding($0, .count, .value(Billionths(count: Int128($1 * 1e9)))) }
    }

    /// Broken: what changes nothing is called wrong, or what makes it worse is called harmless.
    @Test func `a setting that changes nothing is inert`() {
        let rule = ClaimRule.moves(["with": "at most 50% of without"])
        #expect(rule.verdict(findings([("with", 10), ("without", 100)])) == .confirmed)
        #expect(rule.verdict(findings([("with", 100), ("without", 100)])) == .inert)
        #expect(rule.verdict(findings([("with", 101), ("without", 100)])) == .inert)
        #expect(rule.verdict(findings([("with", 102), ("without", 100)])) == .refuted)
    }

    /// Broken: two statements that exclude each other are called a mistake of measuring.
    @Test func `what does not agree is a contradiction`() {
        let rule = ClaimRule.agrees(["code": "within 0% of text"])
        #expect(rule.verdict(findings([("code", 5), ("text", 5)])) == .confirmed)
        #expect(rule.verdict(findings([("code", 5), ("text", 6)])) == .contradiction)
    }

    /// Broken: worlds that disagree are counted, or the worst of them is taken.
    @Test func `a claim that holds in some worlds depends`() {
        #expect(ClaimRule.verdict([.confirmed, .confirmed]) == .confirmed)
        #expect(ClaimRule.verdict([.confirmed, .inert]) == .conditional)
        #expect(ClaimRule.verdict([.refuted, .refuted]) == .refuted)
        #expect(ClaimRule.verdict([.refuted, .inert]) == .refuted)
        #expect(ClaimRule.verdict([.inert, .inert]) == .inert)
        #expect(ClaimRule.verdict([.contradiction, .refuted]) == .contradiction)
        #expect(ClaimRule.verdict([.confirmed, .open]) == .open)
        #expect(ClaimRule.verdict([]) == .open)
    }

    /// Broken: what was never measured, or never arrives, keeps a bound from above.
    @Test func `nothing proves nothing`() {
        let rule = ClaimRule.holds(["late": "at most 5"])
        func verdict(_ figure: Figure) -> ClaimVerdict { rule.verdict([ClaimReport.Finding("late", .count, figure)]) }
        #expect(verdict(.nothing) == .open)
        #expect(verdict(.never) == .refuted)
        #expect(verdict(.value(Billionths(count: 5_000_000_000))) == .confirmed)
    }
}
