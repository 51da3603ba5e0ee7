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
}
