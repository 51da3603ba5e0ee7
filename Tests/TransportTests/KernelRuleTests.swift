import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// Timeouts of the kernels, beside a second computation in floating point or in plain steps.
@Suite struct KernelRuleTests {
    private static let kernels: [(name: String, kernel: Kernel)] =
        Kernel.shipped.map { ($0.name, $0.kernel) }
        + [("quic", .quic), ("quic-go", .quic(.quicGo)), ("aioquic", .quic(.aioquic)), ("quiche", .quic(.quiche))]

    private static func rules(
        _ kernel: Kernel, user: TimeSpan? = nil, address: TimeSpan? = nil,
        keepalive: TCPKeepalive? = nil
    ) -> TCPRules {
        TCPRules(
            kernel: kernel, framing: Framing(.webSocket, .none, .up), userTimeout: user, addressTimeout: address,
            tcpKeepalive: keepalive)
    }

    // MARK: Estimates

    /// Broken: the smoothed round trip or its variation differs from RFC 6298 by more than the rounding, or a sample
    /// without a meaning changes them.
    @Test func estimatesFollowTheStandard() {
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var estimator = RoundTripEstimator()
            #expect(!estimator.isMeasured)
            var (smoothed, variation) = (0.0, 0.0)
            for count in 0..<50 {
                let sample = 1_000_000 + Int64(dice.next().scaled(below: 900_000_000))
                estimator.measure(.nanoseconds(sample))
                if count == 0 {
                    (smoothed, variation) = (Double(sample), Double(sample) / 2)
                } else {
                    variation += (abs(Double(sample) - smoothed) - variation) / 4
                    smoothed += (Double(sample) - smoothed) / 8
                }
                #expect(abs(Double(estimator.smoothed.nanoseconds) - smoothed) < 20, "seed \(seed)")
                #expect(abs(Double(estimator.variation.nanoseconds) - variation) < 40, "seed \(seed)")
                #expect((estimator.fourVariations - estimator.variation * 4).nanoseconds < 4)
            }
            let before = estimator
            for sample in [TimeSpan.zero, .nanoseconds(-5)] { estimator.measure(sample) }
            #expect(estimator == before)
        }
        var year = RoundTripEstimator()
        year.measure(.longest)
        #expect(year.smoothed == .hours(24 * 366) && year.isMeasured)
        var shortest = RoundTripEstimator()
        shortest.measure(.nanoseconds(1))
        #expect(shortest.isMeasured && shortest.smoothed == .nanoseconds(1))
    }

    /// Broken: a timeout has another floor, limit, slop or number of doublings than its kernel.
    @Test func timeoutsEqualTheFormula() {
        for (name, kernel) in Self.kernels {
            for trip in [nil, 1, 20, 29, 30, 31, 49, 50, 51, 199, 200, 201, 700, 3_000] as [Int64?] {
                var estimator = RoundTripEstimator()
                if let trip, kernel.family == .linux {
                    estimator.measure(.milliseconds(trip), acknowledged: 0, sent: 0, floor: kernel.floor)
                } else if let trip {
                    estimator.measure(.milliseconds(trip))
                }
                let (smoothed, fourVariations) = (trip ?? 0, 2 * (trip ?? 0))
                for repeats in [0, 1, 2, 5, 6, 7, 10, 20, 21] as [UInt8] {
                    let factor = Int64(1) << Int64(min(repeats, 20))
                    let expected: TimeSpan
                    switch kernel.family {
                    case .quic:
                        let initial: [String: Int64] = ["quic": 999, "quiche": 999, "quic-go": 200, "aioquic": 200]
                        let base = trip == nil ? initial[name] ?? 0 : smoothed + max(fourVariations, 1)
                        expected = .milliseconds((base + 25) * factor)
                    case .linux where trip == nil: expected = min(.seconds(factor), .seconds(120))
                    case .xnu where trip == nil: expected = min(.seconds(factor), .seconds(64))
                    case .linux:
                        let hertz: Int64 = name.hasSuffix("hz100") ? 100 : name.hasSuffix("hz300") ? 300 : 250
                        let (tick, span) = (1_000_000_000 / hertz, (smoothed + max(fourVariations, 200)) * 1_000_000)
                        let ticks = span / tick + (span % tick == 0 ? 0 : 1)
                        expected = min(.nanoseconds(ticks * tick * factor), .seconds(120))
                    case .xnu:
                        let base = max(smoothed + fourVariations, 30)
                        expected = min(.milliseconds(200 + base * min(factor, 64)), .seconds(64))
                    }
                    #expect(kernel.timeout(estimator, repeats: repeats) == expected, "\(name) \(trip ?? -1) \(repeats)")
                }
                let tail = kernel.tailProbeDelay(estimator, isSingleSegment: true)
                let wait: Int64 = kernel.family == .linux ? 200 : kernel.family == .quic ? 25 : 0
                #expect(tail == .milliseconds(2 * smoothed + wait))
                #expect(
                    kernel.tailProbeDelay(estimator, isSingleSegment: false) == .milliseconds(2 * smoothed + 2))
            }
            #expect(kernel.delaysAcknowledgement == (kernel.family == .linux))
            #expect(kernel.detectsSpuriousTimeouts == (kernel.family == .linux))
            #expect(kernel.probesTail == (kernel.family == .linux))
            #expect(kernel.probesWithDataInFlight == (kernel.family == .xnu))
        }
        #expect(Kernel.quic.probeTimeout(inHandshake: true) == .milliseconds(999))
        var quick = RoundTripEstimator()
        for _ in 0..<200 { quick.measure(.milliseconds(10)) }
        #expect((Kernel.quic.probeTimeout(quick) - .milliseconds(36)).nanoseconds < 1_000)
        var doublings: Int64 = 0
        for count in 0..<10 as Range<Int64> { doublings += 200 << count }
        #expect(Kernel.linuxRetryLimit == .milliseconds(doublings + 6 * 120_000))
    }

    /// Broken: an attempt sends its SYNs at other times, or fails at another time.
    @Test func attemptsFollowTheirTable() {
        let table: [(Kernel, [Int64?], Int64)] = [
            (.linux(.before48), [1, 2, 4, 8, 16, 32, 64, nil], 127_028),
            (.linux(.since65), [1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 64, nil], 0),
            // TCP_SYNCNT: linear repetitions come on top; waits grow up to TCP_RTO_MAX.
            (.linux(.since65).withSYNRetries(2), [1, 1, 1, 1, 1, 2, 4, nil], 0),
            (.linux(.since65).withSYNRetries(5), [1, 1, 1, 1, 1, 2, 4, 8, 16, 32, nil], 0),
            (.linux(.before48).withSYNRetries(1), [1, 2, nil], 0),
            (.linux(.before48).withSYNRetries(8), [1, 2, 4, 8, 16, 32, 64, 120, 120, nil], 0),
            (.xnu.withSYNRetries(1), [1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 64, 64, 64, nil], 75_000),
            (.xnu, [1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 64, 64, 64, nil], 75_000),
        ]
        for (kernel, waits, end) in table {
            for (count, wait) in waits.enumerated() {
                #expect(
                    kernel.synInterval(afterSYN: UInt8(count)) == wait.map { .seconds($0) }, "\(kernel.family) \(count)"
                )
            }
            if end > 0 { #expect(kernel.connectTimeout == .milliseconds(end), "\(kernel.connectTimeout)") }
        }
        for (library, initial, limit) in [
            (QUICLibrary.standard, 999, 10), (.quicGo, 200, 5), (.aioquic, 200, 60), (.quiche, 999, 30),
        ] as [(QUICLibrary, Int64, Int64)] {
            let kernel = Kernel.quic(library)
            #expect(library.initial == .milliseconds(initial) && library.connectLimit == .seconds(limit))
            #expect(
                [0, 1, 4, 20, 30].map { kernel.synInterval(afterSYN: $0) }
                    == [0, 1, 4, 20, 20].map {
                        .milliseconds(initial << $0)
                    })
            #expect(kernel.connectTimeout == .seconds(limit))
        }
    }

    /// Broken: a timer fires early, or at another grain than the kernel's wheel. The model walks the levels of
    /// `calc_wheel_index`: level n begins at 63 · 8ⁿ⁻¹ ticks and has grains of 8ⁿ ticks.
    @Test func timersFireAtTheGrainsOfTheWheel() {
        seedSweep(100) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            for hertz in [100, 250, 300] as [Int64] {
                for release in Kernel.LinuxRelease.allCases {
                    let kernel = Kernel.linux(release, hertz: hertz)
                    let tick = 1_000_000_000 / hertz
                    let exponent = Int64(dice.next().scaled(below: 34))
                    let wait = Int64(dice.next().scaled(below: 1_000_000 << UInt64(exponent) & (1 << 45 - 1)))
                    let now = Int64(dice.next().scaled(below: 1 << 42))
                    let phase = Int64(dice.next().scaled(below: 1 << 40))
                    for isFiring in [true, false] {
                        let ticks = (wait + tick - 1) / tick
                        let distance = isFiring ? ticks - 1 : ticks
                        var (grain, start) = (Int64(1), Int64(63))
                        if release != .before48 {
                            for _ in 0..<8 where distance >= start { (grain, start) = (grain * 8, start * 8) }
                        }
                        let due = ((now + phase) / tick + ticks) / grain * grain + grain
                        #expect(
                            kernel.due(
                                after: .nanoseconds(wait), at: Instant(nanoseconds: now), phase: .nanoseconds(phase),
                                isFiring: isFiring) == Instant(nanoseconds: due * tick - phase),
                            "seed \(seed), \(wait) ns at \(hertz) Hz")
                        #expect(due * tick - phase > now + wait)
                    }
                }
            }
        }
        let now = Instant.zero + .nanoseconds(12_345)
        #expect(Kernel.xnu.due(after: .seconds(3), at: now) == now + .seconds(3))
        #expect(Kernel.linux.due(after: .hours(24 * 366), at: now) == now + .hours(24 * 366))
        #expect(
            Kernel.linux.due(after: .hours(24 * 366) - .nanoseconds(1), at: now) != now + .hours(24 * 366)
                - .nanoseconds(1))
        #expect(
            [0, 1, 4_000_000, 4_000_001].map { Kernel.linux.roundedUpToTicks(.nanoseconds($0)).nanoseconds } == [
                0, 4_000_000, 4_000_000, 8_000_000,
            ])
        #expect(Kernel.xnu.roundedUpToTicks(.nanoseconds(7)) == .nanoseconds(7))
    }

    /// Broken: an Android release gets another kernel.
    @Test func androidReleasesHaveTheirKernel() {
        for release in 5...17 {
            let expected: Kernel.LinuxRelease = release < 8 ? .before48 : release < 15 ? .since48 : .since65
            #expect(Kernel.android(release) == .linux(expected), "\(release)")
        }
        #expect(Kernel.linux == .linux(.since65) && Kernel.linux(.since48, hertz: 100).tick == .milliseconds(10))
        #expect(
            Kernel.shipped.map(\.name) == [
                "linux-4.4", "linux-4.4-hz100", "linux-4.4-hz300", "linux-6.1", "linux-6.1-hz100", "linux-6.1-hz300",
                "linux-6.6", "linux-6.6-hz100", "linux-6.6-hz300", "xnu",
            ])
    }

    // MARK: The retransmission timer

    /// Broken: the timer fires at another time, doubles too late, or gives up at another time. Without a network, the
    /// model counts the timeouts of RFC 6298 (XNU, QUIC), in exact time.
    @Test(arguments: [(Kernel.xnu, 12), (.quic, 25)] as [(Kernel, Int)])
    func silenceIsRepeatedWithDoublings(kernel: Kernel, repeats: Int) {
        let rules = Self.rules(kernel)
        var timer = RetransmissionTimer()
        timer.arm(at: .zero, isSingleSegment: true, rules)
        var (now, first) = (Instant.zero, Instant.never)
        for count in 0..<repeats {
            let wait = kernel.timeout(RoundTripEstimator(), repeats: UInt8(count))
            #expect(timer.deadline == now + wait && timer.timeouts == UInt8(count))
            now = timer.deadline
            #expect(timer.expire(at: now, rules) == .retransmit)
            if count == 0 { first = now }
            #expect(timer.startedAt == first)
        }
        now = timer.deadline
        #expect(timer.expire(at: now, rules) == (kernel.family == .xnu ? .giveUp : .retransmit))
        if kernel.family == .xnu { #expect(timer.deadline == .never) }
        timer.restart(at: now, inFlight: true, rules)
        #expect(timer.timeouts == 0 && timer.deadline == now + kernel.timeout(RoundTripEstimator(), repeats: 0))
        timer.restart(at: now, inFlight: false, rules)
        #expect(timer.deadline == .never)
    }

    /// Broken: the user timeout ends a connection at another time than the first retransmission plus the timeout. It
    /// holds on each kernel; on Linux, it also shortens the last wait.
    @Test func theUserTimeoutCountsFromTheFirstRepeat() {
        for kernel in [Kernel.exactLinux, .xnu] {
            let rules = Self.rules(kernel, user: .seconds(4))
            var timer = RetransmissionTimer()
            timer.restart(at: .zero, inFlight: true, rules)
            if kernel.family == .linux { #expect(timer.expire(at: timer.deadline, rules) == .probe) }
            let first = timer.deadline
            #expect(timer.expire(at: first, rules) == .retransmit)
            var last = first
            while true {
                last = timer.deadline
                if timer.expire(at: last, rules) == .giveUp { break }
            }
            // Timeouts at 1, 3 and 7 s, so XNU ends at 7 s. Linux waits no longer than the rest of the four seconds.
            let end = kernel.family == .linux ? first + .seconds(4) : Instant.zero + .seconds(7)
            #expect((last - end).nanoseconds >= 0 && (last - end).nanoseconds <= 2_000_000, "\(kernel.family) \(last)")
        }
    }

    /// Broken: a tail loss probe is sent without a measured round trip, later than the timeout, twice, or by a kernel
    /// that has none.
    @Test func oneProbePrecedesTheRepeats() {
        for kernel in [Kernel.exactLinux, .xnu, .quic] {
            for trip in [nil, 50, 400] as [Int64?] {
                let rules = Self.rules(kernel)
                var timer = RetransmissionTimer()
                if let trip {
                    withUnsafePointer(to: rules) { timer.measure(.milliseconds(trip), $0) }
                }
                timer.arm(at: .zero, isSingleSegment: true, rules)
                let timeout = timer.timeout(kernel)
                let hasProbe = kernel.family == .linux
                let probe = trip.map { min(.milliseconds(2 * $0 + 200), timeout) } ?? timeout
                let slack = hasProbe ? TimeSpan.milliseconds(1) : .zero
                #expect(
                    timer.deadline == Instant.zero + (hasProbe ? probe : timeout) + slack,
                    "\(kernel.family) \(trip ?? 0)")
                guard hasProbe else { continue }
                #expect(timer.expire(at: timer.deadline, rules) == .probe && timer.timeouts == 0)
                // New data during the wait for the answer starts the wait again, without a second probe.
                timer.arm(at: .zero + probe + .milliseconds(10), isSingleSegment: true, rules)
                #expect(timer.expire(at: timer.deadline, rules) == .wait)
                #expect(timer.expire(at: timer.deadline, rules) == .retransmit && timer.timeouts == 1)
            }
        }
    }

    /// Broken: a reset of the path keeps the estimate, or loses the phase of the clock.
    @Test func aNewPathKeepsTheClock() {
        var timer = RetransmissionTimer(phase: .microseconds(1_700))
        withUnsafePointer(to: Self.rules(.linux)) { timer.measure(.milliseconds(70), $0) }
        let fresh = RetransmissionTimer(phase: .microseconds(1_700))
        timer.resetPath()
        #expect(!timer.estimator.isMeasured)
        #expect(timer.due(after: .seconds(1), at: .zero, .linux) == fresh.due(after: .seconds(1), at: .zero, .linux))
        #expect(
            fresh.due(after: .seconds(1), at: .zero, .linux)
                == Kernel.linux.due(after: .seconds(1), at: .zero, phase: .microseconds(1_700)))
    }

    // MARK: Keepalive and connect

    /// Broken: a keepalive probe is sent a nanosecond too early or late, while data is in flight, or once too often.
    @Test(arguments: [Kernel.xnu, .exactLinux])
    func keepaliveProbesHaveTheirTimes(kernel: Kernel) {
        let keepalive = TCPKeepalive(idle: .seconds(60), interval: .seconds(10), count: 3)
        let rules = Self.rules(kernel, keepalive: keepalive)
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        let slack: Int64 = kernel.family == .linux ? 1 : 0
        func ticks(_ seconds: Int64, _ fired: Int64) -> Instant {
            .zero + .seconds(seconds) + .milliseconds(slack * fired)
        }
        var end = TCPEnd()
        var out = OutgoingPackets()
        end.accept(Packet(.hello, cause: .connect, bytes: 60, stamp: .zero), at: .zero, rules, &out)
        #expect(end.deadline == ticks(60, 1))
        var heard = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: .zero + .seconds(20))
        heard.received = 0
        _ = end.receive(heard, at: .zero + .seconds(20), rules, sizes)
        out = OutgoingPackets()
        let first = end.deadline
        let goesOn = end.expire(at: first, rules, &out)
        #expect(goesOn && out.count == 0)
        #expect(
            (end.deadline - (Instant.zero + .seconds(80))).nanoseconds <= 2_000_000
                && Instant.zero + .seconds(80) <= end.deadline)
        for probe in 0..<3 {
            out = OutgoingPackets()
            let due = end.deadline
            let goesOn = end.expire(at: due, rules, &out)
            #expect(goesOn && out.count == 1 && end.probesSent == UInt8(probe + 1))
            #expect(out[0].content == .keepaliveProbe && out[0].bytes == Wire.tcp && out[0].cause == .keepalive)
            #expect((end.deadline - due - .seconds(10)).nanoseconds <= 2_000_000 && end.deadline - due >= .seconds(10))
        }
        out = OutgoingPackets()
        let lives = end.expire(at: end.deadline, rules, &out)
        #expect(!lives && out.count == 0)
        // Any packet resets the count. Data in flight postpones Linux's probes only.
        _ = end.receive(heard, at: end.deadline, rules, sizes)
        #expect(end.probesSent == 0)
        _ = end.write(.ping, 0, bytes: 10, cause: .keepalive, rules)
        out = OutgoingPackets()
        let busy = end.lastReceivedAt + .seconds(60)
        end.probeDeadline = busy
        let stays = end.expire(at: busy, rules, &out)
        #expect(stays && out.count == (kernel.family == .xnu ? 1 : 0))
    }

    /// Broken: an attempt with TCP_SYNCNT repeats its SYN at other times, or ends at another time, than a running Linux.
    ///
    /// Measured on 6.18 with a TUN device that drops everything: times in seconds of all SYNs, and of ETIMEDOUT.
    @Test(
        arguments: [
            (1, [1.02, 2.04], 3.06), (2, [1.02, 2.04, 3.06, 4.09, 5.11], 7.13),
            (3, [1.02, 2.04, 3.06, 4.09, 5.11, 7.13, 11.38], 19.57),
            (5, [1.02, 2.04, 3.06, 4.09, 5.11, 7.13, 11.38, 19.58, 35.7], 68.71),
        ] as [(UInt8, [Double], Double)])
    func repetitionsOfASYNAreMeasured(_ count: UInt8, _ times: [Double], _ end: Double) {
        let rules = Self.rules(Kernel.linux.withSYNRetries(count))
        var socket = TCPEnd()
        var out = OutgoingPackets()
        socket.connect(at: Instant.zero, rules, &out)
        var sent: [Double] = []
        while true {
            let now = socket.deadline
            out = OutgoingPackets()
            sent.append(Double((now - Instant.zero).nanoseconds) / 1e9)
            guard socket.expire(at: now, rules, &out) else { break }
        }
        #expect(sent.count == times.count + 1)
        for (model, measured) in zip(sent, times + [end]) {
            #expect(abs(model - measured) <= 0.05 * measured, "\(model) \(measured)")
        }
    }

    /// Broken: a limit of connect() counts from another moment, or another limit wins.
    @Test(
        arguments: [
            (Kernel.xnu, nil, nil, 75_000), (.xnu, nil, 5_500, 5_500), (.xnu, 3_000, nil, 75_000),
            (.exactLinux, nil, 5_500, 5_500), (.exactLinux, 2_500, nil, 2_500), (.exactLinux, 9_000, 2_000, 2_000),
            (.quic, nil, nil, 10_000),
        ] as [(Kernel, Int64?, Int64?, Int64)])
    func anAttemptEndsAtItsLimit(kernel: Kernel, user: Int64?, address: Int64?, end: Int64) {
        let rules = Self.rules(kernel, user: user.map { .milliseconds($0) }, address: address.map { .milliseconds($0) })
        var socket = TCPEnd()
        var out = OutgoingPackets()
        let began = Instant.zero + .seconds(100)
        socket.connect(at: began, rules, &out)
        #expect(out.count == 1 && out[0].cause == .connect && out[0].bytes == (kernel.family == .quic ? 1_228 : 60))
        var now = began
        while true {
            now = socket.deadline
            out = OutgoingPackets()
            guard socket.expire(at: now, rules, &out) else { break }
            #expect(out.count == 1 && out[0].cause == .retransmit && out[0].content == .hello)
        }
        let late = (now - began - .milliseconds(end)).nanoseconds
        #expect(late >= 0 && late <= 3_000_000, "\((now - began).nanoseconds)")
        #expect(socket.deadline == .never)
    }
}

extension Kernel {
    /// Linux before 4.8, which has exact timers, with a jiffy of a millisecond.
    fileprivate static var exactLinux: Kernel { linux(.before48, hertz: 1_000) }
}
