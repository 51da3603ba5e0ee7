public import DeadzonePrimitives

/// Everything a strategy is ever told. A closed list: it can be logged, compared and replayed.
public enum Event: Hashable, Sendable, BitwiseCopyable {
    /// The process runs; no connection, no timer.
    case started
    /// The server answered: a session goes on from `resumedAt`, or begins with what is new.
    case opened(ConnectionSlot, resumedAt: Cursor)
    case failed(ConnectionSlot, Failure)
    case closed(ConnectionSlot, CloseReason)
    /// Everything up to the cursor is here.
    case received(ConnectionSlot, upTo: Cursor, bytes: UInt32)
    /// The server has everything of ours up to the cursor.
    case acknowledged(ConnectionSlot, Cursor)
    case pong(ConnectionSlot, after: TimeSpan)
    case fired(TimerSlot)
    case network(NetworkChange)
    case app(AppChange)
    case wantsToSend(Message)
}

/// Why an attempt never opened.
public enum Failure: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The operating system names no network.
    case noPath
    /// The transport gave up waiting.
    case timedOut
    case refused
}

/// Why a connection that was open is so no longer, as its owner was told.
public enum CloseReason: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The operating system took the network away and said so.
    case pathLost
    /// The transport gave up retransmitting.
    case timedOut
    /// The server reset or ended it.
    case reset
}

/// What the operating system says about networks.
public struct NetworkChange: Hashable, Sendable, BitwiseCopyable {
    /// The default network now, or none.
    public var now: Interface?
    /// Another network than before: sockets of the old one are of no use.
    public var replacesDefaultPath: Bool

    public init(now: Interface?, replacesDefaultPath: Bool) {
        self.now = now
        self.replacesDefaultPath = replacesDefaultPath
    }
}

public enum AppChange: UInt8, Hashable, Sendable, BitwiseCopyable {
    case foreground, background
}
