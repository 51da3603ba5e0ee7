public import DeadzoneClient
public import DeadzonePrimitives

/// As much of a session as the phone's end of its connections has to know: how far it is, and which network is the default.
public struct SessionView: BitwiseCopyable, Sendable {
    /// Messages of the server that have come; of these the app has shown so many.
    @usableFromInline let received: UInt32
    @usableFromInline let shown: UInt32
    /// Messages that the app has asked to send, and those of them that the server has confirmed.
    @usableFromInline let produced: UInt32
    @usableFromInline let acknowledged: UInt32
    @usableFromInline let path: Interface?
    @usableFromInline let handle: UInt16

    // Inlined, a few fields are read where a call would copy the whole session.
    @inlinable public init(_ session: borrowing Session, received: UInt32) {
        self.received = received
        shown = session.cursor.position
        produced = session.produced.position
        acknowledged = session.acknowledged.position
        path = session.network.path
        handle = session.network.handle
    }
}
