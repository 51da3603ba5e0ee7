public import DeadzonePrimitives

/// When a program says how far it has come: after so many messages, or so long after the first that it has not spoken of. Each
/// receipt names a position and stands for everything below it, so a lost one is made good by the next.
public struct ReceiptRules: Hashable, Sendable, BitwiseCopyable {
    public var every: UInt32
    public var within: TimeSpan

    public init(every: UInt32 = 1, within: TimeSpan = .zero) {
        precondition(every > 0, "a receipt stands for at least one message")
        self.every = every
        self.within = within
    }
}

/// The receipts of one direction on one connection.
public struct Receipts: Hashable, Sendable, BitwiseCopyable {
    /// Everything below it has been spoken of.
    public private(set) var said: UInt32
    /// When the next is due; `.never`: nothing to speak of.
    public private(set) var due = Instant.never

    public init(from position: UInt32 = 0) { said = position }

    /// The program has everything below `position`, and has just been given what begins at `first`. Who gives it what was spoken of
    /// has not heard of it.
    public mutating func took(from first: UInt32, upTo position: UInt32, at now: Instant, _ rules: ReceiptRules) {
        said = min(said, first)
        guard said < position else { return }
        let isFull = position - said >= rules.every
        due = isFull ? now : min(due, now + rules.within)
    }

    /// There was no room for it: it goes with the next occasion.
    public mutating func wait() { due = .never }

    /// The receipt has left.
    public mutating func say(upTo position: UInt32) {
        said = max(said, position)
        due = .never
    }
}
