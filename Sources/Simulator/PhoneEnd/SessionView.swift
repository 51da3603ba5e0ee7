import DeadzoneBase
package import DeadzoneClient

/// The part of an app's session that `PhoneEnd` needs: message positions and the default network.
package struct SessionView: BitwiseCopyable, Sendable {
    /// Number of server messages that have arrived.
    let received: UInt32
    /// Number of server messages that the app has shown, by its cursor.
    let shown: UInt32
    /// Number of messages that the app has produced.
    let produced: UInt32
    /// Number of the app's messages that the server has confirmed.
    let acknowledged: UInt32
    let path: Interface?
    let handle: UInt16

    // Inlined so that only a few fields are read; a call would copy the whole session.
    package init(_ session: borrowing Session, received: UInt32) {
        self.received = received
        shown = session.cursor.position
        produced = session.produced.position
        acknowledged = session.acknowledged.position
        path = session.network.path
        handle = session.network.handle
    }
}
