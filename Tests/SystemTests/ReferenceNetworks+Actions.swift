import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator

/// The scheduled actions of the naive model, and its choice of the default network.
extension ReferenceNetworks {
    /// Executes everything that is due at this instant, in the order of the actions.
    mutating func advance(at now: Instant) {
        for interface in interfaces {
            for action in Networks.PendingAction.allCases { advance(action, interface, at: now) }
        }
    }

    private mutating func advance(_ action: Networks.PendingAction, _ interface: Interface, at now: Instant) {
        if action == .signIn {
            if now != .zero && self[interface].portalUntil == now { signIn(interface, at: now) }
            return
        }
        guard let at = self[interface].timers[action], at <= now else { return }
        self[interface].timers[action] = nil
        switch action {
        case .oldAddress: endOldAddress(interface, at: now)
        case .tearDown: tearDown(interface, at: now)
        case .wake: attach(interface, self[interface].waiting, at: now)
        case .gate: _ = setAccess(.open, to: interface, at: now)
        case .announcement: announce(interface, at: now)
        case .doubt:
            self[interface].timers[.validation] = now + .seconds(1)
            self[interface].retryAfter = .seconds(2)
            setValidated(false, interface, at: now)
        case .validation: validate(interface, at: now)
        case .prompt: if view.path == interface { tell(.unvalidated, interface, path: interface, at: now) }
        case .signIn: break
        }
    }

    private mutating func signIn(_ interface: Interface, at now: Instant) {
        guard self[interface].isAnnounced else { return }
        if platform == nil { setValidated(true, interface, at: now) }
        if isAndroid { self[interface].timers[.validation] = now + (platform?.networks.validation ?? .zero) }
    }

    private mutating func validate(_ interface: Interface, at now: Instant) {
        let network = self[interface]
        if network.hasAddress && network.hasCoverage && network.isOnline(now) {
            self[interface].timers[.prompt] = nil
            setValidated(true, interface, at: now)
        } else {
            self[interface].timers[.validation] = now + network.retryAfter
            self[interface].retryAfter = min(network.retryAfter + network.retryAfter, .seconds(600))
        }
    }

    private mutating func setValidated(_ isValid: Bool, _ interface: Interface, at now: Instant) {
        self[interface].isValidated = isValid
        if view.path == interface {
            view.isValidated = isValid
            tell(isValid ? .validated : .unvalidated, interface, path: interface, at: now)
        }
        chooseDefault(at: now)
    }

    private mutating func announce(_ interface: Interface, at now: Instant) {
        self[interface].timers[.announcement] = nil
        self[interface].isAnnounced = true
        if platform == nil {
            self[interface].isValidated = self[interface].portalUntil <= now
        } else if !isAndroid || (now == .zero && self[interface].isOnline(now)) {
            self[interface].isValidated = true
        } else {
            self[interface].timers[.validation] = now + (platform?.networks.validation ?? .zero)
            self[interface].retryAfter = .seconds(1)
            self[interface].timers[.prompt] = now + .seconds(8)
        }
        chooseDefault(at: now)
    }

    var best: Interface? {
        var candidates = interfaces.filter { self[$0].hasAddress && self[$0].isAnnounced }
        if let requested, candidates.contains(requested) { return requested }
        let isAnyValidated = candidates.contains { self[$0].isValidated }
        if isAndroid && isAnyValidated { candidates.removeAll { !self[$0].isValidated } }
        let isAnyStrong = candidates.contains { !self[$0].isFading }
        if isAnyStrong { candidates.removeAll { self[$0].isFading } }
        return order.first(where: candidates.contains)
    }

