/// A frame about one of several subscriptions on a connection. A `FrameRange` stores it as an item number, so frames
/// with the same purpose about consecutive subscriptions take one range.
package struct SubscriptionFrame: Hashable, Sendable {
    package enum FramePurpose: UInt32, CaseIterable, Hashable, Sendable {
        /// The client asks to join the subscription: `phx_join`, `subscribe`, SUBSCRIBE of MQTT, HEADERS of a new stream.
        case join
        /// The server's answers: it has joined the subscription, or refuses.
        case joined, refused
        /// The server has ended the subscription: `phx_error`, `reject_subscription`, trailers of a stream.
        case ended
    }

    package var purpose: FramePurpose
    package var number: UInt8

    package init(_ purpose: FramePurpose, _ number: UInt8) {
        self.purpose = purpose
        self.number = number
    }

    package init?(item: UInt32) {
        guard let purpose = FramePurpose(rawValue: item >> 8) else { return nil }
        self.init(purpose, UInt8(truncatingIfNeeded: item))
    }

    package var item: UInt32 { purpose.rawValue << 8 | UInt32(number) }

    /// Size of the server's frames: a reply or an error of a Phoenix channel with a short topic takes about this much
    /// (phoenixframework/phoenix `assets/js/phoenix/serializer.js`, arrays of five).
    package static let serverBytes: UInt32 = 70
}
