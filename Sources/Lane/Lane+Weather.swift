import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneWorld

/// Changes of conditions: the timeline's entries, each to its place.
extension Lane {
    mutating func applyChange(_ stage: inout Stage) {
        let entry = stage.world.timeline[Int(nextChange)]
        let before = herd
        // What comes to each phone at a moment of its own takes nobody along.
        let isCommon = entry.chance?.isCommon ?? true
        if isCommon { beginHerd(entry.change) }
        let applied = apply(entry.change, &stage)
        if !applied { herd = before }
        if applied && isCommon && herd.isOfChange && entry.change.beginsHerd {
            journal(.herdBegan, true, &stage)
        }
        journal(.weather, UInt16(clamping: stage.firstChange + Int(nextChange)), value: applied ? 1 : 0, &stage)
        awaitChange(after: Int(nextChange), stage)
        followNetworks(&stage)
    }

    /// The next change that comes to this phone, and when.
    mutating func awaitChange(after last: Int?, _ stage: borrowing Stage) {
        let timeline = stage.world.timeline
        let next = timeline.next(
            after: last, at: nextChangeAt, reach: stage.reach, Moments(seed: stage.seed, phone: phone))
        (nextChange, nextChangeAt) = next.map { (UInt32($0.index), $0.at) } ?? (UInt32(timeline.count), .never)
    }

    /// Returns false when nothing was there to change: a scenario whose conditions never took effect proves nothing.
    private mutating func apply(_ change: Change, _ stage: inout Stage) -> Bool {
        switch change {
        case .pathUp(let interface, let attachment):
            return apply(&stage) { $0.raise(interface, attachment, at: $1, &$2) }
        case .pathDown(let interface, let manner): return apply(&stage) { $0.drop(interface, manner, at: $1, &$2) }
        case .fading(let interface): return apply(&stage) { $0.fade(interface, at: $1, &$2) }
        case .readdress(let interface, let manner):
            return apply(&stage) { $0.readdress(interface, manner, at: $1, &$2) }
        case .coverage(let interface, let present): return cover(interface, present, &stage)
        case .oneWay(let interface, let direction, let passes): return networks.pass(direction, passes, over: interface)
        case .uplink(let interface, let present): return networks.connectUplink(present, of: interface)
        case .cellHandover: return changeCell(&stage)
        case .technology(let index): return changeRadio(to: index, &stage)
        case .signal(_, let radio, let condition): return changePrices(to: radio, condition: condition, &stage)
        case .spurious(let interface, let rumour):
            return apply(&stage) { $0.spread(rumour, of: interface, at: $1, &$2) }
        case .access(let interface, let access): return apply(&stage) { $0.admit(access, to: interface, at: $1, &$2) }
        case .conditions(let interface, let number): return meet(interface, condition: number, &stage)
        case .mappingsLost(let interface): return loseMappings(interface, &stage)
        case .names(let resolve): return setResolving(resolve, stage)
        case .app(let front): return bring(toFront: front, &stage)
        case .screen(let on): return drive(&stage) { $0.setScreen(on, at: $1, &$2) } ?? false
        case .charging(let on): return drive(&stage) { $0.setCharging(on, at: $1, &$2) } ?? false
        case .moving(let moves): return drive(&stage) { $0.setMoving(moves, at: $1, &$2) } ?? false
        case .saving(let on): return drive(&stage) { $0.setSaving(on, at: $1, &$2) } ?? false
        case .alarmClock(let at): return drive(&stage) { $0.setAlarmClock(at, at: $1, &$2) } ?? false
        case .kill: return drive(&stage) { $0.kill(.killed, at: $1, &$2) } ?? false
        case .forceStop: return forceStop(&stage)
        case .clockSet(let span): return setClock(by: span)
        case .push(let urgent): return askForPush(isUrgent: urgent, &stage)
        case .consumerStall(let span):
            let applied = delivery.stall(for: span, &session, &stage.deliverySteps)
            settleDelivery(&stage)
            return applied
        case .deploy(let deploy): return beginDeploy(deploy)
        case .server(let change): return applyToServer(change, &stage)
        case .instance(let number, let change): return applyToInstance(number, change, &stage)
        }
    }

    private mutating func cover(_ interface: Interface, _ present: Bool, _ stage: inout Stage) -> Bool {
        guard networks.cover(interface, present) else { return false }
        if !present { dropHeld(interface, &stage) }
        let profile = profile(interface, stage)
        spend(ports[interface.port].radio?.setCoverage(present, at: now, profile.pointee), interface, &stage)
        return true
    }

    private mutating func changeCell(_ stage: inout Stage) -> Bool {
        guard networks.isUsable(.cellular) else { return false }
        let profile = profile(.cellular, stage)
        // The soft handover of UMTS interrupts nothing: there is nothing to see.
        guard !profile.pointee.handover.isNone else { return false }
        let phases = RadioPhases.draw(profile.pointee, seed: stage.seed, phone: phone)
        let span = profile.pointee.handover.length(phases, at: now)
        spend(
            ports[Interface.cellular.port].radio?.handover(at: now, lasting: span, profile.pointee), .cellular, &stage)
        let flowsAt = ports[Interface.cellular.port].radio?.dataFlowsFrom ?? .never
        reschedule(.cellular, to: flowsAt, isSlow: true, &stage)
        return true
    }

    /// Between networks with an LTE leg a connection stays, with what it holds. Else the radio is idle on the new technology, and
    /// what waited for the old one is gone. The address stays.
    private mutating func changeRadio(to index: UInt8, _ stage: inout Stage) -> Bool {
        let port = Interface.cellular.port
        let number = stage.world.firstProfile(of: .cellular) + index
        guard ports[port].radio != nil, ports[port].technology != number,
            Int(index) <= stage.world.cellularAlternates.count
        else { return false }
        settleRadio(.cellular, &stage)
        let old = profile(.cellular, stage)
        ports[port].technology = number
        let profile = profile(.cellular, stage)
        let phases = RadioPhases.draw(profile.pointee, seed: stage.seed, phone: phone)
        if ports[port].radio?.changeNetwork(from: old.pointee, to: profile.pointee, phases, at: now) == true {
            spend(nil, .cellular, &stage)
            reschedule(.cellular, to: ports[port].radio?.dataFlowsFrom ?? .never, isSlow: true, &stage)
            return true
        }
        dropHeld(.cellular, &stage)
        ports[port].radio = Radio(profile: profile.pointee, phases: phases, at: now)
        let lost =
            networks.hasCoverage(.cellular) ? nil : ports[port].radio?.setCoverage(false, at: now, profile.pointee)
        spend(lost, .cellular, &stage)
        return true
    }

    /// The radio goes on as it is; what it does from now on costs something else.
    private mutating func changePrices(to index: UInt8, condition: UInt8, _ stage: inout Stage) -> Bool {
        let port = Interface.cellular.port
        let number = stage.world.firstProfile(of: .cellular) + index
        guard ports[port].radio != nil, ports[port].technology != number,
            Int(index) <= stage.world.cellularAlternates.count
        else { return false }
        settleRadio(.cellular, &stage)
        ports[port].technology = number
        _ = meet(.cellular, condition: condition, &stage)
        return true
    }

    /// Only of an interface that the phone has.
    @inline(__always)
    func profile(_ interface: Interface, _ stage: borrowing Stage) -> UnsafePointer<RadioProfile> {
        stage.profile(interface, ports[interface.port].technology)
    }
}
