import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// What the app says and hears of the messages that there are: receipts, everything anew, and how fresh what it shows is.
extension Lane {
    /// The app learns what the server's program has.
    mutating func hearReceipt(upTo position: UInt32, _ slot: Int, _ stage: inout Stage) {
        let known = min(position, session.produced.position)
        guard session.acknowledged.position < known else { return }
        confirmUp(before: known, &stage)
        tell(.acknowledged(ConnectionSlot(UInt8(slot)), Cursor(known)), &stage)
    }

    // MARK: Receipts of the app

    /// The app tells the server what it has.
    mutating func acknowledge(_ slot: Int, _ position: UInt32, _ stage: inout Stage) {
        let said = lines[slot].talk.receipts.said
        let position = min(position, delivery.received)
        guard lines[slot].belief == .open, !lines[slot].isDatagram, said < position else { return }
        let rules = lines[slot].upward
        let bytes = rules.framing.message(stage.world.traffic.envelope.receipt(position))
        guard lines[slot].client.write(.receipt, said, upTo: position, bytes: bytes, cause: .ack, rules) else {
            return
        }
        lines[slot].talk.receipts.say(upTo: position)
        flushClient(slot, &stage)
    }

    // MARK: Everything anew

    mutating func askForAll(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].belief == .open, !lines[slot].isDatagram else { return }
        sayUp(.resync, slot)
        delivery.askForAll(&session, &stage.news)
        settleDelivery(&stage)
        flushClient(slot, &stage)
    }

    /// Everything anew is here: the app can show all that the server had when it wrote it.
    mutating func receiveSnapshot(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        let head = run.first
        delivery.receiveAll(before: head)
        tell(.received(ConnectionSlot(UInt8(slot)), upTo: Cursor(head), bytes: run.bytes), &stage)
    }
}
