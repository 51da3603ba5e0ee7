public import DeadzonePrimitives

/// The client's side of setting a connection up: the legs one after the other, each repeated until it is answered.
///
///     leg 0 ──answer──▶ leg 1 ──answer──▶ … ──answer──▶ done
///       └─ no answer: repeat after 1, 2, 4, … s; after six repeats the attempt has failed (127 s, Linux `tcp_syn_retries`)
public struct Handshake: Sendable, BitwiseCopyable {
    public static let repeats: UInt8 = 6

    public private(set) var leg: UInt16 = 0
    public private(set) var deadline: Instant
    private var inVain: UInt8 = 0
    private let resuming: Bool

    /// Begins at once: the first packet goes into `out`.
    public init(legs: [HandshakeLeg], resuming: Bool, at now: Instant, _ out: inout Departures) {
        self.resuming = resuming
        deadline = now + RetransmissionTimer.initial
        send(legs, at: now, cause: nil, &out)
    }

    public enum Progress: Hashable, Sendable {
        case ignored, next
        /// The last leg was answered; the answer took this long.
        case done(roundTrip: TimeSpan)
    }

    public mutating func receive(
        _ packet: Packet, at now: Instant, legs: [HandshakeLeg], _ out: inout Departures
    ) -> Progress {
        guard packet.content == .helloReply && packet.number == leg else { return .ignored }
        if Int(leg) + 1 == legs.count { return .done(roundTrip: now - packet.echo) }
        leg += 1
        inVain = 0
        deadline = now + RetransmissionTimer.initial
        send(legs, at: now, cause: nil, &out)
        return .next
    }

    /// The deadline has passed. Returns false when the attempt has failed.
    public mutating func expire(at now: Instant, legs: [HandshakeLeg], _ out: inout Departures) -> Bool {
        inVain += 1
        guard inVain <= Self.repeats else {
            deadline = .never
            return false
        }
        deadline = now + RetransmissionTimer.initial * (1 << Int64(inVain))
        send(legs, at: now, cause: .retransmit, &out)
        return true
    }

    /// The server's answer to a leg, at the moment it has one.
    public static func reply(to packet: Packet, legs: [HandshakeLeg], resuming: Bool, at now: Instant) -> Packet {
        let index = Int(packet.number)
        return Packet(
            .helloReply, cause: cause(of: index, legs, resuming: resuming), bytes: legs[index].down,
            number: packet.number, stamp: now, answering: packet)
    }

    private func send(_ legs: [HandshakeLeg], at now: Instant, cause: Cause?, _ out: inout Departures) {
        let index = Int(leg)
        out.append(
            Packet(
                .hello, cause: cause ?? Self.cause(of: index, legs, resuming: resuming), bytes: legs[index].up,
                number: leg, stamp: now))
    }

    /// The last leg of a connection that asks to resume is what resuming costs.
    private static func cause(of index: Int, _ legs: [HandshakeLeg], resuming: Bool) -> Cause {
        resuming && index + 1 == legs.count ? .resume : legs[index].cause
    }
}
