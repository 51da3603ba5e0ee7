public import DeadzonePrimitives

/// An operating system as far as it decides who may run and talk: the numbers of one release.
public struct Platform: Hashable, Sendable {
    public enum Family: UInt8, Hashable, Sendable, BitwiseCopyable {
        case android, ios
    }

    public var name: String
    public var family: Family
    /// Of the system, as users count it.
    public var release: Int
    public var networks: NetworkRules
    public var doze = DozeRules.none
    public var standby = StandbyRules()
    public var alarms = AlarmRules()
    public var pushes = PushRules()
    public var life = LifeCycleRules()
    public var processor = ProcessorRules()
    /// While it is awake with the screen off, above what it draws asleep.
    public var wakePower = Power.zero
    /// Going to sleep and waking up once.
    public var wakeEnergy = Energy.zero
    private let lent = Lent()

    /// A system that lets everyone run and talk, and whose processor never sleeps.
    public init(name: String, family: Family, release: Int, networks: NetworkRules) {
        self.name = name
        self.family = family
        self.release = release
        self.networks = networks
    }
}

/// What the system does with networks and tells of them.
public struct NetworkRules: Hashable, Sendable {
    /// The old network stays so long when a better one takes its place.
    public var linger: TimeSpan
    /// From a network's coming up to the system's having reached the internet over it.
    public var validation: TimeSpan
    /// Sockets whose address is gone, or that a firewall rule hits, get an error at once.
    public var destroysSockets: Bool
    /// A BSD socket is not told when a better network takes its place, nor of losses in the background.
    public var leavesSocketsFrozen: Bool

    public init(linger: TimeSpan, validation: TimeSpan, destroysSockets: Bool, leavesSocketsFrozen: Bool) {
        self.linger = linger
        self.validation = validation
        self.destroysSockets = destroysSockets
        self.leavesSocketsFrozen = leavesSocketsFrozen
    }
}
