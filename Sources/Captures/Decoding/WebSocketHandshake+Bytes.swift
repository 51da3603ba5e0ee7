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
        let text = String(decoding: payload.prefix(Self.maximumLength), as: UTF8.self).lowercased()
        guard isAnswer else {
            guard text.contains("\r\nupgrade: websocket\r\n") else { return nil }
            self = .request
            return
        }
        let words = text.split(separator: " ", maxSplits: 2)
        guard text.hasPrefix("http/1."), words.count > 1, let status = UInt16(words[1].prefix(3)) else { return nil }
        switch status {
        case 101: self = .accepted
        // An interim answer is followed by another one.
        case 100..<200: return nil
        default: self = .refused
        }
    }
}
