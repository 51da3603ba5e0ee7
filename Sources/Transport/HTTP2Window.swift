/// An HTTP/2 send window: how many bytes of DATA may be sent before the other end grants more. One stream has such a
/// window, and all streams of a connection together have one (RFC 9113 §5.2, §6.9). Only DATA counts.
package struct HTTP2Window: Hashable, Sendable, BitwiseCopyable {
    /// Initial size in bytes of a window (RFC 9113 §6.9.2). SETTINGS_INITIAL_WINDOW_SIZE can change it for streams, but
    /// not for the connection.
    package static let initial: Int64 = 65_535
    /// Largest allowed window in bytes, 2^31 − 1 (RFC 9113 §6.9.1).
    package static let largest: Int64 = 2_147_483_647

    package private(set) var bytes: Int64

    package init(_ bytes: Int64 = Self.initial) { self.bytes = bytes }

    /// Number of bytes that may be sent now.
    package var available: UInt32 { UInt32(max(bytes, 0)) }

    /// Subtracts the bytes of an item. An item is sent whole once it has begun, so the window can become negative.
    mutating func overdraw(_ count: UInt32) { bytes -= Int64(count) }

    /// Adds the increment of a WINDOW_UPDATE (RFC 9113 §6.9, §6.9.1). If the update is invalid, returns the error and
    /// changes nothing.
    package mutating func grow(by increment: UInt32) -> HTTP2Error {
        guard increment > 0 else { return .protocolError }
        guard bytes + Int64(increment) <= Self.largest else { return .flowControlError }
        bytes += Int64(increment)
        return .noError
    }
}

/// HTTP/2 error codes, as sent in RST_STREAM and GOAWAY frames (RFC 9113 §7).
package enum HTTP2Error: UInt8, Hashable, Sendable, BitwiseCopyable {
    case noError = 0x0
    case protocolError = 0x1
    case flowControlError = 0x3
    case enhanceYourCalm = 0xb
}

/// The two send windows that limit the DATA of one HTTP/2 stream: its own and the connection's (RFC 9113 §5.2.1).
package struct HTTP2SendWindows: Hashable, Sendable, BitwiseCopyable {
    package var connection: HTTP2Window
    package var stream: HTTP2Window

    package init(connection: HTTP2Window = HTTP2Window(), stream: HTTP2Window = HTTP2Window()) {
        self.connection = connection
        self.stream = stream
    }

    package var available: UInt32 { min(connection.available, stream.available) }
}

/// Flow control for items of a stream: all messages belong to one long stream, and each call has its own stream. An
/// item is written whole once it has begun, so a window can be negative by less than one item. Not modelled: the window
/// of a call's stream.
extension HTTP2SendWindows {
    /// Applies WINDOW_UPDATE increments to the connection's window and the stream's window. Zero means no update.
    package mutating func grow(connection: UInt32, stream: UInt32) {
        if connection > 0 { _ = self.connection.grow(by: connection) }
        if stream > 0 { _ = self.stream.grow(by: stream) }
    }

    func admits(_ kind: FrameKind) -> Bool {
        switch kind {
        case .message, .snapshot: available > 0
        case .call, .answer: connection.available > 0
        // A receipt is small, and the next one replaces it, so it bypasses the windows. An error is trailers without
        // DATA.
        case .refusal, .ping, .pong, .flight, .control, .finish, .receipt, .subscription: true
        }
    }

    mutating func charge(_ kind: FrameKind, _ bytes: UInt32, _ framing: Framing) {
        guard kind.isFlowControlled else { return }
        let count = framing.flowControlledBytes(bytes, count: 1, isMessage: kind.isOnSessionStream)
        connection.overdraw(count)
        if kind.isOnSessionStream { stream.overdraw(count) }
    }
}

extension FrameKind {
    /// `true` for items that are sent as DATA of the session's long-lived stream.
    package var isOnSessionStream: Bool { self == .message || self == .snapshot }
    /// `true` for items that are sent as DATA, which HTTP/2 flow control counts.
    package var isFlowControlled: Bool { isOnSessionStream || self == .call || self == .answer }
}

/// Counts consumed bytes of one HTTP/2 receive window, and says when a WINDOW_UPDATE is due. It grants the bytes again
/// once they are half of the window, as OkHttp does (square/okhttp
/// `okhttp/src/main/kotlin/okhttp3/internal/http2/Http2Connection.kt`, `updateConnectionFlowControl`).
package struct WindowUpdateCounter: Hashable, Sendable, BitwiseCopyable {
    package let window: UInt32
    /// Bytes that were consumed, but not yet granted again with a WINDOW_UPDATE.
    package private(set) var ungranted: UInt32 = 0

    package init(window: UInt32 = UInt32(HTTP2Window.initial)) { self.window = window }

    /// Counts consumed bytes. Returns the WINDOW_UPDATE increment to send now, or zero if none is due.
    package mutating func consume(_ bytes: UInt32) -> UInt32 {
        let (sum, overflow) = ungranted.addingReportingOverflow(bytes)
        ungranted = overflow ? .max : sum
        guard ungranted >= max(window / 2, 1) else { return 0 }
        defer { ungranted = 0 }
        return min(ungranted, UInt32(HTTP2Window.largest))
    }
}
