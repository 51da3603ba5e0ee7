package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Sends the data of the app and its library: messages, pings, receipts, control frames and window credit.
extension PhoneEnd {
    // MARK: Control frames

    /// Sends a control frame now, or as soon as the stream has space for it.
    mutating func sendControlFrame(_ frame: ControlFrame, _ slot: Int) {
        if connections[slot].protocolState.pendingFrames.isEmpty && write(frame, slot) { return }
        connections[slot].protocolState.pendingFrames.add(frame)
        sendPendingFrames(slot)
    }

    /// Writes the pending control frames to the stream, as many as fit. Must be called before anything else is written.
    mutating func sendPendingFrames(_ slot: Int) {
        while let frame = connections[slot].protocolState.pendingFrames.first, write(frame, slot) {
            connections[slot].protocolState.pendingFrames.remove(frame)
        }
    }

    private mutating func write(_ frame: ControlFrame, _ slot: Int) -> Bool {
        let rules = connections[slot].upward
        let cause = connections[slot].config.pointee.cause(of: frame)
        return connections[slot].tcp.write(
            frame.kind, frame.item, bytes: frame.bytes(rules.pointee.framing), cause: cause, rules)
    }

    // MARK: Messages

    /// The position of a message on the app's stream, relative to the messages sent before.
    package enum StreamPosition: Sendable {
        /// The message follows the last message directly.
        case next
        /// The message is the first one on the stream.
        case first
        /// The message follows after a gap, the given range of messages. `isSettled`: the server has every message
        /// before the gap.
        case behind(Range<UInt32>, isSettled: Bool)
        /// The message cannot be sent yet: messages before the gap are still unsent, and the stream has no space to
        /// represent the gap.
        case noRoom
    }

    package func streamPosition(of message: UInt32, _ slot: Int) -> StreamPosition {
        let offered = connections[slot].tcp.offeredEnd
        if connections[slot].tcp.hasNoMessages { return .first }
        guard message > offered else { return .next }
        let isSettled = connections[slot].tcp.confirmed == offered
        guard isSettled || !connections[slot].tcp.hasWaitingMessages else { return .noRoom }
        return .behind(offered..<message, isSettled: isSettled)
    }

    package mutating func skip(_ slot: Int, to message: UInt32) { connections[slot].tcp.skip(to: message) }

    package mutating func send(
        _ messages: Range<UInt32>, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        if connections[slot].isDatagram {
            for index in messages {
                let bytes =
                    Wire.udp + connections[slot].transport.datagrams.overhead + traffic.pointee.up.bytes(of: index)
                let packet = Packet(
                    .datagram, cause: .payload, bytes: bytes, first: index, last: index + 1, stamp: now)
                transmit(packet, slot, &out)
            }
        } else {
            let wasStalled = connections[slot].tcp.isStalled
            connections[slot].tcp.offer(from: messages.lowerBound, upTo: messages.upperBound)
            flush(slot, at: now, &out)
            reportStall(slot, unless: wasStalled, &out)
        }
    }

    /// Sends those of the messages `first ..< end` again that were handed over on this connection.
    package mutating func sendAgain(
        _ first: UInt32, _ end: UInt32, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open, !connections[slot].isDatagram, !connections[slot].tcp.hasNoMessages
        else { return }
        let wasStalled = connections[slot].tcp.isStalled
        sendControlFrame(.messagesAgain, slot)
        connections[slot].tcp.rewind(to: first, upTo: end)
        flush(slot, at: now, &out)
        reportStall(slot, unless: wasStalled, &out)
    }

    /// Asks the server how much of the app's next message it has.
    package mutating func askOffset(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        guard connections[slot].belief == .open, !connections[slot].isDatagram else { return }
        sendControlFrame(.offsetRequest, slot)
        flush(slot, at: now, &out)
    }

    /// `true` if the connection can carry the rest of a message: it must be the first message of its connection.
    package func takesRest(_ slot: Int) -> Bool {
        connections[slot].belief == .open && connections[slot].tcp.hasNoMessages
    }

