import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

/// The product-limit estimate against fractions that are computed step by step.
struct ProductLimitTests {
    /// The definition: the product of the shares that are left at each span, as a fraction of doubles.
    private struct Definition {
        var left = 1.0
        var atRisk: Int64

        mutating func arrive(_ count: Int64) {
            guard count > 0 else { return }
            left *= Double(atRisk - count) / Double(atRisk)
            atRisk -= count
        }
    }

    @Test func theEstimateFollowsItsDefinition() {
        // Broken: a quantile is reached an arrival too early or too late, after samples that still wait, too.
        var reached = 0
        seedSweep(200) { seed in
            var chance = SplitMix(seed: seed)
            let total = Int64(1 + chance.below(60))
            var (limit, definition) = (ProductLimit(of: total), Definition(atRisk: total))
            let q = Share(thousandths: [500, 900, 950, 990, 1_000, 51, 333][chance.below(7)])
            while definition.atRisk > 0 {
                let count = Int64(1 + chance.below(Int(min(definition.atRisk, 4))))
                if chance.below(4) == 0 {
                    limit.censor(count)
                    definition.atRisk -= count
                } else {
                    limit.arrive(count)
                    definition.arrive(count)
                    // The doubles cannot tell which side of the bound they are on within their rounding.
                    let excess = definition.left - Double(1_000 - q.thousandths) / 1_000
                    if excess.magnitude > 1e-9 { #expect(limit.hasReached(q) == (excess < 0)) }
                }
                #expect(limit.removedCount == total - definition.atRisk)
                reached += limit.removedCountToReach(q) <= total ? 1 : 0
                Self.expectTheNextArrival(limit, atRisk: definition.atRisk, q)
            }
        }
        #expect(reached > 100)
    }

    /// `removedCountToReach` is the first number of arrivals at which `hasReached` holds.
    private static func expectTheNextArrival(_ limit: ProductLimit, atRisk: Int64, _ q: Share) {
        let first = (0...atRisk).first { count in
            var next = limit
            next.arrive(count)
            return next.hasReached(q)
        }
        let wanted = limit.removedCountToReach(q)
        #expect(first.map { limit.removedCount + $0 } == max(wanted, limit.removedCount))
    }
}
