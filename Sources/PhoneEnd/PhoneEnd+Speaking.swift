import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport

/// What the app and its library say: messages, pings, receipts, words of the protocol, and credit.
extension PhoneEnd {
    // MARK: Words

    /// Says a word of the protocol, now or as soon as the stream has a place for it.
    mutating func say(_ word: Word, _ slot: Int) {
        if lines[slot].talk.owed.isEmpty && write(word, slot) { return }
        lines[slot].talk.owed.add(word)
        speak(slot)
    }

    /// As much of what is owed as there are places for. To be called before whatever else is written.
    mutating func speak(_ slot: Int) {
        while let word = lines[slot].talk.owed.first, write(word, slot) { lines[slot].talk.owed.remove(word) }
    }

    private mutating func write(_ word: Word, _ slot: Int) -> Bool {
        let rules = lines[slot].upward
        let cause = lines[slot].terms.pointee.cause(of: word)
        return lines[slot].client.write(
            word.track, word.item, bytes: word.bytes(rules.pointee.framing), cause: cause, rules)
    }

    // MARK: Messages

    /// Where a message would stand on the stream.
    public enum Place: Sendable {
        /// Right behind the last.
        case next
        /// It is the first.
        case first
        /// Behind a gap; `isSettled`: the server has everything before that.
        case behind(Range<UInt32>, isSettled: Bool)
        /// Messages before the gap have yet to leave: there is no room for a gap.
        case nowhere
    }

    public func place(of message: UInt32, _ slot: Int) -> Place {
        let offered = lines[slot].client.offered
        if lines[slot].client.isPristine { return .first }
        guard message > offered else { return .next }
        let isSettled = lines[slot].client.confirmed == offered
        guard isSettled || !lines[slot].client.isBehind else { return .nowhere }
        return .behind(offered..<message, isSettled: isSettled)
    }

    public mutating func skip(_ slot: Int, to message: UInt32) { lines[slot].client.skip(to: message) }

    public mutating func send(
        _ messages: Range<UInt32>, _ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        if lines[slot].isDatagram {
            for index in messages {
                let bytes = Wire.udp + said.pointee.up.bytes(of: index)
                let packet = Packet(
                    .datagram, cause: .payload, bytes: bytes, first: index, last: index + 1, stamp: now)
                leave(packet, slot, &out)
            }
        } else {
            let wasStalled = lines[slot].client.isStalled
            lines[slot].client.offer(from: messages.lowerBound, upTo: messages.upperBound)
            flush(slot, at: now, &out)
            tellStall(slot, unless: wasStalled, &out)
        }
    }

    /// What was just handed over did not all fit.
    @inline(__always)
    func tellStall(_ slot: Int, unless wasStalled: Bool, _ out: inout Steps<PhoneEndStep>) {
        if lines[slot].client.isStalled && !wasStalled { out.append(.tell(.stalled(name(slot)))) }
    }

    public mutating func ping(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        guard lines[slot].belief == .open else { return }
        guard !lines[slot].isDatagram else {
            out.note(.pinged)
            return leave(Packet(.ping, cause: .keepalive, bytes: Wire.udp, stamp: now), slot, &out)
        }
        let number = lines[slot].pings.written
        let bytes = lines[slot].upward.pointee.framing.ping
        let wasStalled = lines[slot].client.isStalled
        // Pings follow each other on the stream, so there is always a place for one; but a full buffer takes none.
        if lines[slot].client.makesRoom(for: bytes, lines[slot].upward),
            lines[slot].client.write(
                .ping, number, bytes: bytes, cause: lines[slot].terms.pointee.pingCause, lines[slot].upward)
        {
            out.note(.pinged)
            lines[slot].pings.wrote(at: now)
        }
        tellStall(slot, unless: wasStalled, &out)
        flush(slot, at: now, &out)
    }

    // MARK: Receipts

    /// The session goes on with this message: nothing before it is spoken of.
    public mutating func beginReceipts(_ slot: Int, from message: UInt32) {
        lines[slot].talk.receipts = Receipts(from: message)
    }

    /// The app tells the server what it has.
    public mutating func acknowledge(
        _ slot: Int, upTo position: UInt32, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        let said = lines[slot].talk.receipts.said
        guard lines[slot].belief == .open, !lines[slot].isDatagram, said < position else { return }
        let rules = lines[slot].upward
        let bytes = rules.pointee.framing.message(self.said.pointee.envelope.receipt(position))
        guard lines[slot].client.write(.receipt, said, upTo: position, bytes: bytes, cause: .ack, rules) else {
            return
        }
        lines[slot].talk.receipts.say(upTo: position)
        flush(slot, at: now, &out)
    }

    /// Everything anew. Returns false where nobody could ask.
    public mutating func askForAll(_ slot: Int) -> Bool {
        guard lines[slot].belief == .open, !lines[slot].isDatagram else { return false }
        say(.resync, slot)
        return true
    }

    // MARK: An app that runs again

    /// Its library answers the pings that waited, and reads what has come meanwhile.
    public mutating func catchUp(at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        for slot in Self.slots where lines[slot].talk.unread.first < lines[slot].talk.unread.last {
            let unread = lines[slot].talk.unread
            lines[slot].talk.unread = Talk.Numbers()
            guard lines[slot].belief == .open else { continue }
            for number in unread.first..<unread.last { say(.pong(number), slot) }
            flush(slot, at: now, &out)
        }
        for slot in Self.slots where lines[slot].belief == .open && lines[slot].talk.unreadBytes != (0, 0) {
            let unread = lines[slot].talk.unreadBytes
            lines[slot].talk.unreadBytes = (0, 0)
            grant(connection: unread.connection, stream: unread.stream, slot)
            flush(slot, at: now, &out)
        }
    }
}
