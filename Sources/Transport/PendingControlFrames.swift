/// Control frames that one end of a connection must still send, because its send queue was full. Each frame is kept
/// once; counts and window updates are added up. They are sent before anything else once the send queue has room, so a
/// full socket loses no frame.
///
///     send ──room──▶ on the stream
///       └─ no room ─▶ pending ──room, at the next flush──▶ on the stream
package struct PendingControlFrames: BitwiseCopyable, Sendable {
    /// Bit n is set if the frame with item number n is pending.
    var flags: UInt32 = 0
    var confirmations: UInt32 = 0
    var connectionUpdate: UInt32 = 0
    var streamUpdate: UInt32 = 0
    /// One more than the number of the latest pending pong. Zero if none is pending.
    var pongEnd: UInt32 = 0

    package init() {}

    package var isEmpty: Bool {
        flags == 0 && confirmations == 0 && connectionUpdate == 0 && streamUpdate == 0 && pongEnd == 0
    }

    package mutating func add(_ frame: ControlFrame) {
        switch frame {
        case .confirmation(let count): confirmations = confirmations.addingClamped(count)
        case .connectionWindowUpdate(let bytes): connectionUpdate = connectionUpdate.addingClamped(bytes)
        case .streamWindowUpdate(let bytes): streamUpdate = streamUpdate.addingClamped(bytes)
        case .pong(let number): pongEnd = number + 1
        default: flags |= 1 << frame.item
        }
    }

    /// The pending frame to send next; `nil` if none is pending. Pongs go first: they always fit into the send queue,
    /// so they never wait. The end of the stream goes last.
    package var first: ControlFrame? { isEmpty ? nil : next }

    var next: ControlFrame? {
        if pongEnd > 0 { return .pong(pongEnd - 1) }
        if flags & ~Self.finishBit != 0 {
            return ControlFrame(item: UInt32((flags & ~Self.finishBit).trailingZeroBitCount))
        }
        if connectionUpdate > 0 { return .connectionWindowUpdate(connectionUpdate) }
        if streamUpdate > 0 { return .streamWindowUpdate(streamUpdate) }
        if confirmations > 0 { return .confirmation(confirmations) }
        return flags == 0 ? nil : .finish
    }

    /// Removes a pending frame, after it was put on the stream.
    package mutating func remove(_ frame: ControlFrame) {
        switch frame {
        case .confirmation: confirmations = 0
        case .connectionWindowUpdate: connectionUpdate = 0
        case .streamWindowUpdate: streamUpdate = 0
        case .pong: pongEnd = 0
        default: flags &= ~(1 << frame.item)
        }
    }

    private static let finishBit: UInt32 = 1 << ControlFrame.finish.item
}

extension UInt32 {
    /// Adds without overflow. The sum is limited to 2^31 − 1, the largest window (RFC 9113 §6.9.1).
    fileprivate func addingClamped(_ more: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(more)
        return Swift.min(overflow ? .max : sum, UInt32(HTTP2Window.largest))
    }
}

