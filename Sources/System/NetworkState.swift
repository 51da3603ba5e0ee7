public import DeadzonePrimitives

/// An interface's network: what is there, what is behind it, and what the operating system thinks of it.
@usableFromInline
struct NetworkState: BitwiseCopyable, Sendable {
    /// The phone has the interface.
    let exists: Bool
    @usableFromInline var hasAddress = false
    @usableFromInline var hasCoverage = true
    /// Something of the network is not as it should be; kept here because every packet asks for it.
    @usableFromInline var isTroubled = false
    /// Counts addresses: a socket belongs to one.
    @usableFromInline var epoch: UInt16 = 0

    // Behind the access point or the base station.
    var passesUp = true
    var passesDown = true
    var hasUplink = true
    var usableFrom = Instant.zero
    /// Until then nobody answers but the page that asks to sign in.
    var portalUntil = Instant.zero

    // What the system thinks of it.
    /// The interface could have an address. A cellular one may go without while Wi-Fi serves.
    var isOffered = false
    /// The system has announced the network, and may choose it.
    var isKnown = false
    var isValidated = false
    /// Any other network is better.
    var isFading = false

    // What it, or the network, will do by itself.
    var announceAt = Instant.never
    /// The next look whether the internet is there, and how long after that the one that follows.
    var validateAt = Instant.never
    var validateAgain = TimeSpan.zero
    /// The user is asked whether to stay on a network without internet.
    var promptAt = Instant.never
    /// The system will have noticed that the internet is gone.
    var doubtAt = Instant.never
    /// A network that nobody needs any more is let go.
    var parkAt = Instant.never
    /// A network that is needed again is there.
    var wakeAt = Instant.never
    /// What the network is like that nobody has needed yet: how it is from its address on, whenever that comes.
    var attachment = Attachment.plain
    /// The address before this one, its end, and how its sockets die.
    @usableFromInline var oldEpoch: UInt16 = 0
    @usableFromInline var oldUntil = Instant.never
    var oldManner = OldPath.error
    var gate = AccessGate()

    /// A socket of this address can use the network: its own, or one that was replaced and has not been taken yet.
    @inlinable func holds(_ address: UInt16) -> Bool {
        hasAddress && (address == epoch || (address == oldEpoch && oldUntil != .never))
    }

    @inlinable var isUsable: Bool { hasAddress && hasCoverage }

    /// Coverage apart, a question to the internet would be answered.
    func isOnline(at now: Instant) -> Bool {
        passesUp && passesDown && hasUplink && usableFrom <= now && portalUntil <= now && gate.isOpen
    }

    /// The network is gone, and what the system thought of it.
    mutating func forget(isOffered: Bool) {
        (self.isOffered, isKnown, isValidated, isFading) = (isOffered, false, false, false)
        (announceAt, validateAt, promptAt, doubtAt) = (.never, .never, .never, .never)
        (validateAgain, parkAt, wakeAt, attachment) = (.zero, .never, .never, .plain)
        (oldEpoch, oldUntil, oldManner) = (0, .never, .error)
    }

    /// When the first of what is put off is due.
    func due(after now: Instant) -> Instant {
        var at = min(min(min(announceAt, validateAt), min(promptAt, doubtAt)), min(min(parkAt, wakeAt), oldUntil))
        at = min(at, gate.opensAt)
        if now < usableFrom { at = min(at, usableFrom) }
        if now < portalUntil { at = min(at, portalUntil) }
        return at
    }
}
