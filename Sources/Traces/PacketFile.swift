import DeadzoneDevice
import DeadzoneDocuments
import DeadzoneMetrics
public import DeadzonePrimitives

/// Simulated packets as pcapng (draft-ietf-opsawg-pcapng): one interface for each radio, stamps in nanoseconds of simulated
/// time, a comment on every packet that names the state of the radio, the cause and what was waited for, and a statistics
/// block where coverage is lost.
///
/// Packets are what the journal knows of them: their length, direction and cause. So each is an IPv4 header and a UDP header
/// of which the rest was not captured; the phone is 10.0.0.2, and its port is 50000 plus the number of the cause, so that
/// flows are causes. More bytes than a packet holds follow each other for as long as bits flowed.
public struct PacketFile {
    private static let largest: Int64 = 1_500
    private static let header: Int64 = 28
    /// LINKTYPE_RAW
    private static let linkType: UInt16 = 101

    private var out: [UInt8] = []
    private var interfaces: UInt32 = 0

    public init(about: String) {
        block(0x0A0D_0D0A) { body in
            body.append(le: UInt32(0x1A2B_3C4D))
            body.append(le: UInt16(1))
            body.append(le: UInt16(0))
            body.append(le: UInt64.max)
            body.option(1, Array(about.utf8))
            body.option(4, Array("deadzone".utf8))
            body.append(le: UInt32(0))
        }
    }

    public var bytes: [UInt8] { out }

    /// - Parameter name: in front of the radios' names; empty where there is one strategy.
    public mutating func add(_ trace: PacketTrace, name: String) {
        var numbers: [Interface: UInt32] = [:]
        for interface in Interface.allCases where trace.packets.contains(where: { $0.interface == interface }) {
            numbers[interface] = interfaces
            interfaces += 1
            describe((name.isEmpty ? "" : name + " ") + (interface == .wifi ? "wifi" : "cellular"))
        }
        let pieces = trace.packets.flatMap(Self.pieces).sorted { $0.at < $1.at }
        var outages = trace.outages.filter { numbers[$0.interface] != nil }[...]
        for (number, packet) in pieces.enumerated() {
            while let outage = outages.first, outage.from <= packet.at {
                write(outage, on: numbers[outage.interface] ?? 0)
                outages.removeFirst()
            }
            write(packet, on: numbers[packet.interface] ?? 0, number: UInt16(truncatingIfNeeded: number))
        }
        for outage in outages { write(outage, on: numbers[outage.interface] ?? 0) }
    }

    /// A packet that really was, with as many of its bytes as were kept.
    public struct Captured {
        let interface: Interface
        let direction: Direction
        let at: Int64
        let length: Int64
        let head: [UInt8]
        let comment: String

        public init(
            on interface: Interface, _ direction: Direction, at: Instant, length: UInt32, head: [UInt8],
            level: PowerLevel?, cause: Cause, waited: TimeSpan
        ) {
            self.interface = interface
            self.direction = direction
            self.at = at.nanoseconds
            self.length = Int64(length)
            self.head = head
            comment = PacketFile.comment(level, cause, waited: waited.nanoseconds)
        }
    }

    /// - Parameters:
    ///   - packets: in the order of time.
    ///   - remarks: on an interface, each a comment of its own.
    public mutating func add(_ packets: [Captured], remarks: [(interface: Interface, text: String)] = []) {
        let first = interfaces
        for interface in Interface.allCases { describe(interface.name) }
        interfaces += UInt32(Interface.allCases.count)
        for remark in remarks { self.remark(remark.text, on: first + UInt32(remark.interface.rawValue)) }
        for packet in packets {
            write(
                packet.head, length: packet.length, at: packet.at, on: first + UInt32(packet.interface.rawValue),
                packet.direction, packet.comment)
        }
    }

    private static func pieces(of packet: PacketTrace.Packet) -> [PacketTrace.Packet] {
        let count = max(1, (packet.bytes + largest - 1) / largest)
        guard count > 1 else { return [packet] }
        return (0..<count).map { index in
            var piece = packet
            piece.bytes = index < count - 1 ? largest : max(header, packet.bytes - largest * (count - 1))
            piece.at += (packet.flowedUntil - packet.at) / (count - 1) * index
            if index > 0 { piece.waited = 0 }
            return piece
        }
    }

    // MARK: Blocks

    private mutating func describe(_ name: String) {
        block(1) { body in
            body.append(le: Self.linkType)
            body.append(le: UInt16(0))
            body.append(le: UInt32(0))
            body.option(2, Array(name.utf8))
            // Nanoseconds.
            body.option(9, [9])
            body.append(le: UInt32(0))
        }
    }

