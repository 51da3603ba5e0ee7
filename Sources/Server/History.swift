public import DeadzonePrimitives

/// What a server keeps of the messages it has sent, so that a client that was away can go on where it stopped.
///
/// A message is kept while it is among the newest `messages` and younger than `time`: "1000 messages or 5 minutes, whichever is
/// larger" of the WebSocket article is a window for duplicates, not for this. Centrifugo keeps so many and so long
/// (centrifugal/centrifuge `config.go`, HistorySize and HistoryTTL), an XMPP server what is not acknowledged (XEP-0198).
public struct History: Hashable, Sendable, BitwiseCopyable {
    /// What else makes it forget a message.
    public enum Purge: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case never
        /// The client has said that it has it.
        case acknowledged
        /// The kernel at the other end has it, whatever its app makes of it.
        case confirmed
        /// It was written to a connection.
        case sent
    }

    /// What a client gets that asks for something older.
    public enum WhenGone: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// One snapshot of everything, and then what is new.
        case snapshot
        /// What is left, and nobody says that there was more (centrifugal/centrifugo#165, before answers had `recovered`).
        case silence
    }

    public var messages: UInt32?
    public var time: TimeSpan?
    public var purge = Purge.never
    public var whenGone = WhenGone.silence
    /// Bytes of a snapshot. 20 KiB: assumed, a screenful of chat with its names and times.
    public var snapshot: UInt32 = 20 << 10
    /// A client that asks for nothing gets so many of the newest messages all the same.
    public var replay: UInt32 = 0

    public init() {}

    /// Whether a message of this age is still there, which `newer` messages have followed.
    public func keeps(age: TimeSpan, newer: UInt32) -> Bool {
        if let messages, newer >= messages { return false }
        if let time, age > time { return false }
        return true
    }
}

/// What a server remembers of a client's session beside its messages, and for how long.
public struct SessionRules: Hashable, Sendable, BitwiseCopyable {
    /// A client that was away for longer is a stranger; nil: never.
    public var window: TimeSpan?
    /// Answers say in which life of the server their numbers were given, so that numbers of another life are not taken for its
    /// own (Centrifugo's epoch; without: manaflow-ai/cmux#9615).
    public var namesEpoch = true
    /// A process that ends takes history and sessions with it, and counts from one again.
    public var survivesRestart = true
    /// Another connection of the same session: the old one is let go; or the new one is refused while the old one stands.
    public var replaces = true

    public init() {}

    /// Whether the session of a client that was last connected at `left` is still known.
    public func knows(left: Instant, at now: Instant) -> Bool {
        guard let window, left != .never else { return true }
        return now - left <= window
    }
}
