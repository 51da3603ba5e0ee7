import DeadzonePrimitives
import DeadzoneTransport
import Testing

@Suite struct RetransmissionTimerTests {
    /// Broken: the smoothing of RFC 6298. Values of ns-3 `rtt-test.cc`: after 1000, 1200, 900 ms (srtt, var) is
    /// (1009.375, 350), so the timeout is 2409.375 ms.
    @Test func smoothsAsTheStandardSays() {
        var timer = RetransmissionTimer()
        #expect(timer.timeout == .seconds(1))
        timer.measure(.milliseconds(1_000))
        #expect(timer.timeout == .milliseconds(1_000 + 4 * 500))
        timer.measure(.milliseconds(1_200))
        #expect(timer.timeout == .milliseconds(1_025 + 4 * 425))
        timer.measure(.milliseconds(900))
        #expect(timer.timeout == .microseconds(1_009_375 + 4 * 350_000))
    }

    /// Broken: a connection that dies too soon or never. Linux ip-sysctl, `tcp_retries2`: 924.6 s at a first timeout of 200 ms.
    @Test func givesUpWhenLinuxDoes() {
        var timer = RetransmissionTimer()
        // A round trip too short to matter leaves the minimum of 200 ms.
        timer.measure(.nanoseconds(8))
        var now = Instant.zero
        timer.arm(at: now)
        var repeats: [Int64] = []
        while true {
            now = timer.deadline
            guard timer.expire(at: now) else { break }
            repeats.append((now.nanoseconds + 50_000_000) / 100_000_000)
        }
        #expect(repeats == [2, 6, 14, 30, 62, 126, 254, 510, 1_022, 2_046, 3_246, 4_446, 5_646, 6_846, 8_046])
        #expect((now.nanoseconds + 50_000_000) / 100_000_000 == 9_246)
        #expect(timer.hasGivenUp && timer.deadline == .never)
    }

    /// Broken: news from the other end that does not end the doubling.
    @Test func newsEndsTheDoubling() {
        var timer = RetransmissionTimer()
        timer.arm(at: .zero)
        for _ in 0..<5 { _ = timer.expire(at: timer.deadline) }
        timer.restart(at: .zero, inFlight: true)
        #expect(timer.deadline == .zero + .seconds(1))
        timer.restart(at: .zero, inFlight: false)
        #expect(timer.deadline == .never)
    }
}
