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
}
