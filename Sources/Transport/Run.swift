public import DeadzonePrimitives

/// What a stretch of a byte stream is made of.
public enum Track: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Messages of the app or of the server, by index.
    case message
    /// A question, by index; its answer.
    case call, answer
    /// The server's answer to a call that it did not do; its owner defines the number.
    case refusal
    case ping, pong
    /// A flight of the handshake, by number.
    case flight
    /// Bytes of the protocol itself; what they say is the item's number, and its owner's to define.
    case control
    /// The end of the stream. It takes a byte here, as in TCP's sequence numbers.
    case finish
    /// Everything anew, as of the item's number.
    case snapshot
    /// A program has everything below `last`, and has said so up to `first` before. Comes whole or not at all.
    case receipt

    /// What the app says. The rest is the library's own and small: it queues that itself, whatever the socket says.
    var isOfApp: Bool { isControlled }
}

/// Items of one track that follow each other on the stream.
public struct Run: Hashable, Sendable, BitwiseCopyable {
    /// So many items fit into one.
    static let most = UInt32(UInt16.max)

    public var first: UInt32
    public var bytes: UInt32
    private var items: UInt16
    public var track: Track
    public var cause: Cause

    public init(first: UInt32, last: UInt32, bytes: UInt32, track: Track, cause: Cause) {
        // Only a receipt can speak of more than that at once, and it is about its end.
        self.first = max(first, last - min(last, Run.most))
        self.bytes = bytes
        items = UInt16(last - self.first)
        self.track = track
        self.cause = cause
    }

    public var count: UInt32 { UInt32(items) }
    /// The item after the last one.
    public var last: UInt32 {
        get { first + count }
        set { items = UInt16(newValue - first) }
    }

    /// Of one of its items. All items of a run are of one size, but messages.
    func size(of item: UInt32, _ sizes: borrowing MessageSizes, _ framing: Framing) -> UInt32 {
        if count == 1 { return bytes }
        return track == .message ? framing.message(sizes.bytes(of: item)) : bytes / count
    }
}

/// A place between two items of a stream.
@usableFromInline struct Mark: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline var offset: UInt64 = 0
    /// The next item, if the place is inside a run.
    var item: UInt32 = 0
}
