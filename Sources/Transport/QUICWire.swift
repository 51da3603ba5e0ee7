/// What QUIC packets carry besides the app's bytes (RFC 9000 §17, §19).
public enum QUICWire {
    /// UDP/IP 28; first byte 1, destination connection ID 8 (assumed length, as quiche and Chromium choose for servers), packet
    /// number 2 (RFC 9000 §17.3.1), AEAD tag 16 (RFC 9001 §5.3).
    public static let packet: UInt32 = Wire.udp + 1 + 8 + 2 + 16
    /// A STREAM frame's type, stream, offset and length (RFC 9000 §19.8); numbers of the usual sizes.
    public static let stream: UInt32 = 1 + 1 + 4 + 2
    /// ACK with one range: type, largest, delay, count, first range (RFC 9000 §19.3).
    public static let acknowledgement: UInt32 = 1 + 2 + 2 + 1 + 1
    /// The app's bytes in a datagram of 1,250 (google/quiche `quiche/quic/core/quic_constants.h` `kDefaultMaxPacketSize`).
    public static let segment: UInt32 = 1_250 - (packet - Wire.udp) - stream
    /// PING (RFC 9000 §19.2).
    public static let ping: UInt32 = packet + 1

    /// PATH_CHALLENGE where padding is not allowed: type and 8 bytes (RFC 9000 §19.17).
    public static let challenge: UInt32 = packet + 9

    /// The client's first datagram, padded (RFC 9000 §14.1).
    public static let initial: UInt32 = Wire.udp + QUICPath.padded
    /// CONNECTION_CLOSE: type, code, frame, empty reason (RFC 9000 §19.19).
    public static let close: UInt32 = packet + 4

    /// The server's answer in the handshake: ServerHello, certificates and Finished of 3,400 bytes as for TLS over TCP (assumed)
    /// in three datagrams, which an unproven address may be sent for one padded Initial (RFC 9000 §8.1). Resumed without
    /// certificates, in one padded datagram.
    public static func answer(_ security: Framing.Security) -> UInt32 {
        switch security {
        case .tls12Resumed, .tls13Resumed, .tls13Early: initial
        case .none, .tls12, .tls13: 3 * (Wire.udp + 45) + 3_400
        }
    }
}
