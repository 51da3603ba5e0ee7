package import DeadzoneBase

/// The limits and timings with which one operating-system release restricts background apps and their network access.
package struct Platform: Hashable, Sendable {
    package enum OSFamily: UInt8, Hashable, Sendable, BitwiseCopyable {
        case android, ios
    }

    package var name: String
    package var family: OSFamily
    /// The release number of the system, as users know it.
    package var release: Int
    package var networks: NetworkRules
    package var doze = DozeRules.none
    package var standby = StandbyRules()
    package var alarms = AlarmRules()
    package var pushes = PushRules()
    package var life = AppProcessRules()
    package var restrictions = RestrictionRules()
    package var processor = ProcessorRules()
    /// Power of the processor while it is awake with the screen off, above its power asleep.
    package var wakePower = Power.zero
    /// Energy of one wake-up and the return to sleep.
    package var wakeEnergy = Energy.zero
    private let passByAddress = PassByAddress()

    /// Creates a platform that restricts no app, and with a processor that never sleeps.
    package init(name: String, family: OSFamily, release: Int, networks: NetworkRules) {
        self.name = name
        self.family = family
        self.release = release
        self.networks = networks
    }
}

/// An operating system's timings for a change of network, and its treatment of open sockets.
package struct NetworkRules: Hashable, Sendable {
    /// Time that the old network stays usable when a better one replaces it.
    package var linger: TimeSpan
    /// Time from the start of a network until the system has verified that it reaches the internet.
    package var validation: TimeSpan
    /// `true` if sockets get an error at once when their address is lost or a firewall rule blocks them.
    package var destroysSockets: Bool
    /// `true` if a BSD socket is not notified of a better network, nor of losses in the background.
    package var leavesSocketsFrozen: Bool
    /// Longest time that the processor stays awake after the default network is lost, until there is another one.
    package var lostAwake = TimeSpan.zero
    /// Time that the processor stays awake after a network has become the default.
    package var newAwake = TimeSpan.zero

    package init(linger: TimeSpan, validation: TimeSpan, destroysSockets: Bool, leavesSocketsFrozen: Bool) {
        self.linger = linger
        self.validation = validation
        self.destroysSockets = destroysSockets
        self.leavesSocketsFrozen = leavesSocketsFrozen
    }
}
