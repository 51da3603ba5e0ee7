public import DeadzoneBase

/// An action that a strategy requests in response to an event: connect, send, show a message, and so on.
public enum Action: Hashable, Sendable, BitwiseCopyable {
    /// Opens a connection over the default network, in this slot. A connection that is still in the slot is closed
    /// first.
    case connect(ConnectionSlot, Transport, resuming: ResumeRequest)
    /// Closes a connection that the client considers dead, or that it replaces by another connection.
    case close(ConnectionSlot)
    /// Closes a connection that is no longer needed. Unlike after `close`, it is not counted as a mistake of the client
    /// if the connection still worked.
    case closeGracefully(ConnectionSlot)
    /// Sends the app's messages in the range `from..<upTo` on the connection. If the connection is dead but still
    /// appears open, these messages are lost.
    case send(ConnectionSlot, from: Cursor, upTo: Cursor)
    /// Sends one message of the app as a confirmable datagram, again if it was sent before at `begun`.
    case exchange(ConnectionSlot, Cursor, begun: Instant)
    /// Gives up the confirmation of the message that was sent last as a confirmable datagram. Messages below the cursor
    /// are not sent again.
    case abandonExchange(ConnectionSlot, upTo: Cursor)
    /// Uses this path to the peer from now on. The next ping on it tells the peer to use it, too.
    case select(ConnectionSlot)
    /// Sends a flight of a DTLS handshake, from 0 on. The server answers each one.
    case handshake(ConnectionSlot, flight: UInt8, isResumed: Bool)
    /// Sends those of the app's messages `from..<upTo` again that were sent on this connection; later ones count as not
    /// sent. Needed after the server's program has refused a message.
    case sendAgain(ConnectionSlot, from: Cursor, upTo: Cursor)
    /// Gives up the message at the cursor, which the server's program has refused.
    case giveUp(Cursor)
    /// Starts a new upload of the message at the cursor: the server no longer uses what it has of the earlier one.
    case abandonUpload(Cursor)
    /// Asks the server how much of the first unconfirmed message it has, as tus does with HEAD.
    case askOffset(ConnectionSlot)
    /// Continues the message at the cursor after an earlier connection has carried a part. The server has kept every
    /// complete part of `chunk` bytes. Allowed only before the first `send` of a connection.
    case resumeMessage(ConnectionSlot, Cursor, chunk: UInt32)
    /// Asks the server to join subscriptions of the app on this connection.
    case join(ConnectionSlot, SubscriptionSet)
    /// Sends the call with this index to the server. The answer is expected on this connection. The same call may be
    /// sent again on another connection.
    case call(ConnectionSlot, UInt32)
    /// Gives up a call: it fails for the app with this reason. An answer that still arrives is ignored.
    case abandon(call: UInt32, CallFailure)
    /// Sends a keepalive ping. Over HTTP/1.1 it is an empty request. On a polling connection it is a poll, and the
    /// response to the poll counts as the pong.
    case ping(ConnectionSlot)
    /// Moves a connection to the default network. Only a connection that can survive a change of its address (QUIC) can
    /// be moved.
    case migrate(ConnectionSlot)
    /// Delivers all messages of the server below the cursor to the app, which shows them.
    case deliver(Cursor)
    /// Gives up the app's messages below the cursor: the client never sends them again. Such a message is lost, unless
    /// a connection is still transmitting it.
    case forget(below: Cursor)
    /// Requests new credentials from the server, outside the connections. `byUser` is `true` if the user logs in again.
    case refreshCredentials(byUser: Bool, within: TimeSpan)
    /// Sends the app's push token to the server, outside the connections. Does nothing if the server has this token.
    case registerPushToken
    /// Writes the receive cursor to storage that survives the end of the process.
    case persist(Cursor)
    /// Writes the app's messages below the cursor to storage. A new process sends them again if the server has not
    /// confirmed them.
    case storeOutgoing(below: Cursor)
    /// `true` takes a wake lock, which keeps the processor awake; `false` releases it.
    case stayAwake(Bool)
    /// Ends the app's own process, as an uncaught error does. Later actions in the outbox are not executed.
    case crash
    /// Ends the client's loop for good without an error or an end to the app's consumer, which waits forever.
    case abandonConsumer
    /// Confirms to the server that the app has received all messages below the cursor.
    case acknowledge(ConnectionSlot, Cursor)
    /// Requests a full snapshot from the server, over this open connection.
    case resync(ConnectionSlot)
    /// Delivers these messages to the app a second time, because the client does not detect duplicates.
    case deliverAgain(from: Cursor, upTo: Cursor)
    /// Drops these messages from the server: the app never shows them, although they have arrived or are counted as
    /// shown.
    case discard(from: Cursor, upTo: Cursor)
    /// Drops these messages of the app: they are never sent, although some earlier messages still are.
    case refuse(from: Cursor, upTo: Cursor)
    /// Drops the app's messages below the cursor, the oldest in the queue, because the queue is full. Otherwise the
    /// same as `forget`.
    case evict(below: Cursor)
    /// The app requests this many further messages. Used only with message flow control (`MessageFlow`).
    case requestMessages(UInt32)
    /// Reports that the app has written messages; `pending` is the number of writes that wait for their callback. Used
    /// only with message flow control.
    case wrote(pending: UInt32)
    /// Reports that this many callbacks of earlier writes have arrived. Used only with message flow control.
    case calledBack(UInt32)
    /// Shows the user that messages in this direction are missing.
    case markGap(Direction)
}

/// The messages that a client requests on a new connection: only new ones, all after a cursor, or a snapshot.
public enum ResumeRequest: Hashable, Sendable, BitwiseCopyable {
    /// Only new messages. Messages that were missed, or received and not yet shown, are given up.
    case fresh
    /// All messages from the cursor on.
    case from(Cursor)
    /// A full snapshot of the server's data, followed by new messages.
    case snapshot
}

/// The actions with which a strategy responds to one event, in order. The list is append-only with a fixed capacity, so
/// that handling an event allocates no memory.
public struct Outbox: ~Copyable {
    public static let capacity = 64

    @usableFromInline let storage: UnsafeMutablePointer<Action>
    public private(set) var count = 0
    /// Number of actions that exceeded the capacity. If there are any, the engine stops the strategy and reports its
    /// name.
    public private(set) var overflow = 0

    public init() { storage = .allocate(capacity: Self.capacity) }

    deinit { storage.deallocate() }

    public mutating func append(_ action: Action) {
        guard count < Self.capacity else {
            overflow += 1
            return
        }
        (storage + count).initialize(to: action)
        count += 1
    }

    public subscript(index: Int) -> Action {
        precondition(index < count, "action index \(index), but the list has \(count)")
        return storage[index]
    }

    /// Removes the actions for which `isMeant` returns `true`; the others keep their order.
    public mutating func removeAll(where isMeant: (Action) -> Bool) {
        var kept = 0
        for index in 0..<count where !isMeant(storage[index]) {
            storage[kept] = storage[index]
            kept += 1
        }
        count = kept
    }

    public mutating func removeAll() {
        count = 0
        overflow = 0
    }
}
