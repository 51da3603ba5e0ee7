package import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

/// Writes packets as a pcapng file, for example to open them in Wireshark (draft-ietf-opsawg-pcapng). Each radio is an
/// interface. Timestamps are nanoseconds of simulated time. Each packet has a comment with the radio state, the cause
/// and the waiting time. A statistics block marks each loss of coverage.
///
/// The journal holds only the length, direction and cause of a packet. So each packet is an IPv4 header and a UDP
/// header; its payload counts as not captured. The phone is 10.0.0.2. Its port is 50000 plus the number of the cause,
/// so that flows are causes. If a record has more bytes than a packet can hold, it becomes several packets, spread over
/// the time in which bits flowed.
package struct PcapngFile {
    private static let maxPacketBytes: Int64 = 1_500
    private static let headerBytes: Int64 = 28
    /// LINKTYPE_RAW
    private static let linkType: UInt16 = 101

    private var out: [UInt8] = []
    private var interfaces: UInt32 = 0

    package init(about: String) {
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

    package var bytes: [UInt8] { out }

    /// - Parameter name: Prefix for the names of the interfaces; empty if there is one strategy.
    package mutating func add(_ trace: PacketTrace, name: String) {
        var numbers: [Interface: UInt32] = [:]
        for interface in Interface.allCases where trace.packets.contains(where: { $0.interface == interface }) {
            numbers[interface] = interfaces
            interfaces += 1
            writeInterface((name.isEmpty ? "" : name + " ") + interface.name)
        }
        let pieces = trace.packets.flatMap(Self.segments).sorted { $0.at < $1.at }
        var outages = trace.coverageGaps.filter { numbers[$0.interface] != nil }[...]
        for (number, packet) in pieces.enumerated() {
            while let outage = outages.first, outage.from <= packet.at {
                write(outage, on: numbers[outage.interface] ?? 0)
                outages.removeFirst()
            }
            write(packet, on: numbers[packet.interface] ?? 0, number: UInt16(truncatingIfNeeded: number))
        }
        for outage in outages { write(outage, on: numbers[outage.interface] ?? 0) }
    }

    /// A real packet for a pcapng file, with those of its bytes that were captured.
    package struct RealPacket {
        let interface: Interface
        let direction: Direction
        let at: Int64
        let length: Int64
        let head: [UInt8]
        let comment: String

        package init(
            on interface: Interface, _ direction: Direction, at: Instant, length: UInt32, head: [UInt8],
            level: PowerLevel?, cause: Cause, waited: TimeSpan
        ) {
            self.interface = interface
            self.direction = direction
            self.at = at.nanoseconds
            self.length = Int64(length)
            self.head = head
            comment = PcapngFile.comment(level, cause, waited: waited.nanoseconds)
        }
    }

    /// - Parameters:
    ///   - packets: Sorted by time.
    ///   - remarks: Comments on an interface, each written separately.
    package mutating func add(_ packets: [RealPacket], remarks: [(interface: Interface, text: String)] = []) {
        let first = interfaces
        for interface in Interface.common { writeInterface(interface.name) }
        interfaces += UInt32(Interface.common.count)
        for remark in remarks { self.writeRemark(remark.text, on: first + UInt32(remark.interface.rawValue)) }
        for packet in packets {
            write(
                packet.head, length: packet.length, at: packet.at, on: first + UInt32(packet.interface.rawValue),
                packet.direction, packet.comment)
        }
    }

    private static func segments(of packet: PacketTrace.TracedPacket) -> [PacketTrace.TracedPacket] {
        let count = max(1, (packet.bytes + maxPacketBytes - 1) / maxPacketBytes)
        guard count > 1 else { return [packet] }
        return (0..<count).map { index in
            var piece = packet
            piece.bytes =
                index < count - 1 ? maxPacketBytes : max(headerBytes, packet.bytes - maxPacketBytes * (count - 1))
            piece.at += (packet.transmittedUntil - packet.at) / (count - 1) * index
            if index > 0 { piece.waited = 0 }
            return piece
        }
    }

    // MARK: Blocks

    private mutating func writeInterface(_ name: String) {
        block(1) { body in
            body.append(le: Self.linkType)
            body.append(le: UInt16(0))
            body.append(le: UInt32(0))
            body.option(2, Array(name.utf8))
            // Timestamp resolution (if_tsresol): nanoseconds.
            body.option(9, [9])
            body.append(le: UInt32(0))
        }
    }

    private mutating func write(_ packet: PacketTrace.TracedPacket, on interface: UInt32, number: UInt16) {
        let length = max(packet.bytes, Self.headerBytes)
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
            body += Self.timestampBytes(at)
            body.append(le: UInt32(data.count))
            body.append(le: UInt32(clamping: length))
            body.append(padded: data)
            body.option(1, Array(comment.utf8))
            // Flags (epb_flags): inbound or outbound.
            body.option(2, [direction == .up ? 2 : 1, 0, 0, 0])
            body.append(le: UInt32(0))
        }
    }

    /// Writes an interface statistics block. Without coverage, the capture of the interface ends and starts again.
    private mutating func write(_ outage: PacketTrace.CoverageGap, on interface: UInt32) {
        let (end, restart) = (Self.timestampBytes(outage.from), Self.timestampBytes(outage.until))
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

    /// Writes an interface statistics block that contains only a comment.
    private mutating func writeRemark(_ text: String, on interface: UInt32) {
        block(5) { body in
            body.append(le: interface)
            body += Self.timestampBytes(0)
            body.option(1, Array(text.utf8))
            body.append(le: UInt32(0))
        }
    }

    /// A timestamp as two 32-bit words, the upper half first.
    private static func timestampBytes(_ nanoseconds: Int64) -> [UInt8] {
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

    /// IPv4 header (RFC 791) and UDP header (RFC 768).
    private static func headers(_ packet: PacketTrace.TracedPacket, length: UInt16, number: UInt16) -> [UInt8] {
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
        // No checksum: the rest of the packet does not exist.
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
