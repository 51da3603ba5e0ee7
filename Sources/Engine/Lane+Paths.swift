import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives

/// Networks that come and go, and what the operating system makes of them.
extension Lane {
    /// The path over which a byte sent now would leave: the system's default, or what there is before it has chosen.
    var truePath: Interface? {
        if let path = session.path, ports[path.port].hasAddress { return path }
        return Interface.allCases.first { ports[$0.port].hasAddress }
    }

    mutating func raise(_ interface: Interface, _ attachment: Attachment, _ stage: inout Stage) -> Bool {
        guard !ports[interface.port].standing.isOffered, ports[interface.port].radio != nil else { return false }
        ports[interface.port].standing.isOffered = true
        if interface == .wifi || isCellularNeeded(stage) {
            attach(interface, attachment, &stage)
        } else {
            ports[interface.port].standing.attachment = attachment
        }
        return true
    }

    mutating func drop(_ interface: Interface, _ manner: OldPath, _ stage: inout Stage) -> Bool {
        guard ports[interface.port].standing.isOffered else { return false }
        let hadAddress = ports[interface.port].hasAddress
        ports[interface.port].standing = NetworkStanding()
        guard hadAddress else { return true }
        detach(interface, &stage)
        // After a silent loss nothing is said of what went, only of a network that takes its place.
        let isSaid = manner != .silent
        if isSaid && stage.pathRules.system == .android {
            tellNetwork(.lost, interface, now: session.path == interface ? nil : session.path, &stage)
        }
        if isSaid || preferred(stage) != nil { chooseDefault(&stage) }
        endSockets(on: interface, manner, &stage)
        return true
    }

    /// Wi-Fi at the edge of its reach: the system moves on before the address goes.
    mutating func fade(_ interface: Interface, _ stage: inout Stage) -> Bool {
        guard ports[interface.port].hasAddress, !ports[interface.port].standing.isFading else { return false }
        ports[interface.port].standing.isFading = true
        chooseDefault(&stage)
        return true
    }

    /// The same network gives another address. What is bound to the old one works until the system takes it away.
    mutating func readdress(_ interface: Interface, _ manner: OldPath, _ stage: inout Stage) -> Bool {
        guard ports[interface.port].hasAddress else { return false }
        // There is time of grace for one address; the one before it is gone now.
        if ports[interface.port].standing.oldUntil != .never { endOldAddress(interface, &stage) }
        let old = ports[interface.port].epoch
        let isDefault = session.path == interface
        ports[interface.port].epoch &+= 1
        ports[interface.port].standing.oldEpoch = old
        ports[interface.port].standing.oldUntil = now + stage.pathRules.linger
        ports[interface.port].standing.oldManner = manner
        chooseDefault(&stage)
        // A network that takes the address away without a word leaves nothing of it to linger.
        let isSaid = manner != .silent
        if isSaid && stage.pathRules.system == .android {
            tellNetwork(.losing, interface, handle: old, now: isDefault ? interface : session.path, &stage)
        }
        if !isSaid || stage.pathRules.linger == .zero { endOldAddress(interface, &stage) }
        return true
    }

    /// Something that the system, or the network, has put off is due.
    mutating func advancePaths(_ stage: inout Stage) {
        for interface in Interface.allCases {
            let port = interface.port
            if ports[port].standing.oldUntil <= now { endOldAddress(interface, &stage) }
            if ports[port].standing.parkAt <= now { park(interface, &stage) }
            if ports[port].standing.wakeAt <= now { attach(interface, ports[port].standing.attachment, &stage) }
            if ports[port].gate.opensAt <= now { _ = admit(.open, to: interface, &stage) }
            if ports[port].standing.announceAt <= now { announce(interface, &stage) }
            if ports[port].standing.doubtAt <= now { doubt(interface, &stage) }
            if .zero < now && ports[port].portalUntil == now { signIn(interface, &stage) }
            if ports[port].standing.validateAt <= now { validate(interface, &stage) }
            if ports[port].standing.promptAt <= now { prompt(interface, &stage) }
        }
        settlePaths(&stage)
    }

