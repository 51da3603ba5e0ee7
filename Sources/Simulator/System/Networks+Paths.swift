package import DeadzoneBase
import DeadzoneClient

/// Makes networks appear and disappear, and simulates the operating system's reaction.
extension Networks {
    package mutating func raise(
        _ interface: Interface, _ attachment: Attachment, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) -> Bool {
        guard self[interface].exists, !self[interface].isOffered else { return false }
        self[interface].isOffered = true
        if isNeeded(interface) {
            attach(interface, attachment, at: now, &out)
        } else {
            self[interface].attachment = attachment
        }
        return true
    }

    package mutating func drop(
        _ interface: Interface, _ lossSignal: PathLossSignal, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) -> Bool {
        guard self[interface].isOffered else { return false }
        let hadAddress = self[interface].hasAddress
        self[interface].forget(isOffered: false)
        guard hadAddress else { return true }
        detach(interface, &out)
        // A silent loss is not announced; only a network that replaces the lost one is.
        let isSaid = lossSignal != .silent
        if isSaid && rules.pointee.system == .android {
            notifyApp(.lost, interface, now: view.path == interface ? nil : view.path, at: now, &out)
        }
        if isSaid || preferred != nil { chooseDefault(at: now, &out) }
        out.append(.endSockets(interface, address: nil, lossSignal, isReplaced: false))
        return true
    }

    /// Handles Wi-Fi at the edge of its range: the system switches to another network before the address is lost.
    /// Returns `false` if nothing changed.
    package mutating func fade(
        _ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) -> Bool {
        guard self[interface].hasAddress, !self[interface].isFading else { return false }
        self[interface].isFading = true
        chooseDefault(at: now, &out)
        return true
    }

    /// Replaces the address of a network. Sockets bound to the old address work until the system withdraws it. Returns
    /// `false` if the network has no address.
    package mutating func readdress(
        _ interface: Interface, _ lossSignal: PathLossSignal, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) -> Bool {
        guard self[interface].hasAddress else { return false }
        // Only one old address can linger; the one before it ends now.
        if self[interface].oldUntil != .never { endOldAddress(interface, at: now, &out) }
        let old = self[interface].addressNumber
        let isDefault = view.path == interface
        self[interface].addressNumber &+= 1
        self[interface].oldEpoch = old
        self[interface].oldUntil = now + rules.pointee.linger
        self[interface].oldLossSignal = lossSignal
        chooseDefault(at: now, &out)
        // A network that withdraws the address silently leaves nothing of it to linger.
        let isSaid = lossSignal != .silent
        if isSaid && rules.pointee.system == .android {
            notifyApp(.losing, interface, handle: old, now: isDefault ? interface : view.path, at: now, &out)
        }
        if !isSaid || rules.pointee.linger == .zero { endOldAddress(interface, at: now, &out) }
        return true
    }

    /// Scheduled actions of the system or a network. At one instant, they are executed in the order of the cases.
    package enum PendingAction: CaseIterable, Sendable {
        case oldAddress, tearDown, wake, gate, announcement, doubt, signIn, validation, prompt
    }

    /// Executes this scheduled action of the interface's network, if it is due.
    package mutating func advance(
        _ action: PendingAction, of interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) {
        switch action {
        case .oldAddress: if self[interface].oldUntil <= now { endOldAddress(interface, at: now, &out) }
        case .tearDown: if self[interface].tearDownAt <= now { tearDown(interface, at: now, &out) }
        case .wake: if self[interface].wakeAt <= now { attach(interface, self[interface].attachment, at: now, &out) }
        case .gate:
            if self[interface].condition.gate.opensAt <= now { _ = setAccess(.open, to: interface, at: now, &out) }
        case .announcement: if self[interface].announceAt <= now { announce(interface, at: now, &out) }
        case .doubt: if self[interface].doubtAt <= now { loseValidation(interface, at: now, &out) }
        case .signIn:
            if .zero < now && self[interface].condition.portalUntil == now { signIn(interface, at: now, &out) }
        case .validation: if self[interface].validateAt <= now { validate(interface, at: now, &out) }
        case .prompt: if self[interface].promptAt <= now { prompt(interface, at: now, &out) }
        }
    }

    private mutating func attach(
        _ interface: Interface, _ attachment: Attachment, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) {
        self[interface].hasAddress = true
        self[interface].addressNumber &+= 1
        self[interface].condition.join(
            usableAfter: attachment.usableAfter, portal: attachment.portal, reach: attachment.reach, at: now)
        // Systems take mobile data as metered and Wi-Fi as not, unless the network or the user says otherwise.
        self[interface].isMetered = attachment.isMetered ?? interface.isCellular
        self[interface].wakeAt = .never
        self[interface].attachment = .plain
        out.append(.attached(interface))
        var announceAt = now + (attachment.announcedAfter ?? .zero)
        // iOS makes a network available to apps after its own sign-in page is finished. Assumed: Apple documents only
        // the page.
        if rules.pointee.system == .ios { announceAt = max(announceAt, self[interface].condition.portalUntil) }
        self[interface].announceAt = announceAt
        if announceAt <= now { announce(interface, at: now, &out) }
    }

    private mutating func detach(_ interface: Interface, _ out: inout EffectQueue<NetworksEffect>) {
        self[interface].hasAddress = false
        self[interface].condition.leave()
        out.append(.detached(interface))
    }

    private mutating func endOldAddress(
        _ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) {
        let (old, lossSignal) = (self[interface].oldEpoch, self[interface].oldLossSignal)
        self[interface].oldUntil = .never
        if lossSignal != .silent && rules.pointee.system == .android {
            notifyApp(.lost, interface, handle: old, now: view.path, at: now, &out)
        }
        out.append(.endSockets(interface, address: old, lossSignal, isReplaced: false))
    }

    /// Tears down a network that was not needed during the linger time.
    private mutating func tearDown(_ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        detach(interface, &out)
        self[interface].forget(isOffered: self[interface].isOffered)
        if rules.pointee.system == .android { notifyApp(.lost, interface, now: view.path, at: now, &out) }
        let lossSignal: PathLossSignal = rules.pointee.destroysSockets ? .error : .silent
        out.append(.endSockets(interface, address: nil, lossSignal, isReplaced: true))
    }

    /// `true` if the network of this interface is needed. Operating systems keep some networks up only while none works
    /// that they prefer.
    private func isNeeded(_ interface: Interface) -> Bool {
        let (system, preference) = (rules.pointee.system, rules.pointee.preference)
        guard system != .none, preference.waits(interface) else { return true }
        return !interfaces.contains { other in
            preference.rank(other) > preference.rank(interface) && self[other].hasAddress && self[other].isAnnounced
                && !self[other].isFading && (system == .ios || self[other].isValidated)
        }
    }

    /// Schedules the set-up of networks that are needed now, and cancels it for others.
    mutating func wakeNeeded(at now: Instant) {
        for interface in interfaces where self[interface].isOffered && !self[interface].hasAddress {
            if !isNeeded(interface) {
                self[interface].wakeAt = .never
            } else if self[interface].wakeAt == .never {
                self[interface].wakeAt = now + (now == .zero ? .zero : PathRules.bringUp)
            }
        }
    }
}
