import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator

/// A naive second model of a phone's networks: each scheduled action is an entry of a dictionary, and each number stands
/// here as a literal. Tests compare it with `Networks` after every call.
struct ReferenceNetworks {
    enum Effect: Equatable {
        case note(JournalEntry), told(NetworkChange), attached(Interface), detached(Interface), endStreams
        case endSockets(Interface, UInt16?, PathLossSignal, isReplaced: Bool)
    }

    struct Network {
        var exists = true
        var (isOffered, hasAddress, isAnnounced, isValidated, isFading) = (false, false, false, false, false)
        var (hasCoverage, passesUp, passesDown, hasUplink) = (true, true, true, true)
        var address: UInt16 = 0
        var old: (address: UInt16, signal: PathLossSignal)?
        var (usableFrom, portalUntil) = (Instant.zero, Instant.zero)
        var reach = Reach.all
        var timers: [Networks.PendingAction: Instant] = [:]
        var retryAfter = TimeSpan.zero
        var waiting = Attachment.plain
        var isRefused = false
        var needsConnection = false
        /// `nil` if the connection is not set up automatically.
        var setupTime: TimeSpan?

        func isOnline(_ now: Instant) -> Bool { isOpen(now) && (reach == .all || reach == .internet) }
        func reachesServer(_ now: Instant) -> Bool { isOpen(now) && (reach == .all || reach == .server) }
        private func isOpen(_ now: Instant) -> Bool {
            [passesUp, passesDown, hasUplink, usableFrom <= now, portalUntil <= now, !isRefused, !needsConnection]
                .allSatisfy { $0 }
        }
        func holds(_ number: UInt16) -> Bool { hasAddress && (number == address || number == old?.address) }
    }

    let platform: Platform?
    /// The interfaces of the world, in the order of their numbers.
    let interfaces: [Interface]
    /// All interfaces in the order of preference.
    let order: [Interface]
    /// The network that the app asks for.
    let requested: Interface?
    var networks: [Interface: Network] = [:]
    var view = NetworkView()
    var effects: [Effect] = []
    /// A set-up that a packet has started since the last call of `reschedule`.
    var isAndroid: Bool { platform?.family == .android }
    var linger: TimeSpan { platform?.networks.linger ?? .zero }

    init(
        _ platform: Platform?, _ interfaces: [Interface], has own: [Interface], order: [Interface],
        requested: Interface?
    ) {
        (self.platform, self.interfaces, self.order, self.requested) = (platform, interfaces, order, requested)
        for interface in interfaces { self[interface].exists = own.contains(interface) }
    }

    subscript(interface: Interface) -> Network {
        get { networks[interface] ?? Network() }
        set { networks[interface] = newValue }
    }

    /// The place of an interface in the order that the app uses; the first one is preferred.
    func place(_ interface: Interface) -> Int {
        interface == requested ? -1 : order.firstIndex(of: interface) ?? 99
    }
    /// A carrier's networks wait until they are needed, and on a watch Wi-Fi does.
    func waits(_ interface: Interface) -> Bool {
        switch interface {
        case .cellular, .sim2: true
        case .wifi: (order.firstIndex(of: .bluetooth) ?? 0) < (order.firstIndex(of: .wifi) ?? 0)
        default: false
        }
    }

    func due(after now: Instant) -> Instant {
        var times: [Instant] = []
        for network in networks.values {
            times += network.timers.values
            times += [network.usableFrom, network.portalUntil].filter { now < $0 }
        }
        return times.min() ?? .never
    }

    var truePath: Interface? {
        if let path = view.path, self[path].hasAddress { return path }
        return interfaces.first { self[$0].hasAddress }
    }

    mutating func tell(
        _ kind: NetworkChange.NetworkEventKind, _ interface: Interface, _ address: UInt16? = nil, path: Interface?,
        replaces: Bool = false, at now: Instant
    ) {
        let codes: [NetworkChange.NetworkEventKind: NetworkCode] = [
            .available: .available, .losing: .losing, .lost: .lost, .validated: .validated,
            .unvalidated: .unvalidated, .blocked: .blocked, .unblocked: .unblocked, .capabilities: .capabilities,
        ]
        guard now != .zero, let code = codes[kind] else { return }
        let change = NetworkChange(
            kind, of: interface, handle: address ?? self[interface].address, now: path, replacesDefaultPath: replaces)
        effects += [
            .note(JournalEntry(.networkTold, code, value: Int64(Interface.allCases.firstIndex(of: interface) ?? -1)))
        ]
        effects += [.told(change)]
    }

    // MARK: Changes

    mutating func raise(_ interface: Interface, _ attachment: Attachment, at now: Instant) -> Bool {
        guard self[interface].exists, !self[interface].isOffered else { return false }
        self[interface].isOffered = true
        if !isNeeded(interface) {
            self[interface].waiting = attachment
        } else {
            attach(interface, attachment, at: now)
        }
        return true
    }

