import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives

/// Which network the operating system calls the default, and everything it tells the app of networks.
///
/// Order and conditions on Android are those of ConnectivityService (aosp-mirror/platform_frameworks_base, `rematch…`): a
/// validated network before one that is not, Wi-Fi before cellular; the new default is announced, then the old one is said to
/// be losing.
extension Networks {
    mutating func announce(_ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>) {
        self[interface].announceAt = .never
        self[interface].isKnown = true
        switch rules.pointee.system {
        case .none: self[interface].isValidated = self[interface].portalUntil <= now
        case .ios: self[interface].isValidated = true
        case .android:
            // At the beginning of the story the phone has been on its networks for long.
            if now == .zero && self[interface].isOnline(at: now) {
                self[interface].isValidated = true
            } else {
                self[interface].validateAt = now + rules.pointee.validation
                self[interface].validateAgain = PathRules.firstRetry
                self[interface].promptAt = now + PathRules.prompt
            }
        }
        chooseDefault(at: now, &out)
    }

    /// The system asks its own server whether the internet is there.
    mutating func validate(_ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>) {
        guard self[interface].isUsable && self[interface].isOnline(at: now) else {
            let again = self[interface].validateAgain
            self[interface].validateAt = now + again
            self[interface].validateAgain = min(again * 2, PathRules.longestRetry)
            return
        }
        self[interface].validateAt = .never
        self[interface].promptAt = .never
        setValidated(true, interface, at: now, &out)
    }

    mutating func prompt(_ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>) {
        self[interface].promptAt = .never
        if view.path == interface { tell(.unvalidated, interface, now: view.path, at: now, &out) }
    }

    mutating func doubt(_ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>) {
        self[interface].doubtAt = .never
        self[interface].validateAt = now + PathRules.firstRetry
        self[interface].validateAgain = PathRules.firstRetry * 2
        setValidated(false, interface, at: now, &out)
    }

    /// Somebody has signed in at the portal; the system looks again at once.
    mutating func signIn(_ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>) {
        guard self[interface].isKnown else { return }
        switch rules.pointee.system {
        case .none: setValidated(true, interface, at: now, &out)
        case .ios: break
        case .android: self[interface].validateAt = now + rules.pointee.validation
        }
    }

    private mutating func setValidated(
        _ valid: Bool, _ interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>
    ) {
        self[interface].isValidated = valid
        if view.path == interface {
            view.isValidated = valid
            tell(valid ? .validated : .unvalidated, interface, now: interface, at: now, &out)
        }
        chooseDefault(at: now, &out)
    }

    /// What the system would choose.
    var preferred: Interface? {
        var best: (interface: Interface, score: Int)?
        for interface in Interface.allCases where self[interface].hasAddress && self[interface].isKnown {
            var score = interface == .wifi ? 1 : 0
            if !self[interface].isFading { score += 2 }
            if self[interface].isValidated && rules.pointee.system == .android { score += 4 }
            if score > best?.score ?? -1 { best = (interface, score) }
        }
        return best?.interface
    }

    /// Names the default network anew, if it is another one.
    mutating func chooseDefault(at now: Instant, _ out: inout Steps<NetworksStep>) {
        let path = preferred
        let before = view
        let handle = path.map { self[$0].epoch } ?? 0
        guard path != before.path || (path != nil && handle != before.handle) else { return }
        view = NetworkView(path: path, handle: handle)
        view.isValidated = path.map { self[$0].isValidated } ?? false
        view.isBlocked = before.isBlocked
        let system = rules.pointee.system
        if system != .android { view.show(path.map { self[$0].gate } ?? AccessGate()) }
        guard let path else {
            // Android has said so already.
            guard let lost = before.path, system != .android else { return }
            return tell(.lost, lost, handle: before.handle, now: nil, at: now, &out)
        }
        tell(.available, path, now: path, replaces: true, at: now, &out)
        if system == .android && view.isValidated { tell(.validated, path, now: path, at: now, &out) }
        self[path].parkAt = .never
        if system != .none { release(before, for: path, at: now, &out) }
    }

    /// What becomes of the network that was the default, now that another one is.
    private mutating func release(
        _ old: NetworkView, for path: Interface, at now: Instant, _ out: inout Steps<NetworksStep>
    ) {
        for other in Interface.allCases where other != path && self[other].hasAddress {
            let goes = other == .cellular || self[other].isFading
            if rules.pointee.system == .android && goes && other == old.path {
                tell(.losing, other, now: path, at: now, &out)
            }
            if other == .cellular && self[other].parkAt == .never {
                self[other].parkAt = now + (now == .zero ? .zero : rules.pointee.linger)
            }
        }
        if rules.pointee.leavesSocketsFrozen { out.append(.endStreams) }
    }

    /// Rumours of networks that change nothing.
    public func spread(
        _ rumour: Spurious, of interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>
    ) -> Bool {
        guard self[interface].hasAddress && self[interface].isKnown else { return false }
        let isDefault = view.path == interface
        switch rumour {
        case .capabilities: tell(.capabilities, interface, now: view.path, at: now, &out)
        case .available: tell(.available, interface, now: view.path, at: now, &out)
        case .flap:
            tell(.lost, interface, now: isDefault ? nil : view.path, at: now, &out)
            tell(.available, interface, now: view.path, replaces: isDefault, at: now, &out)
        }
        return true
    }

    /// The firewall closes, or opens again, before the app's packets.
    public mutating func block(_ isBlocked: Bool, at now: Instant, _ out: inout Steps<NetworksStep>) {
        guard view.isBlocked != isBlocked else { return }
        view.isBlocked = isBlocked
        if let path = view.path { tell(isBlocked ? .blocked : .unblocked, path, now: path, at: now, &out) }
    }

    /// The operating system tells of it as `SCNetworkReachability` does: its flags are others, and whoever watches them is
    /// called. Assumed: the address stays, so what was open goes on; packets are dropped meanwhile, not kept.
    public mutating func admit(
        _ access: Access, to interface: Interface, at now: Instant, _ out: inout Steps<NetworksStep>
    ) -> Bool {
        guard rules.pointee.system != .android, self[interface].exists, self[interface].gate.become(access) else {
            return false
        }
        guard view.path == interface else { return true }
        view.show(self[interface].gate)
        tell(self[interface].gate.isOpen ? .available : .lost, interface, now: interface, at: now, &out)
        return true
    }

    /// - Parameter handle: By default the interface's own.
    func tell(
        _ kind: NetworkChange.Kind, _ interface: Interface, handle: UInt16? = nil, now path: Interface?,
        replaces: Bool = false, at now: Instant, _ out: inout Steps<NetworksStep>
    ) {
        // Nobody is there yet to be told of the beginning.
        guard .zero < now else { return }
        out.note(.networkTold, NetworkCode(kind), value: Int64(interface.rawValue))
        out.append(
            .tell(
                NetworkChange(
                    kind, of: interface, handle: handle ?? self[interface].epoch, now: path,
                    replacesDefaultPath: replaces)))
    }
}

extension NetworkCode {
    init(_ kind: NetworkChange.Kind) {
        switch kind {
        case .available: self = .available
        case .losing: self = .losing
        case .lost: self = .lost
        case .validated: self = .validated
        case .unvalidated: self = .unvalidated
        case .blocked: self = .blocked
        case .unblocked: self = .unblocked
        case .capabilities: self = .capabilities
        }
    }
}
