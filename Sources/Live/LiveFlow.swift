package import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice

/// An observed flow (TCP connection or UDP exchange) of a live run, with the facts that its packets reveal.
package struct LiveFlow: Sendable {
    let name: LiveFlowKey
    /// Counts all flows, from 1.
    package let number: Int64
    package let beganAt: Instant
    /// Number of first SYNs or of QUIC Initial packets, repeated ones included. 0 for other UDP flows, and for flows
    /// that were open before the run.
    package internal(set) var attempts = 0
    package internal(set) var openedAt: Instant?
    package internal(set) var endedAt: Instant?
    package internal(set) var ending: CloseCode?
    /// From this time on, no byte sent on the flow could be answered.
    package internal(set) var diedAt: Instant?
    package internal(set) var resets = 0
    /// `true` if this flow continues an attempt that began with the server's other address.
    var continuesAttempt = false
    /// Longest time without a packet received by the phone.
    package private(set) var longestSilence = TimeSpan.zero
    package var up = DirectionStatistics()
    package var down = DirectionStatistics()
    var isDetected = false
    /// The connection ID by which a QUIC attempt is recognised; empty for TCP.
    var connectionID: ArraySlice<UInt8> = []
    /// Time since which the connection works without a break, or is blocked; `nil` before the opening.
    var periodBegan: Instant?
    /// `true` while no byte sent on the connection can be answered, although it is not dead.
    var isBlocked = false
    /// `true` if the kernel of the phone was seen to have a socket of this flow.
    var hasSocket = false
    /// `true` from the request for a WebSocket until the server accepts it.
    var awaitsUpgrade = false
    /// `true` if only a later attempt shows that the client had closed the connection, so `endedAt` is too late.
    var isEndInferred = false
    private(set) var lastReceivedAt: Instant

    init(_ name: LiveFlowKey, number: Int64, at now: Instant) {
        self.name = name
        self.number = number
        beganAt = now
        lastReceivedAt = now
    }

    package var isUDP: Bool { name.isUDP }
    package var serverPort: UInt16 { name.serverPort }
    var isOpen: Bool { endedAt == nil }
    /// `true` if the client has, or had, a connection that it can use.
    var isEstablished: Bool { openedAt != nil && !awaitsUpgrade }
    /// `true` for a connection, or an attempt, of this run that has not ended.
    var isWatched: Bool { isOpen && attempts > 0 }
    package var isQUIC: Bool { isUDP && attempts > 0 }
    /// `true` for a flow with a beginning and an end: TCP or QUIC.
    package var isConnection: Bool { !isUDP || isQUIC }

    /// Records a packet that an end sends. Returns why it is sent, and the cause that is charged for keeping the radio
    /// awake after it.
    mutating func recordSent(_ packet: Datagram, _ direction: Direction) -> (cause: Cause, account: Cause) {
        let (own, other) = direction == .up ? (up, down) : (down, up)
        let cause = own.cause(of: packet, answering: other)
        let account = own.account(of: cause, answering: other)
        if direction == .up { up.recordSent(packet, cause, account) } else { down.recordSent(packet, cause, account) }
        return (cause, account)
    }

    mutating func recordReceived(_ packet: Datagram, at now: Instant) {
        // A flow has no silence after its end.
        if isOpen {
            longestSilence = max(longestSilence, now - lastReceivedAt)
            lastReceivedAt = now
        }
        down.recordReceived(packet)
    }

    mutating func finish(at end: Instant) {
        longestSilence = max(longestSilence, (endedAt ?? end) - lastReceivedAt)
    }
}

extension LiveFlow {
    /// Packet counts, byte counts and TCP sequence state of one direction of a flow.
    package struct DirectionStatistics: Sendable {
        package private(set) var packets = 0
        package private(set) var bytes: Int64 = 0
        /// Segments that repeat bytes sent earlier.
        package private(set) var repeats = 0
        /// Packets that did not arrive.
        package internal(set) var lost = 0
        package private(set) var pings = 0
        /// Sequence number after the last byte sent.
        private var sentUpTo: UInt32?
        /// Sequence number that the receiving end expects next.
        private(set) var expected: UInt32 = 0
        private var hasReceived = false
        private var wasProbe = false
        /// Cause that is charged for keeping the radio awake after the last packet sent.
        private var lastAccount: Cause?

        /// Classifies why a packet is sent.
        func cause(of packet: Datagram, answering other: DirectionStatistics) -> Cause {
            guard packet.isTCP else {
                if packet.destinationPort == 53 || packet.sourcePort == 53 { return .dns }
                // QUIC encrypts everything after its handshake, acknowledgements too.
                let header = packet.isUDP ? QUICHeader(packet.payload) : nil
                return header == .initial || header == .handshake ? .connect : .payload
            }
            if !packet.flags.isDisjoint(with: [.syn, .rst, .fin]) { return .connect }
            if let sentUpTo {
                // A kernel keepalive repeats the last acknowledged sequence number, with one byte or none.
                if packet.payloadLength <= 1, packet.sequence == sentUpTo &- 1 { return .keepalive }
                if packet.payloadLength > 0, Int32(bitPattern: packet.nextSequence &- sentUpTo) <= 0 {
                    return .retransmit
                }
            }
            if packet.payloadLength == 0 { return other.wasProbe ? .pong : .ack }
            return Cause.indicated(by: packet.payload) ?? .payload
        }

        /// The cause that is charged for keeping the radio awake after a packet. An answer is charged to the cause of its
        /// request, as in a simulation: a ping for the tail after its pong, a message for the tail after its
        /// acknowledgement.
        func account(of cause: Cause, answering other: DirectionStatistics) -> Cause {
            switch cause {
            case .pong: .keepalive
            case .ack: other.lastAccount ?? .ack
            default: cause
            }
        }

        mutating func recordSent(_ packet: Datagram, _ cause: Cause, _ account: Cause) {
            packets += 1
            lastAccount = account
            bytes += Int64(packet.length)
            if cause == .retransmit { repeats += 1 }
            if cause == .keepalive { pings += 1 }
            wasProbe = cause == .keepalive && packet.payloadLength <= 1
            guard packet.isTCP, !packet.flags.contains(.rst) else { return }
            if let upTo = sentUpTo, Int32(bitPattern: packet.nextSequence &- upTo) <= 0 { return }
            sentUpTo = packet.nextSequence
        }

        /// Records that the packet arrived at the other end.
        mutating func recordReceived(_ packet: Datagram) {
            guard packet.isTCP, !packet.flags.contains(.rst) else { return }
            if !hasReceived || packet.flags.contains(.syn) || packet.sequence == expected {
                hasReceived = true
                expected = packet.nextSequence
            }
        }
    }
}

/// A real packet that crossed the simulated radio link, with its time and its first bytes.
package struct ObservedPacket: Sendable {
    /// Packets beyond this number are counted but not kept.
    package static let maxKept = 1 << 18
    package static let keptBytes = 96

    /// The bytes to keep of a packet. The fields of a WebSocket's request are kept, because `fit` needs them.
    static func head(of packet: Datagram) -> [UInt8] {
        let isRequest = packet.handshake == .request
        return Array(packet.bytes.prefix(isRequest ? WebSocketHandshake.maximumLength : keptBytes))
    }

    package let at: Instant
    package let interface: Interface
    package let direction: Direction
    package let cause: Cause
    /// Power level of the radio while the bits flowed. `nil` if there is no radio.
    package let level: PowerLevel?
    /// Time spent waiting for the radio.
    package let waited: TimeSpan
    package let length: UInt32
    package let head: [UInt8]
}
