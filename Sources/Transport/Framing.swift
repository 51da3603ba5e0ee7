package import DeadzoneBase

/// Computes how many bytes a message, call or ping takes on the byte stream of a connection, in one direction. The size
/// includes the frame of its protocol and the TLS records that encrypt it. TCP/IP headers are added for each segment
/// elsewhere.
package struct Framing: Hashable, Sendable, BitwiseCopyable {
    /// The application protocol that frames messages on a connection, such as WebSocket or HTTP/2.
    package enum WireProtocol: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case webSocket, http2, http1, mqtt
        /// A protocol of the app's own on a TCP stream: the length of each message in 4 bytes, then the message.
        case lengthPrefixed
        /// HTTP/3, which runs over QUIC. QUIC encrypts by itself, so no TLS record is added.
        case http3
        /// HTTP/1.1 with server-sent events: one response that never ends, and separate requests in the other
        /// direction.
        case events
    }

    /// Bytes before each message of `lengthPrefixed`. Assumed: many binary protocols have a 32-bit length.
    package static let lengthPrefix: UInt32 = 4

    package enum TLSVariant: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case none
        case tls12, tls12Resumed
        case tls13, tls13Resumed, tls13Early
    }

    package var wireProtocol: WireProtocol
    package var security: TLSVariant
    package var direction: Direction
    /// HTTP/1.1 only: bytes of the header before each request (direction up) or before each response (direction down).
    package var header: UInt32

    package init(
        _ wireProtocol: WireProtocol, _ security: TLSVariant = .tls13, _ direction: Direction,
        headers: HTTP1HeaderSizes = HTTP1HeaderSizes()
    ) {
        self.wireProtocol = wireProtocol
        self.security = security
        self.direction = direction
        header = headers.bytes(direction)
    }

    /// Size in bytes on the stream of a message with this payload, sent by the app or by the server.
    package func message(_ payload: UInt32) -> UInt32 {
        switch wireProtocol {
        case .webSocket: encrypted(payload + Wire.frame(direction, payload: payload))
        case .http2: encrypted(http2Data(payload))
        // A separate request; or a part of the answer to a poll, which has one header for the whole answer.
        case .http1: encrypted(payload + (direction == .up ? header : HTTP1Wire.separator))
        case .mqtt: encrypted(MQTTWire.publish(payload))
        case .lengthPrefixed: encrypted(payload + Self.lengthPrefix)
        case .http3: encrypted(payload + HTTP2Wire.message + HTTP3Wire.header)
        case .events: encrypted(payload + (direction == .up ? header : HTTP1Wire.event))
        }
    }

    /// Size in bytes of the confirmation that the program sends for each message received in this direction: an empty
    /// HTTP response or a PUBACK. The kernel's acknowledgement is separate. Zero if the protocol has no such
    /// confirmation.
    package var confirmationBytes: UInt32 {
        switch wireProtocol {
        case .webSocket, .http2, .http3, .lengthPrefixed: 0
        case .http1, .events: direction == .down ? encrypted(HTTP1Wire.emptyAnswer) : 0
        case .mqtt: encrypted(MQTTWire.puback)
        }
    }

    /// Returns the part of `bytes` that HTTP/2 flow control counts, for `count` items. It counts a gRPC message with
    /// its prefix, but not the frame headers and TLS records of a small message (RFC 9113 §6.9.1). The headers of other
    /// protocols can be smaller than this prefix; then all bytes count.
    package func flowControlledBytes(_ bytes: UInt32, count: UInt32, isMessage: Bool) -> UInt32 {
        let headers = isMessage ? message(0) : exchange(0)
        let beside = headers - min(headers, HTTP2Wire.message)
        return bytes - min(beside * count, bytes)
    }

    /// Size in bytes on the stream of a call of the app, or of the server's answer to it.
    package func exchange(_ payload: UInt32) -> UInt32 {
        switch wireProtocol {
        case .webSocket, .mqtt, .lengthPrefixed: message(payload)
        // HEADERS before an exchange, and trailers after an answer, with compressed fields (RFC 7541): 60, 20 and 12
        // bytes are assumed.
        case .http2: encrypted(http2Data(payload) + (direction == .up ? 9 + 60 : 9 + 20 + 9 + 12))
        case .http1, .events: encrypted(payload + header)
        case .http3: encrypted(payload + HTTP2Wire.message + HTTP3Wire.header + (direction == .up ? 60 : 20 + 12))
        }
    }

    /// Size in bytes on the stream of a ping. The answer to a ping has the same size.
    package var ping: UInt32 {
        switch wireProtocol {
        case .webSocket: encrypted(Wire.frame(direction, payload: 0))
        // PING: 9 bytes of frame header, 8 of data (RFC 9113 §6.7).
        case .http2: encrypted(HTTP2Wire.ping)
        // A request without content.
        case .http1, .events: encrypted(header)
        // PING is one byte; its answer is just an acknowledgement (RFC 9000 §19.2).
        case .http3: encrypted(1)
        // PINGREQ, PINGRESP (MQTT 3.1.1 §3.12).
        case .mqtt: encrypted(2)
        // A message without content.
        case .lengthPrefixed: encrypted(Self.lengthPrefix)
        }
    }

    /// Size in bytes on the stream of a control frame, encryption included. A GOAWAY, for example, has 9 + 8 bytes
    /// before it.
    package func control(_ bytes: UInt32) -> UInt32 { encrypted(bytes) }

    /// Size in bytes of a payload as gRPC message: 5 bytes of prefix (grpc/grpc doc/PROTOCOL-HTTP2.md), in DATA frames
    /// of at most 16,384 bytes (RFC 9113 §4.2).
    private func http2Data(_ payload: UInt32) -> UInt32 {
        let message = payload + 5
        return message + 9 * ((message + 16_383) / 16_384)
    }

    /// Size after encryption, in records of at most 16,384 bytes (RFC 8446 §5.1). A record of TLS 1.2 with AES-GCM has
    /// 5 bytes of header, 8 of nonce and 16 of tag (RFC 5288 §3).
    @inline(__always)
    private func encrypted(_ bytes: UInt32) -> UInt32 {
        let record: UInt32 =
            switch wireProtocol == .http3 ? .none : security {
            case .none: 0
            case .tls12, .tls12Resumed: 29
            case .tls13, .tls13Resumed, .tls13Early: Wire.tlsRecord
            }
        return max(bytes + record * ((bytes + 16_383) / 16_384), 1)
    }
}
