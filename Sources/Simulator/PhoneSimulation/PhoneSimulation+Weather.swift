import DeadzoneBase
import DeadzoneClient
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
        case .cellHandover:
            return networks.isUsable(.cellular) && packetNetwork.changeCell(at: now, &context.packets)
        case .technology(let index): return changeTechnology(to: index, &context)
        case .signal(_, let radio, let condition):
            return packetNetwork.changeSignal(to: radio, condition: condition, at: now, &context.packets)
        case .spurious(let interface, let spuriousEvent):
            return callNetworks(&context) { $0.announceSpurious(spuriousEvent, of: interface, at: $1, &$2) }
        case .access(let interface, let access):
            return callNetworks(&context) { $0.setAccess(access, to: interface, at: $1, &$2) }
        case .conditions(let interface, let number):
            return packetNetwork.setLinkCondition(interface, condition: number, context.packets)
        case .mappingsLost(let interface): return loseMappings(interface, &context)
        case .names(let resolve): return setResolving(resolve, context)
        case .app, .screen, .charging, .moving, .saving, .dataSaver, .restriction, .alarmClock, .kill, .forceStop,
            .clockSet:
            let isMetered = host.session.path.map { networks.isMetered($0) } ?? false
            return callHost(&context) { $0.apply(change, isMetered: isMetered, at: $1, &$2) }
        case .push(let urgent): return requestPush(isUrgent: urgent, &context)
        case .pushTokenVoid:
            return callPushes(&context) { [appRuns = host.appRuns] in $0.endToken(appRuns: appRuns, at: $1, &$2) }
                ?? false
        case .consumerStall(let span): return callDelivery(&context) { $0.stall(for: span, &$1, &$2) }
        case .deploy(let deploy):
            server.begin(deploy, entry: nextChange.index, at: now)
            return true
        case .subscriptionsEnded(let end):
            guard let state = context.subscriptions?.server else { return false }
            let (ended, change) = (SubscriptionSet(upTo: Int(end.count)), connections.recentChanges.active)
            return callServer(&context) {
                $0.endSubscriptions(ended, isSilent: end.isSilent, by: change, state, at: $1, &$2)
            }
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
        callPacketNetwork(&context) { $0.setCoverage(interface, present, at: $1, &$3) }
        return true
    }

    private mutating func changeTechnology(to index: UInt8, _ context: inout WorkerContext) -> Bool {
        let isChanged = callPacketNetwork(&context) {
            $0.changeTechnology(to: index, hasCoverage: $2.hasCoverage(.cellular), at: $1, &$3)
        }
        if isChanged { callNetworks(&context) { $0.announceCapabilities(of: .cellular, at: $1, &$2) } }
        return isChanged
    }
}
