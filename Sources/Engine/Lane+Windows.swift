import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// Windows that the consumer opens and shuts.
///
/// HTTP/2's windows are its own. Where an app stops reading another TCP connection, the kernel's receive buffer fills and its
/// window closes: the same window in the model, whose updates are a few bytes larger than TCP's (a record instead of a bare
/// acknowledgement). QUIC's are left out.
extension Lane {
    func hasWindow(_ slot: Int, _ stage: borrowing Stage) -> Bool {
        if lines[slot].isHTTP2 { return true }
        return holdsCredit(stage) && !lines[slot].isQUIC && !lines[slot].isDatagram
    }

    func window(_ stage: borrowing Stage) -> HTTP2Allowance {
        let bytes = Int64(stage.strategy.intake.window)
        return HTTP2Allowance(connection: HTTP2Window(max(bytes, HTTP2Window.initial)), stream: HTTP2Window(bytes))
    }

    /// A message has left the library for the buffer: its bytes are free.
    mutating func grant(for message: UInt32, _ stage: inout Stage) {
        guard holdsCredit(stage) else { return }
        // On the connection that it came over, or whichever is there now.
        for slot in Self.slots where lines[slot].belief == .open && hasWindow(slot, stage) {
            let framing = lines[slot].downward.framing
            let size = framing.message(stage.sizesDown.bytes(of: message))
            let bytes = framing.controlled(size, count: 1, isMessage: true)
            let holds = stage.strategy.intake.holdsConnection
            return grantDown(connection: holds ? bytes : 0, stream: bytes, slot)
        }
    }

    /// The library grants what the consumer's buffer has taken, and not what has merely come.
    func holdsCredit(_ stage: borrowing Stage) -> Bool { consumption != nil && stage.strategy.intake.stopsReading }

    /// Notes when the server could say more if the window let it, and when it can again.
    mutating func noteWindow(_ slot: Int, _ stage: inout Stage) {
        let isShut = lines[slot].isAttached && lines[slot].server.isBehind && lines[slot].server.credit?.open == 0
        let wasShut = lines[slot].shutSince != .never
        guard isShut != wasShut else { return }
        if isShut {
            lines[slot].shutSince = now
            journal(.windowShut, .down, &stage)
        } else {
            if let span = end(&lines[slot].shutSince) { journal(.flowStalled, .down, value: span, &stage) }
        }
    }

    /// The same of what the app says: its windows at the server, or the send buffer of its kernel.
    mutating func noteWindowUp(_ slot: Int, _ stage: inout Stage) {
        let waits = lines[slot].belief == .open && (lines[slot].client.isBehind || lines[slot].unasked != 0)
        let isShut = waits && lines[slot].client.credit?.open == 0
        if isShut != (lines[slot].shutUpSince != .never) {
            if isShut {
                lines[slot].shutUpSince = now
                journal(.windowShut, .up, &stage)
            } else {
                if let span = end(&lines[slot].shutUpSince) { journal(.flowStalled, .up, value: span, &stage) }
            }
        }
        let isFull = waits && !isShut
        guard isFull != (lines[slot].fullSince != .never) else { return }
        if isFull {
            lines[slot].fullSince = now
            journal(.socketFilled, &stage)
        } else {
            if let span = end(&lines[slot].fullSince) { journal(.socketStalled, value: span, &stage) }
        }
    }

    /// The connection is over, and with it whatever waited.
    mutating func endShut(_ slot: Int, _ stage: inout Stage) {
        if let span = end(&lines[slot].shutSince) { journal(.flowStalled, .down, value: span, &stage) }
        if let span = end(&lines[slot].shutUpSince) { journal(.flowStalled, .up, value: span, &stage) }
        if let span = end(&lines[slot].fullSince) { journal(.socketStalled, value: span, &stage) }
    }

    /// How long it was, if it was.
    private func end(_ since: inout Instant) -> Int64? {
        let begin = since
        guard begin != .never else { return nil }
        since = .never
        return max((now - begin).nanoseconds, 0)
    }
}
