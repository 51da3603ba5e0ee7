package import DeadzoneBase
import DeadzoneClient

/// Selects the default network, as the operating system does, and sends all network notifications to the app.
///
/// On Android, order and conditions follow ConnectivityService (aosp-mirror/platform_frameworks_base, `rematch…`). A
/// validated network precedes one that is not, and then the order of preference decides. The new default is announced first; then
/// the old one is announced as losing.
extension Networks {
    mutating func announce(_ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        self[interface].announceAt = .never
        self[interface].isAnnounced = true
        switch rules.pointee.system {
        case .none: self[interface].isValidated = self[interface].condition.portalUntil <= now
        case .ios: self[interface].isValidated = true
        case .android:
            // At the start of the run the phone has been connected to its networks for a long time.
            if now == .zero && self[interface].condition.isOnline(at: now) {
                self[interface].isValidated = true
            } else {
                self[interface].validateAt = now + rules.pointee.validation
                self[interface].validateAgain = PathRules.firstRetry
                self[interface].promptAt = now + PathRules.prompt
            }
        }
        chooseDefault(at: now, &out)
    }

    /// Validates the network: the system sends a request to its own server to check for internet access. If that fails,
    /// the next check is scheduled.
    mutating func validate(_ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        guard self[interface].isUsable && self[interface].condition.isOnline(at: now) else {
            let again = self[interface].validateAgain
            self[interface].validateAt = now + again
            self[interface].validateAgain = min(again * 2, PathRules.longestRetry)
            return
        }
        self[interface].validateAt = .never
        self[interface].promptAt = .never
        setValidated(true, interface, at: now, &out)
    }

    mutating func prompt(_ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        self[interface].promptAt = .never
        if view.path == interface { notifyApp(.unvalidated, interface, now: view.path, at: now, &out) }
    }

    mutating func loseValidation(_ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        self[interface].doubtAt = .never
        self[interface].validateAt = now + PathRules.firstRetry
        self[interface].validateAgain = PathRules.firstRetry * 2
        setValidated(false, interface, at: now, &out)
    }

    /// Called when the user has signed in at the captive portal. Android then validates the network again; without a
    /// platform, the network counts as validated at once.
    mutating func signIn(_ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        guard self[interface].isAnnounced else { return }
        switch rules.pointee.system {
        case .none: setValidated(true, interface, at: now, &out)
        case .ios: break
        case .android: self[interface].validateAt = now + rules.pointee.validation
        }
    }

    private mutating func setValidated(
        _ valid: Bool, _ interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) {
        self[interface].isValidated = valid
        if view.path == interface {
            view.isValidated = valid
            notifyApp(valid ? .validated : .unvalidated, interface, now: interface, at: now, &out)
        }
        chooseDefault(at: now, &out)
    }

    /// The network that the system would select as the default; `nil` if none is available.
    var preferred: Interface? {
        var best: (interface: Interface, score: Int)?
        for interface in interfaces where self[interface].hasAddress && self[interface].isAnnounced {
            var score = rules.pointee.preference.rank(interface)
            if !self[interface].isFading { score += 8 }
            if self[interface].isValidated && rules.pointee.system == .android { score += 16 }
            if rules.pointee.preference.isRequested(interface) { score += 32 }
            if score > best?.score ?? -1 { best = (interface, score) }
        }
        return best?.interface
    }

    /// Selects and announces the default network, if it differs from the current one.
    mutating func chooseDefault(at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        let path = preferred
        let before = view
        let handle = path.map { self[$0].addressNumber } ?? 0
        guard path != before.path || (path != nil && handle != before.handle) else { return }
        view = NetworkView(path: path, handle: handle)
        view.isValidated = path.map { self[$0].isValidated } ?? false
        view.isBlocked = before.isBlocked
        view.isMetered = path.map { self[$0].isMetered } ?? false
        let system = rules.pointee.system
        if system != .android { view.setAccess(path.map { self[$0].condition.gate } ?? AccessGate()) }
        guard let path else {
            // Android has announced the loss already.
            guard let lost = before.path, system != .android else { return }
            return notifyApp(.lost, lost, handle: before.handle, now: nil, at: now, &out)
        }
        notifyApp(.available, path, now: path, replaces: true, at: now, &out)
        if system == .android && view.isValidated { notifyApp(.validated, path, now: path, at: now, &out) }
        self[path].tearDownAt = .never
        if system != .none { release(before, for: path, at: now, &out) }
    }

