public import DeadzoneBase

/// A packet on the simulated network: one segment, or a burst of segments that is sent together. It is a plain value
/// without the bytes themselves: a message is given by its index, and its size is computed where it is needed.
@usableFromInline package struct Packet: Sendable, BitwiseCopyable {
    @usableFromInline package enum PacketContent: UInt8, Hashable, Sendable, BitwiseCopyable {
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
        /// A request of the app for new credentials, and its response. `number` identifies the request, `first` the
        /// round trip. A request with the number 0 carries the app's push token and has no response.
        case tokenRequest, tokenResponse
        /// A keepalive probe of the kernel: a segment without data that requests an acknowledgement.
        case keepaliveProbe
        /// A DNS query and its response. `number` of the response is that of `Resolver.answer`.
        case dnsQuery, dnsResponse
        /// A SYN to an address at which there is no host. It is never answered.
        case unansweredSYN
        /// QUIC's PATH_CHALLENGE, which checks a path, and PATH_RESPONSE. `number` identifies the challenge.
        case challenge, challengeAnswer
        /// A packet of a VPN tunnel itself. `number` identifies a handshake, `first` is the `TunnelMessage`.
        case tunnel
    }

    @usableFromInline package var content: PacketContent
    /// Why the bytes of this packet are sent, such as payload or keepalive. Traffic totals are kept per cause.
    @usableFromInline package var cause: Cause
    /// Cause that is charged for the time of the radio and the processor because of this packet: promotion, transfer and
    /// tail. Only its bytes are charged to `cause`. An answer is charged to the cause of its request: a ping for the tail
    /// after its pong, a message for the tail after its acknowledgement.
    @usableFromInline package var account: Cause
    /// Number of a system request or of a path challenge. In a DNS response: the number of the address plus 1, or 0 if it
    /// has none. In an acknowledgement: the number of segments that have arrived twice.
    @usableFromInline package var number: UInt16
    /// Time between the arrival of the packet's first segment and of its last one, in units of `spreadUnit`. In an
    /// acknowledgement: the spread of the packet that it answers.
    var spread: UInt16 = 0
    /// Size of the packet in bytes on the wire, with all headers.
    @usableFromInline package var bytes: UInt32
    @usableFromInline package var first: UInt32
    @usableFromInline package var last: UInt32
    /// Part of `selectiveAck`.
    private var lastBlock: UInt32 = 0
    /// Stream packets only: offset of its first byte in the stream.
    package var offset: UInt64 = 0
    /// Stream packets only: number of its stream bytes, without headers.
    @usableFromInline package var length: UInt32 = 0
    /// Maximum payload of each segment of this packet, in bytes.
    @usableFromInline package var segment = UInt16(Wire.segment)
    /// Size of the headers of each segment, in bytes.
    package var header = UInt16(Wire.tcp)
    /// Stream packets only: cumulative acknowledgement. The sender has received every byte of the other direction below
    /// this offset.
    package var received: UInt64 = 0
    /// Time at which this packet left its sender.
    @usableFromInline package var stamp: Instant
    /// Value of `stamp` in the packet that this one answers; `.never` if it answers none.
    @usableFromInline package var echo: Instant

    @inlinable package init(
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
    @inline(__always) @inlinable package var parts: UInt32 {
        guard content == .data, UInt32(segment) < length else { return 1 }
        return (length + UInt32(segment) - 1) / UInt32(segment)
    }

    /// Returns the part of a burst that consists of the segments in `range`.
    package func slice(_ range: Range<UInt32>) -> Packet {
        var slice = self
        let begin = range.lowerBound * UInt32(segment)
        slice.offset += UInt64(begin)
        slice.length = min(UInt32(range.count) * UInt32(segment), length - begin)
        slice.bytes = min(bytes, slice.length + UInt32(range.count) * UInt32(header))
        return slice
    }

    /// Adds the headers of a tunnel to each segment of the packet.
    package mutating func addHeader(_ size: UInt16) {
        bytes += UInt32(size) * parts
        header += size
    }

    /// Removes the headers of a tunnel from each segment of the packet.
    package mutating func removeHeader(_ size: UInt16) {
        bytes -= UInt32(size) * parts
        header -= size
    }

    /// Unit of `spread`.
    static let spreadUnit = TimeSpan.microseconds(100)
    /// Time between the arrival of the packet's first segment and of its last one.
    var spreadSpan: TimeSpan { Self.spreadUnit * Int64(spread) }

    /// Sets the time between the arrivals of the first and the last segment.
    package mutating func setSpread(_ span: TimeSpan) {
        spread = UInt16(clamping: span.nanoseconds / Self.spreadUnit.nanoseconds)
    }

    /// `true` if the packet is an acknowledgement that reports data which has arrived twice.
    var reportsDuplicates: Bool { content == .acknowledgement && number > 0 }

    /// `true` if the packet is an acknowledgement that reports data beyond a gap.
    var hasSelectiveAck: Bool { content == .acknowledgement && last > 0 }

    /// Ranges of data that an acknowledgement reports as received beyond a gap. An acknowledgement carries no stream
    /// bytes and no message, so the ranges use the memory of these fields.
    var selectiveAck: SelectiveAck {
        get {
            guard content == .acknowledgement else { return SelectiveAck() }
            return SelectiveAck(blocks: [
                .init(begin: first, length: last),
                .init(begin: UInt32(truncatingIfNeeded: offset >> 32), length: UInt32(truncatingIfNeeded: offset)),
                .init(begin: length, length: lastBlock),
            ])
        }
        set {
            (first, last) = (newValue.blocks[0].begin, newValue.blocks[0].length)
            offset = UInt64(newValue.blocks[1].begin) << 32 | UInt64(newValue.blocks[1].length)
            (length, lastBlock) = (newValue.blocks[2].begin, newValue.blocks[2].length)
        }
    }
}

/// Ranges of received data beyond a gap, relative to the acknowledged offset, latest first (RFC 2018 §3). There is room
/// for three, because the time stamps take the rest of the header's options.
struct SelectiveAck: Sendable, BitwiseCopyable {
    struct SackBlock: Hashable, Sendable, BitwiseCopyable {
        /// Number of bytes between the acknowledged offset and the range.
        var begin: UInt32 = 0
        /// Length of the range in bytes. Zero if there is no range.
        var length: UInt32 = 0
    }

    static let maxBlocks = 3
    var blocks = InlineArray<3, SackBlock>(repeating: SackBlock())

    var isEmpty: Bool { blocks[0].length == 0 }
    var count: UInt32 {
        var count: UInt32 = 0
        for index in blocks.indices where blocks[index].length > 0 { count += 1 }
        return count
    }
}

/// Ordered buffer for the packets that a connection sends in response to one input. It holds up to `capacity`
/// packets; no input produces more. Usually it is one packet, which is stored inline. Further packets are on the heap.
@usableFromInline package struct OutgoingPackets: ~Copyable {
    @inlinable package static var capacity: Int { 16 }

    @usableFromInline var first: Packet?
    @usableFromInline var heapPackets: UnsafeMutablePointer<Packet>?
    @usableFromInline var storedCount = 0

    @inlinable package init() {}

    @inlinable deinit { heapPackets?.deallocate() }

    @inlinable package var count: Int { storedCount }

    @inlinable package mutating func append(_ packet: Packet) {
        if storedCount == 0 { first = packet } else { appendAfterFirst(packet) }
        storedCount += 1
    }

    @usableFromInline mutating func appendAfterFirst(_ packet: Packet) {
        precondition(storedCount < Self.capacity, "one input caused more than \(Self.capacity) packets")
        if heapPackets == nil { heapPackets = .allocate(capacity: Self.capacity - 1) }
        (heapPackets.unsafelyUnwrapped + storedCount - 1).initialize(to: packet)
    }

    @inlinable package subscript(index: Int) -> Packet {
        precondition(0 <= index && index < storedCount, "departure \(index) of \(storedCount)")
        return index == 0 ? first.unsafelyUnwrapped : heapPackets.unsafelyUnwrapped[index - 1]
    }
}