    private mutating func write(_ packet: PacketTrace.Packet, on interface: UInt32, number: UInt16) {
        let length = max(packet.bytes, Self.header)
        let data = Self.headers(packet, length: UInt16(clamping: length), number: number)
        write(
            data, length: length, at: packet.at, on: interface, packet.direction,
            Self.comment(packet.level, packet.cause, waited: packet.waited))
    }

    private mutating func write(
        _ data: [UInt8], length: Int64, at: Int64, on interface: UInt32, _ direction: Direction, _ comment: String
    ) {
        block(6) { body in
            body.append(le: interface)
            body += Self.words(at)
            body.append(le: UInt32(data.count))
            body.append(le: UInt32(clamping: length))
            body.append(padded: data)
            body.option(1, Array(comment.utf8))
            // Inbound or outbound.
            body.option(2, [direction == .up ? 2 : 1, 0, 0, 0])
            body.append(le: UInt32(0))
        }
    }

    /// An interface statistics block: there was no network, so the capture of the interface ended and began again.
    private mutating func write(_ outage: PacketTrace.Outage, on interface: UInt32) {
        let (end, restart) = (Self.words(outage.from), Self.words(outage.until))
        block(5) { body in
            body.append(le: interface)
            body += end
            let seconds = NumberText.short(Billionths(count: Int128(outage.until - outage.from)))
            body.option(1, Array("no coverage for \(seconds) s".utf8))
            body.option(2, restart)
            body.option(3, end)
            body.append(le: UInt32(0))
        }
    }

    /// An interface statistics block that says nothing but this.
    private mutating func remark(_ text: String, on interface: UInt32) {
        block(5) { body in
            body.append(le: interface)
            body += Self.words(0)
            body.option(1, Array(text.utf8))
            body.append(le: UInt32(0))
        }
    }

    /// The upper half of a stamp, then the lower.
    private static func words(_ nanoseconds: Int64) -> [UInt8] {
        let stamp = UInt64(max(nanoseconds, 0))
        var bytes: [UInt8] = []
        bytes.append(le: UInt32(truncatingIfNeeded: stamp >> 32))
        bytes.append(le: UInt32(truncatingIfNeeded: stamp))
        return bytes
    }

    private static func comment(_ level: PowerLevel?, _ cause: Cause, waited: Int64) -> String {
        let state = level.map { "\($0.state.name)" } ?? "unknown"
        var text = "radio \(state), cause \(cause.name)"
        if waited > 0 {
            let milliseconds = NumberText.short(Billionths(count: Int128(waited) * 1_000))
            text += ", waited up to \(milliseconds) ms for a promotion"
        }
        return text
    }

    /// RFC 791 and RFC 768.
    private static func headers(_ packet: PacketTrace.Packet, length: UInt16, number: UInt16) -> [UInt8] {
        let phone: [UInt8] = [10, 0, 0, 2]
        let server: [UInt8] = [192, 0, 2, 1]
        let phonePort = 50_000 + UInt16(packet.cause.rawValue)
        let serverPort: UInt16 = 61_000
        let isUp = packet.direction == .up
        var bytes: [UInt8] = [0x45, 0]
        bytes.append(be: length)
        bytes.append(be: number)
        bytes += [0x40, 0, 64, 17, 0, 0]
        bytes += isUp ? phone + server : server + phone
        var sum: UInt32 = 0
        for index in stride(from: 0, to: 20, by: 2) { sum += UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1]) }
        while sum >> 16 > 0 { sum = sum & 0xffff + sum >> 16 }
        let check = ~UInt16(truncatingIfNeeded: sum)
        (bytes[10], bytes[11]) = (UInt8(check >> 8), UInt8(truncatingIfNeeded: check))
        bytes.append(be: isUp ? phonePort : serverPort)
        bytes.append(be: isUp ? serverPort : phonePort)
        bytes.append(be: length - 20)
        // Without a checksum: the rest of the packet does not exist.
        bytes.append(be: UInt16(0))
        return bytes
    }

    private mutating func block(_ type: UInt32, _ fill: (inout [UInt8]) -> Void) {
        var body: [UInt8] = []
        fill(&body)
        let length = UInt32(body.count + 12)
        out.append(le: type)
        out.append(le: length)
        out += body
        out.append(le: length)
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(le number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    fileprivate mutating func append(be number: UInt16) {
        append(UInt8(number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    fileprivate mutating func append(padded bytes: [UInt8]) {
        self += bytes
        self += repeatElement(0, count: (4 - bytes.count % 4) % 4)
    }

    fileprivate mutating func option(_ code: UInt16, _ value: [UInt8]) {
        let value = value.prefix(60_000)
        append(le: code)
        append(le: UInt16(value.count))
        append(padded: Array(value))
    }
}
