import DeadzonePrimitives

/// An IPv4 packet as a kernel gave it, with what its headers say.
struct Datagram: Sendable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        // RFC 9293, section 3.1.
        static let fin = Flags(rawValue: 1), syn = Flags(rawValue: 2), rst = Flags(rawValue: 4)
        static let ack = Flags(rawValue: 16)
    }

    let bytes: [UInt8]
    let isTCP: Bool
    let isUDP: Bool
    let flags: Flags
    /// Where the transport's payload begins.
    private let payloadAt: Int

    /// Nil: it is no whole IPv4 packet.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 20, bytes[0] >> 4 == 4 else { return nil }
        let header = Int(bytes[0] & 15) * 4
        let isFirst = bytes[6] & 0x1f == 0 && bytes[7] == 0
        let isTCP = bytes[9] == 6 && isFirst && bytes.count >= header + 20
        let isUDP = bytes[9] == 17 && isFirst && bytes.count >= header + 8
        self.bytes = bytes
        self.isTCP = isTCP
        self.isUDP = isUDP
        flags = isTCP ? Flags(rawValue: bytes[header + 13]) : []
        payloadAt = min(bytes.count, header + (isTCP ? Int(bytes[header + 12] >> 4) * 4 : isUDP ? 8 : 0))
    }

    var source: UInt32 { word(12) }
    var destination: UInt32 { word(16) }
    var sourcePort: UInt16 { hasPorts ? half(transport) : 0 }
    var destinationPort: UInt16 { hasPorts ? half(transport + 2) : 0 }
    var sequence: UInt32 { isTCP ? word(transport + 4) : 0 }
    var acknowledgement: UInt32 { isTCP ? word(transport + 8) : 0 }
    var length: UInt32 { UInt32(bytes.count) }
    var payload: ArraySlice<UInt8> { bytes[payloadAt...] }
    var payloadLength: UInt32 { UInt32(bytes.count - payloadAt) }

    /// What the sequence number behind it is.
    var nextSequence: UInt32 {
        sequence &+ payloadLength &+ (flags.contains(.syn) ? 1 : 0) &+ (flags.contains(.fin) ? 1 : 0)
    }

    private var hasPorts: Bool { isTCP || isUDP }
    private var transport: Int { Int(bytes[0] & 15) * 4 }
    private func half(_ place: Int) -> UInt16 { UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]) }
    private func word(_ place: Int) -> UInt32 { UInt32(half(place)) << 16 | UInt32(half(place + 2)) }
}

extension Datagram {
    /// A TCP segment, as a box on the path makes one.
    static func segment(
        from source: (address: UInt32, port: UInt16), to destination: (address: UInt32, port: UInt16), _ flags: Flags,
        sequence: UInt32, acknowledgement: UInt32, payload: [UInt8] = []
    ) -> Datagram {
        var tcp: [UInt8] = []
        tcp.append(big: UInt32(source.port) << 16 | UInt32(destination.port))
        tcp.append(big: sequence)
        tcp.append(big: acknowledgement)
        // A window without scale: enough for whoever is told one thing.
        tcp += [0x50, flags.rawValue, 0xff, 0xff, 0, 0, 0, 0]
        return packet(from: source.address, to: destination.address, 6, tcp + payload, checksumAt: 16)
    }

    /// A UDP datagram, as a name server makes one.
    static func message(
        from source: (address: UInt32, port: UInt16), to destination: (address: UInt32, port: UInt16),
        payload: [UInt8]
    ) -> Datagram {
        var udp: [UInt8] = []
        udp.append(big: UInt32(source.port) << 16 | UInt32(destination.port))
        udp.append(big: UInt32(8 + payload.count) << 16)
        return packet(from: source.address, to: destination.address, 17, udp + payload, checksumAt: 6)
    }

    private static func packet(
        from source: UInt32, to destination: UInt32, _ transport: UInt8, _ body: [UInt8], checksumAt place: Int
    ) -> Datagram {
        var (ip, body): ([UInt8], [UInt8]) = ([0x45, 0], body)
        ip.append(big: UInt32(20 + body.count) << 16)
        ip += [0x40, 0, 64, transport, 0, 0]
        ip.append(big: source)
        ip.append(big: destination)
        let pseudo = ip[12..<20] + [0, transport, UInt8(body.count >> 8), UInt8(body.count & 255)]
        set(checksum(ip[...]), in: &ip, at: 10)
        set(checksum(pseudo + body + (body.count.isMultiple(of: 2) ? [] : [0])), in: &body, at: place)
        guard let packet = Datagram(ip + body) else { preconditionFailure("a header that is no packet") }
        return packet
    }

    /// RFC 1071, of an even number of bytes.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var sum: UInt32 = 0
        for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 2) {
            sum += UInt32(bytes[place]) << 8 | UInt32(bytes[place + 1])
        }
        while sum >> 16 > 0 { sum = sum & 0xffff + sum >> 16 }
        return ~UInt16(truncatingIfNeeded: sum)
    }

    private static func set(_ half: UInt16, in bytes: inout [UInt8], at place: Int) {
        bytes[place] = UInt8(half >> 8)
        bytes[place + 1] = UInt8(truncatingIfNeeded: half)
    }
}

extension [UInt8] {
    fileprivate mutating func append(big word: UInt32) {
        for shift: UInt32 in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}

/// A conversation as both ends name it, the phone's end first.
struct FlowName: Hashable, Sendable {
    let phone: UInt32
    let phonePort: UInt16
    let server: UInt32
    let serverPort: UInt16
    let isUDP: Bool

    init(_ packet: Datagram, _ direction: Direction) {
        let isUp = direction == .up
        phone = isUp ? packet.source : packet.destination
        phonePort = isUp ? packet.sourcePort : packet.destinationPort
        server = isUp ? packet.destination : packet.source
        serverPort = isUp ? packet.destinationPort : packet.sourcePort
        isUDP = !packet.isTCP
    }

    /// A segment that one end is told as if the other had said it.
    func segment(
        _ direction: Direction, _ flags: Datagram.Flags, sequence: UInt32, acknowledgement: UInt32,
        payload: [UInt8] = []
    ) -> Datagram {
        let (ofPhone, ofServer) = ((phone, phonePort), (server, serverPort))
        return .segment(
            from: direction == .up ? ofPhone : ofServer, to: direction == .up ? ofServer : ofPhone, flags,
            sequence: sequence, acknowledgement: acknowledgement, payload: payload)
    }

    /// What the server's side of it says to the phone.
    func reply(_ payload: [UInt8]) -> Datagram {
        .message(from: (server, serverPort), to: (phone, phonePort), payload: payload)
    }
}
