public import DeadzoneClient
public import DeadzonePrimitives

/// The networks of a phone: which there are and what is behind them, what the operating system makes of them, which one it calls
/// the default, and what it tells the app. What it wants done beyond that it asks for in steps; it knows nothing of radios,
/// connections or servers.
public struct Networks: ~Copyable {
    /// By interface.
    @usableFromInline let states: UnsafeMutablePointer<NetworkState>
    private let areLent: Bool
    let rules: UnsafePointer<PathRules>
    /// What the system would say of the default network.
    public internal(set) var view = NetworkView()
    /// When the system, or a network, next does by itself what it has put off.
    public private(set) var dueAt = Instant.never

    /// - Parameter surveyor: Of the ground that they lie on; nil: at a place of their own.
    public init(
        _ rules: UnsafePointer<PathRules>, on surveyor: Surveyor? = nil, hasInterface: (Interface) -> Bool
    ) {
        self.rules = rules
        areLent = surveyor != nil
        let count = Interface.allCases.count
        states = surveyor?.place(of: NetworkState.self, count) ?? .allocate(capacity: count)
        for interface in Interface.allCases {
            (states + Int(interface.rawValue)).initialize(to: NetworkState(exists: hasInterface(interface)))
        }
    }

    deinit { if !areLent { states.deallocate() } }

    @usableFromInline subscript(interface: Interface) -> NetworkState {
        @inlinable unsafeAddress { UnsafePointer(states + Int(interface.rawValue)) }
        @inlinable nonmutating unsafeMutableAddress { states + Int(interface.rawValue) }
    }

    // MARK: What there is to know of them

    /// The address that a packet sent now would have.
    @inlinable public func epoch(_ interface: Interface) -> UInt16 { self[interface].epoch }
    /// A packet of this address finds its way through the air.
    @inlinable public func reaches(_ interface: Interface, _ address: UInt16) -> Bool {
        self[interface].hasCoverage && self[interface].holds(address)
    }
    @inlinable public func holds(_ interface: Interface, _ address: UInt16) -> Bool { self[interface].holds(address) }
    @inlinable public func hasCoverage(_ interface: Interface) -> Bool { self[interface].hasCoverage }
    @inlinable public func isUsable(_ interface: Interface) -> Bool { self[interface].isUsable }
    /// There is signal, and nothing behind it is amiss.
    @inlinable public func carries(_ interface: Interface) -> Bool {
        self[interface].hasCoverage && !self[interface].isTroubled
    }
    /// The same, with an address.
    @inlinable public func serves(_ interface: Interface) -> Bool {
        self[interface].isUsable && !self[interface].isTroubled
    }
    /// Nobody answers but the page that asks to sign in.
    @inlinable public func isPortal(_ interface: Interface, at now: Instant) -> Bool {
        self[interface].isTroubled && isSigningIn(interface, at: now)
    }
    @usableFromInline func isSigningIn(_ interface: Interface, at now: Instant) -> Bool {
        now < self[interface].portalUntil
    }

    /// The path over which a byte sent now would leave: the system's default, or what there is before it has chosen.
    public var truePath: Interface? {
        if let path = view.path, self[path].hasAddress { return path }
        return Interface.allCases.first { self[$0].hasAddress }
    }

    /// The network behind the radio lets it through.
    /// - Parameter isOfPortal: What a portal says is an answer; nobody else gets through it to the phone.
    @inlinable public func passes(
        _ direction: Direction, _ interface: Interface, ofApp: Bool, isOfPortal: @autoclosure () -> Bool,
        at now: Instant
    ) -> Bool {
        guard self[interface].isTroubled else { return true }
        return passesTrouble(direction, interface, ofApp: ofApp, isOfPortal: isOfPortal(), at: now)
    }

    @usableFromInline func passesTrouble(
        _ direction: Direction, _ interface: Interface, ofApp: Bool, isOfPortal: Bool, at now: Instant
    ) -> Bool {
        let state = self[interface]
        guard state.hasUplink && state.usableFrom <= now, state.gate.passes(ofApp: ofApp) else { return false }
        if now < state.portalUntil && direction == .down && !isOfPortal { return false }
        return direction == .up ? state.passesUp : state.passesDown
    }

    /// A packet wants to leave; a gate that needs a connection for it sets one up.
    @inlinable public mutating func mayLeave(over interface: Interface, ofApp: Bool, at now: Instant) -> Bool {
        guard self[interface].isTroubled else { return true }
        return passesGate(interface, ofApp: ofApp, at: now)
    }

    @usableFromInline mutating func passesGate(_ interface: Interface, ofApp: Bool, at now: Instant) -> Bool {
        if self[interface].gate.passes(ofApp: ofApp) { return true }
        self[interface].gate.knock(at: now)
        dueAt = min(dueAt, self[interface].gate.opensAt)
        return false
    }

    // MARK: Conditions. False: nothing was there to change

    public mutating func cover(_ interface: Interface, _ isThere: Bool) -> Bool {
        guard self[interface].exists, self[interface].hasCoverage != isThere else { return false }
        self[interface].hasCoverage = isThere
        return true
    }

    public mutating func pass(_ direction: Direction, _ passes: Bool, over interface: Interface) -> Bool {
        guard self[interface].exists else { return false }
        let before = direction == .up ? self[interface].passesUp : self[interface].passesDown
        guard before != passes else { return false }
        if direction == .up { self[interface].passesUp = passes } else { self[interface].passesDown = passes }
        return true
    }

    public mutating func connectUplink(_ isThere: Bool, of interface: Interface) -> Bool {
        guard self[interface].exists, self[interface].hasUplink != isThere else { return false }
        self[interface].hasUplink = isThere
        return true
    }

    /// After any change: what the change asks of the system, and when it will do it.
    public mutating func settle(at now: Instant) {
        if rules.pointee.system != .none { wakeCellular(at: now) }
        dueAt = .never
        for interface in Interface.allCases {
            let isOnline = self[interface].isOnline(at: now)
            self[interface].isTroubled = !isOnline
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
