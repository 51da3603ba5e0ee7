import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// Applies the entries of the timeline (weather), each to the component that it concerns.
extension PhoneSimulation {
    mutating func applyChange(_ context: inout WorkerContext) {
        let entry = context.world.timeline[Int(nextChange.index)]
        let number = context.firstChange + Int(nextChange.index)
        let herd = connections.herd
        // A change that reaches each phone at its own instant starts no herd.
        let isCommon = entry.occurrence?.isCommon ?? true
        connections.beginChange(entry.change, number: number, isCommon: isCommon, at: now)
        let applied = apply(entry.change, &context)
        if !applied { connections.herd = herd }
        if applied && isCommon && connections.herd.isFromTimeline && entry.change.beginsHerd {
            journal(.herdBegan, true, &context)
        }
        journal(.weather, UInt16(clamping: number), value: applied ? 1 : 0, &context)
        updateAfterNetworkChange(&context)
        connections.recentChanges.end()
        nextChange.advance(
            in: context.world.timeline, maxDisplacement: context.maxDisplacement,
            TimelineDice(seed: context.seed, phone: phone))
    }

    /// Applies a timeline change. Returns `false` if it had no effect: a scenario proves nothing if its conditions
    /// never took effect.
    private mutating func apply(_ change: ConditionChange, _ context: inout WorkerContext) -> Bool {
        switch change {
        case .pathUp(let interface, let attachment):
            return callNetworks(&context) { $0.raise(interface, attachment, at: $1, &$2) }
        case .pathDown(let interface, let lossSignal):
            return callNetworks(&context) { $0.drop(interface, lossSignal, at: $1, &$2) }
        case .fading(let interface): return callNetworks(&context) { $0.fade(interface, at: $1, &$2) }
        case .readdress(let interface, let lossSignal):
            return callNetworks(&context) { $0.readdress(interface, lossSignal, at: $1, &$2) }
        case .coverage(let interface, let present): return setCoverage(interface, present, &context)
        case .roamed:
            guard setCoverage(.wifi, true, &context) else { return false }
            callNetworks(&context) { $0.announceCapabilities(of: .wifi, at: $1, &$2) }
            return true
        case .oneWay(let interface, let direction, let passes):
            return networks.setDirection(direction, passes, over: interface)
        case .uplink(let interface, let present): return networks.connectUplink(present, of: interface)
        case .cellHandover: return handOverCell(&context)
        case .technology(let index): return changeTechnology(to: index, &context)
        case .signal(_, let radio, let condition): return changeSignal(to: radio, condition: condition, &context)
        case .spurious(let interface, let spuriousEvent):
            return callNetworks(&context) { $0.announceSpurious(spuriousEvent, of: interface, at: $1, &$2) }
        case .access(let interface, let access):
            return callNetworks(&context) { $0.setAccess(access, to: interface, at: $1, &$2) }
        case .conditions(let interface, let number): return setLinkCondition(interface, condition: number, &context)
        case .mappingsLost(let interface): return loseMappings(interface, &context)
        case .names(let resolve): return setResolving(resolve, context)
        case .app(let front): return bring(toFront: front, &context)
        case .screen(let on): return callSystem(&context) { $0.setScreen(on, at: $1, &$2) } ?? false
        case .charging(let on): return callSystem(&context) { $0.setCharging(on, at: $1, &$2) } ?? false
        case .moving(let moves): return callSystem(&context) { $0.setMoving(moves, at: $1, &$2) } ?? false
        case .saving(let on): return callSystem(&context) { $0.setSaving(on, at: $1, &$2) } ?? false
        case .dataSaver(let on):
            let isMetered = session.path.map { networks.isMetered($0) } ?? false
            return callSystem(&context) { $0.setDataSaver(on, isMetered: isMetered, at: $1, &$2) } ?? false
        case .restriction(let on): return callSystem(&context) { $0.setRestricted(on, at: $1, &$2) } ?? false
        case .alarmClock(let at): return callSystem(&context) { $0.setAlarmClock(at, at: $1, &$2) } ?? false
        case .kill: return callSystem(&context) { $0.kill(.killed, at: $1, &$2) } ?? false
        case .forceStop: return forceStop(&context)
        case .clockSet(let span): return system?.pointee.setClock(by: span, in: &session, at: now) ?? false
        case .push(let urgent): return requestPush(isUrgent: urgent, &context)
        case .pushTokenVoid:
            return callPushes(&context) { [appRuns] in $0.endToken(appRuns: appRuns, at: $1, &$2) } ?? false
        case .consumerStall(let span):
            let applied = callDelivery(&context) { $0.stall(for: span, &$1, &$2) }
            return applied
        case .deploy(let deploy):
            server.begin(deploy, entry: nextChange.index, at: now)
            return true
        case .subscriptionsEnded(let end): return endSubscriptions(end, &context)
        case .server(let change): return applyToServer(change, &context)
        case .serverMoved(let oldAddress): return moveServer(leaving: oldAddress, &context)
        case .nameUpdated: return updateName(&context)
        case .peer(let change): return apply(change, &context)
        case .serverVersion(let index): return server.adopt(context.server[Int(index)])
        case .instance(let number, let change):
            return callServer(&context) { $0.apply(change, to: number, at: $1, &$2) }
        }
    }

