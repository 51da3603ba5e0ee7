import DeadzoneDevice
public import DeadzoneJournal
public import DeadzonePrimitives

/// A conversation as packets showed it.
public struct LiveFlow: Sendable {
    let name: FlowName
    /// Of all of them, from 1.
    public let number: Int64
    public let interface: Interface?
    public let beganAt: Instant
    /// First packets, repeats included; 0: it is none of TCP's, or was there before.
    public internal(set) var attempts = 0
    public internal(set) var openedAt: Instant?
    public internal(set) var endedAt: Instant?
    public internal(set) var ending: CloseCode?
    /// Since when no byte sent on it could ever be answered.
    public internal(set) var diedAt: Instant?
    public internal(set) var resets = 0
    /// A part of the attempt that another one began, to the server's other address.
    var joins = false
    /// The longest that the phone heard nothing.
    public private(set) var longestSilence = TimeSpan.zero
    public var up = Half()
    public var down = Half()
    var isDetected = false
    private var heardAt: Instant

    init(_ name: FlowName, number: Int64, interface: Interface?, at now: Instant) {
        self.name = name
        self.number = number
        self.interface = interface
        beganAt = now
        heardAt = now
    }

    public var isUDP: Bool { name.isUDP }
    public var serverPort: UInt16 { name.serverPort }
    var isOpen: Bool { endedAt == nil }

    mutating func note(_ packet: Datagram, _ direction: Direction, _ cause: Cause) {
        if direction == .up { up.sent(packet, cause) } else { down.sent(packet, cause) }
    }

    mutating func hear(_ packet: Datagram, at now: Instant) {
        longestSilence = max(longestSilence, now - heardAt)
        heardAt = now
        down.received(packet)
    }

    mutating func finish(at end: Instant) {
        longestSilence = max(longestSilence, (endedAt ?? end) - min(heardAt, endedAt ?? end))
    }
}

extension LiveFlow {
    /// What one end says to the other.
    public struct Half: Sendable {
        public private(set) var packets = 0
        public private(set) var bytes: Int64 = 0
        /// Segments whose bytes had been sent before.
        public private(set) var repeats = 0
        /// Packets that did not arrive.
        public internal(set) var lost = 0
        public private(set) var pings = 0
        /// Behind the last byte that was ever sent.
        private var sentUpTo: UInt32?
        private var probedAt: UInt32?
        /// What the other end expects next.
        private(set) var expected: UInt32 = 0
        private var hasReceived = false
        private var wasProbe = false

        /// Why a packet is sent.
        func cause(of packet: Datagram, answering other: Half) -> Cause {
            guard packet.isTCP else { return packet.destinationPort == 53 || packet.sourcePort == 53 ? .dns : .payload }
            if !packet.flags.isDisjoint(with: [.syn, .rst, .fin]) { return .connect }
            if let sentUpTo {
                // A kernel's keepalive says once more what was acknowledged: a byte, or none of it.
                if packet.payloadLength <= 1, packet.sequence == sentUpTo &- 1 { return .keepalive }
                if packet.payloadLength > 0, Int32(bitPattern: packet.nextSequence &- sentUpTo) <= 0 {
                    return .retransmit
                }
            }
            if packet.payloadLength == 0 { return other.wasProbe ? .pong : .ack }
            return Cause.told(by: packet.payload) ?? .payload
        }

        mutating func sent(_ packet: Datagram, _ cause: Cause) {
            packets += 1
            bytes += Int64(packet.length)
            if cause == .retransmit { repeats += 1 }
            if cause == .keepalive { pings += 1 }
            wasProbe = cause == .keepalive && packet.payloadLength <= 1
            guard packet.isTCP, !packet.flags.contains(.rst) else { return }
            if let upTo = sentUpTo, Int32(bitPattern: packet.nextSequence &- upTo) <= 0 { return }
            sentUpTo = packet.nextSequence
        }

        /// It has arrived at the other end.
        mutating func received(_ packet: Datagram) {
            guard packet.isTCP, !packet.flags.contains(.rst) else { return }
            if !hasReceived || packet.flags.contains(.syn) || packet.sequence == expected {
                hasReceived = true
                expected = packet.nextSequence
            }
        }
    }
}

/// A packet that crossed the air, with as much of its bytes as is kept.
public struct SeenPacket: Sendable {
    /// More are counted and not kept.
    public static let most = 1 << 18
    public static let keptBytes = 96

    public let at: Instant
    public let interface: Interface
    public let direction: Direction
    public let cause: Cause
    /// Of the radio, as the bits flowed; nil: there is none.
    public let level: PowerLevel?
    /// For the radio.
    public let waited: TimeSpan
    public let length: UInt32
    public let head: [UInt8]
}
