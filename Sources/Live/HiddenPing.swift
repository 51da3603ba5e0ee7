import DeadzoneCaptures

/// Finds pings in a segment that also carries other data, as a kernel sends it after an outage.
extension PingFrame {
    /// `true` if the payload is a sequence of whole frames of one protocol, of which one is a ping.
    static func isHidden(in payload: ArraySlice<UInt8>) -> Bool {
        guard payload.count >= 4 else { return false }
        return hasPing(payload, webSocketFrame) || hasPing(payload, mqttPacket) || hasPing(payload, http2Frame)
            || hasPingLine(payload)
    }

    /// A frame at the beginning of the bytes: its length, and whether it is a ping. `nil` if there is no whole frame.
    private typealias FrameHead = (length: Int, isPing: Bool)

    private static func hasPing(_ payload: ArraySlice<UInt8>, _ read: (ArraySlice<UInt8>) -> FrameHead?) -> Bool {
        var (rest, found) = (payload, false)
        while !rest.isEmpty {
            guard let head = read(rest), head.length <= rest.count else { return false }
            found = found || head.isPing
            rest = rest.dropFirst(head.length)
        }
        return found
    }

    /// A frame of a WebSocket client, which is masked (RFC 6455, section 5.2).
    private static func webSocketFrame(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        let start = bytes.startIndex
        guard bytes.count >= 6, bytes[start] & 0x70 == 0, bytes[start + 1] & 0x80 != 0 else { return nil }
        guard [0, 1, 2, 8, 9, 10].contains(bytes[start] & 0x0f) else { return nil }
        let short = Int(bytes[start + 1] & 0x7f)
        guard short != 127 else { return nil }
        let length = short < 126 ? short : Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        return ((short < 126 ? 6 : 8) + length, bytes[start] == 0x89)
    }

    /// An MQTT control packet (MQTT 3.1.1, section 2.2).
    private static func mqttPacket(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        let start = bytes.startIndex
        guard bytes.count >= 2, 1...14 ~= bytes[start] >> 4 else { return nil }
        var (length, shift, place) = (0, 0, start + 1)
        while place < bytes.endIndex, place < start + 5 {
            length |= Int(bytes[place] & 0x7f) << shift
            if bytes[place] & 0x80 == 0 { return (place - start + 1 + length, bytes[start] == 0xc0 && length == 0) }
            (shift, place) = (shift + 7, place + 1)
        }
        return nil
    }

    /// An HTTP/2 frame (RFC 9113, section 4.1).
    private static func http2Frame(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        let start = bytes.startIndex
        guard bytes.count >= 9, bytes[start + 3] <= 9, bytes[start + 5] & 0x80 == 0 else { return nil }
        let length = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        return (9 + length, bytes[start + 3] == 6 && length == 8 && bytes[start + 4] & 1 == 0)
    }

    /// A line of NATS, or a command of Redis.
    private static func hasPingLine(_ payload: ArraySlice<UInt8>) -> Bool {
        let line = Array("\r\nPING\r\n".utf8)
        guard payload.last == 0x0a, payload.count >= line.count else { return false }
        return payload.starts(with: line.dropFirst(2))
            || (payload.startIndex...(payload.endIndex - line.count)).contains {
                payload[$0] == 0x0d && payload[$0..<$0 + line.count].elementsEqual(line)
            }
    }
}
