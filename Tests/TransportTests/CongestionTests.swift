import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// The congestion window, the send buffer, gaps and delayed acknowledgements of one end, packet by packet.
@Suite struct CongestionTests {
    private static let segment = UInt64(Wire.segment)
    private static let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))

    private static func rules(_ kernel: Kernel = .xnu, buffer: UInt32? = 64 << 20) -> TCPRules {
        TCPRules(kernel: kernel, framing: Framing(.webSocket, .none, .up), sendBuffer: buffer)
    }

    /// An open end with a list of the packets that it sends.
    private struct Sender: ~Copyable {
        var end = TCPEnd()
        var sent: [Packet] = []
        var now = Instant.zero
        let rules: TCPRules

        init(_ rules: TCPRules) {
            self.rules = rules
            var out = OutgoingPackets()
            end.accept(Packet(.hello, cause: .connect, bytes: 60, stamp: .zero), at: .zero, rules, &out)
        }

        mutating func write(_ segments: UInt64, _ item: UInt32 = 0) -> Bool {
            end.write(.answer, item, bytes: UInt32(segments * CongestionTests.segment), cause: .payload, rules)
        }

        /// Sends until nothing more can be sent, and returns the number of new segments.
        mutating func flush() -> Int {
            var segments = 0
            while true {
                var out = OutgoingPackets()
                end.flush(at: now, rules, CongestionTests.sizes, &out)
                guard out.count > 0 else { return segments }
                for index in 0..<out.count {
                    sent.append(out[index])
                    segments += out[index].content == .data ? Int(out[index].parts) : 0
                }
            }
        }

        /// - Parameter received: Segments that the other end reports beyond a gap, by their numbers in the stream.
        mutating func acknowledge(_ offset: UInt64, received: Range<UInt64>? = nil, echo: Instant = .never) {
            var packet = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: now)
            (packet.received, packet.echo) = (offset, echo)
            if let received {
                var report = SelectiveAck()
                report.blocks[0] = .init(
                    begin: UInt32(received.lowerBound * CongestionTests.segment - offset),
                    length: UInt32(UInt64(received.count) * CongestionTests.segment))
                packet.selectiveAck = report
            }
            _ = end.receive(packet, at: now, rules, CongestionTests.sizes)
        }

        mutating func expire() {
            now = end.deadline
            var out = OutgoingPackets()
            _ = end.expire(at: now, rules, &out)
            for index in 0..<out.count { sent.append(out[index]) }
        }
    }

    // MARK: Window

    /// Broken: the window grows by another amount than the acknowledged segments in slow start, beyond the threshold at
    /// another pace than CUBIC's, or beyond its maximum.
    @Test func theWindowGrowsByItsRules() {
        var sender = Sender(Self.rules())
        _ = sender.write(40_000)
        #expect(sender.flush() == 10 && sender.end.window == 10)
        for (acknowledged, window) in [(1, 11), (3, 13), (10, 20), (20, 30), (29, 39)] as [(UInt64, UInt16)] {
            sender.acknowledge(acknowledged * Self.segment)
            #expect(sender.end.window == window)
            #expect(sender.flush() > 0 && sender.end.highestSent == (acknowledged + UInt64(window)) * Self.segment)
        }
        // A part of a segment counts as one.
        sender.acknowledge(29 * Self.segment + 1)
        #expect(sender.end.window == 40)
        sender.end.threshold = 40
        _ = sender.flush()
        // Before the first loss, CUBIC adds a segment for each twenty.
        sender.acknowledge(48 * Self.segment)
        #expect(sender.end.window == 40)
        _ = sender.flush()
        sender.acknowledge(49 * Self.segment)
        #expect(sender.end.window == 41)
        sender.end.window = TCPEnd.widestWindow
        sender.end.threshold = TCPEnd.widestWindow + 1
        sender.end.peakInFlight = .max
        sender.acknowledge(60 * Self.segment)
        #expect(sender.end.window == TCPEnd.widestWindow && sender.end.peakWindow == TCPEnd.widestWindow)
    }

    /// Broken: above the threshold, a window that is not used up grows, or one that is used up does not.
    @Test(arguments: [(9, 10), (10, 11)] as [(UInt64, UInt16)])
    func onlyAFullWindowGrowsAboveTheThreshold(inFlight: UInt64, window: UInt16) {
        var sender = Sender(Self.rules())
        sender.end.threshold = 10
        for round in 0..<5 as Range<UInt64> {
            _ = sender.write(inFlight, UInt32(round))
            _ = sender.flush()
            sender.acknowledge((round + 1) * inFlight * Self.segment)
        }
        #expect(sender.end.window == window)
    }

    /// Broken: in slow start, a window of which less than half was in flight grows, or one that is used does not.
    @Test(
        arguments: [
            (10, 100, 4, false), (10, 100, 5, false), (10, 100, 6, true), (11, 100, 5, false), (11, 100, 6, true),
        ] as [(UInt16, UInt16, UInt16, Bool)])
    func onlyAUsedWindowGrows(window: UInt16, threshold: UInt16, inFlight: UInt16, grows: Bool) {
        var sender = Sender(Self.rules())
        _ = sender.write(UInt64(inFlight))
        (sender.end.window, sender.end.threshold) = (window, threshold)
        #expect(sender.flush() == Int(inFlight) && sender.end.peakInFlight == inFlight)
        sender.acknowledge(2 * Self.segment)
        #expect((sender.end.window > window) == grows)
    }

    /// Broken: Linux halves the window more or less often than once for each timeout of a pause after the first, or
    /// below the initial window.
    @Test(arguments: [(1.0, 40), (1.01, 20), (2.0, 20), (2.01, 10), (9, 10)] as [(Double, UInt16)])
    func aPauseHalvesTheWindowOfLinux(timeouts: Double, window: UInt16) {
        var sender = Sender(Self.rules(.linux(.before48, hertz: 1_000)))
        _ = sender.write(30)
        _ = sender.flush()
        sender.acknowledge(10 * Self.segment)
        _ = sender.flush()
        sender.acknowledge(30 * Self.segment)
        #expect(sender.end.window == 40 && sender.end.buffered == 0)
        let timeout = sender.end.timer.timeout(sender.rules.kernel)
        sender.now = .zero + .nanoseconds(Int64(timeouts * Double(timeout.nanoseconds)))
        _ = sender.write(60, 1)
        #expect(sender.flush() == Int(window) && sender.end.window == window)
        #expect(sender.end.threshold == TCPEnd.widestWindow)
    }

    /// Broken: a pause resets the window at another time than after a timeout without data, or resets a small window.
    @Test(arguments: [(0, 40), (1, 10)] as [(Int64, UInt16)])
    func aPauseResetsAWideWindow(late: Int64, window: UInt16) {
        var sender = Sender(Self.rules())
        _ = sender.write(30)
        _ = sender.flush()
        sender.acknowledge(10 * Self.segment)
        _ = sender.flush()
        let began = sender.end.timer.startedAt
        sender.acknowledge(30 * Self.segment)
        #expect(sender.end.window == 40 && sender.end.buffered == 0)
        sender.now = began + sender.end.timer.timeout(.xnu) + .nanoseconds(late)
        _ = sender.write(60, 1)
        #expect(sender.flush() == Int(window) && sender.end.window == window)
    }

    /// Broken: reported gaps are not sent again at once, reduce the window by another share, or reduce it twice.
    @Test func aReportedGapIsSentAgain() {
        var sender = Sender(Self.rules())
        _ = sender.write(100)
        _ = sender.flush()
        sender.now += .milliseconds(50)
        sender.acknowledge(2 * Self.segment, received: 4..<7, echo: .zero)
        #expect(sender.end.scoreboard.lost == 2 && sender.end.scoreboard.inFlight == 3)
        #expect(sender.end.threshold == 7 && sender.end.window == 7)
        let before = sender.sent.count
        #expect(sender.flush() == 4)
        let repeated = sender.sent[before]
        #expect(repeated.cause == .retransmit && repeated.offset == 2 * Self.segment && repeated.parts == 2)
        #expect(sender.end.scoreboard.recovery.end == 10 * Self.segment && sender.end.scoreboard.lost == 0)
        // The same report again changes nothing; one of newer data means that the repeat was lost.
        sender.acknowledge(2 * Self.segment, received: 4..<7, echo: .zero)
        #expect(sender.end.scoreboard.lost == 0 && sender.flush() == 0 && sender.end.threshold == 7)
        let repeatedAt = sender.now
        sender.now += .milliseconds(50)
        sender.acknowledge(2 * Self.segment, received: 10..<12, echo: repeatedAt)
        #expect(sender.end.scoreboard.lost == 5 && sender.end.threshold == 7, "one reduction for a round trip")
        _ = sender.flush()
        sender.acknowledge(sender.end.highestSent, echo: sender.now)
        #expect(sender.end.window == 7 && sender.end.scoreboard.isEmpty)
        // A report for another offset than the acknowledged one is ignored.
        sender.acknowledge(2 * Self.segment, received: 4..<7, echo: .zero)
        let isClear = sender.end.scoreboard.isEmpty
        #expect(isClear)
    }

    /// Broken: a window of two segments shrinks further.
    @Test func twoSegmentsAreTheLeastThreshold() {
        var sender = Sender(Self.rules())
        sender.end.window = 2
        _ = sender.write(100)
        _ = sender.flush()
        sender.end.reduceThreshold(at: sender.now)
        #expect(sender.end.threshold == 2)
    }

    /// Broken: data behind fewer than three segments counts as lost at once, or never, or is not repeated by the timer.
    @Test func aLateSegmentHasTimeToArrive() {
        for arrives in [true, false] {
            var sender = Sender(Self.rules(.linux(.before48, hertz: 1_000)))
            _ = sender.write(10)
            _ = sender.flush()
            sender.now += .milliseconds(80)
            sender.acknowledge(0, received: 1..<3, echo: .zero)
            #expect(sender.end.scoreboard.lost == 0 && sender.flush() == 0)
            // A quarter of the round trip, and 2 ms.
            let patience = sender.end.deadline - sender.now
            #expect(.milliseconds(22) <= patience && patience <= .milliseconds(23))
            if arrives {
                sender.now += .milliseconds(5)
                sender.acknowledge(3 * Self.segment, echo: .zero)
                #expect(sender.end.scoreboard.isEmpty && sender.end.threshold == TCPEnd.widestWindow)
            } else {
                // The timer sends it: nothing else would call `flush`.
                sender.expire()
                #expect(sender.sent.last?.offset == 0 && sender.sent.last?.cause == .retransmit)
                #expect(sender.flush() == 0 && sender.end.threshold == 7)
            }
        }
    }

    /// Broken: a timeout sends more than one segment, reduces the threshold by another share, or is repeated with a
    /// smaller threshold.
    @Test func aTimeoutStartsAgainWithOneSegment() {
        for kernel in [Kernel.xnu, .quic] {
            var sender = Sender(Self.rules(kernel))
            let segment = UInt64(sender.rules.segment)
            _ = sender.write(100)
            _ = sender.flush()
            #expect(sender.end.highestSent == 10 * segment)
            sender.expire()
            #expect(sender.sent.last?.cause == .retransmit && sender.sent.last?.length == sender.rules.segment)
            #expect(sender.end.threshold == 7 && sender.end.scoreboard.recovery.end == 10 * segment)
            #expect(sender.end.scoreboard.lost == 9 && sender.end.scoreboard.inFlight == 1)
            #expect(sender.end.window == (kernel.family == .quic ? 10 : 1))
            #expect(sender.end.scoreboard.recovery.windowBefore == 10)
            #expect(sender.flush() == 0, "nothing else is sent before the answer")
            sender.expire()
            #expect(sender.end.threshold == 7 && sender.end.window == (kernel.family == .quic ? 10 : 1))
            sender.expire()
            #expect(sender.end.window == (kernel.family == .quic ? 2 : 1), "three probes are a lost path")
        }
    }

    /// Broken: a window is not reduced if only a probe brought the end of the data, or is reduced before later data is
    /// acknowledged, or if the original had arrived.
    @Test(arguments: [true, false])
    func aProbeThatWasNeededReducesTheWindow(isNeeded: Bool) {
        var sender = Sender(Self.rules(.linux(.before48, hertz: 1_000)))
        _ = sender.write(3)
        _ = sender.flush()
        sender.acknowledge(2 * Self.segment, echo: .zero - .milliseconds(50))
        sender.expire()
        #expect(sender.sent.last?.offset == 2 * Self.segment && sender.sent.last?.cause == .retransmit)
        let probedAt = sender.now
        sender.now += .milliseconds(50)
        sender.acknowledge(3 * Self.segment, echo: isNeeded ? probedAt : .zero)
        #expect(sender.end.window == 10 && sender.end.threshold == TCPEnd.widestWindow)
        _ = sender.write(1, 1)
        _ = sender.flush()
        sender.acknowledge(4 * Self.segment, echo: sender.now)
        #expect(
            sender.end.window == (isNeeded ? 7 : 10) && sender.end.threshold == (isNeeded ? 7 : TCPEnd.widestWindow))
    }

    /// Broken: data that is missing before an answered tail loss probe does not count as lost at once. It is older than
    /// the time that reordering takes.
    @Test(arguments: [true, false])
    func anAnsweredProbeProvesTheLossBeforeIt(probesNewData: Bool) {
        var sender = Sender(Self.rules(.linux(.before48, hertz: 1_000)))
        _ = sender.write(probesNewData ? 5 : 4)
        if probesNewData { sender.end.window = 4 }
        #expect(sender.flush() == 4)
        sender.acknowledge(0, echo: .zero - .milliseconds(50))
        sender.expire()
        let probe = sender.sent.last?.offset ?? 0
        #expect(probe == (probesNewData ? 4 : 3) * Self.segment)
        let probedAt = sender.now
        sender.now += .milliseconds(50)
        let segment = probe / Self.segment
        sender.acknowledge(0, received: segment..<segment + 1, echo: probedAt)
        #expect(sender.end.scoreboard.lost == Int(segment) && sender.flush() > 0)
        #expect(sender.sent.last?.cause == .retransmit)
    }

    /// Broken: a probe of the tail sends old data although there is new data, or more than a segment.
    @Test func aTailProbePrefersNewData() {
        for hasMore in [true, false] {
            var sender = Sender(Self.rules(.linux(.before48, hertz: 1_000)))
            _ = sender.write(hasMore ? 14 : 10)
            _ = sender.flush()
            sender.acknowledge(0, echo: .zero - .milliseconds(50))
            sender.acknowledge(Self.segment, echo: .zero - .milliseconds(50))
            _ = sender.flush()
            let reached = sender.end.highestSent
            sender.end.timer.restart(at: sender.now, inFlight: true, sender.rules)
            sender.expire()
            let probe = sender.sent.last
            let isNew = hasMore && reached < sender.end.written
            #expect(probe?.length == Wire.segment && (probe?.cause == .retransmit) == !isNew)
            #expect(probe?.offset == (isNew ? reached : reached - Self.segment))
        }
    }

    // MARK: Buffer

    /// Broken: a buffer is one byte larger or smaller than its size, except for a single item in an empty buffer.
    @Test func anExactBufferHasItsSize() {
        for (kernel, asked, limit) in [
            (Kernel.xnu, 5_000, 5_000), (.xnu, nil, 131_072), (.quic, 5_000, 5_000), (.quic, nil, 4_194_304),
        ] as [(Kernel, UInt32?, UInt64)] {
            let rules = Self.rules(kernel, buffer: asked)
            func accepts(_ first: UInt64, _ second: UInt64) -> [Bool] {
                var end = TCPEnd()
                let one = end.write(.call, 0, bytes: UInt32(first), cause: .payload, rules)
                let room = end.makesRoom(for: UInt32(second), rules)
                #expect(end.isStalled == !room)
                return [one, room, end.write(.call, 2, bytes: UInt32(second), cause: .payload, rules)]
            }
            #expect(accepts(limit - 10, 10) == [true, true, true] && accepts(limit - 10, 11) == [true, false, false])
            #expect(accepts(limit + 99, 1) == [true, false, false])
        }
    }

    /// Broken: a full socket becomes writable at another level than two thirds of its buffer.
    @Test(arguments: [(2_001, false), (2_000, true)] as [(UInt64, Bool)])
    func aSocketIsWritableWithAThirdFree(buffered: UInt64, isWritable: Bool) {
        var sender = Sender(Self.rules(.xnu, buffer: 3_000))
        _ = sender.end.write(.call, 0, bytes: 2_900, cause: .payload, sender.rules)
        #expect(!sender.write(1, 2) && sender.end.isStalled)
        _ = sender.flush()
        var packet = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: .zero)
        packet.received = 2_900 - buffered
        let result = sender.end.receive(packet, at: .zero, sender.rules, Self.sizes)
        #expect(result.isWritable == isWritable && sender.end.isStalled == !isWritable)
    }

    /// Broken: the parts of the buffers that are freed differ from the parts of the acknowledged data.
    @Test func partsOfBuffersAreFreed() {
        var sender = Sender(Self.rules(.linux))
        (sender.end.highestSent, sender.end.acknowledged, sender.end.packetsOut) = (1_000, 0, 7)
        for (offset, left) in [(0, 7), (1, 7), (142, 7), (143, 6), (500, 4), (999, 1), (1_000, 0)] as [(UInt64, UInt16)]
        {
            sender.end.packetsOut = 7
            sender.end.releaseBuffers(upTo: offset)
            #expect(sender.end.packetsOut == left, "\(offset)")
        }
        let segments = [(0, 0), (1, 1), (1_448, 1), (1_449, 1), (31_856, 1), (31_857, 2), (63_712, 2), (63_713, 3)]
        withUnsafePointer(to: sender.rules) { rules in
            for (bytes, count) in segments {
                #expect(sender.end.bufferCount(UInt64(bytes), rules) == UInt16(count), "\(bytes)")
            }
            sender.end.fullSegments = 6
            #expect(sender.end.bufferCount(39_096, rules) == 1 && sender.end.bufferCount(39_097, rules) == 2)
        }
    }

    // MARK: Hand-over

    /// Broken: messages are handed over, skipped or conflated at another number.
    @Test func messagesAreHandedOverInOrder() {
        let rules = Self.rules(.xnu, buffer: 40)
        var end = TCPEnd()
        #expect(end.hasNoMessages && end.waiting.isEmpty)
        end.offer(upTo: 9)
        #expect(end.offeredEnd == 0)
        end.offer(from: 3, upTo: 5)
        #expect(!end.hasNoMessages && end.waiting == 3..<5 && end.confirmed == 3 && end.hasWaitingMessages)
        end.offer(from: 0, upTo: 4)
        end.offer(upTo: 8)
        #expect(end.waiting == 3..<8)
        end.conflate(to: 2)
        #expect(end.waiting == 3..<8)
        end.conflate(to: 6)
        #expect(end.waiting == 6..<8)
        end.conflate(to: 99)
        #expect(end.waiting.isEmpty && !end.hasWaitingMessages)
        end.skip(to: 20)
        #expect(end.offeredEnd == 20 && end.confirmed == 3, "not everything before is confirmed")
        var settled = TCPEnd()
        settled.offer(from: 2, upTo: 2)
        settled.skip(to: 7)
        #expect(settled.confirmed == 7 && settled.offeredEnd == 7)
        end.offer(upTo: 24)
        _ = end.write(.finish, 0, bytes: 1, cause: .connect, rules)
        #expect(end.offeredEnd == 20, "the end of the stream discards what waits")
        end.announceWindow()
        #expect(end.hasPendingAck && end.pendingAckDeadline == .never && !end.isIdle)
    }
}
