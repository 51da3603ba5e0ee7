package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// Manages the flow-control windows that the app's library, or the consumer of its messages, opens and closes.
///
/// HTTP/2 has windows of its own. If an app stops reading any other TCP connection, the kernel's receive buffer fills
/// and its window closes. The model uses the same kind of window for both; its updates are a few bytes larger than
/// TCP's (a record instead of a bare acknowledgement). QUIC's windows are left out.
extension PhoneEnd {
    func hasWindow(_ slot: Int) -> Bool {
        if connections[slot].isHTTP2 { return true }
        return settings.pointee.holdsCredit && !connections[slot].isQUIC && !connections[slot].isDatagram
    }

    /// Returns the initial windows that the library grants to the server; `nil` if the connection has no window.
    package func window(_ slot: Int) -> HTTP2SendWindows? {
        guard hasWindow(slot) else { return nil }
        let bytes = Int64(settings.pointee.intake.window)
        return HTTP2SendWindows(connection: HTTP2Window(max(bytes, HTTP2Window.initial)), stream: HTTP2Window(bytes))
    }

    /// Confirms items that have reached the app's library, and returns their bytes to the server as window credit. The
    /// library reads everything at once, unless the consumer holds it back. A suspended app reads nothing.
    package mutating func didConsume(_ run: FrameRange, _ slot: Int, _ permissions: AppPermissions) {
        let isMessage = run.kind == .message
        if isMessage && connections[slot].upward.pointee.framing.confirmationBytes > 0 {
            sendControlFrame(.confirmation(run.count), slot)
        }
        // A snapshot bypasses the consumer's buffer.
        let isOfSession = run.kind.isOnSessionStream
        guard hasWindow(slot), isOfSession || run.kind == .answer else { return }
        let bytes = connections[slot].downward.pointee.framing.flowControlledBytes(
            run.bytes, count: run.count, isMessage: isOfSession)
        if isMessage && settings.pointee.holdsCredit {
            if !settings.pointee.intake.blocksConnectionWindow { grant(connection: bytes, stream: 0, slot) }
        } else if permissions.runs {
            grant(connection: bytes, stream: isOfSession ? bytes : 0, slot)
        } else {
            connections[slot].protocolState.unreadBytes.connection += bytes
            connections[slot].protocolState.unreadBytes.stream += isOfSession ? bytes : 0
        }
    }

    /// Returns window credit to the server for a message that has moved from the library to the consumer's buffer.
    package mutating func grant(for message: UInt32) {
        guard settings.pointee.holdsCredit else { return }
        // On the connection over which it arrived, or else on the one that is open now.
        for slot in Self.slots where connections[slot].belief == .open && hasWindow(slot) {
            let framing = connections[slot].downward.pointee.framing
            let size = framing.message(traffic.pointee.down.bytes(of: message))
            let bytes = framing.flowControlledBytes(size, count: 1, isMessage: true)
            return grant(connection: settings.pointee.intake.blocksConnectionWindow ? bytes : 0, stream: bytes, slot)
        }
    }

    /// Counts bytes that the app's library has read, and sends window updates to the server once they are large enough.
    mutating func grant(connection: UInt32, stream: UInt32, _ slot: Int) {
        let grant = connections[slot].protocolState.consumedWindows.consume(connection: connection, stream: stream)
        if grant.connection > 0 { sendControlFrame(.connectionWindowUpdate(grant.connection), slot) }
        if grant.stream > 0 { sendControlFrame(.streamWindowUpdate(grant.stream), slot) }
    }

    /// Records when data of the app begins to wait, and when it stops waiting: for the server's flow-control windows,
    /// or for space in the kernel's send buffer.
    mutating func updateStalls(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        let waits = connections[slot].isWaiting
        let isShut = waits && connections[slot].tcp.sendWindows?.available == 0
        if isShut != (connections[slot].windowClosedSince != .never) {
            if isShut {
                connections[slot].windowClosedSince = now
                out.note(.windowShut, .up)
            } else {
                endWindowStall(slot, at: now, &out)
            }
        }
        let isFull = waits && !isShut
        guard isFull != (connections[slot].bufferFullSince != .never) else { return }
        if isFull {
            connections[slot].bufferFullSince = now
            out.note(.socketFilled)
        } else {
            endBufferStall(slot, at: now, &out)
        }
    }

    /// Records the end of all stalls (waiting data of the app) on a connection that has ended.
    package mutating func endStalls(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        endWindowStall(slot, at: now, &out)
        endBufferStall(slot, at: now, &out)
    }

    private mutating func endWindowStall(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        if let span = Self.endStall(&connections[slot].windowClosedSince, at: now) {
            out.note(.flowStalled, .up, value: span)
        }
    }

    private mutating func endBufferStall(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        if let span = Self.endStall(&connections[slot].bufferFullSince, at: now) {
            out.note(.socketStalled, value: span)
        }
    }

    /// Ends a stall that began at `since`. Returns its duration in nanoseconds; `nil` if there was none.
    private static func endStall(_ since: inout Instant, at now: Instant) -> Int64? {
        let begin = since
        guard begin != .never else { return nil }
        since = .never
        return max((now - begin).nanoseconds, 0)
    }
}
