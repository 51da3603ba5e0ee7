public import DeadzoneBase

/// One end of a simulated TCP or QUIC connection: its send queue, received data and timers, as in an OS kernel.
///
///     closed ──connect──▶ connecting ──answer──▶ open ──given up, reset──▶ closed
///        └──────────────────accept────────────────▲
///     written ≥ highestSent ≥ acknowledged    everything below `expected` was received, in order
///
/// Both ends of a connection are in the same process, so packets carry byte ranges and no content. The receiver looks
/// up newly arrived bytes in the sender's queue (`readNext`). Messages that exceed the send buffer wait in the app
/// (`offeredEnd`) and are written automatically later.
/// Every write is sent at once (TCP_NODELAY). A sender starts with a window of ten segments (RFC 6928), which grows and
/// shrinks as `TCPEnd+Congestion.swift` explains. At a timeout it restarts with one segment, which is a retransmission.
/// Nothing new is sent until that segment is acknowledged, so writes into a black hole do not wake the radio each time.
///
/// Data lost in the middle is retransmitted when the other end reports the gap. A lost tail is found by a probe, and a
/// timeout that was too early is undone: `TCPEnd+Loss.swift`. A single packet in flight takes a fast path with the same
/// result: `TCPEnd+SinglePacket.swift`. Acknowledgements wait for data that can carry them: `TCPEnd+DelayedAck.swift`.
///
/// Where this differs from real TCP: there is no zero window. A sender notices a receiver that does not read only after
/// `FrameQueue.sentLimit` ranges, so at most five calls or answers are in flight in one round trip. FIN takes one byte
/// on the wire.
@usableFromInline package struct TCPEnd: ~Copyable, Sendable {
    package enum ConnectionPhase: UInt8, Hashable, Sendable, BitwiseCopyable {
        case closed, connecting, open
    }

    /// Congestion window at the start of a connection, in segments (RFC 6928).
    @inlinable static var firstWindow: UInt16 { 10 }
    /// Maximum window in segments: 6 MiB, which Linux's receiver allows (`net.ipv4.tcp_rmem`).
    static let widestWindow: UInt16 = 4_344

    var queue = FrameQueue()
    /// End of the written data, as an offset in the stream that this end sends.
    @usableFromInline private(set) var written: UInt64 = 0
    /// End of the data that was sent at least once, as an offset in the stream.
    @usableFromInline var highestSent: UInt64 = 0
    @usableFromInline var acknowledged: UInt64 = 0
    /// Offset up to which this end has received all bytes of the other end's stream.
    package internal(set) var expected: UInt64 = 0
    /// Data that was received beyond a gap.
    var receivedBeyondGap = ReceivedRanges()
    /// Fate of the data in flight while some of it is missing or counts as lost.
    @usableFromInline var scoreboard = Scoreboard()
    /// State of CUBIC and HyStart. Empty until the window was used up for the first time, or until a loss.
    var congestion = CongestionState()
    /// Position in the sent stream after the last item that was acknowledged completely.
    var acknowledgedPosition = ItemBoundary()
    /// Number of the next message to write.
    @usableFromInline private(set) var nextMessage: UInt32 = 0
    /// Position in the sent stream after the last item that the other end's program has read.
    @usableFromInline var readPosition = ItemBoundary()
    /// Number of the message after the last one that the app has handed over for sending.
    @usableFromInline package private(set) var offeredEnd: UInt32 = 0
    /// Number of the message after the last one that the other end's kernel has acknowledged.
    package internal(set) var confirmed: UInt32 = 0
    @usableFromInline var window = Self.firstWindow
    /// Window at which slow start ends, in segments.
    var threshold = Self.widestWindow
    /// Largest value of the congestion window up to now, in segments.
    var peakWindow = Self.firstWindow
    /// Maximum number of segments in flight since the last time that nothing was in flight.
    var peakInFlight: UInt16 = 0
    /// Number of kernel buffers that hold data which is sent but not acknowledged.
    var packetsOut: UInt16 = 0
    /// Number of received bytes at the end that the next acknowledgement leaves out.
    var heldBack: UInt16 = 0
    /// `Packet.spread` that the pending acknowledgement echoes.
    var pendingAckSpread: UInt16 = 0

    /// Time of the next SYN while connecting, of the next keepalive probe when open. `.never` if none is due.
    @usableFromInline var probeDeadline = Instant.never
    /// Time at which the last packet from the other end arrived. While connecting: time of the first SYN.
    var lastReceivedAt = Instant.zero
    /// Time stamp that the pending acknowledgement echoes.
    var pendingAckEcho = Instant.never
    /// Time until which the pending acknowledgement waits for data to carry it. `.never` if it does not wait.
    @usableFromInline var pendingAckDeadline = Instant.never
    @usableFromInline package internal(set) var timer = RetransmissionTimer()
    /// State of the algorithm that delays acknowledgements.
    var delayedAck = DelayedAck()
    /// Full segments that the other end has received, up to `maxGrowthSegments`: its window grows no further.
    var fullSegments: UInt8 = 0

    package internal(set) var phase = ConnectionPhase.closed
    var probesSent: UInt8 = 0
    /// `true` if no message was handed over on this connection yet.
    package private(set) var hasNoMessages = true
    /// `true` if app data did not fit and the app has not yet been notified of free space.
    package internal(set) var isStalled = false
    /// `true` if an acknowledgement must still be sent.
    @usableFromInline var hasPendingAck = false
    var pendingAckAccount = Cause.ack
    /// Number of segments that have arrived twice, for the next acknowledgement (RFC 2883).
    var duplicates: UInt8 = 0

    /// QUIC only: timer that ends the connection if no packets arrive.
    @usableFromInline var idleTimer = QUICIdleTimer(nil, nil)
    /// HTTP/2 only: the flow-control windows of the other end, in bytes of DATA. `nil` for other protocols.
    package var sendWindows: HTTP2SendWindows?

    package init() {}

    /// Creates a closed end. `phase`: offset of the machine's clock, which kernel timers follow, from the scenario's.
    init(phase: TimeSpan) { timer = RetransmissionTimer(phase: phase) }

    // MARK: State

    // Inlined so that a caller reads a few fields. A call would copy the whole end.
    @inlinable package var deadline: Instant { min(deadlineWithoutAck, pendingAckDeadline) }
    /// The earliest deadline of this end, not counting a delayed acknowledgement.
    @inlinable package var deadlineWithoutAck: Instant { min(timer.deadline, probeDeadline, idleTimer.deadline) }
    /// Time at which a delayed acknowledgement is sent in a packet of its own. `.never` if none is delayed.
    @inlinable package var acknowledgesAt: Instant { pendingAckDeadline }
    @inlinable package var hasUnacknowledged: Bool { acknowledged < written }
    /// Number of bytes in the kernel's send buffer: written and not acknowledged.
    @inlinable package var buffered: UInt64 { written - acknowledged }
    /// `true` if written data cannot be sent because the other end's program has not read enough.
    @inlinable package var isBlockedByReceiver: Bool { highestSent < written && highestSent == acknowledged }
    /// `true` if messages that the app has handed over are not written yet, because the send buffer is full.
    @inlinable package var hasWaitingMessages: Bool { nextMessage < offeredEnd }
    /// `true` if nothing is in flight or ready to be sent. The caller can then skip `flush`; a later `flush` does the
    /// same work.
    @inline(__always) @inlinable package var isIdle: Bool {
        acknowledged == written && !hasWaitingMessages && (!hasPendingAck || pendingAckDeadline != .never)
            && scoreboard.isEmpty
    }

    // MARK: Writing

    /// Writes an item of the given size to the stream. Returns `false` if the socket is full; then the caller keeps the
    /// item. A refused write changes only `isStalled`. Writing `.finish`, the end of the stream, discards messages that
    /// are not written yet.
    package mutating func write(
        _ kind: FrameKind, _ item: UInt32, upTo end: UInt32? = nil, bytes: UInt32, cause: Cause,
        _ rules: UnsafePointer<TCPRules>
    ) -> Bool {
        let isAdmitted = !kind.carriesAppData || (hasRoom(for: bytes, rules) && sendWindows?.admits(kind) ?? true)
        let last = end ?? item + 1
        let frames = FrameRange(first: item, last: last, bytes: max(bytes, 1), kind: kind, cause: cause)
        guard isAdmitted, queue.append(frames, sent: highestSent) else {
            if kind.carriesAppData { isStalled = true }
            return false
        }
        written += UInt64(frames.bytes)
        sendWindows?.charge(kind, bytes, rules.pointee.framing)
        if kind == .finish { offeredEnd = nextMessage }
        return true
    }

    /// Hands over the app's messages with numbers below `end` for sending. If it is the first call on this connection,
    /// the messages begin at `first`.
    package mutating func offer(from first: UInt32, upTo end: UInt32) {
        if hasNoMessages {
            hasNoMessages = false
            nextMessage = first
            offeredEnd = first
            confirmed = first
        }
        offeredEnd = max(offeredEnd, end)
    }

    /// Hands over more messages, with numbers below `end`. Does nothing if no message was handed over on this
    /// connection yet.
    package mutating func offer(upTo end: UInt32) {
        if !hasNoMessages { offeredEnd = max(offeredEnd, end) }
    }

    /// Skips the messages below `first`: they will never be sent. All messages that were handed over must have been
    /// written.
    package mutating func skip(to first: UInt32) {
        precondition(nextMessage == offeredEnd, "messages \(nextMessage)..<\(offeredEnd) are not sent yet")
        if confirmed == offeredEnd { confirmed = first }
        nextMessage = first
        offeredEnd = first
    }

    /// Writes messages again, from `first` up to `end`, although they were written before; they are then in the stream
    /// twice. Later ones count as not handed over.
    package mutating func rewind(to first: UInt32, upTo end: UInt32) {
        offeredEnd = min(offeredEnd, max(first, end))
        nextMessage = min(nextMessage, first)
        confirmed = min(confirmed, first)
    }

    /// Writes the rest of a message that has broken off on an earlier connection, as the first message of this one.
    /// Returns `false` if messages were handed over before.
    package mutating func offerRest(of message: UInt32, bytes: UInt32, _ rules: UnsafePointer<TCPRules>) -> Bool {
        guard hasNoMessages, write(.message, message, bytes: bytes, cause: .resume, rules) else { return false }
        offer(from: message + 1, upTo: message + 1)
        confirmed = message
        return true
    }

    /// The message of this end's stream that the other end's program has not read completely, and the stream offset at
    /// which it begins. `nil` if the next item is no message.
    package var unreadMessage: (message: UInt32, start: UInt64)? {
        guard let (_, frames, begin) = queue.frames(at: readPosition.offset), frames.kind == .message else {
            return nil
        }
        return (readPosition.offset == begin ? frames.first : readPosition.item, readPosition.offset)
    }

    /// Numbers of the messages that were handed over, but not written yet.
    @inlinable package var waiting: Range<UInt32> { min(nextMessage, offeredEnd)..<offeredEnd }

    /// Drops messages below `first` that are not written yet, because newer messages replace them.
    package mutating func conflate(to first: UInt32) { nextMessage = max(nextMessage, min(first, offeredEnd)) }

    /// Writes messages that were handed over, as long as the send buffer has room. A program that was refused waits for
    /// poll() before it writes again.
    private mutating func writeWaiting(_ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes) {
        guard !isStalled || rules.pointee.kernel.family != .linux || isPollWritable(rules) else { return }
        while hasWaitingMessages {
            let bytes = rules.pointee.framing.message(sizes.bytes(of: nextMessage))
            guard write(.message, nextMessage, bytes: bytes, cause: .payload, rules) else { return }
            nextMessage += 1
        }
    }

    // MARK: Receiving

    package mutating func receive(
        _ packet: Packet, at now: Instant, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes
    ) -> ReceiveResult {
        var arrival = ReceiveResult()
        guard phase == .open else { return arrival }
        lastReceivedAt = now
        probesSent = 0
        if idleTimer.isSet { idleTimer.received(at: now, probeTimeout: probeTimeout(rules)) }
        let isAdvance = acknowledged < packet.received && packet.received <= highestSent
        let reportsGap = packet.hasSelectiveAck && acknowledged <= packet.received && packet.received < highestSent
        // Other packets answer one without data, or one with data that arrived twice: no sample of the kernel.
        if packet.echo != .never && (isAdvance || reportsGap || !timer.estimator.isMeasured) {
            timer.measure(
                now - packet.echo, acknowledged: max(acknowledged, packet.received), sent: highestSent, rules)
        }
        if isAdvance || reportsGap {
            let before = confirmed
            if scoreboard.isEmpty && !reportsGap {
                acknowledge(packet, at: now, rules, sizes)
            } else {
                acknowledgeWithGaps(packet, isAdvance: isAdvance, at: now, rules, sizes)
            }
            if hasWaitingMessages { writeWaiting(rules, sizes) }
            arrival.confirmedMore = before < confirmed
            if isStalled && isPollWritable(rules) && !hasWaitingMessages {
                isStalled = false
                arrival.isWritable = true
            }
        } else if packet.reportsDuplicates {
            recordDuplicates(packet.number, rules)
        }
        if packet.content == .data {
            let isNext = packet.offset == expected && receivedBeyondGap.isEmpty
            arrival.hasNewData = isNext ? acceptInOrder(packet) : receiveOutOfOrder(packet)
            scheduleAck(packet, isNext: isNext && arrival.hasNewData, at: now, rules)
        } else if packet.content == .keepaliveProbe {
            scheduleAck(packet)
        }
        return arrival
    }

    /// Accepts data that arrives in order while nothing is missing. Returns `true` if the packet carries data.
    @inline(__always)
    private mutating func acceptInOrder(_ packet: Packet) -> Bool {
        expected += UInt64(packet.length)
        return packet.length > 0
    }

    /// Handles an acknowledgement of further data while nothing is missing.
    @inline(__always)
    private mutating func acknowledge(
        _ packet: Packet, at now: Instant, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes
    ) {
        let offset = packet.received
        guard !acknowledgesSinglePacket(offset, rules) else { return completeSinglePacket() }
        let segments = UInt32(clamping: segments(offset - acknowledged, rules))
        advance(to: offset, rules, sizes)
        if !congestion.isEmpty { recordRoundTrip(of: packet, segments: segments, at: now) }
        growWindow(by: segments, at: now)
        timer.restart(
            at: now, inFlight: offset < highestSent, isSingleSegment: isSingleSegment(rules), allowsProbe: true, rules)
    }

    /// Releases the data before an offset, which the other end has acknowledged.
    mutating func advance(to offset: UInt64, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes) {
        releaseBuffers(upTo: offset)
        if UInt64(rules.pointee.segment) <= offset - acknowledged && fullSegments < Self.maxGrowthSegments {
            let segments = segments(offset - acknowledged, rules)
            fullSegments = UInt8(clamping: min(UInt64(fullSegments) + segments, UInt64(Self.maxGrowthSegments)))
        }
        acknowledged = offset
        while let frames = queue.next(&acknowledgedPosition, upTo: offset, sizes, rules.pointee.framing) {
            if frames.kind == .message { confirmed = max(confirmed, frames.last) }
        }
        queue.drop(before: min(acknowledgedPosition.offset, readPosition.offset))
    }

    /// Schedules an acknowledgement that tells the other end: this end's program reads again after a pause. It works
    /// like a window update (RFC 9293 §3.8.6.1).
    package mutating func announceWindow() {
        if !hasPendingAck { (hasPendingAck, pendingAckEcho, pendingAckAccount) = (true, .never, .ack) }
        pendingAckDeadline = .never
    }

    /// `true` if the other end's program has not read everything that its kernel has received.
    @inlinable package func hasUnread(_ expected: UInt64) -> Bool { readPosition.offset < expected }

    /// Returns the next items sent by this end that have completely arrived at the other end, and that the program
    /// there has not read yet. `nil` if there are none.
    /// - Parameter expected: The value of `expected` at the other end.
    package mutating func readNext(
        upTo expected: UInt64, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes
    )
        -> FrameRange?
    {
        guard readPosition.offset < expected,
            let frames = queue.next(&readPosition, upTo: expected, sizes, rules.pointee.framing)
        else {
            return nil
        }
        queue.drop(before: min(acknowledgedPosition.offset, readPosition.offset))
        return frames
    }

    // MARK: Sending

    /// Sends everything that can be sent now: first retransmissions, then new data, in separate packets for each cause.
    /// Also sends a pending acknowledgement, with data or alone. Call this after every operation on this end.
    package mutating func flush(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes, _ out: inout OutgoingPackets
    ) {
        guard phase == .open else { return }
        if hasWaitingMessages { writeWaiting(rules, sizes) }
        if timer.timeouts == 0 { sendPending(at: now, rules, &out) }
        guard hasPendingAck, pendingAckDeadline == .never else { return }
        sendAck(at: now, rules, &out)
    }

    @inline(__always)
    private mutating func sendPending(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        if isSinglePacketWrite(rules) { return sendSinglePacket(at: now, rules, &out) }
        guard scoreboard.isEmpty else { return sendWithGaps(at: now, rules, &out) }
        // Fast path: usually nothing waits to be sent.
        if highestSent < written { sendNewData(at: now, rules, &out) }
    }

    /// Sends an acknowledgement without data. It reports the data beyond a gap.
    mutating func sendAck(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        send(.acknowledgement, cause: .ack, from: highestSent, upTo: highestSent, at: now, rules, &out)
    }

    /// Sends a packet with the stream's bytes from `start` up to `end`.
    mutating func send(
        _ content: Packet.PacketContent, cause: Cause, from start: UInt64, upTo end: UInt64, at now: Instant,
        _ rules: UnsafePointer<TCPRules>,
        _ out: inout OutgoingPackets
    ) {
        let length = UInt32(end - start)
        let (segment, header) = (rules.pointee.segment, rules.pointee.header)
        let segments = length <= segment ? 1 : (length + segment - 1) / segment
        var packet = Packet(content, cause: cause, bytes: length + segments * header, stamp: now)
        packet.segment = UInt16(segment)
        packet.header = UInt16(header)
        packet.offset = start
        packet.length = length
        packet.received = expected
        if content == .acknowledgement {
            packet.received -= UInt64(heldBack)
            reportGaps(in: &packet)
            (packet.number, duplicates) = (UInt16(duplicates), 0)
        }
        if hasPendingAck {
            (packet.echo, packet.spread) = (pendingAckEcho, pendingAckSpread)
            if cause == .ack || cause == .pong { packet.account = pendingAckAccount }
            // Only an acknowledgement without data reports gaps.
            hasPendingAck = content != .acknowledgement && !receivedBeyondGap.isEmpty
            pendingAckDeadline = .never
            if heldBack > 0 { if content == .acknowledgement { delayHeldBack(at: now, rules) } else { heldBack = 0 } }
        }
        if highestSent < end {
            packetsOut += bufferCount(end - highestSent, rules)
            if !scoreboard.isEmpty { scoreboard.append(upTo: end, at: now, segment: segment) }
            highestSent = end
        }
        if length > 0 {
            if idleTimer.isSet { idleTimer.sent(at: now, probeTimeout: probeTimeout(rules)) }
            delayedAck.recordSend(at: now)
            congestion.control?.pointee.lastSentAt = now
        }
        out.append(packet)
    }
}
