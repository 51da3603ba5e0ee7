/// Sizes in bytes of HTTP/2 frames (RFC 9113 §4.1, §6).
package enum HTTP2Wire {
    package static let header: UInt32 = 9
    /// Size of the length prefix of a gRPC message: 5 bytes (grpc/grpc `doc/PROTOCOL-HTTP2.md`).
    package static let message: UInt32 = 5
    package static let ping: UInt32 = header + 8
    package static let windowUpdate: UInt32 = header + 4

    /// Size of a GOAWAY frame: last stream, code and debug data (RFC 9113 §6.8). gRPC sends `too_many_pings` as debug
    /// data (gRFC A8).
    package static func goAway(_ code: HTTP2Error) -> UInt32 { header + 8 + (code == .enhanceYourCalm ? 14 : 0) }
}

/// Sizes in bytes of HTTP/3 frames, which begin with type and length (RFC 9114 §7.1).
package enum HTTP3Wire {
    package static let header: UInt32 = 1 + 2
}

/// Sizes in bytes of the parts of HTTP/1.1 messages (RFC 9112). Two sizes are assumed: `emptyAnswer`, a 204 No Content
/// with its few fields, and `separator`, between messages of one response.
package enum HTTP1Wire {
    package static let emptyAnswer: UInt32 = 120
    package static let separator: UInt32 = 2
    /// Size of a server-sent event without its payload: `id:` and `data:` with their line ends, and the header and end
    /// of a chunk (RFC 9112 §7.1).
    package static let event: UInt32 = 16 + 8 + 6
}

/// Sizes in bytes of MQTT 3.1.1 packets (OASIS MQTT 3.1.1 §2.2, §3). The length of the topic is assumed.
package enum MQTTWire {
    package static let topic: UInt32 = 20
    package static let puback: UInt32 = 4

    /// Size of a PUBLISH packet with QoS 1: type, remaining length, topic with its length, packet identifier, payload.
    package static func publish(_ payload: UInt32) -> UInt32 {
        let rest = 2 + topic + 2 + payload
        return 1 + lengthBytes(rest) + rest
    }

    /// Size of the remaining-length field: seven bits of the length in each byte (OASIS MQTT 3.1.1 §2.2.3).
    static func lengthBytes(_ length: UInt32) -> UInt32 {
        length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : length < 1 << 21 ? 3 : 4
    }
}
