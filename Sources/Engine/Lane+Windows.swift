import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// Windows that the consumer opens and shuts.
///
/// HTTP/2's windows are its own. Where an app stops reading another TCP connection, the kernel's receive buffer fills and its
/// window closes: the same window in the model, whose updates are a few bytes larger than TCP's (a record instead of a bare
/// acknowledgement). QUIC's are left out.
extension Lane {
    func hasWindow(_ slot: Int, _ stage: borrowing Stage) -> Bool {
        if lines[slot].isHTTP2 { return true }
        return delivery.holdsCredit && !lines[slot].isQUIC && !lines[slot].isDatagram
    }

    func window(_ stage: borrowing Stage) -> HTTP2Allowance {
        let bytes = Int64(stage.strategy.intake.window)
        return HTTP2Allowance(connection: HTTP2Window(max(bytes, HTTP2Window.initial)), stream: HTTP2Window(bytes))
    }

    /// A message has left the library for the buffer: its bytes are free.
    mutating func grant(for message: UInt32, _ stage: inout Stage) {
        guard delivery.holdsCredit else { return }
        // On the connection that it came over, or whichever is there now.
        for slot in Self.slots where lines[slot].belief == .open && hasWindow(slot, stage) {
            let framing = lines[slot].downward.framing
            let size = framing.message(stage.said.pointee.down.bytes(of: message))
            let bytes = framing.controlled(size, count: 1, isMessage: true)
            let holds = stage.strategy.intake.holdsConnection
            return grantDown(connection: holds ? bytes : 0, stream: bytes, slot)
        }
    }

    /// Notes when the app could say more if its windows at the server let it, or the send buffer of its kernel; and when it can.
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
        server.endShut(slot, at: now, &stage.steps)
        settleServer(&stage)
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
