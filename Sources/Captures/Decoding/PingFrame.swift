/// Recognises a transport segment that is only a ping or pong of an unencrypted protocol, such as MQTT.
package enum PingFrame: UInt8, Hashable, Sendable, BitwiseCopyable {
    case ping, pong

    /// Longest ping frame: a WebSocket control frame of 125 bytes with header and mask (RFC 6455, section 5.5).
    package static let maximumLength = 131

    package init?(_ payload: UnsafeRawBufferPointer) {
        guard let pingFrame = Self.mqtt(payload) ?? Self.http2(payload) ?? Self.webSocket(payload) ?? Self.text(payload)
        else { return nil }
        self = pingFrame
    }

    /// MQTT PINGREQ and PINGRESP (MQTT 3.1.1, sections 3.12 and 3.13).
    private static func mqtt(_ bytes: UnsafeRawBufferPointer) -> PingFrame? {
        guard bytes.count == 2, bytes[1] == 0 else { return nil }
        return bytes[0] == 0xc0 ? .ping : bytes[0] == 0xd0 ? .pong : nil
    }

    /// HTTP/2 PING frame of 8 bytes (RFC 9113, section 6.7).
    private static func http2(_ bytes: UnsafeRawBufferPointer) -> PingFrame? {
        guard bytes.count == 17, bytes[0] == 0, bytes[1] == 0, bytes[2] == 8, bytes[3] == 6 else { return nil }
        return bytes[4] & 1 == 0 ? .ping : .pong
    }

    /// WebSocket ping or pong: a final control frame, masked if sent by a client (RFC 6455, section 5.5).
    private static func webSocket(_ bytes: UnsafeRawBufferPointer) -> PingFrame? {
        guard bytes.count >= 2, bytes[0] == 0x89 || bytes[0] == 0x8a, bytes[1] & 0x7f <= 125 else { return nil }
        guard bytes.count == 2 + Int(bytes[1] & 0x7f) + (bytes[1] & 0x80 == 0 ? 0 : 4) else { return nil }
        return bytes[0] == 0x89 ? .ping : .pong
    }

    /// PING and PONG of NATS (client protocol, "PING/PONG"), and of Redis (RESP: an array of one string).
    private static func text(_ bytes: UnsafeRawBufferPointer) -> PingFrame? {
        switch bytes.count {
        case natsPing.count: bytes.elementsEqual(natsPing) ? .ping : bytes.elementsEqual(natsPong) ? .pong : nil
        case redisPing.count: bytes.elementsEqual(redisPing) ? .ping : nil
        case redisPong.count: bytes.elementsEqual(redisPong) ? .pong : nil
        default: nil
        }
    }

    private static let natsPing = Array("PING\r\n".utf8)
    private static let natsPong = Array("PONG\r\n".utf8)
    private static let redisPing = Array("*1\r\n$4\r\nPING\r\n".utf8)
    private static let redisPong = Array("+PONG\r\n".utf8)
}