    /// After any change: what the change asks of the system, when it will do it, and what is true of the connections.
    mutating func settlePaths(_ stage: inout Stage) {
        if stage.pathRules.system != .none { wakeCellular(stage) }
        pathsAt = .never
        for interface in Interface.allCases {
            let port = interface.port
            let isOnline = ports[port].isOnline(at: now)
            ports[port].isTroubled = !isOnline
            if stage.pathRules.system == .android && ports[port].standing.isValidated {
                if isOnline {
                    ports[port].standing.doubtAt = .never
                } else if ports[port].standing.doubtAt == .never {
                    ports[port].standing.doubtAt = now + PathRules.doubt
                }
            }
            pathsAt = min(pathsAt, ports[port].standing.next, ports[port].gate.opensAt)
            if now < ports[port].usableFrom { pathsAt = min(pathsAt, ports[port].usableFrom) }
            if now < ports[port].portalUntil { pathsAt = min(pathsAt, ports[port].portalUntil) }
        }
        if now < pushed.repeatAt { pathsAt = min(pathsAt, pushed.repeatAt) }
        reassess(&stage)
        retryPush(&stage)
    }

    private mutating func attach(_ interface: Interface, _ attachment: Attachment, _ stage: inout Stage) {
        let port = interface.port
        ports[port].hasAddress = true
        ports[port].epoch &+= 1
        ports[port].up.restart()
        ports[port].down.restart()
        ports[port].usableFrom = now + attachment.usableAfter
        ports[port].portalUntil = attachment.portal.map { now + $0 } ?? .zero
        ports[port].standing.wakeAt = .never
        ports[port].standing.attachment = .plain
        if interface == .wifi {
            spend(ports[port].radio?.setAssociated(true, at: now), .wifi, &stage)
            if !ports[port].hasCoverage {
                let profile = profile(.wifi, stage)
                spend(ports[port].radio?.setCoverage(false, at: now, profile.pointee), .wifi, &stage)
            }
        }
        var announceAt = now + (attachment.announcedAfter ?? .zero)
        // iOS gives a network to apps when its own sign-in page is done with. Assumed; Apple documents the page alone.
        if stage.pathRules.system == .ios { announceAt = max(announceAt, ports[port].portalUntil) }
        ports[port].standing.announceAt = announceAt
        if announceAt <= now { announce(interface, &stage) }
    }

    private mutating func detach(_ interface: Interface, _ stage: inout Stage) {
        ports[interface.port].hasAddress = false
        ports[interface.port].portalUntil = .zero
        ports[interface.port].usableFrom = .zero
        dropHeld(interface, &stage)
        if interface == .wifi { spend(ports[Interface.wifi.port].radio?.setAssociated(false, at: now), .wifi, &stage) }
    }

    private mutating func endOldAddress(_ interface: Interface, _ stage: inout Stage) {
        let old = ports[interface.port].standing.oldEpoch
        let manner = ports[interface.port].standing.oldManner
        ports[interface.port].standing.oldUntil = .never
        if manner != .silent && stage.pathRules.system == .android {
            tellNetwork(.lost, interface, handle: old, now: session.path, &stage)
        }
        endSockets(on: interface, of: old, manner, &stage)
    }

    /// Nobody has needed the network for the time of grace.
    private mutating func park(_ interface: Interface, _ stage: inout Stage) {
        let isOffered = ports[interface.port].standing.isOffered
        detach(interface, &stage)
        ports[interface.port].standing = NetworkStanding()
        ports[interface.port].standing.isOffered = isOffered
        if stage.pathRules.system == .android { tellNetwork(.lost, interface, now: session.path, &stage) }
        endSockets(on: interface, stage.pathRules.destroysSockets ? .error : .silent, isReplaced: true, &stage)
    }

    /// Operating systems keep a cellular network up beside Wi-Fi only while something needs it.
    private func isCellularNeeded(_ stage: borrowing Stage) -> Bool {
        let port = Interface.wifi.port
        guard stage.pathRules.system != .none, ports[port].hasAddress, ports[port].standing.isKnown,
            !ports[port].standing.isFading
        else { return true }
        return stage.pathRules.system == .android && !ports[port].standing.isValidated
    }

    private mutating func wakeCellular(_ stage: borrowing Stage) {
        let port = Interface.cellular.port
        guard ports[port].standing.isOffered && !ports[port].hasAddress else { return }
        if !isCellularNeeded(stage) {
            ports[port].standing.wakeAt = .never
        } else if ports[port].standing.wakeAt == .never {
            ports[port].standing.wakeAt = now + (now == .zero ? .zero : PathRules.bringUp)
        }
    }
}
