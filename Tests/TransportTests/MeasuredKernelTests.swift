import DeadzoneBase
import Testing
@testable import DeadzoneTransport

/// Comparison with a running kernel: Linux 6.18, HZ 250, a path of two TUN devices of 25 ms each way that becomes
/// silent.
///
/// A flow starts anywhere between two timer ticks of its machine, so one measurement gives one of many possible
/// values. Here the median of 64 phases is compared with it.
@Suite struct MeasuredKernelTests {
    private static let phases = (0..<64 as Range<Int64>).map { TimeSpan.milliseconds($0 * 131 + 7) }

    private func rules(_ kernel: Kernel = .linux, user: Int64? = nil, tcpKeepalive: TCPKeepalive? = nil)
        -> TCPRules
    {
        TCPRules(
            kernel: kernel, framing: Framing(.webSocket, .none, .up), userTimeout: user.map { .seconds($0) },
            tcpKeepalive: tcpKeepalive)
    }

    /// Seconds from the start of the silence, for each phase: each retransmission, and the end.
    private func silence(
        _ rules: TCPRules, roundTrip: TimeSpan = .milliseconds(50), connecting: Bool = false, writing: Bool = true
    ) -> (repeats: [[Double]], end: Double) {
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var ends: [Double] = []
        var repeats: [[Double]] = []
        for phase in Self.phases {
            var end = TCPEnd()
            var out = OutgoingPackets()
            var now = Instant.zero
            var seen: [Double] = []
            end.connect(at: now, phase: phase, rules, &out)
            if !connecting {
                now = .zero + roundTrip
                let reply = Packet(.helloReply, cause: .connect, bytes: 60, stamp: now, answering: out[0])
                _ = end.established(by: reply, at: now, rules)
                if writing { _ = end.write(.control, 0, bytes: 200, cause: .payload, rules) }
                end.flush(at: now, rules, sizes, &out)
            }
            let began = now
            while true {
                var more = OutgoingPackets()
                now = end.deadline
                guard end.expire(at: now, rules, &more) else { break }
                seen.append(Double((now - began).nanoseconds) / 1e9)
            }
            repeats.append(seen)
            ends.append(Double((now - began).nanoseconds) / 1e9)
        }
        return (repeats, ends.sorted()[32])
    }

    private func isNear(_ a: Double, _ b: Double, _ share: Double = 0.05) -> Bool { abs(a / b - 1) <= share }

    /// Broken: a tail loss probe counts as a retransmission, or the timers are exact.
    @Test func repeatsALoneSegment() {
        let measured = [0.26, 0.51, 1.02, 2.05, 4.10, 8.19, 16.38, 32.77, 65.54]
        let (repeats, end) = silence(rules())
        #expect(repeats.allSatisfy { $0.count == 16 })
        for (index, kernel) in measured.enumerated() {
            let model = repeats.map { $0[index] }.sorted()[32]
            #expect(isNear(model, kernel), "repeat \(index): \(model) s, measured \(kernel)")
        }
        #expect(isNear(end, 976.9, 0.01), "\(end)")
    }

    /// Broken: TCP_USER_TIMEOUT counts from the first transmission, or fires between two timer ticks.
    @Test(arguments: [(Int64(6), 6.66), (10, 10.76), (20, 20.74), (60, 61.45)])
    func userTimeout(seconds: Int64, measured: Double) {
        let end = silence(rules(user: seconds)).end
        #expect(isNear(end, measured, 0.02), "\(end) s, measured \(measured)")
    }

    /// Broken: TCP_USER_TIMEOUT does not end a connect().
    @Test(arguments: [(Int64(5), 5.02), (30, 30.05)])
    func userTimeoutOfConnecting(seconds: Int64, measured: Double) {
        let end = silence(rules(user: seconds), connecting: true).end
        #expect(isNear(end, measured, 0.03), "\(end) s, measured \(measured)")
    }

