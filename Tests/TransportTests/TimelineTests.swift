import DeadzoneBase
import Testing
@testable import DeadzoneTransport

/// Retransmission schedules of the kernels, written as timelines.
@Suite struct TimelineTests {
    private static func rules(
        _ kernel: Kernel = .exactLinux, user: TimeSpan? = nil, tcpKeepalive: TCPKeepalive? = nil
    ) -> TCPRules {
        TCPRules(
            kernel: kernel, framing: Framing(.webSocket, .none, .up), userTimeout: user, tcpKeepalive: tcpKeepalive)
    }

    /// Two seconds of silence, then a probe each second; four unanswered probes end the connection.
    private static let fast = TCPKeepalive(idle: .seconds(2), interval: .seconds(1), count: 4)

    private func check(_ text: String, _ rules: TCPRules, until end: TimeSpan = .hours(24)) {
        let script = TimelineScript(text)
        let played = script.play(rules, until: end)
        #expect(played == script.lines, "\(played.joined(separator: "\n"))")
        #expect(script.lines.count > 3)
    }

    /// Broken: SYN retransmissions on a network that drops them all. Linux `tcp_syn_retries` = 6
    /// (Documentation/networking/ip-sysctl.rst).
    @Test func synOnLinux() {
        check(
            """
            0.000 connect
            0.000 > SYN
            1.001 > SYN
            3.002 > SYN
            7.003 > SYN
            15.004 > SYN
            31.005 > SYN
            63.006 > SYN
            127.007 fail
            """, Self.rules())
    }

    /// Broken: a connect() call with its own time limit waits for the kernel's limit.
    @Test func theCallersTimeoutEndsAnAttempt() {
        let script = TimelineScript(
            """
            0.000 connect
            0.000 > SYN
            1.024 > SYN
            2.048 > SYN
            3.072 > SYN
            4.096 > SYN
            5.000 fail
            """)
        let rules = TCPRules(framing: Framing(.webSocket, .none, .up), addressTimeout: .seconds(5))
        #expect(script.play(rules) == script.lines)
    }

    /// Broken: an iPhone waits two minutes for a connection. XNU `tcp_syn_backoff`, connect timer 75 s.
    @Test func synOnXNU() {
        check(
            """
            0.000 connect
            0.000 > SYN
            1.000 > SYN
            2.000 > SYN
            3.000 > SYN
            4.000 > SYN
            5.000 > SYN
            7.000 > SYN
            11.000 > SYN
            19.000 > SYN
            35.000 > SYN
            67.000 > SYN
            75.000 fail
            """, Self.rules(.xnu))
    }

    /// Broken: a connection ends too early or never. Linux ip-sysctl, `tcp_retries2` = 15: 924.6 s at a first timeout
    /// of 200 ms.
    @Test func retransmissionOnLinux() {
        check(
            """
            0.000 connect
            0.000 > SYN
            0.000 answer
            0.000 > ack
            1.000 write 100
            1.000 > data
            1.202 > repeat
            1.404 > repeat
            1.807 > repeat
            2.612 > repeat
            4.221 > repeat
            7.438 > repeat
            13.871 > repeat
            26.736 > repeat
            52.465 > repeat
            103.922 > repeat
            206.835 > repeat
            326.836 > repeat
            446.837 > repeat
            566.838 > repeat
            686.839 > repeat
            806.840 > repeat
            926.841 fail
            """, Self.rules())
    }

    /// Broken: an iPhone gives up like a Linux host. XNU: 30 ms at least, doubled up to 64 times, 200 ms of slop on
    /// each; twelve retransmissions.
    @Test func retransmissionOnXNU() {
        check(
            """
            0.000 connect
            0.000 > SYN
            0.000 answer
            0.000 > ack
            1.000 write 100
            1.000 > data
            1.230 > repeat
            1.490 > repeat
            1.810 > repeat
            2.250 > repeat
            2.930 > repeat
            4.090 > repeat
            6.210 > repeat
            8.330 > repeat
            10.450 > repeat
            12.570 > repeat
            14.690 > repeat
            16.810 > repeat
            18.930 fail
            """, Self.rules(.xnu))
    }

    /// Broken: each write into a black hole wakes the radio. After the first retransmission that is not a probe, new
    /// data waits for the first acknowledgement, and the doubling ends.
    @Test func nothingNewLeavesAfterATimeout() {
        check(
            """
            0.000 connect
            0.000 > SYN
            0.000 answer
            0.000 > ack
            1.000 write 100
            1.000 > data
            1.202 > repeat
            1.300 write 100
            1.300 > data
            1.400 write 100
            1.400 > data
            1.804 > repeat
            1.900 write 100
            2.207 > repeat
            2.500 hear
            2.500 > ack
            3.000 ack
            3.000 > data
            """, Self.rules(), until: .milliseconds(3_100))
    }

