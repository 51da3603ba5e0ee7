import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePhoneEnd
package import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// The horizon: open periods are closed where they stand, and every message has its end.
extension Lane {
    package mutating func finish(at horizon: Instant, _ stage: inout Stage) {
        rollRadios(before: horizon, &stage)
        if !isStopped { now = horizon }
        settleRadio(.wifi, &stage)
        settleRadio(.cellular, &stage)
        _ = drive(&stage) { $0.settle(at: $1, &$2) }
        for slot in Self.slots where realities[slot].truth != .absent {
            if realities[slot].truth == .dead {
                journal(.undetected, value: (now - realities[slot].diedAt).nanoseconds, &stage)
            }
            closePeriod(slot, isStopped: appIsStopped, &stage)
        }
        if isBroken && repairableSince != .never {
            journal(.unrecovered, value: (now - repairableSince).nanoseconds, &stage)
        }
        phoneEnd.endCallOutage(at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
        finishHerd(&stage)
        server.finish(at: now, &stage.serverSteps)
        settleServer(&stage)
        for slot in Self.slots { endWaiting(slot, &stage) }
        session.now = now
        delivery.settleRepeated(&session, &stage.deliverySteps)
        delivery.endFreshness(&session, &stage.deliverySteps)
        delivery.loseGap(&session, &stage.deliverySteps)
        settleDelivery(&stage)
        finishMessages(&stage)
        finishCalls(&stage)
        finishProbes(&stage)
        journal(.finished, value: now.nanoseconds, &stage)
    }

    private mutating func finishCalls(_ stage: inout Stage) {
        guard let course = stage.said.pointee.callCourse, phoneEnd.calls.openCount > 0 else { return }
        journal(.callPending, value: Int64(phoneEnd.calls.openCount), &stage)
        let book = phoneEnd.calls
        stage.deliverySteps.wait(
            course, from: book.first, before: book.wanted.index, .waitedCall, at: now, where: book.isOpen)
        settleDelivery(&stage)
    }

    private mutating func finishProbes(_ stage: inout Stage) {
        var sent: [Instant] = []
        stage.flights.forEach(in: flights) { flight in
            if flight.packet.content == .probe { sent.append(flight.packet.stamp) }
            if flight.packet.content == .probeReply { sent.append(flight.packet.echo) }
        }
        for instant in sent { journal(.waitedProbe, value: (now - instant).nanoseconds, &stage) }
    }
}

extension Lane {
    /// Gives the places of what is still in the air back to the pool.
    package mutating func landAll(_ stage: inout Stage) {
        while !flights.isEmpty { _ = stage.flights.removeFirst(&flights) }
        while !looks.isEmpty { _ = stage.flights.removeFirst(&looks) }
    }
}
