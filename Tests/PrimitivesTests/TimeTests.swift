import DeadzoneBase
import Testing

struct TimeTests {
    static let samples: [Int64] = [
        .min, .min + 1, -(1 << 62) - 1, -1_000_000_007, -1, 0, 1, 2, 999_999_999, 1 << 31, (1 << 62) + 1, .max - 1,
        .max,
    ]

    @Test(arguments: samples, samples)
    func `sums differences and products are exact or saturate`(_ a: Int64, _ b: Int64) {
        // A duration of a hundred years in a file must be a long time, not a trap.
        let (x, y) = (TimeSpan(nanoseconds: a), TimeSpan(nanoseconds: b))
        #expect((x + y).nanoseconds == Int64(clamping: Int128(a) + Int128(b)))
        #expect((x - y).nanoseconds == Int64(clamping: Int128(a) - Int128(b)))
        #expect((x * b).nanoseconds == Int64(clamping: Int128(a) * Int128(b)))

        let moment = Instant(nanoseconds: a)
        #expect((moment + y).nanoseconds == Int64(clamping: Int128(a) + Int128(b)))
        #expect((moment - y).nanoseconds == Int64(clamping: Int128(a) - Int128(b)))
        #expect((moment - Instant(nanoseconds: b)).nanoseconds == Int64(clamping: Int128(a) - Int128(b)))
        #expect((moment < Instant(nanoseconds: b)) == (a < b))
        #expect((x < y) == (a < b))
    }

    @Test(arguments: samples, samples)
    func `compound assignment equals the operator`(_ a: Int64, _ b: Int64) {
        // An assignment that wrapped where the operator saturates would trap or turn time back.
        var (span, moment) = (TimeSpan(nanoseconds: a), Instant(nanoseconds: a))
        span += TimeSpan(nanoseconds: b)
        moment += TimeSpan(nanoseconds: b)
        #expect(span == TimeSpan(nanoseconds: a) + TimeSpan(nanoseconds: b))
        #expect(moment == Instant(nanoseconds: a) + TimeSpan(nanoseconds: b))
        span -= TimeSpan(nanoseconds: b)
        #expect(span == TimeSpan(nanoseconds: a) + TimeSpan(nanoseconds: b) - TimeSpan(nanoseconds: b))
    }

    @Test func `units have the right factors`() {
        // A factor of a thousand in one unit would scale every duration written in it.
        let table: [(TimeSpan, Int64)] = [
            (.nanoseconds(3), 3), (.microseconds(3), 3_000), (.milliseconds(3), 3_000_000),
            (.seconds(3), 3_000_000_000),
            (.minutes(3), 180_000_000_000), (.hours(3), 10_800_000_000_000), (.hours(-1), -3_600_000_000_000),
            (.hours(3_000_000), .max), (.hours(-3_000_000), .min), (.minutes(.max), .max),
        ]
        for (span, nanoseconds) in table { #expect(span.nanoseconds == nanoseconds) }
        #expect(TimeSpan.seconds(10) / 4 == .milliseconds(2_500))
    }

    @Test func `nothing is later than never`() {
        // A deadline beyond the end of time would expire.
        for a in Self.samples { #expect(Instant(nanoseconds: a) <= .never) }
        #expect(Instant.never + .hours(1) == .never)
        #expect(Instant.zero + .longest == .never)
    }
}
