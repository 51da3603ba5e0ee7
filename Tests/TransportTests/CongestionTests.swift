import DeadzonePrimitives
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

        mutating func acknowledge(_ offset: UInt64, gap: UInt32 = 0, missing: UInt16 = 0, echo: Instant = .never) {
            var packet = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: now)
            (packet.received, packet.bytesBeyondGap, packet.missingSegments, packet.echo) = (offset, gap, missing, echo)
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

    /// Broken: the window grows by another amount than the acknowledged segments in slow start, by more than one
    /// segment per acknowledgement above the threshold, or beyond its maximum.
    @Test func theWindowGrowsByItsRules() {
        var sender = Sender(Self.rules())
        _ = sender.write(40_000)
        #expect(sender.flush() == 10 && sender.end.window == 10)
        for (acknowledged, window) in [(1, 11), (3, 13), (10, 20), (20, 30), (29, 39)] as [(UInt64, UInt16)] {
            sender.acknowledge(acknowledged * Self.segment)
            #expect(sender.end.window == window)
            #expect(sender.flush() > 0 && sender.end.nextByte == (acknowledged + UInt64(window)) * Self.segment)
        }
        // A part of a segment counts as one.
        sender.acknowledge(29 * Self.segment + 1)
        #expect(sender.end.window == 40)
        sender.end.threshold = 40
        _ = sender.flush()
        sender.acknowledge(36 * Self.segment)
        #expect(sender.end.window == 41)
        sender.end.window = TCPEnd.widestWindow
        sender.end.threshold = TCPEnd.widestWindow + 1
        sender.end.peakInFlight = .max
        sender.acknowledge(60 * Self.segment)
        #expect(sender.end.window == TCPEnd.widestWindow && sender.end.peakWindow == TCPEnd.widestWindow)
    }

    /// Broken: a window that is not used grows, or one that is used does not. In slow start, more than half must be in
    /// flight; above the threshold, all of it.
    @Test(
        arguments: [
            (10, 100, 4, false), (10, 100, 5, false), (10, 100, 6, true), (11, 100, 5, false), (11, 100, 6, true),
            (10, 10, 9, false), (10, 10, 10, true),
        ] as [(UInt16, UInt16, UInt16, Bool)])
    func onlyAUsedWindowGrows(window: UInt16, threshold: UInt16, inFlight: UInt16, grows: Bool) {
        var sender = Sender(Self.rules())
        _ = sender.write(UInt64(inFlight))
        (sender.end.window, sender.end.threshold) = (window, threshold)
        #expect(sender.flush() == Int(inFlight) && sender.end.peakInFlight == inFlight)
        sender.acknowledge(2 * Self.segment)
        #expect((sender.end.window > window) == grows)
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
        sender.acknowledge(2 * Self.segment, gap: UInt32(3 * Self.segment), missing: 2)
        #expect(sender.end.window == 12 && sender.end.lostSegments == 2)
        let before = sender.sent.count
        #expect(sender.flush() > 0)
        let repeated = sender.sent[before]
        #expect(repeated.cause == .retransmit && repeated.offset == 2 * Self.segment && repeated.parts == 2)
        #expect(sender.end.window == 8 && sender.end.threshold == 8 && sender.end.lostSegments == 0)
        #expect(sender.end.recoveryPoint == 10 * Self.segment)
        // A second report of older data changes nothing; one of newer data means that the repeat was lost.
        sender.acknowledge(2 * Self.segment, gap: UInt32(8 * Self.segment), missing: 2)
        #expect(sender.end.lostSegments == 0 && sender.flush() == 0)
        sender.acknowledge(4 * Self.segment)
        #expect(sender.end.window == 8, "no growth during the recovery")
        sender.acknowledge(10 * Self.segment)
        sender.end.window = 2
        _ = sender.flush()
        sender.acknowledge(10 * Self.segment, gap: UInt32(Self.segment), missing: 1)
        _ = sender.flush()
        #expect(sender.end.window == 2 && sender.end.threshold == 2, "two segments at least")
        // A report for another offset than the acknowledged one is ignored.
        sender.acknowledge(9 * Self.segment, gap: UInt32(Self.segment), missing: 1)
        #expect(sender.end.lostSegments == 0)
    }

    /// Broken: a timeout sends more than one segment, halves another number, or is repeated with a smaller threshold.
    @Test func aTimeoutStartsAgainWithOneSegment() {
        for kernel in [Kernel.xnu, .quic] {
            var sender = Sender(Self.rules(kernel))
            let segment = UInt64(sender.rules.segment)
            _ = sender.write(100)
            _ = sender.flush()
            #expect(sender.end.nextByte == 10 * segment)
            sender.expire()
            #expect(sender.sent.last?.cause == .retransmit && sender.sent.last?.length == sender.rules.segment)
            #expect(
                sender.end.threshold == 5 && sender.end.nextByte == segment && sender.end.recoveryPoint == 10 * segment)
            #expect(sender.end.window == (kernel.family == .quic ? 10 : 1) && sender.end.windowBeforeTimeout == 10)
            #expect(sender.flush() == 0, "nothing else is sent before the answer")
            sender.expire()
            #expect(sender.end.threshold == 5 && sender.end.window == (kernel.family == .quic ? 10 : 1))
            sender.expire()
            #expect(sender.end.window == (kernel.family == .quic ? 2 : 1), "three probes are a lost path")
        }
        var small = Sender(Self.rules())
        _ = small.write(3)
        _ = small.flush()
        small.expire()
        #expect(small.end.threshold == 2)
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

    // MARK: Gaps

    /// Broken: the contiguous data, the number of missing segments or the span beyond them differs from a set of
    /// segments, as long as there is one gap. Segments of one burst arrive, and the missing ones in order after them.
    @Test func oneGapIsCountedExactly() {
        for first in 0..<5 as Range<UInt64> {
            for missing in 1...3 as ClosedRange<UInt64> {
                for beyond in 1...3 as ClosedRange<UInt64> {
                    var end = Sender(Self.rules())
                    func data(_ begin: UInt64, _ count: UInt64) -> Packet {
                        var packet = Packet(.data, cause: .payload, bytes: 0, stamp: .zero)
                        (packet.offset, packet.length) = (begin * Self.segment, UInt32(count * Self.segment))
                        return packet
                    }
                    if first > 0 {
                        #expect(end.end.receive(data(0, first), at: .zero, end.rules, Self.sizes).hasNewData)
                    }
                    for step in 0..<beyond {
                        let late = data(first + missing + step, 1)
                        #expect(!end.end.receive(late, at: .zero, end.rules, Self.sizes).hasNewData)
                    }
                    #expect(end.end.expected == first * Self.segment)
                    #expect(end.end.receiveGap.missing == UInt16(missing))
                    #expect(end.end.receiveGap.span == UInt32((missing + beyond) * Self.segment))
                    _ = end.flush()
                    #expect(end.sent.last?.missingSegments == UInt16(missing))
                    for step in 0..<missing {
                        let result = end.end.receive(data(first + step, 1), at: .zero, end.rules, Self.sizes)
                        let isLast = step + 1 == missing
                        #expect(result.hasNewData)
                        #expect(end.end.expected == (first + step + 1 + (isLast ? beyond : 0)) * Self.segment)
                        #expect(end.end.receiveGap.missing == UInt16(missing - step - 1))
                        #expect(
                            end.end.receiveGap.span
                                == (isLast ? 0 : UInt32((missing - step - 1 + beyond) * Self.segment)))
                        let again = end.end.receive(data(first + step, 1), at: .zero, end.rules, Self.sizes)
                        #expect(!again.hasNewData, "a duplicate")
                    }
                }
            }
        }
    }

    /// Broken: a truncated packet has other bytes, segments or a span that covers what is missing. All patterns of up
    /// to six segments, with a short last one.
    @Test func truncatedPacketsKeepTheirIntactPart() {
        withEvery { choices in
            let arrives = choices.sequence(of: [true, false], upTo: 6)
            guard arrives.contains(true), !arrives.isEmpty else { return }
            var packet = Packet(.data, cause: .payload, bytes: 0, stamp: .zero)
            let all = UInt32(arrives.count)
            packet.length = all * Wire.segment - 400
            packet.bytes = packet.length + all * Wire.tcp
            #expect(packet.parts == all)
            let whole = packet
            let (intact, arrived) = (UInt32(arrives.prefix { $0 }.count), UInt32(arrives.count { $0 }))
            let lost = UInt32((arrives.lastIndex(of: true) ?? 0) + 1) - arrived
            packet.truncate(parts: intact, of: arrived, lost: lost)
            guard intact < all else {
                #expect(packet.length == whole.length && packet.bytes == whole.bytes && packet.bytesBeyondGap == 0)
                return
            }
            #expect(packet.length == intact * Wire.segment)
            #expect(packet.bytes == (arrived < all ? min(whole.bytes, arrived * 1_500) : whole.bytes))
            let reached = min((arrived + lost) * Wire.segment, whole.length)
            #expect(packet.bytesBeyondGap == (intact < arrived ? reached - packet.length : 0))
            #expect(packet.missingSegments == (intact < arrived ? UInt16(lost) : 0))
        }
        var ping = Packet(.ping, cause: .keepalive, bytes: 28, stamp: .zero)
        ping.truncate(parts: 0, of: 1)
        #expect(ping.parts == 1 && ping.bytes == 28)
        var one = Packet(.data, cause: .payload, bytes: 1_500, stamp: .zero)
        for (length, parts) in [(0, 1), (1_448, 1), (1_449, 2), (2_896, 2), (2_897, 3)] as [(UInt32, UInt32)] {
            one.length = length
            #expect(one.parts == parts)
        }
    }

    // MARK: Delayed acknowledgements

    /// Broken: the delay follows other steps than `tcp_event_data_recv`, or an end expects an answer too long.
    @Test func theDelayFollowsTheArrivals() {
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var ack = TCPEnd.DelayedAck()
            var (now, last, timeout, interactive) = (Int64(1_000), Int64(0), Int64(0), false)
            for _ in 0..<60 {
                now += Int64(dice.next().scaled(below: [5, 30, 60, 300][Int(dice.next().scaled(below: 4))]))
                let time = Instant.zero + .milliseconds(now)
                switch dice.next().scaled(below: 5) {
                case 0:
                    ack.recordSend(at: time)
                    if now - last < timeout { interactive = true }
                case 1:
                    ack.leaveInteractiveMode()
                    (interactive, timeout) = (false, 40)
                default:
                    ack.recordReceive(at: time)
                    let gap = now - last
                    last = now
                    if timeout == 0 {
                        timeout = 40
                    } else if gap <= 20 {
                        timeout = timeout / 2 + 20
                    } else if gap < timeout {
                        timeout = min(timeout / 2 + gap, 200)
                    }
                }
                #expect(Int64(ack.timeout) == timeout && ack.isInteractive == interactive, "seed \(seed)")
            }
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
