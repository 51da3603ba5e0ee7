import DeadzoneDevice
import DeadzoneNetwork
import DeadzonePrimitives

/// An interface of the phone: its radio, the links its packets ride, and the network that it is on.
struct Port: ~Copyable {
    var radio: Radio?
    /// When the radio changes by itself; kept here because every event asks for it.
    var radioAt: Instant
    var up: Link
    var down: Link
    var hasAddress = false
    var hasCoverage = true
    /// Something of the network is not as it should be; kept here because every packet asks for it.
    var isTroubled = false
    /// Counts addresses: a socket belongs to one.
    var epoch: UInt16 = 0
    /// Packets that wait for the radio.
    var held: UInt32 = 0
    /// Which of the world's cellular profiles the radio is.
    var technology: UInt8 = 0
    /// Which of the world's link conditions hold: 0 are the usual ones.
    var condition: UInt8 = 0

    // The network behind the radio.
    var passesUp = true
    var passesDown = true
    var hasUplink = true
    var usableFrom = Instant.zero
    /// Until then nobody answers but the page that asks to sign in.
    var portalUntil = Instant.zero
    var standing = NetworkStanding()
    var gate = AccessGate()

    var isUsable: Bool { hasAddress && hasCoverage }

    /// A socket of this address can use the network: its own, or one that was replaced and has not been taken yet.
    func holds(_ address: UInt16) -> Bool {
        hasAddress && (address == epoch || (address == standing.oldEpoch && standing.oldUntil != .never))
    }

    /// Coverage apart, a question to the internet would be answered.
    func isOnline(at now: Instant) -> Bool {
        passesUp && passesDown && hasUplink && usableFrom <= now && portalUntil <= now && gate.isOpen
    }
}

/// What the operating system thinks of an interface's network, and what it will do about it.
struct NetworkStanding: BitwiseCopyable, Sendable {
    /// The interface could have an address. A cellular one may go without while Wi-Fi serves.
    var isOffered = false
    /// The system has announced the network, and may choose it.
    var isKnown = false
    var isValidated = false
    /// Any other network is better.
    var isFading = false

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
    var oldEpoch: UInt16 = 0
    var oldUntil = Instant.never
    var oldManner = OldPath.error

    var next: Instant {
        min(min(min(announceAt, validateAt), min(promptAt, doubtAt)), min(min(parkAt, wakeAt), oldUntil))
    }
}

/// What an operating system does about networks, in plain bytes; without a platform all at once and nothing by itself.
struct PathRules: BitwiseCopyable, Sendable {
    enum System: UInt8, BitwiseCopyable, Sendable {
        case none, android, ios
    }

    var system = System.none
    var linger = TimeSpan.zero
    var validation = TimeSpan.zero
    var destroysSockets = true
    var leavesSocketsFrozen = false

    init(_ platform: Platform?) {
        guard let platform else { return }
        system = platform.family == .android ? .android : .ios
        linger = platform.networks.linger
        validation = platform.networks.validation
        destroysSockets = platform.networks.destroysSockets
        leavesSocketsFrozen = platform.networks.leavesSocketsFrozen
    }

    // Of Android, whatever its release.

    /// `PROMPT_UNVALIDATED_DELAY_MS` of ConnectivityService.java (aosp-mirror/platform_frameworks_base).
    static let prompt = TimeSpan.seconds(8)
    /// `INITIAL_REEVALUATE_DELAY_MS` and `MAX_REEVALUATE_DELAY_MS` of NetworkMonitor.java, the delay doubling in between.
    static let firstRetry = TimeSpan.seconds(1)
    static let longestRetry = TimeSpan.minutes(10)
    /// A network that lost the internet is looked at again when look-ups have failed, at the earliest after
    /// `DEFAULT_DATA_STALL_MIN_EVALUATE_TIME_MS` of NetworkMonitor's DataStallUtils.
    static let doubt = TimeSpan.minutes(1)
    /// From needing the cellular network to its address. Assumed: attaching a bearer takes about a second.
    static let bringUp = TimeSpan.seconds(1)
}
