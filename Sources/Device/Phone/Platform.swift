public import DeadzonePrimitives

/// The limits and timings with which one operating-system release restricts background apps and their network access.
public struct Platform: Hashable, Sendable {
    public enum OSFamily: UInt8, Hashable, Sendable, BitwiseCopyable {
        case android, ios
    }

    public var name: String
    public var family: OSFamily
    /// The release number of the system, as users know it.
    public var release: Int
    public var networks: NetworkRules
    public var doze = DozeRules.none
    public var standby = StandbyRules()
    public var alarms = AlarmRules()
    public var pushes = PushRules()
    public var life = AppProcessRules()
    public var processor = ProcessorRules()
    /// Power of the processor while it is awake with the screen off, above its power asleep.
    public var wakePower = Power.zero
    /// Energy of one wake-up and the return to sleep.
    public var wakeEnergy = Energy.zero
    private let passByAddress = PassByAddress()

    /// Creates a platform that restricts no app, and with a processor that never sleeps.
    public init(name: String, family: OSFamily, release: Int, networks: NetworkRules) {
        self.name = name
        self.family = family
        self.release = release
        self.networks = networks
    }
}

/// An operating system's timings for a change of network, and its treatment of open sockets.
public struct NetworkRules: Hashable, Sendable {
    /// Time that the old network stays usable when a better one replaces it.
    public var linger: TimeSpan
    /// Time from the start of a network until the system has verified that it reaches the internet.
    public var validation: TimeSpan
    /// `true` if sockets get an error at once when their address is lost or a firewall rule blocks them.
    public var destroysSockets: Bool
    /// `true` if a BSD socket is not notified of a better network, nor of losses in the background.
    public var leavesSocketsFrozen: Bool

    public init(linger: TimeSpan, validation: TimeSpan, destroysSockets: Bool, leavesSocketsFrozen: Bool) {
        self.linger = linger
        self.validation = validation
        self.destroysSockets = destroysSockets
        self.leavesSocketsFrozen = leavesSocketsFrozen
    }
}
