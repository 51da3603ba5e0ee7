import DeadzoneCaptures
import DeadzonePrimitives
import Testing

struct StampTests {
    @Test func bearsEveryStampOfEveryFormat() {
        // Broken: seconds of pcapng beyond 2^63 ns, or of pcap beyond 2^31, trap or turn negative.
        for seconds: Int64 in [0, 1 << 31, (1 << 32) - 1, 9_223_372_037, 18_446_744_073_709, .max, .min] {
            let stamp = Stamp(seconds: seconds, nanoseconds: 999_999_999)
            #expect(stamp.nanoseconds == Int128(seconds) * 1_000_000_000 + 999_999_999)
            #expect(stamp - stamp == .zero)
            #expect(stamp - Stamp(seconds: seconds) == .nanoseconds(999_999_999))
        }
        #expect(Stamp(seconds: .max) - Stamp(seconds: .min) == .longest)
        #expect(Stamp(seconds: .min) - Stamp(seconds: .max) == .nanoseconds(.min))
    }
}