    /// Broken: the SYN retransmissions of another kernel release are used.
    @Test(arguments: [
        (Kernel.linux(.since48), [1.01, 3.03, 7.25, 15.45, 31.57, 65.36], 130.9),
        (.linux(.since65), [0.99, 2.01, 3.04, 4.06, 5.08, 7.10, 11.1, 19.3, 35.5, 67.7], 133.3),
    ])
    func repeatsItsSYN(kernel: Kernel, measured: [Double], measuredEnd: Double) {
        let (repeats, end) = silence(rules(kernel), connecting: true)
        for (index, seconds) in measured.enumerated() {
            let model = repeats.map { $0[index] }.sorted()[32]
            #expect(isNear(model, seconds), "SYN \(index): \(model) s, measured \(seconds)")
        }
        #expect(repeats.allSatisfy { $0.count == measured.count } && isNear(end, measuredEnd, 0.02), "\(end)")
    }

    /// Broken: the keepalive timers are exact, or the probe count decides although TCP_USER_TIMEOUT is set. Times are
    /// counted from the last received packet.
    @Test(arguments: [
        (Int64(3), Int64(1), UInt8(3), nil as Int64?, 6.12), (15, 5, 3, nil, 30.43), (45, 10, 3, nil, 75.74),
        (3, 1, 3, 6, 6.12), (30, 10, 3, 20, 40.16), (30, 10, 9, 45, 50.40),
    ])
    func keepalive(idle: Int64, interval: Int64, count: UInt8, user: Int64?, measured: Double) {
        let tcpKeepalive = TCPKeepalive(idle: .seconds(idle), interval: .seconds(interval), count: count)
        let end = silence(rules(user: user, tcpKeepalive: tcpKeepalive), writing: false).end
        #expect(isNear(end, measured, 0.03), "\(end) s, measured \(measured)")
    }

    /// Broken: the flows of one phone recover at different moments although its timers are coarse, or the flows of
    /// two phones at the same moment.
    @Test func flowsOfOnePhoneRecoverTogether() {
        func last(_ phase: TimeSpan, _ start: TimeSpan) -> Instant {
            let rules = rules()
            var now = Instant.zero + start
            var timer = RetransmissionTimer(phase: phase)
            timer.arm(at: now, isSingleSegment: true, rules)
            // No round trip was measured: 1, 2, 4 … 64 s.
            for _ in 0..<7 {
                now = timer.deadline
                _ = timer.expire(at: now, rules)
            }
            return timer.deadline
        }
        let starts = (0..<12 as Range<Int64>).map { TimeSpan.milliseconds(50 + $0 * 145) }
        let one = Set(starts.map { last(.zero, $0) })
        let many = Set(starts.enumerated().map { last(.milliseconds(Int64($0.offset) * 1_009), $0.element) })
        #expect(one.count <= 2 && many.count == 12, "\(one.count), \(many.count)")
    }

    /// Broken: the granularity of the timers, at the places where it changes (`LVL_START`, kernel/time/timer.c). A
    /// timer that is set by an expired timer is one jiffy nearer. The sixth doubling of 63 jiffies is 4,032 and has a
    /// granularity of 256 ms, not of 2 s.
    @Test(
        arguments: [
            (62, false, 63), (63, false, 64), (64, false, 72), (503, false, 504), (504, false, 512), (512, false, 576),
            (4_031, false, 4_032), (4_032, false, 4_096), (32_256, false, 32_768), (4_032, true, 4_096),
            (504, true, 512),
            (505, true, 512), (4_097, true, 4_608), (32_256, true, 32_768),
        ] as [(Int64, Bool, Int64)])
    func hasTheTimerGranularity(ticks: Int64, isFiring: Bool, at: Int64) {
        for (hertz, tick) in [(Int64(250), Int64(4)), (100, 10)] {
            let kernel = Kernel.linux(.since65, hertz: hertz)
            let due = kernel.due(after: .milliseconds(ticks * tick), at: .zero, isFiring: isFiring)
            #expect(due == .zero + .milliseconds(at * tick), "\(due.nanoseconds)")
        }
        // The finer granularity, from a start time that is not a multiple of the coarser one.
        let kernel = Kernel.linux(.since65)
        let start = Instant.zero + .milliseconds(4 * 70)
        #expect(
            kernel.due(after: .milliseconds(4 * 4_032), at: start, isFiring: true) == Instant.zero
                + .milliseconds(4 * 4_160))
        #expect(kernel.due(after: .milliseconds(4 * 4_032), at: start) == Instant.zero + .milliseconds(4 * 4_608))
    }
}