    /// Broken: after a pause, a sender floods a path of unknown state (RFC 5681, 4.1). Or it starts slowly again
    /// although it has just been answered. Segments per flight.
    @Test(arguments: [(TimeSpan.milliseconds(100), [10, 20, 40]), (.seconds(10), [10, 20, 10])])
    func aPauseRestartsSlowStart(pause: TimeSpan, flights: [UInt64]) {
        let rules = Self.rules()
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var now = Instant.zero
        var end = TCPEnd()
        var out = OutgoingPackets()
        end.connect(at: now, rules, &out)
        var reply = Packet(.helloReply, cause: .connect, bytes: 60, stamp: now)
        reply.echo = now - .milliseconds(10)
        _ = end.established(by: reply, at: now, rules)
        var sent: UInt64 = 0
        var seen: [UInt64] = []
        for (item, wished) in [10, 20, 40].enumerated() as EnumeratedSequence<[UInt32]> {
            now = now + (item == 2 ? pause : .milliseconds(10))
            _ = end.write(.control, UInt32(item), bytes: wished * rules.segment, cause: .payload, rules)
            out = OutgoingPackets()
            end.flush(at: now, rules, sizes, &out)
            let before = sent
            for index in 0..<out.count { sent = max(sent, out[index].offset + UInt64(out[index].length)) }
            seen.append((sent - before + UInt64(rules.segment) - 1) / UInt64(rules.segment))
            now = now + .milliseconds(10)
            var acknowledgement = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: now)
            acknowledgement.received = sent
            _ = end.receive(acknowledgement, at: now, rules, sizes)
        }
        #expect(seen == flights)
    }

    /// Broken: TCP_USER_TIMEOUT ends a connection at the next doubling instead of at its time
    /// (`tcp_clamp_rto_to_user_timeout`).
    @Test func userTimeoutCutsTheWait() {
        check(
            """
            0.000 connect
            0.000 > SYN
            0.000 answer
            0.000 > ack
            1.000 write 100
            1.000 > data
            1.202 > repeat
            1.404 > repeat
            1.807 > repeat
            2.612 > repeat
            4.221 > repeat
            6.405 fail
            """, Self.rules(user: .seconds(5)))
    }

    /// Broken: keepalive does not detect a silent peer. Idle 2 s, 1 s × 4: closed 6 s after the last received packet.
    @Test func keepaliveFindsASilentPeer() {
        check(
            """
            0.000 connect
            0.000 > SYN
            0.000 answer
            0.000 > ack
            1.000 hear
            1.000 > ack
            3.001 > probe
            4.002 > probe
            5.003 > probe
            6.004 > probe
            7.005 fail
            """, Self.rules(tcpKeepalive: Self.fast))
    }

    /// Broken: keepalive continues while data is in flight. On Linux it does not: 6 s become 924.6 s.
    @Test func dataInFlightDefeatsKeepalive() {
        let script = TimelineScript("0.000 connect\n0.000 answer\n1.000 write 100\n")
        let played = script.play(Self.rules(tcpKeepalive: Self.fast))
        #expect(!played.contains { $0.hasSuffix("probe") })
        #expect(played.last == "926.841 fail" && played.count == 23, "\(played)")
        // The combination of the two needs the user timeout.
        let both = script.play(Self.rules(user: .seconds(6), tcpKeepalive: Self.fast))
        #expect(both.last == "7.405 fail", "\(both)")
        // XNU probes regardless of data in flight.
        let xnu = script.play(Self.rules(.xnu, tcpKeepalive: Self.fast))
        #expect(xnu.last == "6.000 fail" && xnu.contains("5.000 > probe"), "\(xnu)")
    }

    /// Broken: with TCP_USER_TIMEOUT, the number of probes still decides.
    @Test func userTimeoutCoversProbes() {
        let script = TimelineScript("0.000 connect\n0.000 answer\n")
        let played = script.play(
            Self.rules(user: .seconds(10), tcpKeepalive: .init(idle: .seconds(2), interval: .seconds(3), count: 1)))
        #expect(played.suffix(4) == ["2.001 > probe", "5.002 > probe", "8.003 > probe", "11.004 fail"], "\(played)")
    }

    /// Broken: keepalive with the systems' defaults: 7,200 s, then 75 s nine times on Linux (7,875 s), eight times on
    /// XNU.
    @Test(arguments: [(Kernel.exactLinux, "7875.010 fail"), (.xnu, "7800.000 fail")])
    func systemKeepalive(kernel: Kernel, end: String) {
        let tcpKeepalive = TCPKeepalive(
            idle: .hours(2), interval: .seconds(75), count: kernel == .xnu ? 8 : 9)
        let played = TimelineScript("0.000 connect\n0.000 answer\n").play(
            Self.rules(kernel, tcpKeepalive: tcpKeepalive))
        #expect(played.last == end, "\(played)")
    }
}

extension Kernel {
    /// Linux before its timers became coarse, with a jiffy of one millisecond.
    fileprivate static var exactLinux: Kernel { linux(.before48, hertz: 1_000) }
}

@Suite struct RoundTripTests {
    /// Broken: the smoothing of RFC 6298. Values of ns-3 `rtt-test.cc`.
    @Test func smoothsLikeTheStandard() {
        var trip = RoundTripEstimator()
        #expect(!trip.isMeasured)
        let expected: [(Int64, Int64, Int64)] = [
            (1_000, 1_000_000, 500_000), (1_200, 1_025_000, 425_000), (900, 1_009_375, 350_000),
        ]
        for (sample, smoothed, variation) in expected {
            trip.measure(.milliseconds(sample))
            #expect(trip.smoothed == .microseconds(smoothed) && trip.variation == .microseconds(variation))
        }
    }

    /// Broken: rounding of scaled integers. WebRTC `net/dcsctp/tx/retransmission_timeout_test.cc`, in its unit of one
    /// millisecond: at least 120, at most 800.
    @Test func roundsLikeKernels() {
        var trip = RoundTripEstimator()
        let timeouts = [Int64(124), 128, 123, 125, 127].map { sample in
            trip.measure(.nanoseconds(sample))
            return min(max((trip.smoothed + trip.fourVariations).nanoseconds, 120), 800)
        }
        #expect(timeouts == [372, 314, 268, 233, 209])
    }
}
