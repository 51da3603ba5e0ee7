public import DeadzonePrimitives

/// Bytes that a packet carries besides messages.
public enum Wire {
    /// IPv4 20 (RFC 791), TCP 20 (RFC 9293), timestamps option 12 with padding (RFC 7323).
    public static let tcp: UInt32 = 52
    /// IPv4 20, UDP 8 (RFC 768).
    public static let udp: UInt32 = 28
    /// TLS 1.3 record: header 5, content type 1, AEAD tag 16 (RFC 8446 §5.2).
    public static let tlsRecord: UInt32 = 22
    /// WebSocket frame header of a payload below 126 bytes: 2, and 4 of mask from the client (RFC 6455 §5.2).
    /// Longer payloads have 2 or 8 bytes more.
    public static func frame(_ direction: Direction, payload: UInt32) -> UInt32 {
        (direction == .up ? 6 : 2) + (payload < 126 ? 0 : payload < 65_536 ? 2 : 8)
    }

    /// The payload of one full segment on a 1,500-byte path.
    public static let segment: UInt32 = 1_448

    /// One message on a stream: frame, TLS record, and TCP/IP of as many segments as it fills.
    public static func message(_ payload: UInt32, _ direction: Direction) -> UInt32 {
        let stream = payload + frame(direction, payload: payload) + tlsRecord
        let segments = (stream + segment - 1) / segment
        return stream + segments * tcp
    }

    /// A WebSocket ping or pong without application data.
    public static func ping(_ direction: Direction) -> UInt32 {
        tcp + tlsRecord + frame(direction, payload: 0)
    }
}

/// How a connection is set up: one round trip after the other, each with its bytes.
public struct HandshakeLeg: Hashable, Sendable {
    public var cause: Cause
    public var up: UInt32
    public var down: UInt32

    public init(cause: Cause, up: UInt32, down: UInt32) {
        self.cause = cause
        self.up = up
        self.down = down
    }

    /// TCP, TLS 1.3 and an HTTP upgrade: three round trips to the first byte served (RFC 9293 §3.5, RFC 8446 §2, RFC 6455 §4).
    /// SYN with its usual options is 60 bytes. The ClientHello of 517 bytes is the padded size of RFC 7685; the server's
    /// flight of 3,400 bytes with a chain of two certificates, and 300 and 150 bytes of HTTP header, are assumed.
    public static let tcpTLSUpgrade: [HandshakeLeg] = [
        HandshakeLeg(cause: .connect, up: 60, down: 60),
        HandshakeLeg(cause: .tls, up: Wire.tcp + 517, down: 3 * Wire.tcp + 3_400),
        HandshakeLeg(
            cause: .connect, up: Wire.tcp + 74 + Wire.tlsRecord + 300, down: Wire.tcp + Wire.tlsRecord + 150),
    ]
}
