import DeadzoneBase
import Testing

@testable import DeadzoneMetrics

/// The comparisons by which `boundary` chooses the cause of a change, with each boundary hit exactly.
struct CauseChangeTests {
    private typealias CauseChange = BoundaryReason.CauseChange

    private static func change(_ kept: Int128, _ broken: Int128) -> CauseChange {
        CauseChange(
            kind: .metric, name: "cause.keepalive", title: "pings", unit: .joules, kept: Billionths(count: kept),
            broken: Billionths(count: broken))
    }

    @Test func aCauseMovesWithItsTotalByAQuarter() {
        // Broken: `boundary` names a cause that did not change, that changed in the other direction, or that is a small
        // part of the change.
        let rows: [(cause: (Int128, Int128), total: (Int128, Int128), explains: Bool)] = [
            ((0, 1), (0, 4), true), ((0, 1), (0, 5), false), ((100, 125), (0, 100), true),
            ((100, 124), (0, 100), false),
            ((4, 3), (9, 5), true), ((4, 3), (9, 4), false), ((10, 0), (0, 10), false), ((0, 10), (10, 0), false),
            ((5, 5), (5, 5), false), ((5, 5), (5, 9), false), ((0, 7), (0, 7), true), ((0, 9), (0, 7), true),
            ((-8, -4), (-8, 8), true), ((-8, -5), (-8, 8), false),
        ]
        for row in rows {
            let cause = Self.change(row.cause.0, row.cause.1)
            #expect(cause.explains(Self.change(row.total.0, row.total.1)) == row.explains, "\(row)")
        }
    }

    @Test func aChangeIsNotableFromATwentieth() {
        // Broken: `boundary` names a cause that hardly changed, or is silent about one that did.
        let rows: [(kept: Int128, broken: Int128, isNotable: Bool)] = [
            (0, 0, false), (7, 7, false), (95, 100, true), (96, 100, false), (100, 95, true), (100, 96, false),
            (0, 1, true), (1, 0, true), (-100, -95, true), (-100, -96, false), (-1, 1, true),
        ]
        for row in rows {
            #expect(Self.change(row.kept, row.broken).isNotable == row.isNotable, "\(row)")
        }
    }

    @Test func theSurerChangeIsTheLargerShare() {
        // Broken: among events with different units, the one with the larger number is named, not the one that changed
        // more.
        let rows: [(one: (Int128, Int128), other: (Int128, Int128), isSurer: Bool)] = [
            ((0, 10), (50, 100), true), ((50, 100), (0, 10), false), ((50, 100), (5, 10), false),
            ((5, 10), (50, 100), false), ((49, 100), (5, 10), true), ((51, 100), (5, 10), false),
            ((100, 40), (50, 100), true), ((3, 3), (3, 3), false), ((0, 1), (3, 3), true),
        ]
        for row in rows {
            let one = Self.change(row.one.0, row.one.1)
            #expect(one.isSurer(than: Self.change(row.other.0, row.other.1)) == row.isSurer, "\(row)")
        }
    }
}
