package import DeadzoneBase

/// Delays acknowledgements like a Linux host on which the program reads at once (`__tcp_ack_snd_check` in
/// `net/ipv4/tcp_input.c`, `tcp_cleanup_rbuf` in `net/ipv4/tcp.c`, `tcp_send_delayed_ack` in `net/ipv4/tcp_output.c`);
/// measured on 6.18.
///
/// An end that only receives acknowledges at once what ends with less than a full segment. It acknowledges each second
/// full segment at once; a single one waits for the next, for at least 40 ms. The first sixteen segments after a pause
/// are each acknowledged at once, so that the sender's window grows (`tcp_incr_quickack`).
///
/// An end that has answered within its timeout expects to answer again. Its acknowledgement waits for that answer, for
/// at least 40 ms. It is sent earlier after a second packet, more than a segment, or a gap. After a wait without an
/// answer, the end no longer expects one.
///
///     listening ──sends soon after it received──▶ interactive
///         ▲                                            │
///         └────waited without an answer, a gap─────────┘
///
/// XNU is assumed to acknowledge at once: older releases never delay pushed data (`tcp_cc_delay_ack` in
/// `bsd/netinet/tcp_cc.c`), newer ones also consider the window. This is from the source, never measured. QUIC
/// libraries have no common behaviour.
///
/// Where this differs from Linux: if a program does not read, its kernel acknowledges sixteen packets at once and the
/// rest late; here all are acknowledged at once. Segments that arrive together are acknowledged by one packet, as with
/// network cards that merge them (GRO); a last odd one is acknowledged later all the same.
///
/// A phone that goes to sleep would postpone the acknowledgement with its other timers. This does not happen: a driver
/// keeps the processor awake for half a second after a packet (`processor.packet`), and no timeout is longer than 200
/// ms.
extension TCPEnd {
    struct DelayedAck: BitwiseCopyable, Sendable {
        /// Minimum time in milliseconds to delay an acknowledgement: TCP_ATO_MIN, TCP_DELACK_MIN (`include/net/tcp.h`).
        static let minTimeout: UInt8 = 40
        /// Maximum time in milliseconds to delay an acknowledgement: TCP_DELACK_MAX.
        static let maxTimeout: UInt8 = 200

        /// Time of the last received data, in milliseconds. It wraps after 49 days.
        private var lastReceivedAt: UInt32 = 0
        /// Time in milliseconds that an acknowledgement waits for this end to send data. It follows the interval
        /// between received packets (`tcp_event_data_recv`). Zero if nothing was received yet.
        private(set) var timeout: UInt8 = 0
        private(set) var isInteractive = false
        /// Number of segments that are each acknowledged at once: `icsk_ack.quick`.
        private(set) var quickAcks: UInt8 = 0
        /// Maximum of `quickAcks`: TCP_MAX_QUICKACKS.
        private static let maxQuickAcks: UInt8 = 16

        private static func wrappedMilliseconds(_ now: Instant) -> UInt32 {
            UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
        }

        @inline(__always)
        mutating func recordReceive(at now: Instant, retransmissionTimeout: TimeSpan) {
            let clock = Self.wrappedMilliseconds(now)
            let distance = clock &- lastReceivedAt
            lastReceivedAt = clock
            guard timeout > 0 else {
                (timeout, quickAcks) = (Self.minTimeout, Self.maxQuickAcks)
                return
            }
            if distance <= UInt32(Self.minTimeout / 2) {
                timeout = timeout / 2 + Self.minTimeout / 2
            } else if distance < UInt32(timeout) {
                timeout = UInt8(min(UInt32(timeout / 2) + distance, UInt32(Self.maxTimeout)))
            } else if retransmissionTimeout < .milliseconds(Int64(distance)) {
                quickAcks = Self.maxQuickAcks
            }
        }

        /// Returns `true` if the last of `segments` full segments is not acknowledged at once.
        /// - Parameter waiting: `true` if a segment before waits for its acknowledgement.
        mutating func holdsBackLast(of segments: UInt32, waiting: Bool) -> Bool {
            let quick = min(UInt32(quickAcks), segments)
            quickAcks -= UInt8(quick)
            return !(segments - quick + (waiting && quick == 0 ? 1 : 0)).isMultiple(of: 2)
        }

        mutating func recordSend(at now: Instant) {
            guard !isInteractive else { return }
            isInteractive = Self.wrappedMilliseconds(now) &- lastReceivedAt < UInt32(timeout)
        }

        mutating func leaveInteractiveMode() {
            isInteractive = false
            timeout = Self.minTimeout
        }
    }

    mutating func scheduleAck(_ packet: Packet) {
        // Of several packets, the acknowledgement echoes the first (RFC 7323 §4.3).
        if !hasPendingAck { (pendingAckEcho, pendingAckSpread) = (packet.stamp, packet.spread) }
        hasPendingAck = true
        pendingAckDeadline = .never
        heldBack = 0
        pendingAckAccount = packet.account
    }

    /// Schedules the acknowledgement of a received packet: at once or delayed.
    /// - Parameter isNext: `true` if the packet is the expected one and nothing before or after it is missing.
    mutating func scheduleAck(_ packet: Packet, isNext: Bool, at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        let isFirst = !hasPendingAck
        scheduleAck(packet)
        guard rules.pointee.kernel.delaysAcknowledgement else { return }
        delayedAck.recordReceive(at: now, retransmissionTimeout: timer.timeout(rules.pointee.kernel))
        guard isNext else {
            // The sender knows when it sent the data that is reported (`sack_rtt_us`), so this time is echoed.
            (pendingAckEcho, pendingAckSpread) = (packet.stamp, packet.spread)
            return delayedAck.leaveInteractiveMode()
        }
        let segment = rules.pointee.segment
        if delayedAck.isInteractive {
            guard isFirst, packet.length <= segment else { return }
            pendingAckDeadline = timer.due(after: ackDelay, at: now, rules.pointee.kernel)
        } else if packet.length.isMultiple(of: segment) && packet.length > 0 {
            scheduleListeningAck(packet.length / segment, isFirst: isFirst, at: now, rules)
        }
    }

    /// Schedules the acknowledgement of full segments by an end that only receives.
    private mutating func scheduleListeningAck(
        _ segments: UInt32, isFirst: Bool, at now: Instant, _ rules: UnsafePointer<TCPRules>
    ) {
        guard delayedAck.holdsBackLast(of: segments, waiting: !isFirst) else { return }
        if isFirst && segments == 1 {
            pendingAckDeadline = timer.due(after: ackDelay, at: now, rules.pointee.kernel)
        } else {
            heldBack = UInt16(rules.pointee.segment)
        }
    }

    /// Delays the acknowledgement of the segment that the last one has left out.
    mutating func delayHeldBack(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        heldBack = 0
        hasPendingAck = true
        pendingAckDeadline = timer.due(after: ackDelay, at: now, rules.pointee.kernel)
    }

    /// Time by which the acknowledgement is delayed. It is at most a round trip, but at least `minTimeout`
    /// (`tcp_send_delayed_ack`).
    private var ackDelay: TimeSpan {
        let patience = TimeSpan.milliseconds(Int64(delayedAck.timeout))
        guard timer.estimator.isMeasured else { return patience }
        return min(patience, max(timer.estimator.smoothed, .milliseconds(Int64(DelayedAck.minTimeout))))
    }

    /// Sends the delayed acknowledgement in a packet without data, because no data was sent that could carry it.
    package mutating func sendDelayedAck(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) {
        delayedAck.leaveInteractiveMode()
        sendAck(at: now, rules, &out)
    }
}
