import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives

/// Changes of conditions, and what the operating system tells the app of them.
extension Lane {
    /// The path over which a byte sent now would leave.
    var truePath: Interface? {
        if ports[Interface.wifi.port].hasAddress { return .wifi }
        return ports[Interface.cellular.port].hasAddress ? .cellular : nil
    }

    mutating func applyChange(_ stage: inout Stage) {
        let entry = stage.world.timeline[Int(nextChange)]
        let applied = apply(entry.change, &stage)
        journal(.weather, tag: UInt16(clamping: nextChange), value: applied ? 1 : 0, &stage)
        nextChange += 1
        let timeline = stage.world.timeline
        nextChangeAt = Int(nextChange) < timeline.count ? timeline[Int(nextChange)].at : .never
        reassess(&stage)
    }

    /// Returns false when nothing was there to change: a scenario whose conditions never took effect proves nothing.
    private mutating func apply(_ change: Change, _ stage: inout Stage) -> Bool {
        switch change {
        case .pathUp(let interface): return raise(interface, &stage)
        case .pathDown(let interface, let manner): return drop(interface, manner, &stage)
        case .coverage(let interface, let present): return cover(interface, present, &stage)
        case .cellHandover:
            guard ports[Interface.cellular.port].isUsable else { return false }
            spend(
                ports[Interface.cellular.port].radio?.handover(at: now, stage.profile(.cellular).pointee), .cellular,
                &stage)
            let flowsAt = ports[Interface.cellular.port].radio?.dataFlowsFrom ?? .never
            reschedule(.cellular, to: flowsAt, isSlow: true, &stage)
            return true
        case .app(let foreground):
            guard session.isForeground != foreground else { return false }
            session.isForeground = foreground
            tell(.app(foreground ? .foreground : .background), &stage)
            return true
        }
    }

    private mutating func raise(_ interface: Interface, _ stage: inout Stage) -> Bool {
        guard !ports[interface.port].hasAddress, ports[interface.port].radio != nil else { return false }
        ports[interface.port].hasAddress = true
        ports[interface.port].epoch &+= 1
        ports[interface.port].up.restart()
        ports[interface.port].down.restart()
        if interface == .wifi {
            spend(ports[Interface.wifi.port].radio?.setAssociated(true, at: now), .wifi, &stage)
            if !ports[Interface.wifi.port].hasCoverage {
                let profile = stage.profile(.wifi)
                spend(ports[Interface.wifi.port].radio?.setCoverage(false, at: now, profile.pointee), .wifi, &stage)
            }
        }
        announce(&stage)
        return true
    }

    private mutating func drop(_ interface: Interface, _ manner: OldPath, _ stage: inout Stage) -> Bool {
        guard ports[interface.port].hasAddress else { return false }
        ports[interface.port].hasAddress = false
        dropHeld(interface, &stage)
        if interface == .wifi { spend(ports[Interface.wifi.port].radio?.setAssociated(false, at: now), .wifi, &stage) }
        // After a silent loss nothing is said of what went, only of a network that takes its place.
        if manner == .error || truePath != nil { announce(&stage) }
        if manner == .error {
            for slot in Self.slots where lines[slot].interface == interface { loseByError(slot, &stage) }
        }
        return true
    }

    private mutating func cover(_ interface: Interface, _ present: Bool, _ stage: inout Stage) -> Bool {
        guard ports[interface.port].hasCoverage != present, ports[interface.port].radio != nil else { return false }
        ports[interface.port].hasCoverage = present
        if !present { dropHeld(interface, &stage) }
        let profile = stage.profile(interface)
        spend(ports[interface.port].radio?.setCoverage(present, at: now, profile.pointee), interface, &stage)
        return true
    }

    /// The operating system names the default network anew.
    private mutating func announce(_ stage: inout Stage) {
        let path = truePath
        let epoch = path.map { ports[$0.port].epoch }
        guard path != session.path || epoch != announcedEpoch else { return }
        session.path = path
        announcedEpoch = epoch
        tell(.network(NetworkChange(now: path, replacesDefaultPath: path != nil)), &stage)
    }
}
