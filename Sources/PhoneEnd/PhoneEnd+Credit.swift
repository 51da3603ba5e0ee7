import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneTransport

/// Windows that the app's library, or its consumer, opens and shuts.
///
/// HTTP/2's windows are its own. Where an app stops reading another TCP connection, the kernel's receive buffer fills and its
/// window closes: the same window in the model, whose updates are a few bytes larger than TCP's (a record instead of a bare
/// acknowledgement). QUIC's are left out.
extension PhoneEnd {
    func hasWindow(_ slot: Int) -> Bool {
        if lines[slot].isHTTP2 { return true }
        return rules.pointee.holdsCredit && !lines[slot].isQUIC && !lines[slot].isDatagram
    }

    /// What the library lets the server send at first; nil: there is no window.
    public func window(_ slot: Int) -> HTTP2Allowance? {
        guard hasWindow(slot) else { return nil }
        let bytes = Int64(rules.pointee.intake.window)
        return HTTP2Allowance(connection: HTTP2Window(max(bytes, HTTP2Window.initial)), stream: HTTP2Window(bytes))
    }

    /// Items of the server have reached the app's library: it confirms them, and grants what it has taken. It takes everything at
    /// once, unless its consumer holds it back; one that does not run takes nothing.
    public mutating func took(_ run: Run, _ slot: Int, _ leave: Leave) {
        let isMessage = run.track == .message
        if isMessage && lines[slot].upward.pointee.framing.confirmation > 0 { say(.confirmation(run.count), slot) }
        // A snapshot passes by the consumer's buffer.
        let isOfSession = run.track.isOfSession
        guard hasWindow(slot), isOfSession || run.track == .answer else { return }
        let bytes = lines[slot].downward.pointee.framing.controlled(run.bytes, count: run.count, isMessage: isOfSession)
        if isMessage && rules.pointee.holdsCredit {
            if !rules.pointee.intake.holdsConnection { grant(connection: bytes, stream: 0, slot) }
        } else if leave.runs {
            grant(connection: bytes, stream: isOfSession ? bytes : 0, slot)
        } else {
            lines[slot].talk.unreadBytes.connection += bytes
            lines[slot].talk.unreadBytes.stream += isOfSession ? bytes : 0
        }
    }

    /// A message has left the library for the buffer: its bytes are free.
    public mutating func grant(for message: UInt32) {
        guard rules.pointee.holdsCredit else { return }
        // On the connection that it came over, or whichever is there now.
        for slot in Self.slots where lines[slot].belief == .open && hasWindow(slot) {
            let framing = lines[slot].downward.pointee.framing
            let size = framing.message(said.pointee.down.bytes(of: message))
            let bytes = framing.controlled(size, count: 1, isMessage: true)
            return grant(connection: rules.pointee.intake.holdsConnection ? bytes : 0, stream: bytes, slot)
        }
    }

    /// The app's library has taken so much, and says so once it is worth it.
    mutating func grant(connection: UInt32, stream: UInt32, _ slot: Int) {
        let grant = lines[slot].talk.taken.take(connection: connection, stream: stream)
        if grant.connection > 0 { say(.grant(grant.connection), slot) }
        if grant.stream > 0 { say(.grantStream(grant.stream), slot) }
    }

    /// Notes when the app could say more if its windows at the server let it, or the send buffer of its kernel; and when it can.
    mutating func noteWindow(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        let waits = lines[slot].isWaiting
        let isShut = waits && lines[slot].client.credit?.open == 0
        if isShut != (lines[slot].shutUpSince != .never) {
            if isShut {
                lines[slot].shutUpSince = now
                out.note(.windowShut, .up)
            } else {
                endShut(slot, at: now, &out)
            }
        }
        let isFull = waits && !isShut
        guard isFull != (lines[slot].fullSince != .never) else { return }
        if isFull {
            lines[slot].fullSince = now
            out.note(.socketFilled)
        } else {
            endFull(slot, at: now, &out)
        }
    }

    /// The connection is over, and with it whatever waited.
    public mutating func endWaiting(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        endShut(slot, at: now, &out)
        endFull(slot, at: now, &out)
    }

    private mutating func endShut(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        if let span = Self.end(&lines[slot].shutUpSince, at: now) { out.note(.flowStalled, .up, value: span) }
    }

    private mutating func endFull(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        if let span = Self.end(&lines[slot].fullSince, at: now) { out.note(.socketStalled, value: span) }
    }

    /// How long it was, if it was.
    private static func end(_ since: inout Instant, at now: Instant) -> Int64? {
        let begin = since
        guard begin != .never else { return nil }
        since = .never
        return max((now - begin).nanoseconds, 0)
    }
}