    /// Releases the previous default network after another one was selected: announces its loss in advance, and
    /// schedules its end.
    private mutating func release(
        _ old: NetworkView, for path: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) {
        for other in interfaces where other != path && self[other].hasAddress {
            let preference = rules.pointee.preference
            let isUnneeded = preference.waits(other) && preference.rank(other) < preference.rank(path)
            let goes = isUnneeded || self[other].isFading
            if rules.pointee.system == .android && goes && other == old.path {
                notifyApp(.losing, other, now: path, at: now, &out)
            }
            if isUnneeded && self[other].tearDownAt == .never {
                self[other].tearDownAt = now + (now == .zero ? .zero : rules.pointee.linger)
            }
        }
        if rules.pointee.leavesSocketsFrozen { out.append(.endStreams) }
    }

    /// Notifies the app that a property of its default network has changed; the network and its sockets stay.
    ///
    /// Android calls `onCapabilitiesChanged` after each change of a network's capabilities (`updateCapabilities` of
    /// ConnectivityService). Those of Wi-Fi contain the access point and the signal strength; Wi-Fi sends them again when
    /// a roam is complete (ClientModeImpl, `handleSupplicantStateChange`). Those of mobile data contain a bandwidth that
    /// depends on the radio technology (DataNetwork, `onDisplayInfoChanged`, and LinkBandwidthEstimator). On iOS, no
    /// documented property of `NWPath` changes with either.
    package mutating func announceCapabilities(
        of interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) {
        guard rules.pointee.system == .android, view.path == interface else { return }
        notifyApp(.capabilities, interface, now: interface, at: now, &out)
    }

    /// Notifies the app about a network that has not really changed. Returns `false` if the network is not announced.
    package func announceSpurious(
        _ spuriousEvent: SpuriousEvent, of interface: Interface, at now: Instant,
        _ out: inout EffectQueue<NetworksEffect>
    ) -> Bool {
        guard self[interface].hasAddress && self[interface].isAnnounced else { return false }
        let isDefault = view.path == interface
        switch spuriousEvent {
        case .capabilities: notifyApp(.capabilities, interface, now: view.path, at: now, &out)
        case .available: notifyApp(.available, interface, now: view.path, at: now, &out)
        case .flap:
            notifyApp(.lost, interface, now: isDefault ? nil : view.path, at: now, &out)
            notifyApp(.available, interface, now: view.path, replaces: isDefault, at: now, &out)
        }
        return true
    }

    /// Starts (`true`) or stops blocking the app's packets by the firewall, and notifies the app.
    package mutating func block(_ isBlocked: Bool, at now: Instant, _ out: inout EffectQueue<NetworksEffect>) {
        guard view.isBlocked != isBlocked else { return }
        view.isBlocked = isBlocked
        if let path = view.path { notifyApp(isBlocked ? .blocked : .unblocked, path, now: path, at: now, &out) }
    }

    /// Changes the conditions under which the app may use a network. Returns `false` if that had no effect.
    ///
    /// The operating system reports the conditions like `SCNetworkReachability`: the flags change, and observers are
    /// called. Assumed: the address stays, so open connections continue; packets are dropped meanwhile, not queued.
    package mutating func setAccess(
        _ access: Access, to interface: Interface, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) -> Bool {
        guard rules.pointee.system != .android, self[interface].exists, self[interface].condition.setAccess(access)
        else {
            return false
        }
        guard view.path == interface else { return true }
        view.setAccess(self[interface].condition.gate)
        notifyApp(self[interface].condition.gate.isOpen ? .available : .lost, interface, now: interface, at: now, &out)
        return true
    }

    /// Notifies the app of a network change.
    /// - Parameter handle: The network's address counter; `nil` for the interface's current address.
    func notifyApp(
        _ kind: NetworkChange.NetworkEventKind, _ interface: Interface, handle: UInt16? = nil, now path: Interface?,
        replaces: Bool = false, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) {
        // The app is not running yet at the start, so it receives no notifications.
        guard .zero < now else { return }
        out.note(.networkTold, NetworkCode(kind), value: Int64(interface.rawValue))
        out.append(
            .notifyApp(
                NetworkChange(
                    kind, of: interface, handle: handle ?? self[interface].addressNumber, now: path,
                    replacesDefaultPath: replaces)))
    }
}

extension NetworkCode {
    init(_ kind: NetworkChange.NetworkEventKind) {
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
