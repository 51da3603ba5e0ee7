public import DeadzonePrimitives

/// When what has arrived is acknowledged (delayed ACKs), as Linux does it whose program reads at once (`__tcp_ack_snd_check` in
/// `net/ipv4/tcp_input.c`, `tcp_cleanup_rbuf` in `net/ipv4/tcp.c`, `tcp_send_delayed_ack` in `net/ipv4/tcp_output.c`); run on 6.18.
///
/// An end that only listens acknowledges at once, however much it is told. One that has answered within its patience expects to
/// answer again: the acknowledgement waits for that answer, for 40 ms at least. What makes it leave before: a second packet, more than
/// a segment, a hole. Who has waited in vain expects no answer any more.
///
///     listening ──speaks soon after it was spoken to──▶ conversing
///         ▲                                                 │
///         └────────waited in vain, hole in what came────────┘
///
/// XNU is taken to acknowledge at once: older releases never delay what was pushed (`tcp_cc_delay_ack` in `bsd/netinet/tcp_cc.c`),
/// newer ones weigh the window beside that; read, never run. QUIC's libraries have no such habit in common.
///
/// Where this lies: a program that stands still has its kernel acknowledge sixteen packets at once and the rest late; here all at once.
/// Segments that arrive in one moment are acknowledged by one packet, as cards that join them make of it (GRO).
///
/// A phone that goes to sleep would put it off with its other timers. None does: a driver keeps the processor awake for half a second
/// after a packet (`processor.packet`), and no patience is longer than 200 ms.
extension TCPEnd {
    struct Manner: BitwiseCopyable, Sendable {
        /// TCP_ATO_MIN, TCP_DELACK_MIN (`include/net/tcp.h`); in milliseconds, as everything here.
        static let least: UInt8 = 40
        /// TCP_DELACK_MAX.
        static let most: UInt8 = 200

        /// When the other end spoke last; it wraps after 49 days.
        private var heardAt: UInt32 = 0
        /// What this end waits for its own answer: it goes with the distance of what it hears (`tcp_event_data_recv`). Zero: it was never
        /// spoken to.
        private(set) var patience: UInt8 = 0
        private(set) var isConversing = false

        private static func clock(_ now: Instant) -> UInt32 { UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000) }

        @inline(__always)
        mutating func heard(at now: Instant) {
            let clock = Self.clock(now)
            let distance = clock &- heardAt
            heardAt = clock
            guard patience > 0 else { return patience = Self.least }
            if distance <= UInt32(Self.least / 2) {
                patience = patience / 2 + Self.least / 2
            } else if distance < UInt32(patience) {
                patience = UInt8(min(UInt32(patience / 2) + distance, UInt32(Self.most)))
            }
        }

        mutating func spoke(at now: Instant) {
            guard !isConversing else { return }
            isConversing = Self.clock(now) &- heardAt < UInt32(patience)
        }

        mutating func listen() {
            isConversing = false
            patience = Self.least
        }
    }

    mutating func owe(_ packet: Packet) {
        // Of several it answers the first (RFC 7323 §4.3).
        if !owes { owedEcho = packet.stamp }
        owes = true
        owedUntil = .never
        owedAccount = packet.account
    }

    /// - Parameter isNext: It is what was expected, and nothing is missing before or behind it.
    mutating func owe(_ packet: Packet, isNext: Bool, at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        let isFirst = !owes
        owe(packet)
        guard rules.pointee.kernel.delaysAcknowledgement else { return }
        manner.heard(at: now)
        guard isNext else { return manner.listen() }
        guard isFirst, manner.isConversing, packet.length <= rules.pointee.segment else { return }
        owedUntil = timer.due(after: wait, at: now, rules.pointee.kernel)
    }

    /// No longer than a round trip (`tcp_send_delayed_ack`).
    private var wait: TimeSpan {
        let patience = TimeSpan.milliseconds(Int64(manner.patience))
        guard timer.trip.isMeasured else { return patience }
        return min(patience, max(timer.trip.smoothed, .milliseconds(Int64(Manner.least))))
    }

    /// Nothing came that it could have ridden on.
    public mutating func acknowledgeLate(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) {
        manner.listen()
        send(.acknowledgement, cause: .ack, upTo: nextByte, at: now, rules, &out)
    }
}
