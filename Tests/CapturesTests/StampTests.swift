import DeadzoneBase
import DeadzoneCaptures
import Testing

struct StampTests {
    @Test func holdsTheTimestampsOfAllFormats() {
        // Broken: pcapng seconds beyond 2^63 ns, or pcap seconds beyond 2^31, trap or become negative.
        for seconds: Int64 in [0, 1 << 31, (1 << 32) - 1, 9_223_372_037, 18_446_744_073_709, .max, .min] {
            let stamp = Timestamp(seconds: seconds, nanoseconds: 999_999_999)
            #expect(stamp.nanoseconds == Int128(seconds) * 1_000_000_000 + 999_999_999)
            #expect(stamp - stamp == .zero)
            #expect(stamp - Timestamp(seconds: seconds) == .nanoseconds(999_999_999))
        }
        #expect(Timestamp(seconds: .max) - Timestamp(seconds: .min) == .longest)
        #expect(Timestamp(seconds: .min) - Timestamp(seconds: .max) == .nanoseconds(.min))
    }
}