    mutating func drop(_ interface: Interface, _ signal: PathLossSignal, at now: Instant) -> Bool {
        guard self[interface].isOffered else { return false }
        let hadAddress = self[interface].hasAddress
        forget(interface)
        self[interface].isOffered = false
        guard hadAddress else { return true }
        detach(interface)
        let isSaid = signal != .silent
        if isSaid && isAndroid { tell(.lost, interface, path: view.path == interface ? nil : view.path, at: now) }
        if isSaid || best != nil { chooseDefault(at: now) }
        effects.append(.endSockets(interface, nil, signal, isReplaced: false))
        return true
    }

    mutating func fade(_ interface: Interface, at now: Instant) -> Bool {
        guard self[interface].hasAddress, !self[interface].isFading else { return false }
        self[interface].isFading = true
        chooseDefault(at: now)
        return true
    }

    mutating func readdress(_ interface: Interface, _ signal: PathLossSignal, at now: Instant) -> Bool {
        guard self[interface].hasAddress else { return false }
        if self[interface].timers[.oldAddress] != nil { endOldAddress(interface, at: now) }
        let (old, wasDefault) = (self[interface].address, view.path == interface)
        self[interface].address += 1
        self[interface].old = (old, signal)
        self[interface].timers[.oldAddress] = now + linger
        chooseDefault(at: now)
        if signal != .silent && isAndroid {
            tell(.losing, interface, old, path: wasDefault ? interface : view.path, at: now)
        }
        if signal == .silent || linger == .zero { endOldAddress(interface, at: now) }
        return true
    }

    mutating func announceSpurious(_ event: SpuriousEvent, of interface: Interface, at now: Instant) -> Bool {
        guard self[interface].hasAddress, self[interface].isAnnounced else { return false }
        let path = view.path
        switch event {
        case .capabilities: tell(.capabilities, interface, path: path, at: now)
        case .available: tell(.available, interface, path: path, at: now)
        case .flap:
            tell(.lost, interface, path: path == interface ? nil : path, at: now)
            tell(.available, interface, path: path, replaces: path == interface, at: now)
        }
        return true
    }

    mutating func announceCapabilities(of interface: Interface, at now: Instant) {
        if isAndroid && view.path == interface { tell(.capabilities, interface, path: interface, at: now) }
    }

    mutating func block(_ isBlocked: Bool, at now: Instant) {
        guard view.isBlocked != isBlocked else { return }
        view.isBlocked = isBlocked
        if let path = view.path { tell(isBlocked ? .blocked : .unblocked, path, path: path, at: now) }
    }

    mutating func setAccess(_ access: Access, to interface: Interface, at now: Instant) -> Bool {
        guard !isAndroid, self[interface].exists else { return false }
        let before = (self[interface].isRefused, self[interface].needsConnection)
        switch access {
        case .open:
            (self[interface].isRefused, self[interface].needsConnection) = (false, false)
            self[interface].timers[.gate] = nil
        case .refused:
            self[interface].isRefused = true
            if !before.0 { self[interface].timers[.gate] = nil }
        case .needsConnection(let span):
            if !before.1 { self[interface].setupTime = span }
            self[interface].needsConnection = true
        }
        guard before != (self[interface].isRefused, self[interface].needsConnection) else { return false }
        guard view.path == interface else { return true }
        (view.isBlocked, view.needsConnection) = (self[interface].isRefused, self[interface].needsConnection)
        tell(
            view.isBlocked || view.needsConnection ? .lost : .available, interface, path: interface, at: now)
        return true
    }

    mutating func maySend(over interface: Interface, ofApp: Bool, at now: Instant) -> Bool {
        let network = self[interface]
        guard network.needsConnection || (network.isRefused && ofApp) else { return true }
        if network.needsConnection, !network.isRefused, network.timers[.gate] == nil, let span = network.setupTime {
            self[interface].timers[.gate] = now + span
        }
        return false
    }

    func passes(
        _ direction: Direction, _ interface: Interface, ofApp: Bool, isOfPortal: Bool, target: Reach.RemoteHost,
        at now: Instant
    )
        -> Bool
    {
        let network = self[interface]
        let isHeldByPortal = direction == .down && now < network.portalUntil && !isOfPortal
        let isHeldByGate = network.needsConnection || (network.isRefused && ofApp)
        let ends: [Reach: [Reach.RemoteHost]] = [
            .all: [.internet, .server, .resolver], .internet: [.internet, .resolver], .server: [.server, .resolver],
        ]
        return ends[network.reach, default: []].contains(target) && network.hasUplink && network.usableFrom <= now
            && !isHeldByPortal && !isHeldByGate
            && (direction == .up ? network.passesUp : network.passesDown)
    }
}
