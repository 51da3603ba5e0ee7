import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Generates the app's traffic and the server's probes. The traffic is weather: its instants do not depend on the
/// strategy. The app can send only while it runs. Messages that are generated meanwhile are announced to the strategy
/// when the app runs again.
extension PhoneSimulation {
    /// Returns the event that asks the strategy to send the app's next message or call; `nil` if all were announced, or
    /// if the app does not run.
    @inline(__always)
    mutating func nextSendRequest() -> Event? {
        guard host.appRuns else { return nil }
        if delivery.hasUnannounced, let message = delivery.announceNext(&host.session) { return .wantsToSend(message) }
        return phoneEnd.calls.hasUnreported ? phoneEnd.nextCall() : nil
    }

    /// Generates the app's next message to the server.
    mutating func produceMessage(_ context: inout WorkerContext) {
        callDelivery(&context) { $0.produceUp(&$1, &$2) }
    }

    /// Sends a probe from the server to the phone's network stack over the actual path.
    mutating func sendProbe(_ context: inout WorkerContext) {
        guard let course = context.traffic.pointee.probeSchedule else { return }
        let index = probes.index
        probes.advance(course)
        guard let interface = networks.truePath else { return journal(.probeLost, value: 1, &context) }
        let dice = context.dice(.trafficProbe, phone).pair(at: UInt64(index)).1
        let payload = MessageSizes.clamp(course.size.draw(dice))
        let packet = Packet(.probe, cause: .probe, bytes: Wire.udp + payload, stamp: now)
        sendDown(packet, slot: nil, over: interface, epoch: networks.epoch(interface), &context)
    }
}
