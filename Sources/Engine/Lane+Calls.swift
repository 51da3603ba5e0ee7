import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// Questions of the app and answers of the server. A call is open from the app's wish until it is answered or given up, on
/// whatever connections it is asked.
extension Lane {
    /// A library that has no room for a call looks again each time so much later. Once each look has been in vain since something
    /// last happened on the phone, all would see the same until something does: they rest, and go on at their moments.
    private static let secondLook = TimeSpan.milliseconds(100)

    /// - Parameter isLate: What happens ranks behind packets: who looks at this very instant has looked.
    mutating func somethingHappens(isLate: Bool = false, _ stage: inout Stage) {
        happenedAt = now
        guard !looks.isEmpty else { return }
        let moment = isLate ? now + .nanoseconds(1) : now
        while !looks.isEmpty {
            var look = stage.flights.removeFirst(&looks)
            let missed = max((moment - look.at).nanoseconds, 0) + Self.secondLook.nanoseconds - 1
            look.at += Self.secondLook * (missed / Self.secondLook.nanoseconds)
            stage.flights.insert(look, into: &flights)
        }
    }

    mutating func restLooks(_ stage: inout Stage) {
        guard happenedAt + Self.secondLook < now else { return }
        // Those that look at this very instant do so first, so that all rest in the order in which they look.
        while let look = stage.flights.removeFirst(from: &flights, where: { $0.hop.isLook && now < $0.at }) {
            stage.flights.insert(look, into: &looks)
        }
    }

    mutating func wantCall(_ stage: inout Stage) {
        guard let stream = stage.world.traffic.calls else { return }
        if let oldest = calls.oldestInTheWay() {
            endCall(oldest, failedBy: .unavailable, &stage)
        }
        journal(.called, value: Int64(calls.wanted.index), &stage)
        calls.add(stream, dice: stage.dice(.trafficCall, phone))
    }

    mutating func nextCall(_ stage: borrowing Stage) -> Event? {
        guard stage.hasCalls, let call = calls.nextUntold() else { return nil }
        return .wantsToCall(Message(index: call, bytes: stage.said.pointee.call.bytes(of: call)))
    }

    private mutating func endCall(_ call: UInt32, failedBy code: CallCode?, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.calls else { return }
        let wishedAt = calls.close(call, stream, dice: stage.dice(.trafficCall, phone))
        for slot in Self.slots { lines[slot].unasked &= ~(1 << UInt64(call % CallBook.window)) }
        let after = (now - wishedAt).nanoseconds
        if let code {
            journal(.callFailed, code, value: after, &stage)
            if failedInARow == 0 { callsFailSince = max(wishedAt, lastAnswerAt) }
            failedInARow = failedInARow == .max ? .max : failedInARow + 1
        } else {
            journal(.answered, value: after, &stage)
            endCallOutage(&stage)
        }
    }

    /// A stretch in which no call succeeded is over, by an answer or at the horizon.
    mutating func endCallOutage(_ stage: inout Stage) {
        guard failedInARow > 0 else { return }
        journal(.callOutage, failedInARow, value: (now - callsFailSince).nanoseconds, &stage)
        failedInARow = 0
    }

    /// The app asks on this connection. What does not fit waits in its library; the app is told that the socket is full.
    /// Returns whether that was in vain and has changed nothing.
    @discardableResult
    mutating func ask(_ slot: Int, _ call: UInt32, _ stage: inout Stage) -> Bool {
        guard lines[slot].belief == .open, !lines[slot].isDatagram, calls.isOpen(call) else { return false }
        if lines[slot].isDismissed {
            let refusal = CallRefusal(.unavailable, isUnprocessed: true, isGoodbye: true)
            tell(.rejected(ConnectionSlot(UInt8(slot)), call: call, refusal), &stage)
            return false
        }
        let bytes = lines[slot].upward.framing.exchange(stage.said.pointee.call.bytes(of: call))
        let wasStalled = lines[slot].client.isStalled
        let isAsked = lines[slot].client.write(.call, call, bytes: bytes, cause: .payload, lines[slot].upward)
        if !isAsked {
            askAgain(slot, call, &stage)
        } else {
            if calls.ask(call) { journal(.callRepeated, value: Int64(call), &stage) }
            lines[slot].asked |= CallBook.bit(call)
            server.forgetSeen(call, slot)
        }
        tellStall(slot, unless: wasStalled, &stage)
        let hasSpoken = flushClient(slot, &stage)
        return !isAsked && wasStalled && !hasSpoken
    }

    /// The library looks again.
    mutating func retryCall(_ flight: Flight, _ stage: inout Stage) {
        let slot = Int(flight.slot)
        guard lines[slot].generation == flight.generation, calls.isOpen(flight.packet.first) else { return }
        lines[slot].unasked &= ~CallBook.bit(flight.packet.first)
        if ask(slot, flight.packet.first, &stage) { restLooks(&stage) } else { somethingHappens(isLate: true, &stage) }
    }

    /// There was no room for it: the client's library looks again, as long as the call and the connection are open.
    private mutating func askAgain(_ slot: Int, _ call: UInt32, _ stage: inout Stage) {
        guard lines[slot].unasked & CallBook.bit(call) == 0 else { return }
        lines[slot].unasked |= CallBook.bit(call)
        let note = Packet(.data, cause: .payload, bytes: 0, first: call, last: call + 1, stamp: now)
        stage.flights.insert(
            Flight(
                at: now + Self.secondLook, packet: note, hop: .asking, interface: lines[slot].interface,
                slot: UInt8(slot), generation: lines[slot].generation, epoch: lines[slot].epoch), into: &flights)
    }

    /// The process ends, and with it every call that it had heard of.
    mutating func failCalls(_ stage: inout Stage) {
        while let call = calls.oldestTold {
            endCall(call, failedBy: .unavailable, &stage)
        }
    }

    mutating func giveUp(_ call: UInt32, _ failure: CallFailure, _ stage: inout Stage) {
        guard calls.isOpen(call) else { return }
        endCall(call, failedBy: CallCode(failure), &stage)
    }

    mutating func receiveAnswer(_ call: UInt32, _ slot: Int, _ stage: inout Stage) {
        lines[slot].asked &= ~CallBook.bit(call)
        guard calls.isOpen(call) else { return journal(.answerUnused, value: Int64(call), &stage) }
        endCall(call, failedBy: nil, &stage)
        lastAnswerAt = now
        tell(.answered(ConnectionSlot(UInt8(slot)), call: call), &stage)
    }
}
