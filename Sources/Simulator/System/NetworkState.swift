import DeadzoneBase
import DeadzoneClient

/// State of one interface's network: its address, its condition, and the system's assessment of it.
struct NetworkState: BitwiseCopyable, Sendable {
    /// `true` if the phone has the interface.
    let exists: Bool
    var hasAddress = false
    /// `true` if the system takes the network as metered. Beside the flags above, it takes no memory.
    var isMetered = false
    var condition = NetworkCondition()
    /// `true` if anything restricts the network. Cached here because every packet reads it.
    var isTroubled = false
    /// `true` if the app's server answers although the network is restricted. Cached, too.
    var reachesServer = false
    /// Counter that increases with each new address of the interface. Each socket belongs to one address.
    var addressNumber: UInt16 = 0

    // The system's assessment.
    /// `true` if the interface could have an address. The cellular interface may have none while Wi-Fi is in use.
    var isOffered = false
    /// `true` if the system has announced the network, and may select it.
    var isAnnounced = false
    var isValidated = false
    /// `true` if the network will be gone soon, so that the system prefers any other network.
    var isFading = false

    // Scheduled actions of the system or the network.
    var announceAt = Instant.never
    /// Instant of the next validation (internet check); `.never` if none is scheduled.
    var validateAt = Instant.never
    /// Delay from a failed validation to the next one.
    var validateAgain = TimeSpan.zero
    /// Instant at which the user is asked whether to stay on a network without internet; `.never` if none is scheduled.
    var promptAt = Instant.never
    /// Instant at which the system notices that the internet is unreachable; `.never` if it is reachable.
    var doubtAt = Instant.never
    /// Instant at which a network that is no longer needed is torn down; `.never` if none is scheduled.
    var tearDownAt = Instant.never
    /// Instant at which a network that is needed again gets its address; `.never` if none is scheduled.
    var wakeAt = Instant.never
    /// Properties of a network that was not needed when it became available. They apply when it gets an address.
    var attachment = Attachment.plain
    /// The previous address, which sockets can use until `oldUntil`.
    var oldEpoch: UInt16 = 0
    /// Instant at which the system withdraws the previous address; `.never` if there is no such address.
    var oldUntil = Instant.never
    /// How the sockets of the previous address notice its end.
    var oldLossSignal = PathLossSignal.error

    /// `true` if a socket bound to this address can use the network: the address is the current one, or the previous
    /// one before the system withdraws it.
    func holds(_ address: UInt16) -> Bool {
        hasAddress && (address == addressNumber || (address == oldEpoch && oldUntil != .never))
    }

    var isUsable: Bool { hasAddress && condition.hasCoverage }

    /// Resets the state of a network that is gone, and the system's assessment of it.
    mutating func forget(isOffered: Bool) {
        (self.isOffered, isAnnounced, isValidated, isFading) = (isOffered, false, false, false)
        (announceAt, validateAt, promptAt, doubtAt) = (.never, .never, .never, .never)
        (validateAgain, tearDownAt, wakeAt, attachment) = (.zero, .never, .never, .plain)
        (oldEpoch, oldUntil, oldLossSignal) = (0, .never, .error)
    }

    /// Returns the earliest instant of all scheduled actions of this network.
    func due(after now: Instant) -> Instant {
        let at = min(min(min(announceAt, validateAt), min(promptAt, doubtAt)), min(min(tearDownAt, wakeAt), oldUntil))
        return min(at, condition.due(after: now))
    }
}

extension NetworkView {
    mutating func setAccess(_ gate: AccessGate) {
        isBlocked = gate.isRefused
        needsConnection = gate.needsConnection
    }
}
