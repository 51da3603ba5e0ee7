import DeadzoneDevice
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneWorld

/// What a timeline does to the road.
extension Road {
    /// Each returns false where there was nothing to change. An address that goes takes what was held for it along.
    mutating func raise(
        _ interface: Interface, _ address: HostAddress, usableAfter: TimeSpan, portal: TimeSpan? = nil
    ) -> Bool {
        let place = Int(interface.rawValue)
        guard ports[place].address == nil, ports[place].radio != nil else { return false }
        if !hasPath { watch.pathIsBack(at: now + max(usableAfter, portal ?? .zero)) }
        ports[place].address = address
        ports[place].epoch += 1
        ports[place].isFading = false
        ports[place].usableFrom = now + usableAfter
        ports[place].portalUntil = portal.map { now + $0 } ?? .zero
        ports[place].up.restart()
        ports[place].down.restart()
        if interface == .wifi {
            tell(place, .association(true))
            if !ports[place].hasCoverage { setCoverage(false, place) }
        }
        return true
    }

    mutating func drop(_ interface: Interface) -> Bool {
        let place = Int(interface.rawValue)
        guard let address = ports[place].address else { return false }
        ports[place].address = nil
        dropHeld(place)
        if interface == .wifi { tell(place, .association(false)) }
        watch.die(of: address, at: now)
        return true
    }

    mutating func readdress(_ interface: Interface, _ address: HostAddress) -> Bool {
        let place = Int(interface.rawValue)
        guard let old = ports[place].address else { return false }
        ports[place].address = address
        ports[place].epoch += 1
        dropHeld(place)
        watch.die(of: old, at: now)
        return true
    }

    mutating func cover(_ interface: Interface, _ isThere: Bool) -> Bool {
        let place = Int(interface.rawValue)
        guard ports[place].hasCoverage != isThere, ports[place].radio != nil else { return false }
        if isThere, !hasPath { watch.pathIsBack(at: now) }
        ports[place].hasCoverage = isThere
        if !isThere { dropHeld(place) }
        setCoverage(isThere, place)
        return true
    }

    mutating func pass(_ direction: Direction, _ passes: Bool, on interface: Interface) -> Bool {
        let place = Int(interface.rawValue)
        let before = direction == .up ? ports[place].passesUp : ports[place].passesDown
        guard before != passes, ports[place].radio != nil else { return false }
        if direction == .up { ports[place].passesUp = passes } else { ports[place].passesDown = passes }
        return true
    }

    mutating func connectUplink(_ isThere: Bool, on interface: Interface) -> Bool {
        let place = Int(interface.rawValue)
        guard ports[place].hasUplink != isThere, ports[place].radio != nil else { return false }
        if isThere, !hasPath { watch.pathIsBack(at: now) }
        ports[place].hasUplink = isThere
        return true
    }

    /// Android has nothing that asks an app for it.
    mutating func admit(_ access: Access, to interface: Interface) -> Bool {
        let port = ports[Int(interface.rawValue)]
        guard PathRules(world.platform).system != .android, port.radio != nil else { return false }
        return port.gate.become(access)
    }

    mutating func changeCell() -> Bool {
        let place = Int(Interface.cellular.rawValue)
        guard ports[place].address != nil, ports[place].hasCoverage, ports[place].radio != nil else { return false }
        let profile = profile(place)
        let span = profile.handover.length(RadioPhases.draw(profile, seed: seed, phone: phone), at: now)
        tell(place, .handover(lasting: span))
        reschedule(place, to: ports[place].radio?.dataFlowsFrom ?? .never, isSlow: true)
        return true
    }

    mutating func changeTechnology(_ index: UInt8) -> Bool {
        let place = Int(Interface.cellular.rawValue)
        guard ports[place].radio != nil, ports[place].technology != index else { return false }
        tell(place, .end)
        ports[place].stopNoting()
        let old = profile(place)
        ports[place].technology = index
        let profile = profile(place)
        let phases = RadioPhases.draw(profile, seed: seed, phone: phone)
        if ports[place].radio?.changeNetwork(from: old, to: profile, phases, at: now) == true {
            reschedule(place, to: ports[place].radio?.dataFlowsFrom ?? .never, isSlow: true)
            return true
        }
        dropHeld(place)
        ports[place].radio = Radio(profile: profile, phases: phases, at: now)
        if !ports[place].hasCoverage { setCoverage(false, place) }
        return true
    }

    mutating func changePrices(to index: UInt8, condition: UInt8) -> Bool {
        let place = Int(Interface.cellular.rawValue)
        guard ports[place].radio != nil, ports[place].technology != index else { return false }
        tell(place, .end)
        ports[place].stopNoting()
        ports[place].technology = index
        _ = meet(.cellular, condition: condition)
        return true
    }

    mutating func meet(_ interface: Interface, condition: UInt8) -> Bool {
        let place = Int(interface.rawValue)
        guard ports[place].radio != nil, ports[place].condition != condition else { return false }
        ports[place].condition = condition
        let purposes = interface.linkPurposes
        let dwells = (up: dice(purposes.lossUp), down: dice(purposes.lossDown))
        ports[place].meet(world.conditions(of: interface)[Int(condition)], dwells)
        return true
    }

    mutating func resolve(_ resolves: Bool) -> Bool {
        // Where nobody asks for names, none can fail.
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
                forget(name, interface, path[place], boxes.standing(path, isUDP: name.isUDP))
            }
            mappings[name]?.boxes = boxes
        }
        return isAny
    }

    private var hasPath: Bool { ports.contains { $0.address != nil && $0.hasCoverage && $0.hasUplink } }

    private mutating func setCoverage(_ isThere: Bool, _ place: Int) {
        tell(place, .coverage(isThere))
    }

    private mutating func dropHeld(_ place: Int) {
        for flight in ports[place].held.removeAll() {
            lose(flight, flight.hop == .heldByPhone ? .up : .down)
        }
    }
}
