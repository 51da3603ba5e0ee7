import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives

/// Which network the operating system calls the default, and everything it tells the app of networks.
///
/// Order and conditions on Android are those of ConnectivityService (aosp-mirror/platform_frameworks_base, `rematch…`): a
/// validated network before one that is not, Wi-Fi before cellular; the new default is announced, then the old one is said to
/// be losing.
extension Lane {
    mutating func announce(_ interface: Interface, _ stage: inout Stage) {
        let port = interface.port
        ports[port].standing.announceAt = .never
        ports[port].standing.isKnown = true
        switch stage.pathRules.system {
        case .none: ports[port].standing.isValidated = ports[port].portalUntil <= now
        case .ios: ports[port].standing.isValidated = true
        case .android:
            // At the beginning of the story the phone has been on its networks for long.
            if now == .zero && ports[port].isOnline(at: now) {
                ports[port].standing.isValidated = true
            } else {
                ports[port].standing.validateAt = now + stage.pathRules.validation
                ports[port].standing.validateAgain = PathRules.firstRetry
                ports[port].standing.promptAt = now + PathRules.prompt
            }
        }
        chooseDefault(&stage)
    }

    /// The system asks its own server whether the internet is there.
    mutating func validate(_ interface: Interface, _ stage: inout Stage) {
        let port = interface.port
        guard ports[port].isUsable && ports[port].isOnline(at: now) else {
            let again = ports[port].standing.validateAgain
            ports[port].standing.validateAt = now + again
            ports[port].standing.validateAgain = min(again * 2, PathRules.longestRetry)
            return
        }
        ports[port].standing.validateAt = .never
        ports[port].standing.promptAt = .never
        setValidated(true, interface, &stage)
    }

    mutating func prompt(_ interface: Interface, _ stage: inout Stage) {
        ports[interface.port].standing.promptAt = .never
        if session.path == interface { tellNetwork(.unvalidated, interface, now: session.path, &stage) }
    }

    mutating func doubt(_ interface: Interface, _ stage: inout Stage) {
        let port = interface.port
        ports[port].standing.doubtAt = .never
        ports[port].standing.validateAt = now + PathRules.firstRetry
        ports[port].standing.validateAgain = PathRules.firstRetry * 2
        setValidated(false, interface, &stage)
    }

    /// Somebody has signed in at the portal; the system looks again at once.
    mutating func signIn(_ interface: Interface, _ stage: inout Stage) {
        guard ports[interface.port].standing.isKnown else { return }
        switch stage.pathRules.system {
        case .none: setValidated(true, interface, &stage)
        case .ios: break
        case .android: ports[interface.port].standing.validateAt = now + stage.pathRules.validation
        }
    }

    private mutating func setValidated(_ valid: Bool, _ interface: Interface, _ stage: inout Stage) {
        ports[interface.port].standing.isValidated = valid
        if session.path == interface {
            session.network.isValidated = valid
            tellNetwork(valid ? .validated : .unvalidated, interface, now: interface, &stage)
        }
        chooseDefault(&stage)
    }

    /// What the system would choose.
    func preferred(_ stage: borrowing Stage) -> Interface? {
        var best: (interface: Interface, score: Int)?
        for interface in Interface.allCases
        where ports[interface.port].hasAddress && ports[interface.port].standing.isKnown {
            let standing = ports[interface.port].standing
            var score = interface == .wifi ? 1 : 0
            if !standing.isFading { score += 2 }
            if standing.isValidated && stage.pathRules.system == .android { score += 4 }
            if score > best?.score ?? -1 { best = (interface, score) }
        }
        return best?.interface
    }

    /// Names the default network anew, if it is another one.
    mutating func chooseDefault(_ stage: inout Stage) {
        let path = preferred(stage)
        let before = session.network
        let handle = path.map { ports[$0.port].epoch } ?? 0
        guard path != before.path || (path != nil && handle != before.handle) else { return }
        var view = NetworkView(path: path, handle: handle)
        view.isValidated = path.map { ports[$0.port].standing.isValidated } ?? false
        view.isBlocked = before.isBlocked
        if stage.pathRules.system != .android { view.show(path.map { ports[$0.port].gate } ?? AccessGate()) }
        session.network = view
        guard let path else {
            // Android has said so already.
            guard let lost = before.path, stage.pathRules.system != .android else { return }
            return tellNetwork(.lost, lost, handle: before.handle, now: nil, &stage)
        }
        tellNetwork(.available, path, now: path, replaces: true, &stage)
        if stage.pathRules.system == .android && view.isValidated {
            tellNetwork(.validated, path, now: path, &stage)
        }
        ports[path.port].standing.parkAt = .never
        if stage.pathRules.system != .none { release(before, for: path, stage.pathRules, &stage) }
    }

