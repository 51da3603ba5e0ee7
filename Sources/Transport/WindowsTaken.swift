/// What one end has taken of the other's stream of HTTP/2 and not granted anew, of both its windows.
public struct WindowsTaken: BitwiseCopyable, Sendable {
    private var connection = HTTP2Credit()
    private var stream = HTTP2Credit()

    public init() {}

    public init(window: HTTP2Allowance) {
        connection = HTTP2Credit(window: window.connection.open)
        stream = HTTP2Credit(window: window.stream.open)
    }

    /// What each window is to be given back now: nothing before it is worth a word.
    public mutating func take(connection ofConnection: UInt32, stream ofStream: UInt32) -> (
        connection: UInt32, stream: UInt32
    ) {
        (connection.consume(ofConnection), stream.consume(ofStream))
    }

    /// The same of items. Calls have streams of their own.
    public mutating func take(_ run: Run, _ framing: Framing) -> (connection: UInt32, stream: UInt32) {
        guard run.track.isControlled else { return (0, 0) }
        let isMessage = run.track.isOfSession
        let bytes = framing.controlled(run.bytes, count: run.count, isMessage: isMessage)
        return take(connection: bytes, stream: isMessage ? bytes : 0)
    }
}
