/// Everything a strategy can do.
public enum Action: Hashable, Sendable, BitwiseCopyable {
    /// Opens a connection over the default network. A connection that is still in the slot is closed first.
    case connect(ConnectionSlot, Carrier, resuming: Resuming)
    case close(ConnectionSlot)
    /// Hands the app's messages between the cursors to the connection; one that only seems open swallows them.
    case send(ConnectionSlot, from: Cursor, upTo: Cursor)
    case ping(ConnectionSlot)
    /// Shows the app everything up to the cursor.
    case deliver(Cursor)
    /// Nothing of ours below the cursor will be handed over again: what no connection carries any more is lost.
    case forget(below: Cursor)
}

/// What a connection rides on.
public enum Carrier: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// TCP, TLS and WebSocket framing: set up in round trips, then reliable and in order.
    case stream
    /// UDP: open at once, nothing is repeated.
    case datagram
}

/// What a new connection asks of the server.
public enum Resuming: Hashable, Sendable, BitwiseCopyable {
    /// Only what is new; what was missed, or received and not yet shown, is given up.
    case fresh
    /// Everything after the cursor.
    case from(Cursor)
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

    public mutating func removeAll() {
        count = 0
        overflow = 0
    }
}
