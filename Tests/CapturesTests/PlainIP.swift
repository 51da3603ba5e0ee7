import DeadzoneCaptures

/// The fields of an IP packet, read byte by byte from an array: the plainest reading of RFC 791, 8200, 9293 and 768.
struct PlainIP: Equatable {
    var network = NetworkProtocol.other
    var transport = TransportProtocol.none
    var fragment = Fragment.whole
    var source: UInt128 = 0
    var destination: UInt128 = 0
    var ports: [UInt16] = []
    var sequence: UInt32 = 0
    var acknowledgement: UInt32 = 0
    var window: UInt16 = 0
    var flags: UInt8 = 0
    var payloadLength = 0
    var payloadOffset = 0
    var payloadCaptured = 0

    private static let extensions: Set<UInt8> = [0, 43, 44, 51, 60, 135]

    init() {}

    /// - Parameters:
    ///   - start: Offset of the IP header in the captured bytes.
    ///   - wireLength: Length of the whole frame.
    init(_ bytes: [UInt8], at start: Int, wireLength: Int, isIPv6: Bool) {
        if isIPv6 { readIPv6(bytes, start, wireLength) } else { readIPv4(bytes, start, wireLength) }
    }

    private mutating func readIPv4(_ bytes: [UInt8], _ start: Int, _ wireLength: Int) {
        guard bytes.count >= start + 20, bytes[start] >= 0x45, bytes[start] <= 0x4f else { return }
        network = .ipv4
        (source, destination) = (bytes.big(start + 12, 4), bytes.big(start + 16, 4))
        let header = Int(bytes[start] % 16) * 4
        let total = Int(bytes.big(start + 2, 2))
        let length = total > 0 ? total : wireLength - start
        if length < header { return }
        let offset = Int(bytes.big(start + 6, 2)) % 8_192
        let hasMore = bytes[start + 6] & 0x20 != 0
        fragment = offset > 0 ? .later : hasMore ? .first : .whole
        readTransport(bytes[start + 9], bytes, start + header, length - header)
    }

    private mutating func readIPv6(_ bytes: [UInt8], _ start: Int, _ wireLength: Int) {
        guard bytes.count >= start + 40, bytes[start] / 16 == 6 else { return }
        network = .ipv6
        (source, destination) = (bytes.big(start + 8, 16), bytes.big(start + 24, 16))
        let stated = Int(bytes.big(start + 4, 2))
        var (next, at) = (bytes[start + 6], start + 40)
        var left = stated > 0 ? stated : max(0, wireLength - start - 40)
        var headers = 0
        while Self.extensions.contains(next) {
            // After sixteen headers the rest is not read.
            if headers == 16 {
                transport = .other
                return
            }
            guard bytes.count >= at + 8 else { return }
            let size = next == 44 ? 8 : next == 51 ? (Int(bytes[at + 1]) + 2) * 4 : (Int(bytes[at + 1]) + 1) * 8
            if next == 44 {
                let word = bytes.big(at + 2, 2)
                if word / 8 > 0 {
                    fragment = .later
                } else if word % 2 == 1 {
                    fragment = .first
                }
            }
            next = bytes[at]
            at += size
            left = max(0, left - size)
            headers += 1
            if fragment == .later { return }
        }
        // A header after an extension is read if eight bytes of it were captured, or after the last one in any case.
        if headers > 0, headers < 16, bytes.count < at + 8 { return }
        readTransport(next, bytes, at, left)
    }

    private mutating func readTransport(_ number: UInt8, _ bytes: [UInt8], _ start: Int, _ length: Int) {
        transport = number == 6 ? .tcp : number == 17 ? .udp : .other
        let captured = min(bytes.count - start, length)
        guard transport != .other, fragment != .later, captured >= 4 else { return }
        ports = [UInt16(bytes.big(start, 2)), UInt16(bytes.big(start + 2, 2))]
        if transport == .udp {
            guard captured >= 8 else { return }
            let stated = Int(bytes.big(start + 4, 2))
            let size = stated < 8 ? length : min(stated, length)
            payloadLength = max(0, size - 8)
            payloadOffset = start + 8
            payloadCaptured = max(0, min(captured, size) - 8)
            return
        }
        guard captured >= 16 else { return }
        sequence = UInt32(bytes.big(start + 4, 4))
        acknowledgement = UInt32(bytes.big(start + 8, 4))
        flags = bytes[start + 13] % 64
        window = UInt16(bytes.big(start + 14, 2))
        let header = Int(bytes[start + 12] / 16) * 4
        guard header >= 20 else { return }
        payloadLength = max(0, length - header)
        payloadOffset = start + header
        payloadCaptured = max(0, captured - header)
    }
}
