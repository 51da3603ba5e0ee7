import DeadzoneClient
import DeadzoneMessages
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneTransport

/// What the app wants is weather; it can say so only while it runs. What came up meanwhile it says when it runs again.
extension Lane {
    /// The app's next wish that its strategy has not heard of.
    @inline(__always)
    mutating func nextWish() -> Event? {
        if delivery.hasWish, let message = delivery.nextWish(&session) { return .wantsToSend(message) }
        return phoneEnd.calls.hasUntold ? phoneEnd.nextCall() : nil
    }
}
