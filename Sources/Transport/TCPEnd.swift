public import DeadzonePrimitives

/// One end of a TCP connection as its kernel has it: a sender of bytes, a receiver, and the timers between them.
///
///     closed ──connect──▶ connecting ──answer──▶ open ──given up, reset──▶ closed
///        └──────────────────accept────────────────▲
///
///     written ≥ highest ≥ nextByte ≥ acknowledged    everything below `expected` was received, in order
///
/// Both ends of a connection live side by side, so packets carry ranges of bytes and nothing of what they mean: what has newly
/// arrived, the receiving side reads off the sender's runs (`take`). What the app hands over beyond the send buffer waits in
/// the app (`offered`) and follows by itself.
///
/// Every write leaves at once (TCP_NODELAY). A sender begins with ten segments (RFC 6928), grows by what is acknowledged, halves
/// its threshold at a timeout and begins again with one, which is a repeat: nothing new leaves until it is acknowledged, so
/// what is written into a black hole does not each time wake the radio. After a pause it begins with ten again (RFC 5681 §4.1).
///
/// What is lost in the middle is repeated when the other end says that it misses it, the tail when it is asked after, and a timeout
/// that came too soon is undone: `TCPEnd+Loss.swift`.
///
/// Most packets are all there is, and go a short way that comes to the same: `TCPEnd+Lone.swift`.
///
/// When an acknowledgement leaves alone, and when it waits for something to ride on: `TCPEnd+Acknowledgement.swift`.
///
/// Where this lies: no zero window; a receiver that does not read is noticed by its
/// sender only at `RunQueue.sentLimit` runs; so no more than five calls or answers are under way in one round trip. FIN takes a byte on the wire.
public struct TCPEnd: ~Copyable, Sendable {
    public enum Phase: UInt8, Hashable, Sendable, BitwiseCopyable {
        case closed, connecting, open
    }

    /// RFC 6928.
    @inlinable static var firstWindow: UInt16 { 10 }
    /// What Linux's receiver admits at most: 6 MiB (`net.ipv4.tcp_rmem`), in segments.
    static let widestWindow: UInt16 = 4_344

    /// Segments that leave together and are acknowledged together: 64 KiB, what segmentation offload hands to the card at once
    /// (GSO_LEGACY_MAX_SIZE, include/linux/netdevice.h).
    static let train = UInt64(45 * Wire.segment)

    var runs = RunQueue()
    /// Offsets of the stream that this end sends.
    @usableFromInline private(set) var written: UInt64 = 0
    /// As far as anything was ever sent.
    @usableFromInline var highest: UInt64 = 0
    /// What the next packet begins with: behind what was sent, or before it, while that is sent again.
    var nextByte: UInt64 = 0
    @usableFromInline var acknowledged: UInt64 = 0
    /// Of the other end's stream.
    public internal(set) var expected: UInt64 = 0
    /// What of it is here beyond a hole.
    var beyond = Beyond()
    /// `window` before the first of the timeouts that are in vain.
    var windowBefore: UInt16 = 0
    /// What was sent when the other end's holes were filled last: what is acknowledged below that tells nothing of the tail.
    var repaired: UInt64 = 0
    /// The items behind `acknowledged`.
    var settled = Mark()
    /// The next message to be written.
    @usableFromInline private(set) var nextMessage: UInt32 = 0
    /// The items that the other end's program has.
    @usableFromInline var taken = Mark()
    /// Messages that were handed over.
    public private(set) var offered: UInt32 = 0
    /// The other kernel has every message of this connection below this.
    public internal(set) var confirmed: UInt32 = 0
    @usableFromInline var window = Self.firstWindow
    var threshold = Self.widestWindow
    var thresholdBefore = Self.widestWindow
    /// The widest that the window has been, and the most of it that was in use since nothing was in flight.
    var widest = Self.firstWindow
    var used: UInt16 = 0
    /// Segments that the other end misses and that are to be repeated.
    @usableFromInline var lost: UInt16 = 0
    /// Buffers of the kernel that hold what was sent and not acknowledged.
    var packetsOut: UInt16 = 0

