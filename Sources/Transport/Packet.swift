public import DeadzonePrimitives

/// A packet on the simulated network: one segment, or a burst of segments that is sent together. It is a plain value
/// without the bytes themselves: a message is given by its index, and its size is computed where it is needed.
public struct Packet: Sendable, BitwiseCopyable {
    public enum PacketContent: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// A packet of connection set-up, and the answer to it. For TCP: SYN, and SYN with ACK.
        case hello, helloReply
        /// Bytes of a stream: `length` bytes from `offset` on, split into segments.
        case data
        case ping, pong
        case acknowledgement
        /// Closes the connection from one side: a TCP segment with RST, or QUIC's CONNECTION_CLOSE.
        case reset
        /// A message that is never retransmitted.
        case datagram
        /// A probe that the server sends to the phone, and the answer of the phone's network stack.
        case probe, probeReply
        /// A push message for the app. It arrives over the operating system's own connection.
        case push
        /// A request of another program on the phone, and its response. `number` identifies the exchange.
        case systemRequest, systemResponse
        /// A keepalive probe of the kernel: a segment without data that requests an acknowledgement.
        case keepaliveProbe
        /// A DNS query and its response. `number` of the response is 1 if it contains an address.
        case dnsQuery, dnsResponse
        /// A SYN to an address at which there is no host. It is never answered.
        case unansweredSYN
        /// QUIC's PATH_CHALLENGE, which checks a path, and PATH_RESPONSE. `number` identifies the challenge.
        case challenge, challengeAnswer
    }

    public var content: PacketContent
    /// Why the bytes of this packet are sent, such as payload or keepalive. Traffic totals are kept per cause.
    public var cause: Cause
    /// Cause that is charged for keeping the radio awake after this packet. The radio stays awake for a time, its tail.
    /// An answer is charged to the cause of its request: a ping for the tail after its pong, a message for the tail
    /// after its acknowledgement.
    public var account: Cause
    /// Number of a system request or of a path challenge. In a DNS response: 1 if it contains an address, 0 if not.
    public var number: UInt16
    /// Stream packets only: number of segments that are lost, of this packet or of data sent before it.
    /// `bytesBeyondGap` says how much arrived after them.
    public var missingSegments: UInt16 = 0
    /// Size of the packet in bytes on the wire, with all headers.
    public var bytes: UInt32
    public var first: UInt32
    public var last: UInt32
    /// Stream packets only: data after a gap has arrived up to this many bytes behind the end of this packet's bytes.
    /// In an acknowledgement: up to this many bytes behind the acknowledged offset (RFC 2018).
    public var bytesBeyondGap: UInt32 = 0
    /// Stream packets only: offset of its first byte in the stream.
    public var offset: UInt64 = 0
    /// Stream packets only: number of its stream bytes, without headers.
    public var length: UInt32 = 0
    /// Maximum payload of each segment of this packet, in bytes.
    public var segment = UInt16(Wire.segment)
    /// Size of the headers of each segment, in bytes.
    public var header = UInt16(Wire.tcp)
    /// Stream packets only: cumulative acknowledgement. The sender has received every byte of the other direction below
    /// this offset.
    public var received: UInt64 = 0
    /// Time at which this packet left its sender.
    public var stamp: Instant
    /// Value of `stamp` in the packet that this one answers; `.never` if it answers none.
    public var echo: Instant

    @inlinable public init(
        _ content: PacketContent, cause: Cause, bytes: UInt32, number: UInt16 = 0, first: UInt32 = 0, last: UInt32 = 0,
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

    /// Number of segments in the packet, which can be lost independently. 1 if it is not a stream packet.
    @inline(__always) @inlinable public var parts: UInt32 {
        guard content == .data, UInt32(segment) < length else { return 1 }
        return (length + UInt32(segment) - 1) / UInt32(segment)
    }

    /// Truncates the packet after segments of it were lost: its first `intact` segments are complete, and `arrived`
    /// segments arrive in total. The packet does not record which segments between them were lost. Segments that did
    /// not fit into the queue are at the end.
    public mutating func truncate(parts intact: UInt32, of arrived: UInt32, lost: UInt32 = 0) {
        let all = parts
        guard content == .data, intact < all else { return }
        let whole = length
        // Only the last part can be smaller than the others.
        if arrived < all { bytes = min(bytes, arrived * UInt32(segment + header)) }
        length = intact * UInt32(segment)
        guard intact < arrived else { return }
        missingSegments = UInt16(clamping: lost)
        bytesBeyondGap = min((arrived + lost) * UInt32(segment), whole) - length
    }
}

/// Ordered buffer for the packets that a connection sends in response to one input. It holds up to `capacity`
/// packets; no input produces more. Usually it is one packet, which is stored inline. Further packets are on the heap.
public struct OutgoingPackets: ~Copyable {
    @inlinable public static var capacity: Int { 4 }

    @usableFromInline var first: Packet?
    @usableFromInline var heapPackets: UnsafeMutablePointer<Packet>?
    @usableFromInline var storedCount = 0

    @inlinable public init() {}

    @inlinable deinit { heapPackets?.deallocate() }

    @inlinable public var count: Int { storedCount }

    @inlinable public mutating func append(_ packet: Packet) {
        if storedCount == 0 { first = packet } else { appendAfterFirst(packet) }
        storedCount += 1
    }

    @usableFromInline mutating func appendAfterFirst(_ packet: Packet) {
        precondition(storedCount < Self.capacity, "one input caused more than \(Self.capacity) packets")
        if heapPackets == nil { heapPackets = .allocate(capacity: Self.capacity - 1) }
        (heapPackets.unsafelyUnwrapped + storedCount - 1).initialize(to: packet)
    }

    @inlinable public subscript(index: Int) -> Packet {
        precondition(0 <= index && index < storedCount, "departure \(index) of \(storedCount)")
        return index == 0 ? first.unsafelyUnwrapped : heapPackets.unsafelyUnwrapped[index - 1]
    }
}
