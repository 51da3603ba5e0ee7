import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

extension TCPEnd {
    /// Writes a frame for each of the subscriptions, and removes those that were written. Returns `false` if the send
    /// queue has no room for the rest.
    /// - Parameter payload: Size of one frame, without its framing.
    mutating func write(
        _ purpose: SubscriptionFrame.FramePurpose, _ subscriptions: inout SubscriptionSet, payload: UInt32,
        cause: Cause, _ rules: UnsafePointer<TCPRules>
    ) -> Bool {
        let bytes = rules.pointee.framing.message(payload)
        var rest = subscriptions
        while let numbers = rest.popRange() {
            let first = SubscriptionFrame(purpose, UInt8(numbers.lowerBound)).item
            let count = UInt32(numbers.count)
            guard write(.subscription, first, upTo: first + count, bytes: bytes * count, cause: cause, rules) else {
                return false
            }
            subscriptions = rest
        }
        return true
    }
}