    /// A knock is a SYN while connecting, and a probe of the kernel afterwards.
    @usableFromInline var nextKnock = Instant.never
    /// The other end was heard last, or the first SYN left.
    var heardAt = Instant.zero
    /// What the acknowledgement that is owed answers.
    var owedEcho = Instant.never
    /// Until then it waits for something to ride on; `.never`: it does not wait.
    @usableFromInline var owedUntil = Instant.never
    public internal(set) var timer = RetryTimer()
    /// How this end speaks with the other.
    var manner = Manner()
    /// What was sent since a timeout only to see whether that was right, at the end of what was sent.
    var fresh: UInt32 = 0
    @usableFromInline var doubt = Doubt.none
    /// Whole segments that the other end has had, as far as its window grows by them.
    var wholeSegments: UInt8 = 0

    public internal(set) var phase = Phase.closed
    var knocks: UInt8 = 0
    private var messageCause = Cause.payload
    /// No message was handed over on it yet.
    public private(set) var isPristine = true
    /// Something that the app wanted to say did not fit, and it was not told yet that there is room again.
    public internal(set) var isStalled = false
    /// An acknowledgement has yet to leave.
    @usableFromInline var owes = false
    var owedAccount = Cause.ack

    /// Of QUIC.
    @usableFromInline var quiet = QUICIdleTimer(nil, nil)
    /// Of HTTP/2: DATA that the other end's program still takes; nil: no such limit.
    public var credit: HTTP2Allowance?

    public init() {}

    /// - Parameter phase: Of its machine's clock, as the timers of its kernel have it.
    init(phase: TimeSpan) { timer = RetryTimer(phase: phase) }

    // MARK: What it is like

    // Inlined, a few fields are read where a call would copy the whole end.
    @inlinable public var deadline: Instant { min(deadlineBesideAcknowledgement, owedUntil) }
    /// Of all but an acknowledgement that waits.
    @inlinable public var deadlineBesideAcknowledgement: Instant { min(timer.deadline, nextKnock, quiet.deadline) }
    /// An acknowledgement that waits for something to ride on leaves alone then; `.never`: none does.
    @inlinable public var acknowledgesAt: Instant { owedUntil }
    @inlinable public var hasUnacknowledged: Bool { acknowledged < written }
    /// Bytes that the kernel holds.
    @inlinable public var buffered: UInt64 { written - acknowledged }
    /// The other end's program has not taken enough for all that was written to be sent.
    @inlinable public var isHeldBack: Bool { highest < written && highest == acknowledged }
    /// Messages that wait in the app.
    @inlinable public var isBehind: Bool { nextMessage < offered }
    /// Nothing is under way or waits to leave now: a flush would do nothing that the next one does not.
    @inline(__always) @inlinable public var isAtRest: Bool {
        acknowledged == written && !isBehind && (!owes || owedUntil != .never) && window <= Self.firstWindow
            && lost == 0
            && doubt != .asking
    }

    // MARK: Writing

    /// Writes an item of its own size. Returns false if the socket is full: the caller keeps it. A refused write changes nothing
    /// but `isStalled`. After the end of the stream, what still waits in the app is forgotten.
    public mutating func write(
        _ track: Track, _ item: UInt32, upTo end: UInt32? = nil, bytes: UInt32, cause: Cause,
        _ rules: UnsafePointer<TCPRules>
    ) -> Bool {
        let isAdmitted = !track.isOfApp || (hasRoom(for: bytes, rules) && credit?.admits(track) ?? true)
        let last = end ?? item + 1
        let run = Run(first: item, last: last, bytes: max(bytes, 1), track: track, cause: cause)
        guard isAdmitted, runs.append(run, sent: highest) else {
            if track.isOfApp { isStalled = true }
            return false
        }
        written += UInt64(run.bytes)
        credit?.charge(track, bytes, rules.pointee.framing)
        if track == .finish { offered = nextMessage }
        return true
    }

    /// The app hands over its messages up to `end`; on a connection without any, from `first` on.
    public mutating func offer(from first: UInt32, upTo end: UInt32, cause: Cause = .payload) {
        if isPristine {
            isPristine = false
            nextMessage = first
            offered = first
            confirmed = first
        }
        messageCause = cause
        offered = max(offered, end)
    }

    /// The same, of a connection on which messages were handed over before; without any it is nothing.
    public mutating func offer(upTo end: UInt32) {
        if !isPristine { offered = max(offered, end) }
    }

    /// Messages before `first` will never be handed over. Only while none waits in the app.
    public mutating func skip(to first: UInt32) {
        precondition(nextMessage == offered, "messages \(nextMessage)..<\(offered) wait")
        if confirmed == offered { confirmed = first }
        nextMessage = first
        offered = first
    }

