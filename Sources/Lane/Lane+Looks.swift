import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneTransport

/// Programs that have no room for what they want to say look again every so often. Once each look has been in vain since something
/// last happened on the phone, all would see the same until something does: they rest, and go on at their moments.
extension Lane {
    /// How often they look.
    private static let pace = TimeSpan.milliseconds(100)

    /// - Parameter isLate: What happens ranks behind packets: who looks at this very instant has looked.
    @inline(__always)
    mutating func somethingHappens(isLate: Bool = false, _ stage: inout Stage) {
        happenedAt = now
        if !looks.isEmpty { lookAgain(isLate: isLate, &stage) }
    }

    private mutating func lookAgain(isLate: Bool, _ stage: inout Stage) {
        let moment = isLate ? now + .nanoseconds(1) : now
        while !looks.isEmpty {
            var look = stage.flights.removeFirst(&looks)
            let missed = max((moment - look.at).nanoseconds, 0) + Self.pace.nanoseconds - 1
            look.at += Self.pace * (missed / Self.pace.nanoseconds)
            stage.flights.insert(look, into: &flights)
        }
    }

    mutating func restLooks(_ stage: inout Stage) {
        guard happenedAt + Self.pace < now else { return }
        // Those that look at this very instant do so first, so that all rest in the order in which they look.
        while let look = stage.flights.removeFirst(from: &flights, where: { $0.hop.isLook && now < $0.at }) {
            stage.flights.insert(look, into: &looks)
        }
    }

    /// The app's library looks whether there is room for a call.
    mutating func retryCall(_ flight: Flight, _ stage: inout Stage) {
        let isInVain = phoneEnd.askAgain(
            flight.packet.first, Int(flight.slot), generation: flight.generation, at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
        switch isInVain {
        case true: restLooks(&stage)
        case false: somethingHappens(isLate: true, &stage)
        case nil: break
        }
    }
}
