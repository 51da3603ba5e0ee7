import DeadzoneBase
import Testing

@testable import DeadzoneSimulator

/// The number of sync windows that phones run through before the server handles their requests.
@Suite struct LookaheadTests {
    private func last(_ lookahead: inout Lookahead, from window: Int64) -> Int64 {
        lookahead.begin(window)
        return lookahead.last
    }

    /// Broken: a lookahead is longer than its limits, or becomes longer although many phones were due, or does not
    /// although few were.
    @Test func itsLengthFollowsTheWork() {
        var shared = Lookahead(phones: 100, isShared: true)
        #expect(last(&shared, from: 7) == 7 + 15 && shared.turns == 100)
        for (limit, most, end) in [(12, .max, 11), (90, .max, 22), (90, 3, 9), (9, 3, 8)] as [(Int64, Int64, Int64)] {
            shared.begin(7, before: limit, atMost: most)
            #expect(shared.last == end)
        }
        shared.adaptLength()
        #expect(last(&shared, from: 0) == 15, "all phones were due")
        shared.recordTurns()
        #expect(shared.turns == 0)
        for length in [32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096] as [Int64] {
            shared.adaptLength()
            #expect(last(&shared, from: 10) == 10 + length - 1)
        }
        // Less than a quarter of the phones must be due.
        for (phones, length) in [(3, 16), (4, 32)] as [(Int, Int64)] {
            var small = Lookahead(phones: phones, isShared: true)
            small.begin(0)
            small.recordTurns()
            small.adaptLength()
            #expect(last(&small, from: 0) == length - 1)
        }
        var single = Lookahead(phones: 100, isShared: false)
        single.begin(0)
        single.recordTurns()
        single.adaptLength()
        #expect(last(&single, from: 5) == 5 + 4_095, "a single partition has no work to distribute")
    }
}