    /// Messages that wait in the app.
    @inlinable public var waiting: Range<UInt32> { min(nextMessage, offered)..<offered }

    /// Of what waits in the app, messages before `first` will not be written.
    public mutating func conflate(to first: UInt32) { nextMessage = max(nextMessage, min(first, offered)) }

    /// What waits in the app follows as far as there is room.
    private mutating func fill(_ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes) {
        while isBehind {
            let bytes = rules.pointee.framing.message(sizes.bytes(of: nextMessage))
            guard write(.message, nextMessage, bytes: bytes, cause: messageCause, rules) else { return }
            nextMessage += 1
        }
    }

    // MARK: Receiving

    public mutating func receive(
        _ packet: Packet, at now: Instant, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes
    ) -> Arrival {
        var arrival = Arrival()
        guard phase == .open else { return arrival }
        heardAt = now
        knocks = 0
        if quiet.isSet { quiet.received(at: now, probeTimeout: probeTimeout(rules)) }
        if packet.echo != .never { timer.measure(now - packet.echo, rules) }
        if acknowledged < packet.received && packet.received <= highest {
            let before = confirmed
            if timer.inVain > 0 || doubt != .none { doubtTimeout(packet) }
            advance(to: packet.received, at: now, rules, sizes)
            arrival.confirmedMore = before < confirmed
            if isStalled && hasPlenty(rules) && !isBehind {
                isStalled = false
                arrival.isWritable = true
            }
        }
        if packet.content == .acknowledgement && packet.behind > 0 { hear(of: packet, rules) }
        if packet.content == .data {
            let isNext = packet.offset == expected && beyond.span == 0 && packet.behind == 0
            arrival.hasNews = isNext ? take(packet) : place(packet, rules)
            owe(packet, isNext: isNext && arrival.hasNews, at: now, rules)
        } else if packet.content == .knock {
            owe(packet)
        }
        return arrival
    }

    /// It is what was expected, and nothing is missing. Returns whether there is anything in it.
    @inline(__always)
    private mutating func take(_ packet: Packet) -> Bool {
        expected += UInt64(packet.length)
        return packet.length > 0
    }

    private mutating func advance(
        to offset: UInt64, at now: Instant, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes
    ) {
        guard !settlesLone(offset, rules) else {
            settleLone()
            if isBehind { fill(rules, sizes) }
            return
        }
        let segments = UInt16(
            clamping: (offset - acknowledged + UInt64(rules.pointee.segment) - 1) / UInt64(rules.pointee.segment))
        // Who does not use what it has, does not get more (`tcp_is_cwnd_limited`).
        let isUsed = window < threshold ? window / 2 < used : window <= used
        if isUsed && (repaired <= acknowledged || window < threshold) {
            let growth = window < threshold ? segments : 1
            window = min(window.addingReportingOverflow(growth).partialValue, Self.widestWindow)
            widest = max(widest, window)
        }
        settlePackets(upTo: offset)
        if UInt64(rules.pointee.segment) <= offset - acknowledged && wholeSegments < Self.windowSegments {
            wholeSegments = UInt8(clamping: min(UInt64(wholeSegments) + UInt64(segments), UInt64(Self.windowSegments)))
        }
        acknowledged = offset
        if highest <= offset + UInt64(fresh) { fresh = 0 }
        while let run = runs.next(&settled, upTo: offset, sizes, rules.pointee.framing) {
            if run.track == .message { confirmed = max(confirmed, run.last) }
        }
        runs.drop(before: min(settled.offset, taken.offset))
        nextByte = max(nextByte, offset)
        timer.restart(
            at: now, inFlight: offset < nextByte, isLone: isLone(rules), asks: repaired <= offset, rules)
        if isBehind { fill(rules, sizes) }
    }

    /// The program reads again after a pause: the other end hears of it, as of a window that opens (RFC 9293 §3.8.6.1).
    public mutating func announceRoom() {
        if !owes { (owes, owedEcho, owedAccount) = (true, .never, .ack) }
        owedUntil = .never
    }

    /// Its program has yet to take something of what the other end has.
    @inlinable public func hasUntaken(_ expected: UInt64) -> Bool { taken.offset < expected }

