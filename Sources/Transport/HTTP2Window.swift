/// What may still be sent on one HTTP/2 stream, or on all streams of a connection together, before the other end grants more
/// (RFC 9113 §5.2, §6.9). Only DATA counts.
public struct HTTP2Window: Hashable, Sendable, BitwiseCopyable {
    /// SETTINGS_INITIAL_WINDOW_SIZE until somebody says otherwise, and the connection's window for ever (RFC 9113 §6.9.2).
    public static let initial: Int64 = 65_535
    /// 2^31 − 1 (RFC 9113 §6.9.1).
    public static let largest: Int64 = 2_147_483_647

    public private(set) var bytes: Int64

    public init(_ bytes: Int64 = Self.initial) { self.bytes = bytes }

    /// How much may go now.
    public var open: UInt32 { UInt32(max(bytes, 0)) }

    /// What is begun is sent whole, and the window goes below zero.
    mutating func overdraw(_ count: UInt32) { bytes -= Int64(count) }

    /// WINDOW_UPDATE (RFC 9113 §6.9, §6.9.1). A refused one changes nothing.
    public mutating func grow(by increment: UInt32) -> HTTP2Error {
        guard increment > 0 else { return .protocolError }
        guard bytes + Int64(increment) <= Self.largest else { return .flowControlError }
        bytes += Int64(increment)
        return .noError
    }
}

/// Codes of RST_STREAM and GOAWAY (RFC 9113 §7).
public enum HTTP2Error: UInt8, Hashable, Sendable, BitwiseCopyable {
    case noError = 0x0
    case protocolError = 0x1
    case flowControlError = 0x3
    case enhanceYourCalm = 0xb
}

/// The two windows that DATA of one stream has to pass (RFC 9113 §5.2.1).
public struct HTTP2Allowance: Hashable, Sendable, BitwiseCopyable {
    public var connection: HTTP2Window
    public var stream: HTTP2Window

    public init(connection: HTTP2Window = HTTP2Window(), stream: HTTP2Window = HTTP2Window()) {
        self.connection = connection
        self.stream = stream
    }

    public var open: UInt32 { min(connection.open, stream.open) }
}

/// On a stream of runs: messages are of one long stream, each call is of its own. What is begun is written whole, so that a window
/// can go below zero by less than one item; the window of a call's own stream is left out.
extension HTTP2Allowance {
    /// WINDOW_UPDATE of either window, or of both.
    public mutating func grow(connection: UInt32, stream: UInt32) {
        if connection > 0 { _ = self.connection.grow(by: connection) }
        if stream > 0 { _ = self.stream.grow(by: stream) }
    }

    func admits(_ track: Track) -> Bool {
        switch track {
        case .message, .snapshot: open > 0
        case .call, .answer: connection.open > 0
        // A receipt is small, and its sender's next one makes it good; it goes beside the windows. An error is trailers without
        // DATA.
        case .refusal, .ping, .pong, .flight, .control, .finish, .receipt: true
        }
    }

    mutating func charge(_ track: Track, _ bytes: UInt32, _ framing: Framing) {
        guard track.isControlled else { return }
        let count = framing.controlled(bytes, count: 1, isMessage: track.isOfSession)
        connection.overdraw(count)
        if track.isOfSession { stream.overdraw(count) }
    }
}

extension Track {
    /// DATA of the one long stream.
    @inlinable public var isOfSession: Bool { self == .message || self == .snapshot }
    /// DATA: what flow control counts.
    @inlinable public var isControlled: Bool { isOfSession || self == .call || self == .answer }
}

/// What the receiving end owes in WINDOW_UPDATEs. It grants what the app has consumed once that is half of the window, as OkHttp
/// does (square/okhttp `okhttp/src/main/kotlin/okhttp3/internal/http2/Http2Connection.kt`, `updateConnectionFlowControl`).
public struct HTTP2Credit: Hashable, Sendable, BitwiseCopyable {
    public let window: UInt32
    /// Consumed and not granted anew.
    public private(set) var owed: UInt32 = 0

    public init(window: UInt32 = UInt32(HTTP2Window.initial)) { self.window = window }

    /// The increment to send now, or zero.
    public mutating func consume(_ bytes: UInt32) -> UInt32 {
        let (sum, overflow) = owed.addingReportingOverflow(bytes)
        owed = overflow ? .max : sum
        guard owed >= max(window / 2, 1) else { return 0 }
        defer { owed = 0 }
        return min(owed, UInt32(HTTP2Window.largest))
    }
}
