/// HTTP/2 frames (RFC 9113 §4.1, §6).
public enum HTTP2Wire {
    public static let header: UInt32 = 9
    /// The length prefix of a gRPC message: 5 bytes (grpc/grpc `doc/PROTOCOL-HTTP2.md`).
    public static let message: UInt32 = 5
    public static let ping: UInt32 = header + 8
    public static let windowUpdate: UInt32 = header + 4

    /// Last stream, code and debug data (RFC 9113 §6.8); `too_many_pings` is what gRPC says of pings (gRFC A8).
    public static func goAway(_ code: HTTP2Error) -> UInt32 { header + 8 + (code == .enhanceYourCalm ? 14 : 0) }
}

/// HTTP/3 frames (RFC 9114 §7.1): type and length.
public enum HTTP3Wire {
    public static let header: UInt32 = 1 + 2
}

/// HTTP/1.1 (RFC 9112). All assumed: 204 No Content with its few fields, and what stands between messages of one answer.
public enum HTTP1Wire {
    public static let emptyAnswer: UInt32 = 120
    public static let separator: UInt32 = 2
    /// `id:` and `data:` with their line ends of a server-sent event, and a chunk's header and end (RFC 9112 §7.1).
    public static let event: UInt32 = 16 + 8 + 6
}

/// MQTT 3.1.1 packets (OASIS MQTT 3.1.1 §2.2, §3). A topic of usual length, assumed.
public enum MQTTWire {
    public static let topic: UInt32 = 20
    public static let puback: UInt32 = 4

    /// QoS 1: type, remaining length, topic with its length, packet identifier, payload.
    public static func publish(_ payload: UInt32) -> UInt32 {
        let rest = 2 + topic + 2 + payload
        return 1 + lengthBytes(rest) + rest
    }

    /// Seven bits to a byte (OASIS MQTT 3.1.1 §2.2.3).
    static func lengthBytes(_ length: UInt32) -> UInt32 {
        length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : length < 1 << 21 ? 3 : 4
    }
}
