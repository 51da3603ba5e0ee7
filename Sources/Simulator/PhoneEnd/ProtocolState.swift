import DeadzoneBase
import DeadzoneTransport

/// State of a connection's protocol in the app's library: windows, control frames, receipts, pings.
struct ProtocolState: BitwiseCopyable, Sendable {
    /// HTTP/2 only: bytes of the server's stream that were read and not yet returned to the server as window credit.
    var consumedWindows = HTTP2ReceiveWindows()
    /// Bytes that have arrived for a suspended app and will be returned as window credit when it runs again.
    var unreadBytes = (connection: UInt32.zero, stream: UInt32.zero)
    /// Control frames that wait for buffer space.
    var pendingFrames = PendingControlFrames()
    /// `true` if the server has rejected the client's login.
    var isDenied = false
    /// `true` if the server has ended the session's stream with success.
    var isCompleted = false
    var pathMigration = PathMigration()
    /// Tracks the receipts with which the app confirms the server's messages.
    var receipts = Receipts()
    /// Pings of the server that the app's library answers when the app runs again.
    var unansweredPings = PingNumberRange()

    /// A range of consecutive ping numbers, `first ..< last`.
    struct PingNumberRange: BitwiseCopyable, Sendable {
        var first: UInt32 = 0
        var last: UInt32 = 0

        mutating func add(_ run: FrameRange) {
            if first == last { first = run.first }
            last = run.last
        }
    }
}
