public import DeadzonePrimitives

/// What crosses the network at once: one segment, or a burst of them that leaves together.
/// Plain, without the bytes themselves: a message is its index, its size is drawn where it is needed.
public struct Packet: Sendable, BitwiseCopyable {
    public enum Content: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// A step of connection set-up and its answer; of TCP: SYN, and SYN with ACK.
        case hello, helloReply
        /// Bytes of a stream from `offset` on, `length` of them, in as many segments as they fill.
        case data
        case ping, pong
        case acknowledgement
        case goodbye
        /// A message that no one repeats.
        case datagram
        case probe, probeReply
        /// A push message for the app, over the platform's own connection.
        case push
        /// An exchange of another program; `number` is which.
        case errand, errandAnswer
        /// A keepalive of the kernel: a segment without data that asks for an acknowledgement.
        case knock
        /// To the resolver, and what it answers; `number` is 1 if it knows an address.
        case question, resolution
        /// A SYN to an address where nobody is.
        case stray
        /// Of QUIC: PATH_CHALLENGE and PATH_RESPONSE; `number` is which.
        case challenge, challengeAnswer
    }

    public var content: Content
    /// What its bytes are for.
    public var cause: Cause
    /// On whose account the radio is awake for it. An answer is on the account of its question: a ping pays for the tail after
    /// its pong, a message for the tail after its acknowledgement.
    public var account: Cause
    /// Which errand, which challenge; of the resolver's answer whether it has an address.
    public var number: UInt16
    /// Of a stream: segments that did not arrive, of this packet or of what was sent before it; `behind` says what did beyond them.
    public var missing: UInt16 = 0
    /// The wire length with every header.
    public var bytes: UInt32
    public var first: UInt32
    public var last: UInt32
    /// Of a stream: what has arrived all the same ends so many bytes after the bytes of this packet, or of an acknowledgement after
    /// what it acknowledges (RFC 2018).
    public var behind: UInt32 = 0
    /// Of a stream: where its bytes begin, and how many there are.
    public var offset: UInt64 = 0
    public var length: UInt32 = 0
    /// Of each of its parts: the most that it carries, and what stands before that.
    public var segment = UInt16(Wire.segment)
    public var header = UInt16(Wire.tcp)
    /// Of a stream: the sender has every byte of the other side below this.
    public var received: UInt64 = 0
    /// When this packet left its sender.
    public var stamp: Instant
    /// The stamp of the packet that this one answers, `.never` for none.
    public var echo: Instant

    @inlinable public init(
        _ content: Content, cause: Cause, bytes: UInt32, number: UInt16 = 0, first: UInt32 = 0, last: UInt32 = 0,
        stamp: Instant, answering question: Packet? = nil
    ) {
        self.content = content
        self.cause = cause
        account = question?.account ?? cause
        self.number = number
        self.bytes = bytes
        self.first = first
        self.last = last
        self.stamp = stamp
        echo = question?.stamp ?? .never
    }

    /// How many parts of it can be lost by themselves.
    @inline(__always) @inlinable public var parts: UInt32 {
        guard content == .data, UInt32(segment) < length else { return 1 }
        return (length + UInt32(segment) - 1) / UInt32(segment)
    }

    /// What is left of it when only the first of its parts are whole, and no more than some arrive at all. Of those that were lost between
    /// them it is not said which; what found no place lies at the end.
    public mutating func keep(parts intact: UInt32, of arrived: UInt32, lost: UInt32 = 0) {
        let all = parts
        guard content == .data, intact < all else { return }
        let whole = length
        // Only the last part can be smaller than the others.
        if arrived < all { bytes = min(bytes, arrived * UInt32(segment + header)) }
        length = intact * UInt32(segment)
        guard intact < arrived else { return }
        missing = UInt16(clamping: lost)
        behind = min((arrived + lost) * UInt32(segment), whole) - length
    }
}

/// The packets one input leads to, in order; at most `capacity`, which no input exceeds. Mostly it is one, which lies here; others
/// lie elsewhere.
public struct Departures: ~Copyable {
    @inlinable public static var capacity: Int { 4 }

    @usableFromInline var first: Packet?
    @usableFromInline var others: UnsafeMutablePointer<Packet>?
    @usableFromInline var kept = 0

    @inlinable public init() {}

    @inlinable deinit { others?.deallocate() }

    @inlinable public var count: Int { kept }

    @inlinable public mutating func append(_ packet: Packet) {
        if kept == 0 { first = packet } else { appendBehind(packet) }
        kept += 1
    }

    @usableFromInline mutating func appendBehind(_ packet: Packet) {
        precondition(kept < Self.capacity, "one input led to more than \(Self.capacity) packets")
        if others == nil { others = .allocate(capacity: Self.capacity - 1) }
        (others.unsafelyUnwrapped + kept - 1).initialize(to: packet)
    }

    @inlinable public subscript(index: Int) -> Packet {
        precondition(0 <= index && index < kept, "departure \(index) of \(kept)")
        return index == 0 ? first.unsafelyUnwrapped : others.unsafelyUnwrapped[index - 1]
    }
}
