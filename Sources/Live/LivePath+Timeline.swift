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
        guard interfaces[place].address == nil, interfaces[place].radio != nil else { return false }
        if !hasPath { observer.pathRestored(at: now + max(usableAfter, portal ?? .zero)) }
        interfaces[place].address = address
        interfaces[place].addressCount += 1
        interfaces[place].isFading = false
        interfaces[place].usableFrom = now + usableAfter
        interfaces[place].portalUntil = portal.map { now + $0 } ?? .zero
        interfaces[place].up.resetQueue()
        interfaces[place].down.resetQueue()
        if interface == .wifi {
            callRadio(place, .association(true))
            if !interfaces[place].hasCoverage { setCoverage(false, place) }
        }
        return true
    }

    mutating func takeDown(_ interface: Interface) -> Bool {
        let place = Int(interface.rawValue)
        guard let address = interfaces[place].address else { return false }
        interfaces[place].address = nil
        dropQueued(place)
        if interface == .wifi { callRadio(place, .association(false)) }
        observer.markAllDead(of: address, at: now)
        return true
    }

    mutating func readdress(_ interface: Interface, _ address: HostAddress) -> Bool {
        let place = Int(interface.rawValue)
        guard let old = interfaces[place].address else { return false }
        interfaces[place].address = address
        interfaces[place].addressCount += 1
        dropQueued(place)
        observer.markAllDead(of: old, at: now)
        return true
    }

    mutating func changeCoverage(_ interface: Interface, _ isThere: Bool) -> Bool {
        let place = Int(interface.rawValue)
        guard interfaces[place].hasCoverage != isThere, interfaces[place].radio != nil else { return false }
        if isThere, !hasPath { observer.pathRestored(at: now) }
        interfaces[place].hasCoverage = isThere
        if !isThere { dropQueued(place) }
        setCoverage(isThere, place)
        return true
    }

    mutating func setPassing(_ direction: Direction, _ passes: Bool, on interface: Interface) -> Bool {
        let place = Int(interface.rawValue)
        let before = direction == .up ? interfaces[place].passesUp : interfaces[place].passesDown
        guard before != passes, interfaces[place].radio != nil else { return false }
        if direction == .up { interfaces[place].passesUp = passes } else { interfaces[place].passesDown = passes }
        return true
    }

    mutating func setUplink(_ isThere: Bool, on interface: Interface) -> Bool {
        let place = Int(interface.rawValue)
        guard interfaces[place].hasUplink != isThere, interfaces[place].radio != nil else { return false }
        if isThere, !hasPath { observer.pathRestored(at: now) }
        interfaces[place].hasUplink = isThere
        return true
    }

    /// Android has no permission that an app needs for network access.
    mutating func setAccess(_ access: Access, to interface: Interface) -> Bool {
        let liveInterface = interfaces[Int(interface.rawValue)]
        guard PathRules(world.platform).system != .android, liveInterface.radio != nil else { return false }
        return liveInterface.gate.apply(access)
    }

    mutating func changeCell() -> Bool {
        let place = Int(Interface.cellular.rawValue)
        guard interfaces[place].address != nil, interfaces[place].hasCoverage, interfaces[place].radio != nil else {
            return false
        }
        let profile = profile(place)
        // The soft handover of UMTS interrupts no data, so there is nothing to simulate.
        guard !profile.handover.isNone else { return false }
        let span = profile.handover.length(RadioPhases.draw(profile, seed: seed, phone: phone), at: now)
        callRadio(place, .handover(lasting: span))
        reschedule(place, to: interfaces[place].radio?.dataFlowsFrom ?? .never, isSlow: true)
        return true
    }

    mutating func changeTechnology(_ index: UInt8) -> Bool {
        let place = Int(Interface.cellular.rawValue)
        guard interfaces[place].radio != nil, interfaces[place].technology != index else { return false }
        callRadio(place, .end)
        interfaces[place].stopRecording()
        let old = profile(place)
        interfaces[place].technology = index
        let profile = profile(place)
        let phases = RadioPhases.draw(profile, seed: seed, phone: phone)
        if interfaces[place].radio?.changeNetwork(from: old, to: profile, phases, at: now) == true {
            reschedule(place, to: interfaces[place].radio?.dataFlowsFrom ?? .never, isSlow: true)
            return true
        }
        dropQueued(place)
        interfaces[place].radio = Radio(profile: profile, phases: phases, at: now)
        if !interfaces[place].hasCoverage { setCoverage(false, place) }
        return true
    }

    mutating func changeSignal(to index: UInt8, condition: UInt8) -> Bool {
        let place = Int(Interface.cellular.rawValue)
        guard interfaces[place].radio != nil, interfaces[place].technology != index else { return false }
        callRadio(place, .end)
        interfaces[place].stopRecording()
        interfaces[place].technology = index
        _ = applyCondition(.cellular, condition: condition)
        return true
    }

    mutating func applyCondition(_ interface: Interface, condition: UInt8) -> Bool {
        let place = Int(interface.rawValue)
        guard interfaces[place].radio != nil, interfaces[place].condition != condition else { return false }
        interfaces[place].condition = condition
        let purposes = interface.linkPurposes
        let dwells = (up: dice(purposes.lossUp), down: dice(purposes.lossDown))
        interfaces[place].applyConditions(world.conditions(of: interface)[Int(condition)], dwells)
        return true
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

    private var hasPath: Bool { interfaces.contains { $0.address != nil && $0.hasCoverage && $0.hasUplink } }

    private mutating func setCoverage(_ isThere: Bool, _ place: Int) {
        callRadio(place, .coverage(isThere))
    }

    private mutating func dropQueued(_ place: Int) {
        for pending in interfaces[place].radioQueue.removeAll() {
            recordLoss(pending, pending.hop == .heldByPhone ? .up : .down)
        }
    }
}