/// Bytes that a send buffer accepts on a silent path: the same kernel, table by table.
@Suite struct MeasuredBufferTests {
    struct BufferMeasurement: Sendable {
        var requested: UInt32?
        var write: UInt32
        var every: TimeSpan
        var until: TimeSpan
        /// Bytes accepted, with a tolerance of 5 %.
        var bytes: UInt64
    }

    /// Broken: a buffer counts plain bytes, is not doubled, or starts at its maximum. Or packets in flight have no
    /// overhead, or unsent data has one per packet.
    @Test(arguments: [
        BufferMeasurement(write: 1_448, every: .zero, until: .seconds(1), bytes: 46_336),
        BufferMeasurement(write: 200, every: .seconds(1), until: .minutes(10), bytes: 63_912),
        BufferMeasurement(write: 28, every: .milliseconds(100), until: .minutes(10), bytes: 63_992),
        BufferMeasurement(requested: 64 << 10, write: 1_448, every: .zero, until: .seconds(1), bytes: 141_904),
        BufferMeasurement(
            requested: 64 << 10, write: 28, every: .milliseconds(100), until: .minutes(10), bytes: 127_704),
        BufferMeasurement(
            requested: 64 << 10, write: 32 << 10, every: .seconds(1), until: .seconds(20), bytes: 131_072),
        BufferMeasurement(requested: 16 << 10, write: 28, every: .milliseconds(100), until: .minutes(5), bytes: 32_136),
        BufferMeasurement(requested: 2_560, write: 28, every: .milliseconds(100), until: .seconds(20), bytes: 168),
        BufferMeasurement(requested: 256, write: 28, every: .milliseconds(100), until: .seconds(20), bytes: 168),
        // A ping every 5 s: the kernel gives up first.
        BufferMeasurement(requested: 256, write: 28, every: .seconds(5), until: .seconds(975), bytes: 195 * 28),
        BufferMeasurement(requested: 4_096, write: 28, every: .seconds(5), until: .seconds(975), bytes: 195 * 28),
    ])
    func acceptsTheMeasuredBytes(row: BufferMeasurement) {
        let rules = TCPRules(framing: Framing(.webSocket, .none, .up), sendBuffer: row.requested)
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = OutgoingPackets()
        var now = Instant.zero
        end.connect(at: now, rules, &out)
        now += .milliseconds(50)
        _ = end.established(
            by: Packet(.helloReply, cause: .connect, bytes: 60, stamp: now, answering: out[0]), at: now, rules)
        let began = now
        var taken: UInt64 = 0
        var item: UInt32 = 0
        while now - began < row.until, end.makesRoom(for: row.write, rules) {
            if end.write(.message, item, bytes: row.write, cause: .payload, rules) { taken += UInt64(row.write) }
            item += 1
            var more = OutgoingPackets()
            end.flush(at: now, rules, sizes, &more)
            now += row.every
            while end.deadline <= now {
                var repeats = OutgoingPackets()
                guard end.expire(at: end.deadline, rules, &repeats) else { break }
            }
        }
        #expect(abs(Double(taken) / Double(row.bytes) - 1) <= 0.05, "\(taken) B, measured \(row.bytes)")
    }
}