/// A control frame that a client or server sends on a connection's stream. A `FrameRange` stores it as an item number.
package enum ControlFrame: Hashable, Sendable {
    /// GOAWAY: the first one of a graceful shutdown, and the final one with the number of the last stream that is
    /// answered.
    case goAway, finalGoAway
    /// GOAWAY with ENHANCE_YOUR_CALM: the server closes the connection because the client sent too many pings.
    case tooManyPings
    /// A polling request, which the server may hold until it has data, and the response to it.
    case poll, pollAnswer
    /// A heartbeat of the server that needs no answer. It is never kept as pending: if the socket is full, the data in
    /// it serves the same purpose.
    case heartbeat
    /// The server refuses the session: temporarily, or permanently.
    case sessionRefused, sessionRefusedPermanently
    /// FIN, the end of the stream. It has its own frame kind, `.finish`.
    case finish
    /// The server refuses the login, because it does not know the client.
    case loginRefused
    /// The server's program ends the session's stream with success: trailers with the status OK in gRPC, close code
    /// 1000 in a WebSocket. The end of the connection follows.
    case streamCompleted
    /// The client requests the complete state (a snapshot) again.
    case resync
    /// The server's program refuses the app's next message: temporarily, permanently, or because an earlier upload
    /// still locks it. The answer also confirms every message before it.
    case messageRefused, messageRefusedPermanently, messageLocked
    /// The client sends messages again, from a refused one on. A real client sends no frame for it.
    case messagesAgain
    /// The client asks how much of its first message the server has, and the answer: HEAD of tus.
    case offsetRequest, offset
    /// Confirmations of received messages, such as PUBACKs. The value is the number of confirmed messages.
    case confirmation(UInt32)
    /// WINDOW_UPDATE for the connection's window, and for the stream's window, with the increment in bytes.
    case connectionWindowUpdate(UInt32), streamWindowUpdate(UInt32)
    /// The answer to the ping with this number. It has its own frame kind, `.pong`.
    case pong(UInt32)

    private static let firstUpdateItem: UInt32 = 16

    package init?(item: UInt32) {
        switch item {
        case 0: self = .goAway
        case 1: self = .tooManyPings
        case 2: self = .finalGoAway
        case 3: self = .poll
        case 4: self = .pollAnswer
        case 5: self = .finish
        case 6: self = .confirmation(1)
        case 7: self = .heartbeat
        case 8: self = .loginRefused
        case 9: self = .resync
        case 10: self = .streamCompleted
        case 11: self = .messageRefused
        case 12: self = .sessionRefused
        case 13: self = .sessionRefusedPermanently
        case 14: self = .messageRefusedPermanently
        case 15: self = .messageLocked
        case 16: self = .messagesAgain
        case 17: self = .offsetRequest
        case 18: self = .offset
        case Self.firstUpdateItem...:
            self = item & 1 == 0 ? .connectionWindowUpdate(item >> 1) : .streamWindowUpdate(item >> 1)
        default: return nil
        }
    }

    package var item: UInt32 {
        switch self {
        case .goAway: 0
        case .tooManyPings: 1
        case .finalGoAway: 2
        case .poll: 3
        case .pollAnswer: 4
        case .finish: 5
        case .confirmation: 6
        case .heartbeat: 7
        case .loginRefused: 8
        case .resync: 9
        case .streamCompleted: 10
        case .messageRefused: 11
        case .sessionRefused: 12
        case .sessionRefusedPermanently: 13
        case .messageRefusedPermanently: 14
        case .messageLocked: 15
        case .messagesAgain: 16
        case .offsetRequest: 17
        case .offset: 18
        // Half a window is far more than the item numbers above.
        case .connectionWindowUpdate(let bytes): max(bytes, Self.firstUpdateItem) << 1
        case .streamWindowUpdate(let bytes): max(bytes, Self.firstUpdateItem) << 1 | 1
        case .pong(let number): number
        }
    }

    package var kind: FrameKind {
        switch self {
        case .pong: .pong
        case .finish: .finish
        default: .control
        }
    }

    package func bytes(_ framing: Framing) -> UInt32 {
        switch self {
        case .goAway, .finalGoAway: framing.control(HTTP2Wire.goAway(.noError))
        case .tooManyPings: framing.control(HTTP2Wire.goAway(.enhanceYourCalm))
        case .poll, .pollAnswer, .pong: framing.ping
        // A response of some hundred bytes, or a close frame with its reason (assumed).
        case .sessionRefused, .sessionRefusedPermanently: framing.control(150)
        // As small an answer as an HTTP error without a body, with its compressed fields (assumed).
        case .messageRefused, .messageRefusedPermanently, .messageLocked, .offsetRequest, .offset:
            framing.message(41)
        case .finish, .heartbeat, .messagesAgain: 1
        // The code of RFC 6455 §7.4.1; similarly small in other protocols.
        case .loginRefused: framing.control(2)
        // Trailers with compressed fields, as after an answer (`exchange`).
        case .streamCompleted: framing.control(9 + 12)
        // A StreamRequest with a cursor and a session (`Envelope`).
        case .resync: framing.message(41)
        case .confirmation(let count): framing.confirmationBytes * count
        case .connectionWindowUpdate, .streamWindowUpdate: framing.control(HTTP2Wire.windowUpdate)
        }
    }
}
