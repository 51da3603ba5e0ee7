import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// Effects of the timeline on the live path.
extension LivePath {
    /// Each of these functions returns `false` if there was nothing to change. When an address goes away, the packets
    /// that wait on it are dropped.
    mutating func bringUp(
        _ interface: Interface, _ address: HostAddress, usableAfter: TimeSpan, portal: TimeSpan? = nil
    ) -> Bool {
        let place = Int(interface.rawValue)
        let own = interfaces[place]
        guard own.address == nil, own.path.exists else { return false }
        if !hasPath { observer.pathRestored(at: now + max(usableAfter, portal ?? .zero)) }
        own.takeAddress(address)
        own.isFading = false
        own.network.join(usableAfter: usableAfter, portal: portal, at: now)
        changeRadio(place) { $0.join(hasCoverage: own.network.hasCoverage, at: $1, $2, $3) }
        return true
    }

    mutating func takeDown(_ interface: Interface) -> Bool {
        let place = Int(interface.rawValue)
        guard let address = interfaces[place].address else { return false }
        interfaces[place].dropAddress()
        interfaces[place].network.leave()
        dropQueued(place)
        changeRadio(place) { $0.leave(at: $1, $2, $3) }
        observer.markAllDead(of: address, at: now)
        return true
    }

    mutating func readdress(_ interface: Interface, _ address: HostAddress) -> Bool {
        let place = Int(interface.rawValue)
        guard let old = interfaces[place].address else { return false }
        interfaces[place].takeAddress(address)
        dropQueued(place)
        observer.markAllDead(of: old, at: now)
        return true
    }

    mutating func changeCoverage(_ interface: Interface, _ isThere: Bool) -> Bool {
        let place = Int(interface.rawValue)
        guard restoringPath(interface, { $0.setCoverage(isThere) }) else { return false }
        if !isThere { dropQueued(place) }
        changeRadio(place) { $0.setCoverage(isThere, at: $1, $2, $3) }
        return true
    }

    /// Tells the observer whether connections over this interface work.
    mutating func observePath(_ own: LiveInterface) {
        guard let address = own.address else { return }
        let works = own.network.hasCoverage && own.network.reachesServer(at: now) && !serverIsFrozen
        observer.pathChanged(of: address, isBlocked: !works, at: now)
    }

    mutating func setServer(isFrozen: Bool) {
        serverIsFrozen = isFrozen
        for own in interfaces { observePath(own) }
    }

    mutating func setPassing(_ direction: Direction, _ passes: Bool, on interface: Interface) -> Bool {
        let own = interfaces[Int(interface.rawValue)]
        guard own.path.exists, own.network.setDirection(direction, passes) else { return false }
        observePath(own)
        return true
    }

    mutating func setUplink(_ isThere: Bool, on interface: Interface) -> Bool {
        restoringPath(interface) { $0.setUplink(isThere) }
    }

    /// Changes the network of an interface, and notes if the phone has a path again.
    private mutating func restoringPath(_ interface: Interface, _ change: (inout NetworkCondition) -> Bool) -> Bool {
        let own = interfaces[Int(interface.rawValue)]
        let had = hasPath
        guard own.path.exists, change(&own.network) else { return false }
        if !had, own.network.hasCoverage && own.network.isConnected(at: now) { observer.pathRestored(at: now) }
        observePath(own)
        return true
    }

    /// Android has no permission that an app needs for network access.
    mutating func setAccess(_ access: Access, to interface: Interface) -> Bool {
        let own = interfaces[Int(interface.rawValue)]
        guard PathRules(world.platform).system != .android, own.path.exists, own.network.setAccess(access) else {
            return false
        }
        observePath(own)
        return true
    }

    mutating func changeCell() -> Bool {
        let place = Int(Interface.cellular.rawValue)
        let own = interfaces[place]
        guard own.address != nil, own.network.hasCoverage, own.path.exists else { return false }
        let phases = RadioPhases.draw(own.profile, seed: seed, phone: phone)
        guard changeRadio(place, { $0.changeCell(phases, at: $1, $2, $3) }) == true else { return false }
        rescheduleQueue(place)
        return true
    }

    mutating func changeTechnology(_ index: UInt8) -> Bool {
        let place = Int(Interface.cellular.rawValue)
        let own = interfaces[place]
        guard Int(index) < own.profiles.count else { return false }
        let (old, new) = (own.profile, own.profiles[Int(index)])
        let phases = RadioPhases.draw(new, seed: seed, phone: phone)
        let held = withUnsafePointer(to: old) { old in
            withUnsafePointer(to: new) { new in
                changeRadio(place) {
                    $0.changeTechnology(
                        to: index, hasCoverage: own.network.hasCoverage, at: $1, from: old, to: new, phases, $3)
                }
            }
        }
        switch held ?? nil {
        case .kept: rescheduleQueue(place)
        case .dropped: dropQueued(place)
        case nil: return false
        }
        own.stopRecording()
        return true
    }

    mutating func changeSignal(to index: UInt8, condition: UInt8) -> Bool {
        let place = Int(Interface.cellular.rawValue)
        let own = interfaces[place]
        guard Int(index) < own.profiles.count,
            changeRadio(place, { $0.changePowers(to: index, at: $1, $2, $3) }) == true
        else { return false }
        own.stopRecording()
        _ = applyCondition(.cellular, condition: condition)
        return true
    }

    mutating func applyCondition(_ interface: Interface, condition: UInt8) -> Bool {
        let own = interfaces[Int(interface.rawValue)]
        let purposes = interface.linkPurposes
        return own.path.setCondition(
            condition, up: own.link(.up, condition: condition), down: own.link(.down, condition: condition),
            dwells: (up: dice(purposes.lossUp), down: dice(purposes.lossDown)))
    }

    mutating func setNameResolution(_ resolves: Bool) -> Bool {
        // Without a resolver, names cannot fail.
        guard let before = names?.resolves, before != resolves else { return false }
        names?.resolves = resolves
        return true
    }

    mutating func loseMappings(_ interface: Interface) -> Bool {
        var isAny = false
        let path = paths[Int(interface.rawValue)]
        for (name, entry) in mappings where entry.interface == interface {
            var boxes = entry.boxes
            for place in 0..<world.middleboxes.own(interface).count where boxes.forget(place) {
                isAny = true
                handleExpiry(name, interface, path[place], boxes.status(path, isUDP: name.isUDP))
            }
            mappings[name]?.boxes = boxes
        }
        return isAny
    }

    private var hasPath: Bool {
        interfaces.contains { $0.address != nil && $0.network.hasCoverage && $0.network.isConnected(at: now) }
    }

    /// Moves the packets that wait for a radio to the instant at which it can transmit after a change.
    private mutating func rescheduleQueue(_ place: Int) {
        reschedule(place, to: interfaces[place].path.radio?.dataFlowsFrom ?? .never, isSlow: true)
    }

    private mutating func dropQueued(_ place: Int) {
        for pending in interfaces[place].radioQueue.removeAll() {
            interfaces[place].path.endHold()
            recordLoss(pending, pending.hop == .heldByPhone ? .up : .down)
        }
    }
}
