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
        let liveInterface = self[interface]
        guard liveInterface.address == nil, liveInterface.path.exists else { return false }
        if !hasPath { observer.pathRestored(at: now + max(usableAfter, portal ?? .zero)) }
        liveInterface.takeAddress(address)
        liveInterface.isFading = false
        liveInterface.network.join(usableAfter: usableAfter, portal: portal, at: now)
        changeRadio(liveInterface) { $0.join(hasCoverage: liveInterface.network.hasCoverage, at: $1, $2, $3) }
        return true
    }

    mutating func takeDown(_ interface: Interface) -> Bool {
        let liveInterface = self[interface]
        guard let address = liveInterface.address else { return false }
        liveInterface.dropAddress()
        liveInterface.network.leave()
        dropQueued(liveInterface)
        changeRadio(liveInterface) { $0.leave(at: $1, $2, $3) }
        observer.markAllDead(of: address, at: now)
        return true
    }

    mutating func readdress(_ interface: Interface, _ address: HostAddress) -> Bool {
        let liveInterface = self[interface]
        guard let old = liveInterface.address else { return false }
        liveInterface.takeAddress(address)
        dropQueued(liveInterface)
        observer.markAllDead(of: old, at: now)
        return true
    }

    mutating func changeCoverage(_ interface: Interface, _ isThere: Bool) -> Bool {
        let liveInterface = self[interface]
        guard restoringPath(interface, { $0.setCoverage(isThere) }) else { return false }
        if !isThere { dropQueued(liveInterface) }
        changeRadio(liveInterface) { $0.setCoverage(isThere, at: $1, $2, $3) }
        return true
    }

    /// Tells the observer whether connections over this interface work.
    mutating func observePath(_ liveInterface: LiveInterface) {
        guard let address = liveInterface.address else { return }
        let works = liveInterface.network.hasCoverage && liveInterface.network.reachesServer(at: now) && !serverIsFrozen
        observer.pathChanged(of: address, isBlocked: !works, at: now)
    }

    mutating func setServer(isFrozen: Bool) {
        serverIsFrozen = isFrozen
        for liveInterface in interfaces { observePath(liveInterface) }
    }

    mutating func setPassing(_ direction: Direction, _ passes: Bool, on interface: Interface) -> Bool {
        let liveInterface = self[interface]
        guard liveInterface.path.exists, liveInterface.network.setDirection(direction, passes) else { return false }
        observePath(liveInterface)
        return true
    }

    mutating func setUplink(_ isThere: Bool, on interface: Interface) -> Bool {
        restoringPath(interface) { $0.setUplink(isThere) }
    }

    /// Changes the network of an interface, and notes if the phone has a path again.
    private mutating func restoringPath(_ interface: Interface, _ change: (inout NetworkCondition) -> Bool) -> Bool {
        let liveInterface = self[interface]
        let had = hasPath
        guard liveInterface.path.exists, change(&liveInterface.network) else { return false }
        if !had, liveInterface.network.hasCoverage && liveInterface.network.isConnected(at: now) {
            observer.pathRestored(at: now)
        }
        observePath(liveInterface)
        return true
    }

    /// Android has no permission that an app needs for network access.
    mutating func setAccess(_ access: Access, to interface: Interface) -> Bool {
        let liveInterface = self[interface]
        guard PathRules(world.platform).system != .android, liveInterface.path.exists,
            liveInterface.network.setAccess(access)
        else {
            return false
        }
        observePath(liveInterface)
        return true
    }

    mutating func changeCell() -> Bool {
        let liveInterface = self[.cellular]
        guard liveInterface.address != nil, liveInterface.network.hasCoverage, liveInterface.path.exists else {
            return false
        }
        let phases = RadioPhases.draw(liveInterface.profile, seed: seed, phone: phone)
        guard changeRadio(liveInterface, { $0.changeCell(phases, at: $1, $2, $3) }) == true else { return false }
        rescheduleQueue(liveInterface)
        return true
    }

    mutating func changeTechnology(_ index: UInt8) -> Bool {
        let liveInterface = self[.cellular]
        guard Int(index) < liveInterface.profiles.count else { return false }
        let (old, new) = (liveInterface.profile, liveInterface.profiles[Int(index)])
        let phases = RadioPhases.draw(new, seed: seed, phone: phone)
        let held = withUnsafePointer(to: old) { old in
            withUnsafePointer(to: new) { new in
                changeRadio(liveInterface) {
                    $0.changeTechnology(
                        to: index, hasCoverage: liveInterface.network.hasCoverage, at: $1, from: old, to: new, phases,
                        $3)
                }
            }
        }
        switch held ?? nil {
        case .kept: rescheduleQueue(liveInterface)
        case .dropped: dropQueued(liveInterface)
        case nil: return false
        }
        liveInterface.stopRecording()
        return true
    }

    mutating func changeSignal(to index: UInt8, condition: UInt8) -> Bool {
        let liveInterface = self[.cellular]
        guard Int(index) < liveInterface.profiles.count,
            changeRadio(liveInterface, { $0.changePowers(to: index, at: $1, $2, $3) }) == true
        else { return false }
        liveInterface.stopRecording()
        _ = applyCondition(.cellular, condition: condition)
        return true
    }

    mutating func applyCondition(_ interface: Interface, condition: UInt8) -> Bool {
        let liveInterface = self[interface]
        let purposes = interface.linkPurposes
        return liveInterface.path.setCondition(
            condition, up: liveInterface.link(.up, condition: condition),
            down: liveInterface.link(.down, condition: condition),
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
    private func rescheduleQueue(_ liveInterface: LiveInterface) {
        reschedule(liveInterface, to: liveInterface.path.radio?.dataFlowsFrom ?? .never, isSlow: true)
    }

    private mutating func dropQueued(_ liveInterface: LiveInterface) {
        for pending in liveInterface.radioQueue.removeAll() {
            liveInterface.path.endHold()
            recordLoss(pending, pending.hop == .heldByPhone ? .up : .down)
        }
    }
}