    /// What becomes of the network that was the default, now that another one is.
    private mutating func release(
        _ old: NetworkView, for path: Interface, _ rules: PathRules, _ stage: inout Stage
    ) {
        for other in Interface.allCases where other != path && ports[other.port].hasAddress {
            let goes = other == .cellular || ports[other.port].standing.isFading
            if rules.system == .android && goes && other == old.path {
                tellNetwork(.losing, other, now: path, &stage)
            }
            if other == .cellular && ports[other.port].standing.parkAt == .never {
                ports[other.port].standing.parkAt = now + (now == .zero ? .zero : rules.linger)
            }
        }
        guard rules.leavesSocketsFrozen else { return }
        // Who asked the system for a stream instead of a socket is told that it leads nowhere.
        for slot in Self.slots where lines[slot].carrier.door == .framework && !isOnDefaultPath(slot) {
            loseByError(slot, &stage)
        }
    }

    func isOnDefaultPath(_ slot: Int) -> Bool {
        lines[slot].interface == session.path && lines[slot].epoch == session.network.handle
    }

    /// Sockets of a network that is gone, or of one of its addresses.
    /// - Parameter isReplaced: A better network has taken its place.
    mutating func endSockets(
        on interface: Interface, of address: UInt16? = nil, _ manner: OldPath, isReplaced: Bool = false,
        _ stage: inout Stage
    ) {
        let freezes = stage.pathRules.leavesSocketsFrozen
        for slot in Self.slots where lines[slot].interface == interface && !lines[slot].canMove {
            if let address, lines[slot].epoch != address { continue }
            var told = manner
            if freezes && lines[slot].carrier.door == .framework && isReplaced { told = .error }
            if freezes && lines[slot].carrier.door == .socket && manner == .error
                && (isReplaced || !session.isForeground)
            {
                told = .silent
            }
            switch told {
            case .error: loseByError(slot, &stage)
            case .silent: break
            case .reset: loseToPeer(slot, .reset, &stage)
            case .ended: loseToPeer(slot, .ended, &stage)
            }
        }
    }

    /// Rumours of networks that change nothing.
    mutating func spread(_ rumour: Spurious, of interface: Interface, _ stage: inout Stage) -> Bool {
        guard ports[interface.port].hasAddress && ports[interface.port].standing.isKnown else { return false }
        let isDefault = session.path == interface
        switch rumour {
        case .capabilities: tellNetwork(.capabilities, interface, now: session.path, &stage)
        case .available: tellNetwork(.available, interface, now: session.path, &stage)
        case .flap:
            tellNetwork(.lost, interface, now: isDefault ? nil : session.path, &stage)
            tellNetwork(.available, interface, now: session.path, replaces: isDefault, &stage)
        }
        return true
    }

    /// The firewall closes, or opens again, before the app's packets.
    mutating func tellBlocked(_ blocked: Bool, _ stage: inout Stage) {
        guard session.network.isBlocked != blocked else { return }
        session.network.isBlocked = blocked
        if let path = session.path { tellNetwork(blocked ? .blocked : .unblocked, path, now: path, &stage) }
    }

    /// - Parameter handle: By default the interface's own.
    mutating func tellNetwork(
        _ kind: NetworkChange.Kind, _ interface: Interface, handle: UInt16? = nil, now path: Interface?,
        replaces: Bool = false, _ stage: inout Stage
    ) {
        // Nobody is there yet to be told of the beginning.
        guard .zero < now else { return }
        journal(.networkTold, NetworkCode(kind), value: Int64(interface.rawValue), &stage)
        tell(
            .network(
                NetworkChange(
                    kind, of: interface, handle: handle ?? ports[interface.port].epoch, now: path,
                    replacesDefaultPath: replaces)), &stage)
    }
}