    private mutating func setCoverage(_ interface: Interface, _ present: Bool, _ context: inout WorkerContext) -> Bool {
        guard networks.setCoverage(interface, present) else { return false }
        if !present { dropHeld(interface, &context) }
        changeRadio(of: interface, &context) { $0.setCoverage(present, at: $1, $2, $3) }
        return true
    }

    private mutating func handOverCell(_ context: inout WorkerContext) -> Bool {
        guard networks.isUsable(.cellular) else { return false }
        let phases = RadioPhases.draw(profile(.cellular, context).pointee, seed: context.seed, phone: phone)
        guard changeRadio(of: .cellular, &context, { $0.changeCell(phases, at: $1, $2, $3) }) == true else {
            return false
        }
        rescheduleHeld(.cellular, &context)
        return true
    }

    /// Switches the cellular technology. Between networks with an LTE leg the radio connection stays, with the packets
    /// it holds. Otherwise the radio is idle on the new technology, and packets that waited for the old one are
    /// dropped. The IP address stays.
    private mutating func changeTechnology(to index: UInt8, _ context: inout WorkerContext) -> Bool {
        guard let number = technology(index, context) else { return false }
        let (old, new) = (profile(.cellular, context), context.profile(.cellular, number))
        let phases = RadioPhases.draw(new.pointee, seed: context.seed, phone: phone)
        let hasCoverage = networks.hasCoverage(.cellular)
        let held = changeRadio(of: .cellular, &context) {
            $0.changeTechnology(to: number, hasCoverage: hasCoverage, at: $1, from: old, to: new, phases, $3)
        }
        switch held ?? nil {
        case .kept: rescheduleHeld(.cellular, &context)
        case .dropped: dropHeld(.cellular, &context)
        case nil: return false
        }
        callNetworks(&context) { $0.announceCapabilities(of: .cellular, at: $1, &$2) }
        return true
    }

    /// Moves the packets that wait for a radio to the instant at which it can transmit after a change.
    private mutating func rescheduleHeld(_ interface: Interface, _ context: inout WorkerContext) {
        reschedule(
            interface, to: accessPaths[interface.arrayIndex].radio?.dataFlowsFrom ?? .never, isSlow: true, &context)
    }

    /// The number of a technology of this phone's cellular radio; `nil` if the phone has none with this index.
    private func technology(_ index: UInt8, _ context: borrowing WorkerContext) -> UInt8? {
        guard context.has(.cellular), Int(index) <= context.world.cellularAlternates.count else { return nil }
        return context.world.firstProfile(of: .cellular) + index
    }

    /// Switches the cellular interface to a radio profile with other energy costs and to another link condition. The
    /// radio keeps its state.
    private mutating func changeSignal(to index: UInt8, condition: UInt8, _ context: inout WorkerContext) -> Bool {
        guard let number = technology(index, context),
            changeRadio(of: .cellular, &context, { $0.changePowers(to: number, at: $1, $2, $3) }) == true
        else { return false }
        _ = setLinkCondition(.cellular, condition: condition, &context)
        return true
    }

    /// The current radio profile of an interface. The phone must have the interface.
    @inline(__always)
    func profile(_ interface: Interface, _ context: borrowing WorkerContext) -> UnsafePointer<RadioProfile> {
        context.profile(interface, accessPaths[interface.arrayIndex].technology)
    }
}
