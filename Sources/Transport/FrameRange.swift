package import DeadzoneBase

/// Says what a frame in a connection's byte stream carries, such as a message, a ping or a handshake flight.
package enum FrameKind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A message of the app or of the server. The item number is its index.
    case message
    /// A call (a request of the app) or the answer to a call. The item number is the index of the call.
    case call, answer
    /// The server's error answer to a call that it did not execute. The server decides what the item number means.
    case refusal
    case ping, pong
    /// A flight of the connection set-up (`ConnectionSetup`). The item number is the flight's index.
    case flight
    /// A control frame of the protocol. The item number encodes which one (`ControlFrame.item`).
    case control
    /// The end of the stream. It takes one byte here, as in TCP's sequence numbers.
    case finish
    /// A snapshot: the complete state up to the message number that is given as item number.
    case snapshot
    /// A receipt: the confirmation that the program has every message below `last`. The previous receipt ended at
    /// `first`. A receipt is delivered whole or not at all.
    case receipt
    /// A request to join subscriptions, its answer, or their end (`SubscriptionFrame`).
    case subscription

    /// `true` if the item carries app data, which is refused while the send buffer is full. `false` for all other
    /// items: they are small, so the library queues them even if the send buffer is full.
    var carriesAppData: Bool { isFlowControlled }
}

/// A range of consecutive frames of one kind on a connection's byte stream, such as messages 5 to 9.
package struct FrameRange: Hashable, Sendable, BitwiseCopyable {
    /// Maximum number of items in one range.
    static let maxCount = UInt32(UInt16.max)

    package var first: UInt32
    package var bytes: UInt32
    private var items: UInt16
    package var kind: FrameKind
    package var cause: Cause

    package init(first: UInt32, last: UInt32, bytes: UInt32, kind: FrameKind, cause: Cause) {
        // Only a receipt can cover more items than that, and only its end matters.
        self.first = max(first, last - min(last, FrameRange.maxCount))
        self.bytes = bytes
        items = UInt16(last - self.first)
        self.kind = kind
        self.cause = cause
    }

    package var count: UInt32 { UInt32(items) }
    /// Number of the item after the last one in the range.
    package var last: UInt32 {
        get { first + count }
        set { items = UInt16(newValue - first) }
    }

    /// Size in bytes of one item of the range on the stream. All items of a range have the same size, except messages.
    func size(of item: UInt32, _ sizes: borrowing MessageSizes, _ framing: Framing) -> UInt32 {
        if count == 1 { return bytes }
        return kind == .message ? framing.message(sizes.bytes(of: item)) : bytes / count
    }
}

/// A position between two items of a connection's byte stream: the offset and the next item's number.
@usableFromInline struct ItemBoundary: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline var offset: UInt64 = 0
    /// Number of the next item. Used only if the position is inside a range.
    var item: UInt32 = 0
}
