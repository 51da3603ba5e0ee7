package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// Effects that `PhoneEnd`, the phone's side of connections, requests from the simulation, in order.
///
/// `PhoneEnd` does not know how packets travel, what the server sent in them, or the true state of a connection.
package enum PhoneEndEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Records a journal entry.
    case note(JournalEntry)
    /// Delivers an event to the app.
    case notify(Event)
    /// Sends a packet through the phone's network stack, from the interface's address with number `addressNumber`.
    case transmit(Packet, Interface, addressNumber: UInt16, slot: Int, generation: UInt16)
    /// Schedules a retry of a call for which the buffer had no space.
    case retryCall(call: UInt32, at: Instant, slot: Int, generation: UInt16)

    // Received data.
    /// Deliver the items of the server's stream that have arrived, one by one, until none is left.
    case read(slot: Int)
    /// Messages of the server arrived on the stream.
    case received(slot: Int, FrameRange)
    /// Messages of the server arrived in a datagram.
    case receivedDatagram(first: UInt32, last: UInt32, bytes: UInt32, slot: Int)
    /// The server has confirmed every app message below `before`: by its kernel's acknowledgement, by a receipt, or
    /// when a session resumes.
    case confirmed(slot: Int, before: UInt32)
    /// A full snapshot of the server's state arrived. Its message number is the server's position when it was written.
    case receivedSnapshot(slot: Int, FrameRange)
    /// The server has responded to the resume request: it stated at which messages the session continues.
    case resumed(slot: Int)
    /// The session is established: a server that announced heartbeats starts to send them.
    case sessionStarted(slot: Int)
    /// A heartbeat of the server arrived.
    case heartbeat(slot: Int)
    /// The server has rejected the session.
    case sessionRejected(slot: Int, isPermanent: Bool)
    /// The server has ended the connection by its own decision. The app is notified next.
    case endedByServer(slot: Int, CloseReason)

    // The app's view of its connections.
    /// The app now considers this connection open.
    case opened(slot: Int)
    /// The connection is dead, and the phone has detected it.
    case died(slot: Int)
    /// The app now considers this connection closed.
    case believedClosed(slot: Int)
    /// The connection has ended because the app's process has ended, so that no app has a view of it any more.
    case closedByExit(slot: Int)
    /// Data of the server arrived on a connection that the app considers open.
    case heard(slot: Int)
    /// The phone (the app or its kernel) gives up the connection by its own decision.
    case gaveUp(slot: Int)
    /// The client requests a full snapshot of the server's state.
    case snapshotRequested
    /// The client needs no connection any more: an outage ends here.
    case wantsNoConnection

    /// The client has asked to join subscriptions, or takes others for joined than before.
    case subscriptionsChanged

    // The server's name. Only for clients that keep addresses.
    /// The system has answered with the address of this number.
    case nameAnswered(UInt16)
    /// The system has not resolved the name.
    case nameUnresolved

    // Effects on the server's end.
    /// Both ends measured a round trip of this length.
    case measured(slot: Int, TimeSpan)
    /// The connection can send datagrams now: the server's address is known, and datagrams need no handshake.
    case sendsDatagrams(slot: Int)
    /// The client closed its datagram connection.
    case closedDatagrams(slot: Int)
    /// A call was sent, on a stream of its own.
    case callSent(call: UInt32, slot: Int)
}

/// Permissions that the operating system currently grants the app.
package struct AppPermissions: BitwiseCopyable, Sendable {
    package var runs: Bool
    package var mayUseNetwork: Bool
}
