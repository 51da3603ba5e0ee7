package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// An action that the server requests from the simulation, such as sending a packet or setting a timer. Effects are
/// requested in order. The server does not know how packets travel or what becomes of them.
package enum ServerEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Writes an entry to the journal.
    case note(JournalEntry)
    /// Sends a packet to the phone.
    case transmit(Packet, PhoneAddress, slot: Int, generation: UInt16, sentAt: Instant)
    /// Sends a packet to the phone that belongs to none of the app's connections.
    case transmitSystemPacket(Packet, PhoneAddress)
    /// Reports that a captive portal has accepted the connection in the server's name.
    case captured(slot: Int)
    /// Schedules work of the server program on this connection for the time `at`.
    case schedule(DeferredWork, at: Instant, slot: Int, generation: UInt16)
    /// Submits a request to the cluster of instances that all phones share. The cluster decides requests in order of
    /// time.
    case submit(ClusterRequest)
    /// Reports that an instance has lost a connection. Used only if the load balancer counts connections.
    case connectionReleased(instance: UInt8)
    /// Lets the server program read: delivers what the phone has written, item by item, until nothing is left.
    case read(slot: Int, ReadTrigger)
    /// Lets the program read on after a pause. If the phone could not send more because of the pause, it is notified
    /// that it can again.
    case thaw(slot: Int)
    /// Reports that everything that can be sent on this connection was sent. The server then checks which data still
    /// waits.
    case flushed(slot: Int)
    /// Reports that a connection may have been opened or closed on the server's side.
    case connectionChanged
    /// Reports that the session is attached to a connection, which ends an outage.
    case attached
    /// Reports that the program has joined or ended subscriptions.
    case subscriptionsChanged
    /// Reports that the session resumes at message `at`; earlier messages are not sent. `gap` is the place at which
    /// they are lost if the client had requested some of these, otherwise `nil`.
    case sessionResumed(slot: Int, at: UInt32, gap: LossPlace?)
    /// Reports that the session restarts at message `at`, with a snapshot of the complete state. `isAsked` is `true` if
    /// the client requested the snapshot.
    case sessionRestarted(slot: Int, at: UInt32, isAsked: Bool)
    /// Reports that the server wrote a message. A connection that the client has given up, if still open, would have
    /// carried it.
    case messageWritten
    /// Reports that the app's messages `from ..< upTo` are lost. A later message has already arrived, so they will
    /// never be delivered.
    case uplinkSkipped(from: UInt32, upTo: UInt32)
    /// Reports that all datagrams of the app with numbers below `before` have arrived or are lost.
    case datagramsReceived(before: UInt32)
    /// Requests a push from the push service, to wake the app. If `isForPending`, it is sent only if the phone lacks a
    /// message.
    case push(isUrgent: Bool, isForPending: Bool)
    /// Requests that the server checks again if there are messages to announce by push.
    case announcePending
}

/// Work on a connection that the server program has scheduled for a later time.
package enum DeferredWork: Hashable, Sendable, BitwiseCopyable {
    /// Accept the requested session.
    case session
    /// Send the answer to the call with this index.
    case answer(UInt32)
    /// Refuse the call with this index, because it timed out in the queue.
    case refusal(UInt32)
    /// Try again to send the answer to the call with this index, which did not fit into the send buffer.
    case answerRetry(UInt32)
    /// Decide the request for new credentials with this number, or refuse it for lack of capacity.
    case token(UInt16, isServed: Bool)
}

/// The reason why the server program reads from a connection. It decides what the program does after reading.
package enum ReadTrigger: Hashable, Sendable, BitwiseCopyable {
    /// New data has arrived.
    case newData
    /// The program resumes after a pause. `wasHeldBack` is `true` if the phone could not send more; it is now notified
    /// that it can.
    case thaw(wasHeldBack: Bool)
}

/// The network address of a phone: an interface, and a number that changes with each new address on it.
package struct PhoneAddress: Hashable, Sendable, BitwiseCopyable {
    package var interface: Interface
    package var addressNumber: UInt16

    package init(_ interface: Interface, addressNumber: UInt16) {
        self.interface = interface
        self.addressNumber = addressNumber
    }
}

/// A phone's request to the cluster of server instances that all phones share: for a session or a call.
package struct ClusterRequest: Sendable, BitwiseCopyable {
    package var at: Instant
    /// Index of the phone that sends the request; set by the phone's simulation.
    package var phoneIndex: UInt32 = 0
    /// Number of this request among the requests of its phone, in order.
    package var sequence: UInt32
    // In this field order a request takes four words. The requests of a whole herd may be in memory at once.
    package var kind: RequestKind
    private var slotIndex: UInt8
    package var generation: UInt16
    /// The instance that holds the connection. `nil` if none has been assigned yet, or if the instance does not matter.
    package var instance: UInt8?

    package var slot: Int { Int(slotIndex) }

    package enum RequestKind: Hashable, Sendable, BitwiseCopyable {
        /// A request for a session. `handshake` is the processor time of its TLS handshake.
        case session(handshake: TimeSpan)
        case call(UInt32)
        /// A request for new credentials.
        case token(UInt16)
    }

    init(at: Instant, sequence: UInt32, slot: Int, generation: UInt16, instance: UInt8?, kind: RequestKind) {
        self.at = at
        self.sequence = sequence
        self.kind = kind
        slotIndex = UInt8(slot)
        self.generation = generation
        self.instance = instance
    }
}

/// Client properties, sent with a session request, by which the server resumes the session and detects duplicates.
package struct Introduction: Hashable, Sendable, BitwiseCopyable {
    /// The epoch (lifetime of the server's process) to which the client's cursor belongs. 0 if the client names none.
    package var epoch: UInt32
    /// `true` if the client attaches a unique key to each message.
    package var keysMessages: Bool
}

/// Message numbers that the server tells the client when a session starts (see `DeadzoneClient.ResumeResponse`).
package struct SessionStart: Hashable, Sendable, BitwiseCopyable {
    /// Number of the first message that the server sends.
    package internal(set) var resumedAt: UInt32 = 0
    /// Number up to which (exclusive) the server has received all messages of the app.
    package internal(set) var confirmedUp: UInt32 = 0
    /// Number after the server's newest message.
    package internal(set) var sent: UInt32 = 0
    package internal(set) var bringsSnapshot = false
}