    /// Sends a message without its first `done` bytes, which the server has. Returns `false` if the stream did not take
    /// it.
    package mutating func sendRest(
        of message: UInt32, without done: UInt32, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) -> Bool {
        let rules = connections[slot].upward
        let bytes = rules.pointee.framing.message(traffic.pointee.up.bytes(of: message))
        guard done < bytes, connections[slot].tcp.offerRest(of: message, bytes: bytes - done, rules) else {
            return false
        }
        flush(slot, at: now, &out)
        return true
    }

    /// Notifies the app that the stream is full, if the data that was just handed over did not all fit.
    @inline(__always)
    func reportStall(_ slot: Int, unless wasStalled: Bool, _ out: inout EffectQueue<PhoneEndEffect>) {
        if connections[slot].tcp.isStalled && !wasStalled { out.append(.notify(.stalled(name(slot)))) }
    }

    /// Sends a ping. On a path to a peer it is a check; `nominates` tells the peer to use the path.
    package mutating func ping(
        _ slot: Int, nominates: Bool = false, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open else { return }
        guard !connections[slot].isDatagram else {
            out.note(.pinged)
            let layer = connections[slot].transport.datagrams
            let bytes = Wire.udp + layer.overhead + layer.checkBytes
            return transmit(
                Packet(.ping, cause: .keepalive, bytes: bytes, number: nominates ? 1 : 0, stamp: now), slot, &out)
        }
        let number = connections[slot].pingTracker.written
        let bytes = connections[slot].upward.pointee.framing.ping
        let wasStalled = connections[slot].tcp.isStalled
        // Pings are consecutive on the stream, so the stream can always represent one more. A full buffer still takes
        // none.
        if connections[slot].tcp.checkRoom(for: bytes, connections[slot].upward),
            connections[slot].tcp.write(
                .ping, number, bytes: bytes, cause: connections[slot].config.pointee.pingCause, connections[slot].upward
            )
        {
            out.note(.pinged)
            connections[slot].pingTracker.sent(at: now)
        }
        reportStall(slot, unless: wasStalled, &out)
        flush(slot, at: now, &out)
    }

    // MARK: Receipts

    /// Restarts the receipts (confirmations of received messages) when a session continues at this message: no receipt
    /// is sent for earlier messages.
    package mutating func beginReceipts(_ slot: Int, from message: UInt32) {
        connections[slot].protocolState.receipts = Receipts(from: message)
    }

    /// Sends a receipt, which confirms that the app has the server's messages below `position`.
    package mutating func acknowledge(
        _ slot: Int, upTo position: UInt32, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        let said = connections[slot].protocolState.receipts.reportedEnd
        guard connections[slot].belief == .open, !connections[slot].isDatagram, said < position else { return }
        let rules = connections[slot].upward
        let bytes = rules.pointee.framing.message(self.traffic.pointee.envelope.receipt(position))
        guard connections[slot].tcp.write(.receipt, said, upTo: position, bytes: bytes, cause: .ack, rules) else {
            return
        }
        connections[slot].protocolState.receipts.recordSent(upTo: position)
        flush(slot, at: now, &out)
    }

    /// Requests a full snapshot from the server. Returns `false` if the connection is not open.
    package mutating func requestSnapshot(_ slot: Int) -> Bool {
        guard connections[slot].belief == .open, !connections[slot].isDatagram else { return false }
        sendControlFrame(.resync, slot)
        return true
    }

    // MARK: An app that runs again

    /// Called when a suspended app runs again: responds to the pings that waited, and returns window credit to the
    /// server for the data that arrived.
    package mutating func catchUp(at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        for slot in Self.slots
        where connections[slot].protocolState.unansweredPings.first
            < connections[slot].protocolState.unansweredPings.last
        {
            let unread = connections[slot].protocolState.unansweredPings
            connections[slot].protocolState.unansweredPings = ProtocolState.PingNumberRange()
            guard connections[slot].belief == .open else { continue }
            for number in unread.first..<unread.last { sendControlFrame(.pong(number), slot) }
            flush(slot, at: now, &out)
        }
        for slot in Self.slots
        where connections[slot].belief == .open && connections[slot].protocolState.unreadBytes != (0, 0) {
            let unread = connections[slot].protocolState.unreadBytes
            connections[slot].protocolState.unreadBytes = (0, 0)
            grant(connection: unread.connection, stream: unread.stream, slot)
            flush(slot, at: now, &out)
        }
    }
}
