public import DeadzonePrimitives

public struct TimelineEntry: Hashable, Sendable {
    /// At the earliest.
    public var at: Instant
    public var change: Change
    /// Nil: it comes to every phone, and at `at`.
    public var chance: Chance?

    public init(at: Instant, _ change: Change, chance: Chance? = nil) {
        self.at = at
        self.change = change
        self.chance = chance
    }

    /// Nil: it does not come to the phone whose dice these are.
    public func moment(_ dice: Dice) -> Instant? {
        guard let chance else { return at }
        return chance.delay(dice).map { at + $0 }
    }
}

/// What differs from phone to phone: when a change comes, how long what it began lasts, and whether it comes at all. Weather:
/// dice of the phone, addressed by a moment, so that no other entry of a timeline moves them.
///
/// The moments of two entries by different dice never overlap, so every phone meets the entries in their order.
public struct Chance: Hashable, Sendable {
    /// Addresses the dice: entries with the same `drawnAt` are late by the same part of their `late`, and meet the same phones.
    public var drawnAt: Instant
    /// So much later at most.
    public var late: TimeSpan
    /// So much more after that at most, by dice of its own.
    public var longer: TimeSpan
    /// How likely a phone is to meet it.
    public var phones: Probability

    public init(drawnAt: Instant, late: TimeSpan = .zero, longer: TimeSpan = .zero, phones: Probability = .one) {
        self.drawnAt = drawnAt
        self.late = late
        self.longer = longer
        self.phones = phones
    }

    fileprivate func delay(_ dice: Dice) -> TimeSpan? {
        let slot = UInt64(drawnAt.nanoseconds)
        let (start, fate) = dice.pair(at: slot)
        guard phones.hits(fate) else { return nil }
        // Moments are not negative, so the second half of the slots is free.
        let length = dice.at(slot | 1 << 63)
        return Self.part(of: late, start) + Self.part(of: longer, length)
    }

    /// Both ends belong to it.
    private static func part(of span: TimeSpan, _ bits: UInt64) -> TimeSpan {
        .nanoseconds(Int64(bits.scaled(below: UInt64(span.nanoseconds) + 1)))
    }
}

/// The network that an interface joins.
public struct Attachment: Hashable, Sendable, BitwiseCopyable {
    /// From the address to the first packet that gets through; the system tells the app before that.
    public var usableAfter: TimeSpan
    /// Nothing but the portal answers until somebody signs in, so long; nil: it is no portal.
    public var portal: TimeSpan?
    /// The system tells the app so much later; nil: as the platform does.
    public var announcedAfter: TimeSpan?

    public init(usableAfter: TimeSpan = .zero, portal: TimeSpan? = nil, announcedAfter: TimeSpan? = nil) {
        self.usableAfter = usableAfter
        self.portal = portal
        self.announcedAfter = announcedAfter
    }

    public static let plain = Attachment()
}

/// What iOS asks before an app's packets may leave over a network.
public enum Access: Hashable, Sendable, BitwiseCopyable {
    /// Nothing, or no longer.
    case open
    /// The user does not let the app use it.
    case refused
    /// A connection has to stand first, a tunnel or a data session. What wants to leave sets it up in so long; nil: nothing does.
    case needsConnection(TimeSpan?)
}

/// Events of networks that change nothing.
public enum Spurious: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Signal strength, bandwidth estimate.
    case capabilities
    /// The default network is announced once more.
    case available
    /// The network is said to be lost, and available again at once.
    case flap
}

/// How the sockets of a lost path learn of it.
public enum OldPath: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The operating system closes them with an error and says that the network is lost.
    case error
    /// They go on accepting writes that no one will answer; the app hears only of the new network.
    case silent
    /// The server's side, or a middlebox, resets them.
    case reset
    /// They are ended in order.
    case ended
}
