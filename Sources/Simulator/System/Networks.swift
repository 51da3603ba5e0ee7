package import DeadzoneBase
package import DeadzoneClient

/// The networks of one phone: which ones work, which one is the default, and the notifications to the app.
///
/// Also contains the state behind each network and the operating system's assessment. All other effects are put into an
/// effect queue. This type has no knowledge of radios, connections or servers.
package struct Networks: ~Copyable {
    /// State of each network, indexed by interface.
    let states: UnsafeMutablePointer<NetworkState>
    private let areInArena: Bool
    let rules: UnsafePointer<PathRules>
    /// The system's view of the default network.
    package internal(set) var view = NetworkView()
    /// Earliest instant at which an action of the system or a network is scheduled.
    package private(set) var dueAt = Instant.never

    /// Creates the networks of a phone; none has an address.
    /// - Parameter allocator: The arena allocator for the network states. `nil` allocates them separately.
    package init(
        _ rules: UnsafePointer<PathRules>, in allocator: ArenaAllocator? = nil, hasInterface: (Interface) -> Bool
    ) {
        self.rules = rules
        let interfaces = rules.pointee.interfaces
        areInArena = allocator != nil
        states =
            allocator?.allocate(of: NetworkState.self, interfaces.count) ?? .allocate(capacity: interfaces.count)
        for interface in interfaces {
            (states + Int(interface.rawValue)).initialize(to: NetworkState(exists: hasInterface(interface)))
        }
    }

    /// The interfaces of the world.
    package var interfaces: Interfaces { rules.pointee.interfaces }

    deinit { if !areInArena { states.deallocate() } }

    subscript(interface: Interface) -> NetworkState {
        unsafeAddress { UnsafePointer(states + Int(interface.rawValue)) }
        nonmutating unsafeMutableAddress { states + Int(interface.rawValue) }
    }

    // MARK: Queries

    /// Number of the interface's current address, which a packet sent now uses.
    package func addressNumber(_ interface: Interface) -> UInt16 { self[interface].addressNumber }
    /// `true` if a packet with this address can pass over the air: there is signal, and the address is still valid.
    package func reaches(_ interface: Interface, _ address: UInt16) -> Bool {
        self[interface].condition.hasCoverage && self[interface].holds(address)
    }
    package func holds(_ interface: Interface, _ address: UInt16) -> Bool { self[interface].holds(address) }
    package func hasCoverage(_ interface: Interface) -> Bool { self[interface].condition.hasCoverage }
    package func isMetered(_ interface: Interface) -> Bool { self[interface].isMetered }
    package func isUsable(_ interface: Interface) -> Bool { self[interface].isUsable }
    /// `true` if the interface has signal, and its network leads to the app's server without a restriction.
    package func isWorking(_ interface: Interface) -> Bool {
        self[interface].condition.hasCoverage && (!self[interface].isTroubled || self[interface].reachesServer)
    }
    /// `true` if the phone has a network that works.
    package var isWorking: Bool { truePath.map { isWorkingWithAddress($0) } ?? false }
    /// `true` if the interface also has an address.
    package func isWorkingWithAddress(_ interface: Interface) -> Bool {
        self[interface].isUsable && (!self[interface].isTroubled || self[interface].reachesServer)
    }
    /// `true` if the interface has an address and signal, and its network leads to the internet without a restriction.
    package func isOnline(_ interface: Interface, at now: Instant) -> Bool {
        guard self[interface].isUsable else { return false }
        return !self[interface].isTroubled || self[interface].condition.isOnline(at: now)
    }
    /// `true` while only the captive portal answers.
    package func isPortal(_ interface: Interface, at now: Instant) -> Bool {
        self[interface].isTroubled && self[interface].condition.isPortal(at: now)
    }

    /// The interface over which a byte sent now travels: the system's default, or the first with an address if the
    /// system has not selected one.
    package var truePath: Interface? {
        if let path = view.path, self[path].hasAddress { return path }
        return interfaces.first { self[$0].hasAddress }
    }

    /// `true` if the network behind the radio lets the packet through.
    /// - Parameters:
    ///   - isOfPortal: `true` for responses of a captive portal, the only packets that reach the phone before sign-in.
    ///   - target: The host to which the packet goes, or from which it comes.
    package func passes(
        _ direction: Direction, _ interface: Interface, ofApp: Bool, isOfPortal: @autoclosure () -> Bool,
        target: @autoclosure () -> Reach.RemoteHost = .server, at now: Instant
    ) -> Bool {
        guard self[interface].isTroubled else { return true }
        return self[interface].condition.passes(
            direction, ofApp: ofApp, isOfPortal: isOfPortal(), target: target(), at: now)
    }

    /// `true` if a packet may be sent. If the network requires a connection first, this call starts setting it up.
    package mutating func maySend(over interface: Interface, ofApp: Bool, at now: Instant) -> Bool {
        guard self[interface].isTroubled else { return true }
        defer { dueAt = min(dueAt, self[interface].condition.gate.opensAt) }
        return self[interface].condition.maySend(ofApp: ofApp, at: now)
    }

    // MARK: Conditions. These return `false` if the change had no effect

    package mutating func setCoverage(_ interface: Interface, _ isThere: Bool) -> Bool {
        self[interface].exists && self[interface].condition.setCoverage(isThere)
    }

    package mutating func setDirection(_ direction: Direction, _ passes: Bool, over interface: Interface) -> Bool {
        self[interface].exists && self[interface].condition.setDirection(direction, passes)
    }

    package mutating func connectUplink(_ isThere: Bool, of interface: Interface) -> Bool {
        self[interface].exists && self[interface].condition.setUplink(isThere)
    }

    /// Recomputes which networks are restricted and when the next scheduled action is due. Call it after any change.
    package mutating func reschedule(at now: Instant) {
        if rules.pointee.system != .none { wakeNeeded(at: now) }
        dueAt = .never
        for interface in interfaces {
            let isOnline = self[interface].condition.isOnline(at: now)
            let reachesServer = self[interface].condition.reachesServer(at: now)
            self[interface].isTroubled = !(isOnline && reachesServer)
            self[interface].reachesServer = reachesServer
            if rules.pointee.system == .android && self[interface].isValidated {
                if isOnline {
                    self[interface].doubtAt = .never
                } else if self[interface].doubtAt == .never {
                    self[interface].doubtAt = now + PathRules.doubt
                }
            }
            dueAt = min(dueAt, self[interface].due(after: now))
        }
    }
}
