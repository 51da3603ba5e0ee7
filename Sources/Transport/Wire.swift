package import DeadzoneBase

/// Sizes in bytes of the TCP, UDP, TLS and WebSocket headers that are added to messages.
package enum Wire {
    /// Size of the TCP/IP headers: IPv4 20 (RFC 791), TCP 20 (RFC 9293), timestamps option 12 with padding (RFC 7323).
    package static let tcp: UInt32 = 52
    /// Size of the UDP/IP headers: IPv4 20, UDP 8 (RFC 768).
    package static let udp: UInt32 = 28
    /// Bytes that a TLS 1.3 record adds: header 5, content type 1, AEAD tag 16 (RFC 8446 §5.2).
    package static let tlsRecord: UInt32 = 22
    /// Size of a WebSocket frame header. For a payload below 126 bytes: 2, and 4 for the client's mask (RFC 6455 §5.2).
    /// Longer payloads have 2 or 8 bytes more.
    package static func frame(_ direction: Direction, payload: UInt32) -> UInt32 {
        (direction == .up ? 6 : 2) + (payload < 126 ? 0 : payload < 65_536 ? 2 : 8)
    }

    /// Maximum payload of one TCP segment on a path with an MTU of 1,500 bytes.
    package static let segment: UInt32 = 1_448
}
