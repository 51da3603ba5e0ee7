/// Counts received bytes that the program consumed, to decide when an HTTP/2 end sends WINDOW_UPDATE. It counts
/// separately for the connection's window and the stream's window.
package struct HTTP2ReceiveWindows: BitwiseCopyable, Sendable {
    private var connection = WindowUpdateCounter()
    private var stream = WindowUpdateCounter()

    package init() {}

    package init(window: HTTP2SendWindows) {
        connection = WindowUpdateCounter(window: window.connection.available)
        stream = WindowUpdateCounter(window: window.stream.available)
    }

    /// Counts consumed bytes. Returns the WINDOW_UPDATE increment to send now for each window; zero if none is due.
    package mutating func consume(connection ofConnection: UInt32, stream ofStream: UInt32) -> (
        connection: UInt32, stream: UInt32
    ) {
        (connection.consume(ofConnection), stream.consume(ofStream))
    }

    /// Counts the bytes of consumed items, and returns the WINDOW_UPDATE increments to send now. Calls have their own
    /// streams, so only the connection's window counts them.
    package mutating func consume(_ frames: FrameRange, _ framing: Framing) -> (connection: UInt32, stream: UInt32) {
        guard frames.kind.isFlowControlled else { return (0, 0) }
        let isMessage = frames.kind.isOnSessionStream
        let bytes = framing.flowControlledBytes(frames.bytes, count: frames.count, isMessage: isMessage)
        return consume(connection: bytes, stream: isMessage ? bytes : 0)
    }
}
