import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// Calls and sessions that the server does not do, as the phone hears it.
extension Lane {
    /// At the phone: the server did not do it.
    mutating func receiveRefusal(_ item: UInt32, _ slot: Int, _ stage: inout Stage) {
        guard let refusal = Refusal(item: item) else { return }
        let call = Refusal.call(ofItem: item)
        lines[slot].asked &= ~CallBook.bit(call)
        guard calls.isOpen(call) else { return journal(.answerUnused, value: Int64(call), &stage) }
        tell(
            .rejected(ConnectionSlot(UInt8(slot)), call: call, refusal.told(stage.world.server.troubles)), &stage)
    }

    /// GOAWAY names the last stream that counts: calls on later ones were never looked at, and the client knows it.
    mutating func passOver(_ slot: Int, _ stage: inout Stage) {
        var left = lines[slot].asked & ~server.seenCalls(slot)
        lines[slot].asked &= server.seenCalls(slot)
        guard left != 0 else { return }
        var call = calls.firstIndex
        while left != 0 && call < calls.wanted.index {
            let bit = CallBook.bit(call)
            if left & bit != 0 && calls.isOpen(call) {
                let refusal = CallRefusal(.unavailable, isUnprocessed: true, isGoodbye: true)
                tell(.rejected(ConnectionSlot(UInt8(slot)), call: call, refusal), &stage)
            }
            left &= ~bit
            call += 1
        }
    }

    /// The server does not open the session.
    mutating func hearRefusal(isPermanent: Bool, _ slot: Int, _ stage: inout Stage) {
        let retryAfter = isPermanent ? nil : stage.world.server.troubles.retryAfter
        let name = ConnectionSlot(UInt8(slot))
        tell(.turnedAway(name, SessionRefusal(isPermanent: isPermanent, retryAfter: retryAfter)), &stage)
        if lines[slot].belief == .opening {
            lines[slot].client.close()
            fail(slot, .turnedAway, &stage)
        } else {
            become(.dead, slot, &stage)
            lose(slot, .ended, &stage)
            if lines[slot].belief == .closed { lines[slot].client.close() }
        }
    }
}
