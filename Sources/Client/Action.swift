public import DeadzonePrimitives

/// Everything a strategy can do.
public enum Action: Hashable, Sendable, BitwiseCopyable {
    /// Opens a connection over the default network. A connection that is still in the slot is closed first.
    case connect(ConnectionSlot, Carrier, resuming: Resuming)
    /// Gives a connection up: for dead, or for another one.
    case close(ConnectionSlot)
    /// Closes a connection that has done what it was for. That it would still have worked is no mistake.
    case leave(ConnectionSlot)
    /// Hands the app's messages between the cursors to the connection; one that only seems open swallows them.
    case send(ConnectionSlot, from: Cursor, upTo: Cursor)
    /// Asks the server; the answer is awaited on this connection. The same call may be asked again on another.
    case call(ConnectionSlot, UInt32)
    /// Gives a call up: its answer, should it still come, is of no use.
    case abandon(call: UInt32, CallFailure)
    /// A sign of life. Over HTTP/1.1 it is a request for nothing; on a polling connection it is a poll, and the pong is its answer.
    case ping(ConnectionSlot)
    /// Moves a connection that can outlive its address (QUIC) to the default network.
    case migrate(ConnectionSlot)
    /// Shows the app everything up to the cursor.
    case deliver(Cursor)
    /// Nothing of ours below the cursor will be handed over again: what no connection carries any more is lost.
    case forget(below: Cursor)
    /// Writes the cursor where it outlives the process.
    case persist(Cursor)
    /// Everything of ours below the cursor is written down as well: a new process hands it over if nobody has confirmed it.
    case keep(below: Cursor)
    /// Keeps the processor awake (a wake lock), or no longer.
    case stayAwake(Bool)
    /// The process ends itself, as by an error that nobody catches. What would follow in the outbox is not done.
    case crash
    /// Tells the server that the app has everything below the cursor.
    case acknowledge(ConnectionSlot, Cursor)
    /// Asks the server for everything anew, on a connection that is open.
    case resync(ConnectionSlot)
    /// Shows the app messages once more that it has seen before: nobody looked whether it had.
    case deliverAgain(from: Cursor, upTo: Cursor)
    /// The app will never see these messages of the server, though they are here or count as seen.
    case discard(from: Cursor, upTo: Cursor)
    /// These messages of the app will never be handed over, though some before them will.
    case refuse(from: Cursor, upTo: Cursor)
    /// As `forget`, for want of room: the app's queue throws its oldest messages away.
    case evict(below: Cursor)
    /// Under message flow control: the app asks for so many messages more.
    case ask(UInt32)
    /// It has written, and so many writes are without their callback; so many callbacks have come.
    case wrote(pending: UInt32)
    case calledBack(UInt32)
    /// Lets the user know that messages are missing.
    case markGap(Direction)
}

/// What a new connection asks of the server.
public enum Resuming: Hashable, Sendable, BitwiseCopyable {
    /// Only what is new; what was missed, or received and not yet shown, is given up.
    case fresh
    /// Everything after the cursor.
    case from(Cursor)
    /// Everything anew: one snapshot, and then what is new.
    case whole
}

/// The actions of one event, in order. Push only; a fixed number of places, so that handling an event allocates nothing.
public struct Outbox: ~Copyable {
    public static let capacity = 64

    @usableFromInline let storage: UnsafeMutablePointer<Action>
    public private(set) var count = 0
    /// Actions beyond the capacity. A strategy that asks for more is stopped by the engine and named.
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
        precondition(index < count, "action \(index) of \(count)")
        return storage[index]
    }

    /// Takes out what `isMeant` says; the others keep their order.
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
