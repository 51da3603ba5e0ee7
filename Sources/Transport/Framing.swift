public import DeadzonePrimitives

/// What a message, a call or a ping takes on the byte stream of a connection, one way: the frame of its protocol and the
/// records that encrypt it. TCP/IP is added for each segment.
public struct Framing: Hashable, Sendable, BitwiseCopyable {
    /// What speaks on the stream.
    public enum Tongue: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case webSocket, http2, http1, mqtt
        /// HTTP/2's successor over QUIC, which seals by itself.
        case http3
        /// HTTP/1.1 with an answer that never ends (server-sent events), and requests beside it.
        case events
    }

    public enum Security: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case none
        case tls12, tls12Resumed
        case tls13, tls13Resumed, tls13Early
    }

    public var tongue: Tongue
    public var security: Security
    public var direction: Direction
    /// Of HTTP/1.1: before each request, or each answer.
    public var header: UInt32

    public init(
        _ tongue: Tongue, _ security: Security = .tls13, _ direction: Direction, headers: HeaderSizes = HeaderSizes()
    ) {
        self.tongue = tongue
        self.security = security
        self.direction = direction
        header = headers.bytes(direction)
    }

    /// A message of the app or of the server.
    public func message(_ payload: UInt32) -> UInt32 {
        switch tongue {
        case .webSocket: sealed(payload + Wire.frame(direction, payload: payload))
        case .http2: sealed(http2Data(payload))
        // A request of its own; or a part of the answer to a poll, whose header is the answer's.
        case .http1: sealed(payload + (direction == .up ? header : HTTP1Wire.separator))
        case .mqtt: sealed(MQTTWire.publish(payload))
        case .http3: sealed(payload + HTTP2Wire.message + HTTP3Wire.header)
        case .events: sealed(payload + (direction == .up ? header : HTTP1Wire.event))
        }
    }

    /// What the program at the other end says to each message that it has, beside its kernel: an answer without content, a
    /// PUBACK; zero: nothing.
    public var confirmation: UInt32 {
        switch tongue {
        case .webSocket, .http2, .http3: 0
        case .http1, .events: direction == .down ? sealed(HTTP1Wire.emptyAnswer) : 0
        case .mqtt: sealed(MQTTWire.puback)
        }
    }

    /// What flow control counts of so many items: a gRPC message with its prefix, without frames and records of a small one
    /// (RFC 9113 §6.9.1).
    public func controlled(_ bytes: UInt32, count: UInt32, isMessage: Bool) -> UInt32 {
        let beside = (isMessage ? message(0) : exchange(0)) - HTTP2Wire.message
        return bytes - min(beside * count, bytes)
    }

    /// A question of the app, or the server's answer to it.
    public func exchange(_ payload: UInt32) -> UInt32 {
        switch tongue {
        case .webSocket, .mqtt: message(payload)
        // HEADERS before, and trailers after an answer, of compressed fields (RFC 7541): 60, 20 and 12 bytes are assumed.
        case .http2: sealed(http2Data(payload) + (direction == .up ? 9 + 60 : 9 + 20 + 9 + 12))
        case .http1, .events: sealed(payload + header)
        case .http3: sealed(payload + HTTP2Wire.message + HTTP3Wire.header + (direction == .up ? 60 : 20 + 12))
        }
    }

    /// A ping, and as many bytes for its answer.
    public var ping: UInt32 {
        switch tongue {
        case .webSocket: sealed(Wire.frame(direction, payload: 0))
        // PING: 9 bytes of frame header, 8 of data (RFC 9113 §6.7).
        case .http2: sealed(HTTP2Wire.ping)
        // A request for nothing.
        case .http1, .events: sealed(header)
        // PING is a byte; its answer is an acknowledgement and nothing else (RFC 9000 §19.2).
        case .http3: sealed(1)
        // PINGREQ, PINGRESP (MQTT 3.1.1 §3.12).
        case .mqtt: sealed(2)
        }
    }

    /// Bytes of the protocol itself, such as a GOAWAY of 9 + 8 bytes.
    public func control(_ bytes: UInt32) -> UInt32 { sealed(bytes) }

    /// DATA frames of at most 16,384 bytes (RFC 9113 §4.2) around a gRPC message of 5 bytes of prefix
    /// (grpc/grpc doc/PROTOCOL-HTTP2.md).
    private func http2Data(_ payload: UInt32) -> UInt32 {
        let message = payload + 5
        return message + 9 * ((message + 16_383) / 16_384)
    }

    /// Encrypted, in records of at most 16,384 bytes (RFC 8446 §5.1). A record of TLS 1.2 with AES-GCM has 5 bytes of header,
    /// 8 of nonce and 16 of tag (RFC 5288 §3).
    @inline(__always)
    private func sealed(_ bytes: UInt32) -> UInt32 {
        let record: UInt32 =
            switch tongue == .http3 ? .none : security {
            case .none: 0
            case .tls12, .tls12Resumed: 29
            case .tls13, .tls13Resumed, .tls13Early: Wire.tlsRecord
            }
        return max(bytes + record * ((bytes + 16_383) / 16_384), 1)
    }
}
