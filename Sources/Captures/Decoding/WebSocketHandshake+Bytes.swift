package import DeadzoneBase

/// Recognises the messages of a WebSocket's handshake by the first bytes of a segment.
extension WebSocketHandshake {
    /// A request with all its fields fits in this number of bytes.
    package static let maximumLength = 2_048

    /// `nil` if the bytes do not begin like such a message. An answer has a meaning only after a request.
    @inline(__always) package init?(_ payload: UnsafeRawBufferPointer) {
        guard payload.count >= 16 else { return nil }
        let word = UInt32(bigEndian: payload.loadUnaligned(as: UInt32.self))
        // `GET ` and `HTTP`.
        guard word == 0x4745_5420 || word == 0x4854_5450 else { return nil }
        self.init(text: payload, isAnswer: word == 0x4854_5450)
    }

    @inline(never) private init?(text payload: UnsafeRawBufferPointer, isAnswer: Bool) {
        guard isAnswer else {
            guard Self.hasUpgrade(payload.prefix(Self.maximumLength)) else { return nil }
            self = .request
            return
        }
        guard let status = Self.status(payload) else { return nil }
        switch status {
        case 101: self = .accepted
        // An interim answer is followed by another one.
        case 100..<200: return nil
        default: self = .refused
        }
    }

    /// The field of a request for a WebSocket, with the ends of the lines around it.
    private static let upgrade = Array("\r\nupgrade: websocket\r\n".utf8)

    /// `true` if a request has that field, in letters of either case. Bytes are compared, because text of Unicode took a
    /// fifth of the time of a replay.
    private static func hasUpgrade(_ request: Slice<UnsafeRawBufferPointer>) -> Bool {
        let (request, upgrade) = (UnsafeRawBufferPointer(rebasing: request), upgrade)
        guard request.count >= upgrade.count else { return false }
        for start in 0...(request.count - upgrade.count) where request[start] == upgrade[0] {
            if zip(request[start...], upgrade).allSatisfy({ $0.lowercased == $1 }) { return true }
        }
        return false
    }

    /// The status of an answer such as `HTTP/1.1 101 Switching Protocols` (RFC 9112, section 4).
    private static func status(_ answer: UnsafeRawBufferPointer) -> Int? {
        guard answer.starts(with: "HTTP/1.".utf8), answer[8] == UInt8(ascii: " ") else { return nil }
        var status = 0
        for byte in answer[9..<12] {
            guard (48...57).contains(byte) else { return nil }
            status = 10 * status + Int(byte - 48)
        }
        return status
    }
}
