import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport

/// A connection that the phone's side gave up while it was cut off. Whether it would have worked again, only what comes after
/// can say.
struct GivenUp: BitwiseCopyable, Sendable {
    var interface: Interface
    var epoch: UInt16
    var number: UInt16
    /// When the server, or a box on the path, would have let it go.
    var until: Instant
}

/// Good connections that the phone's side gives up: the app, or its kernel. A connection that is cut off when it is given up was
/// good if its path comes back while the server would still have had it.
///
/// Where this lies: of one slot the latest connection that is in doubt is looked at; a server that would have ended the
/// connection in order meanwhile, as in a deploy, is taken to have kept it.
extension Lane {
    mutating func giveUp(_ slot: Int, _ stage: inout Stage) {
        switch realities[slot].truth {
        case .absent, .dead: break
        case .working: journal(.falseDrop, value: Int64(phoneEnd[slot].generation), &stage)
        case .blocked:
            var until = min(server.givesUp(slot, at: now), realities[slot].boxes.endsAt)
            if phoneEnd[slot].isQUIC { until = min(until, server.silenceEnds(slot)) }
            realities[slot].givenUp = GivenUp(
                interface: phoneEnd[slot].interface, epoch: phoneEnd[slot].epoch, number: phoneEnd[slot].generation,
                until: until
            )
        }
    }

    /// After conditions changed: it would work again, or never.
    mutating func judge(_ slot: Int, _ stage: inout Stage) {
        guard let given = realities[slot].givenUp else { return }
        if !networks.holds(given.interface, given.epoch) || server.isDown || given.until <= now {
            realities[slot].givenUp = nil
        } else if networks.carries(given.interface) && !server.isFrozen {
            realities[slot].givenUp = nil
            journal(.falseDrop, value: Int64(given.number), &stage)
        }
    }

    /// The server would have had something to say on it, and repeated that in vain.
    mutating func writeToGivenUp() {
        for slot in Self.slots where realities[slot].givenUp != nil {
            realities[slot].givenUp?.until = min(
                realities[slot].givenUp?.until ?? .never, now + Server.retransmissionLimit)
        }
    }
}