    mutating func chooseDefault(at now: Instant) {
        let (path, before) = (best, view)
        let address = path.map { self[$0].address } ?? 0
        guard path != before.path || (path != nil && address != before.handle) else { return }
        view = NetworkView(path: path, handle: address, isValidated: path.map { self[$0].isValidated } ?? false)
        view.isBlocked = isAndroid ? before.isBlocked : path.map { self[$0].isRefused } ?? false
        view.needsConnection = isAndroid ? false : path.map { self[$0].needsConnection } ?? false
        view.isMetered = path?.isCellular ?? false
        guard let path else {
            if let lost = before.path, !isAndroid { tell(.lost, lost, before.handle, path: nil, at: now) }
            return
        }
        tell(.available, path, path: path, replaces: true, at: now)
        if isAndroid && view.isValidated { tell(.validated, path, path: path, at: now) }
        self[path].timers[.tearDown] = nil
        guard platform != nil else { return }
        for other in interfaces where other != path && self[other].hasAddress {
            let isUnneeded = waits(other) && place(path) < place(other)
            if isAndroid && before.path == other && (isUnneeded || self[other].isFading) {
                tell(.losing, other, path: path, at: now)
            }
            if isUnneeded && self[other].timers[.tearDown] == nil {
                self[other].timers[.tearDown] = now == .zero ? now : now + linger
            }
        }
        if platform?.networks.leavesSocketsFrozen == true { effects.append(.endStreams) }
    }

    mutating func attach(_ interface: Interface, _ attachment: Attachment, at now: Instant) {
        self[interface].hasAddress = true
        self[interface].address += 1
        self[interface].usableFrom = now + attachment.usableAfter
        self[interface].portalUntil = attachment.portal.map { now + $0 } ?? .zero
        self[interface].reach = attachment.reach
        self[interface].timers[.wake] = nil
        self[interface].waiting = .plain
        effects.append(.attached(interface))
        var at = now + (attachment.announcedAfter ?? .zero)
        if platform != nil && !isAndroid { at = max(at, self[interface].portalUntil) }
        self[interface].timers[.announcement] = at
        if at <= now { announce(interface, at: now) }
    }

    mutating func detach(_ interface: Interface) {
        self[interface].hasAddress = false
        (self[interface].usableFrom, self[interface].portalUntil, self[interface].reach) = (.zero, .zero, .all)
        effects.append(.detached(interface))
    }

    mutating func endOldAddress(_ interface: Interface, at now: Instant) {
        guard let old = self[interface].old else { return }
        self[interface].timers[.oldAddress] = nil
        self[interface].old = nil
        if old.signal != .silent && isAndroid { tell(.lost, interface, old.address, path: view.path, at: now) }
        effects.append(.endSockets(interface, old.address, old.signal, isReplaced: false))
    }

    private mutating func tearDown(_ interface: Interface, at now: Instant) {
        detach(interface)
        forget(interface)
        if isAndroid { tell(.lost, interface, path: view.path, at: now) }
        let signal: PathLossSignal = platform?.networks.destroysSockets == false ? .silent : .error
        effects.append(.endSockets(interface, nil, signal, isReplaced: true))
    }

    mutating func forget(_ interface: Interface) {
        let gate = self[interface].timers[.gate]
        self[interface].timers = [:]
        self[interface].timers[.gate] = gate
        (self[interface].isAnnounced, self[interface].isValidated, self[interface].isFading) = (false, false, false)
        (self[interface].old, self[interface].waiting, self[interface].retryAfter) = (nil, .plain, .zero)
    }

    func isNeeded(_ interface: Interface) -> Bool {
        guard platform != nil, waits(interface) else { return true }
        return interfaces.allSatisfy { other in
            let network = self[other]
            let isBetter = place(other) < place(interface) && network.hasAddress && network.isAnnounced
            return !isBetter || network.isFading || (isAndroid && !network.isValidated)
        }
    }

    mutating func reschedule(at now: Instant) {
        for interface in interfaces where platform != nil && self[interface].isOffered && !self[interface].hasAddress {
            if !isNeeded(interface) {
                self[interface].timers[.wake] = nil
            } else if self[interface].timers[.wake] == nil {
                self[interface].timers[.wake] = now == .zero ? now : now + .seconds(1)
            }
        }
        for interface in interfaces where isAndroid && self[interface].isValidated {
            if self[interface].isOnline(now) {
                self[interface].timers[.doubt] = nil
            } else if self[interface].timers[.doubt] == nil {
                self[interface].timers[.doubt] = now + .seconds(60)
            }
        }
    }
}