    /// The next items of this end's stream that the other end has completely and has not taken yet.
    /// - Parameter expected: Of the other end.
    public mutating func take(upTo expected: UInt64, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes)
        -> Run?
    {
        guard taken.offset < expected, let run = runs.next(&taken, upTo: expected, sizes, rules.pointee.framing) else {
            return nil
        }
        runs.drop(before: min(settled.offset, taken.offset))
        return run
    }

    // MARK: Sending

    /// Everything that can leave now does: repeats first, then what is new, each cause in packets of its own; and the
    /// acknowledgement that is owed, with them or alone. To be called at the end of whatever was done to this end.
    public mutating func flush(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ sizes: borrowing MessageSizes, _ out: inout Departures
    ) {
        guard phase == .open else { return }
        if isBehind { fill(rules, sizes) }
        if timer.inVain == 0 { pump(at: now, rules, &out) }
        guard owes, owedUntil == .never else { return }
        send(.acknowledgement, cause: .ack, upTo: nextByte, at: now, rules, &out)
    }

    @inline(__always)
    private mutating func pump(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) {
        if isLoneWrite(rules) { return sendLone(at: now, rules, &out) }
        let before = nextByte
        if nextByte == acknowledged { used = 0 }
        if nextByte == acknowledged && Self.firstWindow < window
            && timer.since + timer.timeout(rules.pointee.kernel) < now
        {
            window = Self.firstWindow
        }
        // Mostly nothing waits to be sent.
        guard nextByte < written || lost > 0 || doubt == .asking else {
            if acknowledged < nextByte { noteUse(rules) }
            return
        }
        if lost > 0 { repair(at: now, rules, &out) }
        let limit = acknowledged + UInt64(window) * UInt64(rules.pointee.segment)
        if doubt == .asking {
            if sendFresh(at: now, rules, &out) { return }
            doubt = .none
        }
        let stale = highest - UInt64(fresh)
        if nextByte < min(stale, limit) {
            send(.data, cause: .retransmit, upTo: min(stale, limit, nextByte + Self.train), at: now, rules, &out)
        }
        if fresh > 0 && nextByte == stale { nextByte = highest }
        // One packet less than there are places: an answer to a SYN may be among them. What is left follows with the next input.
        while highest <= nextByte && nextByte < min(written, limit) && packetsOut < window
            && out.count + 1 < Departures.capacity,
            let (cause, end) = runs.stretch(from: nextByte)
        {
            send(.data, cause: cause, upTo: min(end, limit, nextByte + Self.train), at: now, rules, &out)
        }
        noteUse(rules)
        if acknowledged < nextByte && before < nextByte {
            timer.arm(at: now, isLone: isLone(rules), asks: repaired <= acknowledged, rules)
        }
    }

    @inline(__always)
    private mutating func noteUse(_ rules: UnsafePointer<TCPRules>) {
        used = max(used, packetsOut, UInt16(clamping: segments(nextByte - acknowledged, rules)))
    }

    func isLone(_ rules: UnsafePointer<TCPRules>) -> Bool { nextByte - acknowledged <= UInt64(rules.pointee.segment) }

    mutating func send(
        _ content: Packet.Content, cause: Cause, upTo end: UInt64, at now: Instant, _ rules: UnsafePointer<TCPRules>,
        _ out: inout Departures
    ) {
        let length = UInt32(end - nextByte)
        let (segment, header) = (rules.pointee.segment, rules.pointee.header)
        let segments = length <= segment ? 1 : (length + segment - 1) / segment
        var packet = Packet(content, cause: cause, bytes: length + segments * header, stamp: now)
        packet.segment = UInt16(segment)
        packet.header = UInt16(header)
        packet.offset = nextByte
        packet.length = length
        packet.received = expected
        if content == .acknowledgement { (packet.missing, packet.behind) = (beyond.missing, beyond.span) }
        if owes {
            packet.echo = owedEcho
            if cause == .ack || cause == .pong { packet.account = owedAccount }
            // Of holes an acknowledgement of its own tells.
            owes = content != .acknowledgement && beyond.span > 0
            owedUntil = .never
        }
        nextByte = end
        if highest < end {
            packetsOut += buffers(end - highest, rules)
            highest = end
        }
        if length > 0 {
            if quiet.isSet { quiet.sent(at: now, probeTimeout: probeTimeout(rules)) }
            manner.spoke(at: now)
        }
        out.append(packet)
    }
}
