import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// What the app and the server want to say to each other.
extension Lane {
    /// The server has a new message for this phone, and writes it to the connection it holds, if any.
    mutating func writeDown(_ stage: inout Stage) {
        guard let stream = stage.world.traffic.down else { return }
        let index = writtenDown.index
        journal(.sentDown, value: Int64(index), &stage)
        writtenDown.advance(stream, dice: stage.dice(.trafficDown, phone))
        guard !serverIsFrozen else { return }
        let push = stage.world.server.push
        if push != .none && !serverIsDown && !Self.slots.contains(where: { lines[$0].isAttached }) {
            _ = requestPush(urgent: push == .high, &stage)
        }
        writeToGhost()
        writeToGivenUp()
        for slot in Self.slots where lines[slot].isAttached && !lines[slot].talk.isPassedOn {
            if lines[slot].isDatagram {
                if !serverIsDown { sendDown(datagram(index, bytes: stage.sizesDown.bytes(of: index)), slot, &stage) }
            } else {
                offerDown(slot, upTo: index + 1)
                flushServer(slot, &stage)
            }
        }
    }

    /// The app has a new message.
    mutating func wantUp(_ stage: inout Stage) {
        guard let stream = stage.world.traffic.up else { return }
        let index = wantedUp.index
        journal(.sentUp, value: Int64(index), &stage)
        wantedUp.advance(stream, dice: stage.dice(.trafficUp, phone))
    }

    /// The server asks the phone's network stack for a sign of life, over the path that truly is there.
    mutating func sendProbe(_ stage: inout Stage) {
        guard let stream = stage.world.traffic.probe else { return }
        let index = probes.index
        probes.advance(stream, dice: stage.dice(.trafficProbe, phone))
        guard let interface = truePath else { return journal(.probeLost, value: 1, &stage) }
        let dice = stage.dice(.trafficProbe, phone).pair(at: UInt64(index)).1
        let payload = MessageSizes.clamp(stream.size.draw(dice))
        let packet = Packet(.probe, cause: .probe, bytes: Wire.udp + payload, stamp: now)
        launchDown(packet, slot: nil, over: interface, epoch: ports[interface.port].epoch, &stage)
    }

    /// The app sees everything up to the cursor that is here.
    mutating func show(upTo cursor: Cursor, _ stage: inout Stage) {
        var end = min(cursor.position, receivedDown)
        let gap = desk.pointee.gap
        if gap.from < end, end < gap.upTo || (desk.pointee.gapIsPromised && !gap.isEmpty) { end = gap.from }
        let again = desk.pointee.seenBefore.take(before: end)
        if again > 0 { countAgain(again, before: desk.pointee.seenBefore.from, &stage) }
        if gap.upTo <= end { passGap(before: end, &stage) }
        showPlainly(upTo: end, &stage)
        session.cursor = max(session.cursor, Cursor(end))
        noticeFreshness(&stage)
    }

    mutating func showPlainly(upTo end: UInt32, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.down, seenDown.index < end else { return }
        let dice = stage.dice(.trafficDown, phone)
        while seenDown.index < end {
            if loseLeftOut(&stage) { continue }
            journal(.deliveredDown, value: (now - seenDown.at).nanoseconds, &stage)
            seenDown.advance(stream, dice: dice)
        }
    }

    /// Nothing will bring the messages of the server before `next` any more.
    mutating func loseDown(before next: UInt32, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.down, seenDown.index < next else { return }
        journal(.lostDown, value: Int64(next - seenDown.index), &stage)
        let dice = stage.dice(.trafficDown, phone)
        while seenDown.index < next { seenDown.advance(stream, dice: dice) }
        receivedDown = max(receivedDown, next)
        desk.pointee.gap = Desk.Stretch()
        noticeFreshness(&stage)
    }

    /// Messages of the app have reached the server.
    mutating func arriveUp(_ first: UInt32, _ last: UInt32, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.up else { return }
        let dice = stage.dice(.trafficUp, phone)
        if arrivedUp.index < first {
            passRefused(first)
            journal(.lostUp, value: Int64(first - arrivedUp.index), &stage)
            while arrivedUp.index < first { arrivedUp.advance(stream, dice: dice) }
        }
        if first < arrivedUp.index { arriveAgainUp(first, min(last, arrivedUp.index), &stage) }
        while arrivedUp.index < last {
            if admits(arrivedUp.index, &stage) {
                journal(.deliveredUp, value: (now - arrivedUp.at).nanoseconds, &stage)
            } else {
                journal(.mistakenUp, value: 1, &stage)
                journal(.lostUp, value: 1, &stage)
            }
            arrivedUp.advance(stream, dice: dice)
        }
        desk.pointee.knownUp = max(desk.pointee.knownUp, last)
    }

    /// The app learns that the server has everything of its own before `end`.
    mutating func confirmUp(before end: UInt32, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.up else { return }
        let dice = stage.dice(.trafficUp, phone)
        while confirmedUp.index < end {
            if !desk.pointee.skippedUp.contains(confirmedUp.index) {
                journal(.acknowledgedUp, value: (now - confirmedUp.at).nanoseconds, &stage)
            }
            confirmedUp.advance(stream, dice: dice)
        }
        session.acknowledged = max(session.acknowledged, Cursor(end))
    }

    /// Messages before `next` were never handed over: there is nothing to confirm.
    mutating func skipUp(to next: UInt32, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.up else { return }
        let dice = stage.dice(.trafficUp, phone)
        while confirmedUp.index < next { confirmedUp.advance(stream, dice: dice) }
    }

    func datagram(_ index: UInt32, bytes: UInt32) -> Packet {
        Packet(
            .datagram, cause: .payload, bytes: Wire.udp + bytes, first: index, last: index + 1, stamp: now)
    }
}
