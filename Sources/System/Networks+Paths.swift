import DeadzoneClient
public import DeadzonePrimitives

/// Networks that come and go, and what the operating system makes of them.
extension Networks {
    public mutating func raise(
        _ interface: Interface, _ attachment: Attachment, at now: Instant, _ out: inout Steps<NetworksStep>
    ) -> Bool {
        guard self[interface].exists, !self[interface].isOffered else { return false }
        self[interface].isOffered = true
        if interface == .wifi || isCellularNeeded {
            attach(interface, attachment, at: now, &out)
        } else {
            self[interface].attachment = attachment
        }
        return true
    }

    public mutating func drop(
        _ interface: Interface, _ manner: OldPath, at now: Instant, _ out: inout Steps<NetworksStep>
    ) -> Bool {
        guard self[interface].isOffered else { return false }
        let hadAddress = self[interface].hasAddress
        self[interface].forget(isOffered: false)
        guard hadAddress else { return true }
        detach(interface, &out)
        // After a silent loss nothing is said of what went, only of a network that takes its place.
        let isSaid = manner != .silent
        if isSaid && rules.pointee.system == .android {
            tell(.lost, interface, now: view.path == interface ? nil : view.path, at: now, &out)
        }
        if isSaid || preferred != nil { chooseDefault(at: now, &out) }
        out.append(.endSockets(interface, address: nil, manner, isReplaced: false))
        return true
    }

    /// Wi-Fi at the edge of its reach: the system moves on before the address goes.
    public mutating func fade(
        _ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>
    ) -> Bool {
        guard self[interface].hasAddress, !self[interface].isFading else { return false }
        self[interface].isFading = true
        chooseDefault(at: now, &out)
        return true
    }

    /// The same network gives another address. What is bound to the old one works until the system takes it away.
    public mutating func readdress(
        _ interface: Interface, _ manner: OldPath, at now: Instant, _ out: inout Steps<NetworksStep>
    ) -> Bool {
        guard self[interface].hasAddress else { return false }
        // There is time of grace for one address; the one before it is gone now.
        if self[interface].oldUntil != .never { endOldAddress(interface, at: now, &out) }
        let old = self[interface].epoch
        let isDefault = view.path == interface
        self[interface].epoch &+= 1
        self[interface].oldEpoch = old
        self[interface].oldUntil = now + rules.pointee.linger
        self[interface].oldManner = manner
        chooseDefault(at: now, &out)
        // A network that takes the address away without a word leaves nothing of it to linger.
        let isSaid = manner != .silent
        if isSaid && rules.pointee.system == .android {
            tell(.losing, interface, handle: old, now: isDefault ? interface : view.path, at: now, &out)
        }
        if !isSaid || rules.pointee.linger == .zero { endOldAddress(interface, at: now, &out) }
        return true
    }

    /// What the system, or a network, does by itself once it is due, in the order in which it is done at one instant.
    public enum Matter: CaseIterable, Sendable {
        case oldAddress, letGo, wake, gate, announcement, doubt, signIn, validation, prompt
    }

    /// What of this is due happens.
    public mutating func advance(
        _ matter: Matter, of interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>
    ) {
        switch matter {
        case .oldAddress: if self[interface].oldUntil <= now { endOldAddress(interface, at: now, &out) }
        case .letGo: if self[interface].parkAt <= now { letGo(interface, at: now, &out) }
        case .wake: if self[interface].wakeAt <= now { attach(interface, self[interface].attachment, at: now, &out) }
        case .gate: if self[interface].gate.opensAt <= now { _ = admit(.open, to: interface, at: now, &out) }
        case .announcement: if self[interface].announceAt <= now { announce(interface, at: now, &out) }
        case .doubt: if self[interface].doubtAt <= now { doubt(interface, at: now, &out) }
        case .signIn:
            if .zero < now && self[interface].portalUntil == now { signIn(interface, at: now, &out) }
        case .validation: if self[interface].validateAt <= now { validate(interface, at: now, &out) }
        case .prompt: if self[interface].promptAt <= now { prompt(interface, at: now, &out) }
        }
    }

    private mutating func attach(
        _ interface: Interface, _ attachment: Attachment, at now: Instant, _ out: inout Steps<NetworksStep>
    ) {
        self[interface].hasAddress = true
        self[interface].epoch &+= 1
        self[interface].usableFrom = now + attachment.usableAfter
        self[interface].portalUntil = attachment.portal.map { now + $0 } ?? .zero
        self[interface].wakeAt = .never
        self[interface].attachment = .plain
        out.append(.attached(interface))
        var announceAt = now + (attachment.announcedAfter ?? .zero)
        // iOS gives a network to apps when its own sign-in page is done with. Assumed; Apple documents the page alone.
        if rules.pointee.system == .ios { announceAt = max(announceAt, self[interface].portalUntil) }
        self[interface].announceAt = announceAt
        if announceAt <= now { announce(interface, at: now, &out) }
    }

    private mutating func detach(_ interface: Interface, _ out: inout Steps<NetworksStep>) {
        self[interface].hasAddress = false
        self[interface].portalUntil = .zero
        self[interface].usableFrom = .zero
        out.append(.detached(interface))
    }

    private mutating func endOldAddress(
        _ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>
    ) {
        let (old, manner) = (self[interface].oldEpoch, self[interface].oldManner)
        self[interface].oldUntil = .never
        if manner != .silent && rules.pointee.system == .android {
            tell(.lost, interface, handle: old, now: view.path, at: now, &out)
        }
        out.append(.endSockets(interface, address: old, manner, isReplaced: false))
    }

    /// Nobody has needed the network for the time of grace.
    private mutating func letGo(_ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>) {
        detach(interface, &out)
        self[interface].forget(isOffered: self[interface].isOffered)
        if rules.pointee.system == .android { tell(.lost, interface, now: view.path, at: now, &out) }
        let manner: OldPath = rules.pointee.destroysSockets ? .error : .silent
        out.append(.endSockets(interface, address: nil, manner, isReplaced: true))
    }

    /// Operating systems keep a cellular network up beside Wi-Fi only while something needs it.
    private var isCellularNeeded: Bool {
        let system = rules.pointee.system
        guard system != .none, self[.wifi].hasAddress, self[.wifi].isKnown, !self[.wifi].isFading else { return true }
        return system == .android && !self[.wifi].isValidated
    }

    mutating func wakeCellular(at now: Instant) {
        guard self[.cellular].isOffered && !self[.cellular].hasAddress else { return }
        if !isCellularNeeded {
            self[.cellular].wakeAt = .never
        } else if self[.cellular].wakeAt == .never {
            self[.cellular].wakeAt = now + (now == .zero ? .zero : PathRules.bringUp)
        }
    }
}
