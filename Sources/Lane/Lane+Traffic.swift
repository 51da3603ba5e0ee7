import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// What the app and the server want to say to each other. It is weather; but the app can say so only while it runs, and what came up
/// meanwhile it says when it runs again.
extension Lane {
    /// The app's next wish that its strategy has not heard of.
    @inline(__always)
    mutating func nextWish() -> Event? {
        if delivery.hasWish, let message = delivery.nextWish(&session) { return .wantsToSend(message) }
        return phoneEnd.calls.hasUntold ? phoneEnd.nextCall() : nil
    }

    /// The app has a new message.
    mutating func wantUp(_ stage: inout Stage) {
        delivery.wantUp(&session, &stage.deliverySteps)
        settleDelivery(&stage)
    }

    /// The server asks the phone's network stack for a sign of life, over the path that truly is there.
    mutating func sendProbe(_ stage: inout Stage) {
        guard let course = stage.said.pointee.probeCourse else { return }
        let index = probes.index
        probes.advance(course)
        guard let interface = networks.truePath else { return journal(.probeLost, value: 1, &stage) }
        let dice = stage.dice(.trafficProbe, phone).pair(at: UInt64(index)).1
        let payload = MessageSizes.clamp(course.size.draw(dice))
        let packet = Packet(.probe, cause: .probe, bytes: Wire.udp + payload, stamp: now)
        launchDown(packet, slot: nil, over: interface, epoch: networks.epoch(interface), &stage)
    }
}
