import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTransport

/// What the app wants is weather; it can say so only while it runs. What came up meanwhile it says when it runs again.
extension Lane {
    /// The app's next wish that its strategy has not heard of.
    mutating func nextWish(_ stage: borrowing Stage) -> Event? {
        guard toldUp < wantedUp.index else { return nextCall(stage) }
        let index = toldUp
        toldUp += 1
        session.produced = Cursor(toldUp)
        return .wantsToSend(Message(index: index, bytes: stage.sizesUp.bytes(of: index)))
    }
}
