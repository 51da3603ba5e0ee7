import DeadzonePrimitives

/// Pings and their answers where a protocol is plain: a segment that is nothing else.
enum SignOfLife {
    static func cause(of payload: ArraySlice<UInt8>) -> Cause? {
        mqtt(payload) ?? http2(payload) ?? webSocket(payload) ?? tls(payload)
    }

    /// PINGREQ and PINGRESP (MQTT 3.1.1, sections 3.12 and 3.13).
    private static func mqtt(_ bytes: ArraySlice<UInt8>) -> Cause? {
        guard bytes.count == 2, bytes.last == 0 else { return nil }
        return bytes.first == 0xc0 ? .keepalive : bytes.first == 0xd0 ? .pong : nil
    }

    /// A PING frame of 8 bytes (RFC 9113, section 6.7).
    private static func http2(_ bytes: ArraySlice<UInt8>) -> Cause? {
        guard bytes.count == 17, bytes.prefix(4).elementsEqual([0, 0, 8, 6]) else { return nil }
        return bytes[bytes.startIndex + 4] & 1 == 0 ? .keepalive : .pong
    }

    /// A final control frame of at most 125 bytes, masked by a client (RFC 6455, section 5.5).
    private static func webSocket(_ bytes: ArraySlice<UInt8>) -> Cause? {
        guard bytes.count >= 2, let first = bytes.first, first == 0x89 || first == 0x8a else { return nil }
        let second = bytes[bytes.startIndex + 1]
        let length = 2 + Int(second & 0x7f) + (second & 0x80 == 0 ? 0 : 4)
        guard second & 0x7f <= 125, bytes.count == length else { return nil }
        return first == 0x89 ? .keepalive : .pong
    }

    /// A handshake record, or a change of ciphers (RFC 8446, section 5.1).
    private static func tls(_ bytes: ArraySlice<UInt8>) -> Cause? {
        guard bytes.count >= 6, bytes[bytes.startIndex + 1] == 3 else { return nil }
        return bytes.first == 22 || bytes.first == 20 ? .tls : nil
    }
}
