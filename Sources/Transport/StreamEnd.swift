public import DeadzonePrimitives

/// One end of a reliable ordered stream of messages: a sender, a receiver, and the timer between them.
///
/// The sender keeps at most a window in flight and, when its timer expires, goes back to the first message that was not
/// acknowledged. The receiver takes only what follows without a gap and acknowledges everything at once.
///
///     offered ≥ sent ≥ acknowledged          everything below `expected` was received, in order
///
/// Where this lies: no congestion control (a fixed window of ten segments, RFC 6928's initial one), no selective or delayed
/// acknowledgement, no fast retransmit. A lost message therefore waits for the timer, never for three duplicates; a message
/// of many segments is lost as one packet would be, its inner losses being what fast retransmit repairs.
public struct StreamEnd: Sendable, BitwiseCopyable {
    /// Bytes in flight; a single message may be larger.
    public static let window: UInt32 = 10 * Wire.segment

    /// The way this end sends.
    public let direction: Direction
    public private(set) var offered: UInt32
    public private(set) var sent: UInt32
    public private(set) var acknowledged: UInt32
    public private(set) var expected: UInt32
    public private(set) var timer = RetransmissionTimer()
    /// Messages below this were on their way before: sending them is a repeat.
    private var highest: UInt32
    private var origin: UInt32
    private var bytesInFlight: UInt32 = 0
    private var pingsSent: UInt16 = 0
    private var pingsAnswered: UInt16 = 0
    private var pingSentAt = Instant.never

    /// - Parameters:
    ///   - next: The index of the first message this end will send.
    ///   - expected: The index of the first message it will take.
    public init(sending direction: Direction, from next: UInt32, expecting expected: UInt32) {
        self.direction = direction
        self.expected = expected
        offered = next
        sent = next
        acknowledged = next
        highest = next
        origin = next
    }

    public var hasUnacknowledged: Bool { acknowledged < sent || pingIsUnanswered }
    /// Nothing was ever written.
    public var isPristine: Bool { offered == origin }
    public var pingIsUnanswered: Bool { pingsAnswered != pingsSent }

    /// The application writes everything up to `end`.
    public mutating func write(
        upTo end: UInt32, at now: Instant, sizes: borrowing MessageSizes, cause: Cause, _ out: inout Departures
    ) {
        offered = max(offered, end)
        pump(at: now, sizes: sizes, cause: cause, &out)
    }

    /// Nothing before `next` will ever be written. Only while nothing is in flight.
    public mutating func skip(to next: UInt32) {
        precondition(acknowledged == offered, "messages \(acknowledged)..<\(offered) are still in flight")
        offered = next
        sent = next
        acknowledged = next
        highest = next
    }

    /// What setting the connection up has taught about the round trip.
    public mutating func measure(_ roundTrip: TimeSpan) { timer.measure(roundTrip) }

    /// The other end will begin with `next`. Only while nothing of it is in flight.
    public mutating func expect(_ next: UInt32) { expected = next }

    /// A ping; one at a time, a second before the first was answered is the same ping again.
    public mutating func ping(at now: Instant, _ out: inout Departures) {
        if !pingIsUnanswered {
            pingsSent &+= 1
            pingSentAt = now
        }
        sendPing(at: now, cause: .keepalive, &out)
    }

    /// What a packet of the other end changed here.
    public struct Arrival: Sendable {
        /// New messages, without a gap.
        public var first: UInt32
        public var last: UInt32
        /// The peer has more of ours than before.
        public var acknowledgedMore = false
        /// The ping in flight came back after this long.
        public var pong: TimeSpan?
    }

    public mutating func receive(
        _ packet: Packet, at now: Instant, sizes: borrowing MessageSizes, _ out: inout Departures
    ) -> Arrival {
        var arrival = Arrival(first: expected, last: expected)
        if packet.echo != .never { timer.measure(now - packet.echo) }

        if acknowledged < packet.acknowledges && packet.acknowledges <= highest {
            let upTo = packet.acknowledges
            if upTo <= sent {
                bytesInFlight -= min(sizes.onStream(acknowledged, upTo, direction), bytesInFlight)
            } else {
                sent = upTo
                bytesInFlight = 0
            }
            acknowledged = upTo
            arrival.acknowledgedMore = true
        }
        if packet.content == .pong && packet.number == pingsSent && pingIsUnanswered {
            pingsAnswered = pingsSent
            arrival.pong = now - pingSentAt
        }
        if arrival.acknowledgedMore || arrival.pong != nil {
            timer.restart(at: now, inFlight: hasUnacknowledged)
            pump(at: now, sizes: sizes, cause: .payload, &out)
        }

        switch packet.content {
        case .data:
            if packet.first <= expected && expected < packet.last {
                arrival.last = packet.last
                expected = packet.last
            }
            acknowledge(packet, at: now, &out)
        case .ping:
            // A ping behind a missing message is not seen by the application: order is kept.
            if packet.last <= expected {
                out.append(
                    Packet(
                        .pong, cause: .pong, bytes: Wire.ping(direction), number: packet.number,
                        acknowledges: expected, stamp: now, answering: packet))
            } else {
                acknowledge(packet, at: now, &out)
            }
        case .pong:
            acknowledge(packet, at: now, &out)
        default: break
        }
        return arrival
    }

    /// The timer's deadline has passed. Returns false when the end gives up: the connection is dead to it.
    public mutating func expire(
        at now: Instant, sizes: borrowing MessageSizes, _ out: inout Departures
    ) -> Bool {
        guard timer.expire(at: now) else { return false }
        sent = acknowledged
        bytesInFlight = 0
        pump(at: now, sizes: sizes, cause: .retransmit, &out)
        if pingIsUnanswered { sendPing(at: now, cause: .retransmit, &out) }
        return true
    }

    /// Sends what the window admits: repeats first, then what is new; each kind is a packet of its own.
    private mutating func pump(
        at now: Instant, sizes: borrowing MessageSizes, cause: Cause, _ out: inout Departures
    ) {
        for limit in [min(highest, offered), offered] where sent < limit {
            let first = sent
            var bytes: UInt32 = 0
            while sent < limit {
                let next = sizes.onStream(sent, sent + 1, direction)
                guard bytesInFlight == 0 || bytesInFlight + next <= Self.window else { break }
                bytesInFlight += next
                bytes += next
                sent += 1
            }
            guard first < sent else { break }
            let repeated = first < highest
            highest = max(highest, sent)
            out.append(
                Packet(
                    .data, cause: repeated ? .retransmit : cause, bytes: bytes, first: first, last: sent,
                    acknowledges: expected, stamp: now))
        }
        if hasUnacknowledged { timer.arm(at: now) }
    }

    private mutating func sendPing(at now: Instant, cause: Cause, _ out: inout Departures) {
        out.append(
            Packet(
                .ping, cause: cause, bytes: Wire.ping(direction), number: pingsSent, last: sent,
                acknowledges: expected, stamp: now))
        timer.arm(at: now)
    }

    private func acknowledge(_ packet: Packet, at now: Instant, _ out: inout Departures) {
        out.append(
            Packet(
                .acknowledgement, cause: .ack, bytes: Wire.tcp, acknowledges: expected, stamp: now,
                answering: packet))
    }
}
