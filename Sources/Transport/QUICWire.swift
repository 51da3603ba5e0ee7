/// Sizes in bytes of QUIC packets and of the frames in them, without the app's data (RFC 9000 §17, §19).
package enum QUICWire {
    /// Size of a packet without its frames: UDP/IP headers 28; first byte 1, destination connection ID 8 (assumed
    /// length, as quiche and Chromium choose for servers), packet number 2 (RFC 9000 §17.3.1), AEAD tag 16 (RFC 9001
    /// §5.3).
    package static let packet: UInt32 = Wire.udp + 1 + 8 + 2 + 16
    /// Size of a STREAM frame's header: type, stream, offset and length (RFC 9000 §19.8), with numbers of the usual
    /// sizes.
    package static let stream: UInt32 = 1 + 1 + 4 + 2
    /// Size of an ACK frame with one range: type, largest, delay, count, first range (RFC 9000 §19.3).
    package static let acknowledgement: UInt32 = 1 + 2 + 2 + 1 + 1
    /// Maximum app data in one datagram, which has 1,250 bytes (google/quiche `quiche/quic/core/quic_constants.h`
    /// `kDefaultMaxPacketSize`).
    package static let segment: UInt32 = 1_250 - (packet - Wire.udp) - stream
    /// Size of a packet with only a PING frame (RFC 9000 §19.2).
    package static let ping: UInt32 = packet + 1

    /// Size of a packet with only a PATH_CHALLENGE, where padding is not allowed: type and 8 bytes (RFC 9000 §19.17).
    package static let challenge: UInt32 = packet + 9

    /// Size of the client's first datagram, with padding (RFC 9000 §14.1).
    package static let initial: UInt32 = Wire.udp + QUICPath.padded
    /// Size of a packet with only a CONNECTION_CLOSE: type, code, frame, empty reason (RFC 9000 §19.19).
    package static let close: UInt32 = packet + 4

    /// Size of the server's answer in the handshake: ServerHello, certificates and Finished of 3,400 bytes, as for TLS
    /// over TCP (assumed), in three datagrams. Three times one padded Initial may be sent to an unproven address (RFC
    /// 9000 §8.1). A resumed handshake has no certificates and fits into one padded datagram.
    package static func answer(_ security: Framing.TLSVariant) -> UInt32 {
        switch security {
        case .tls12Resumed, .tls13Resumed, .tls13Early: initial
        case .none, .tls12, .tls13: 3 * (Wire.udp + 45) + 3_400
        }
    }
}
