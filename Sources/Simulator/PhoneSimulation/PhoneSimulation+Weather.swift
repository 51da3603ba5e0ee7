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
        case .pathUp, .pathDown, .fading, .readdress, .spurious, .access:
            return callNetworks(&context) { $0.apply(change, at: $1, &$2) }
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
        case .technology(let index):
            let isChanged = callPacketNetwork(&context) {
                $0.changeTechnology(to: index, hasCoverage: $2.hasCoverage(.cellular), at: $1, &$3)
            }
            if isChanged { callNetworks(&context) { $0.announceCapabilities(of: .cellular, at: $1, &$2) } }
            return isChanged
        case .signal(_, let radio, let condition):
            return packetNetwork.changeSignal(to: radio, condition: condition, at: now, &context.packets)
        case .conditions(let interface, let number):
            return packetNetwork.setLinkCondition(interface, condition: number, context.packets)
        case .mappingsLost(let interface): return loseMappings(interface, &context)
        // Without a resolver no name is looked up, so resolution cannot fail.
        case .names: return context.world.resolver != nil && serverLocation.apply(change)
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
        case .serverMoved, .nameUpdated:
            guard serverLocation.apply(change) else { return false }
            if case .serverMoved = change { connections.forgetAbandoned() }
            reassess(&context)
            return true
        case .peer(let change):
            guard let peer = context.peer else { return false }
            return callServer(&context) { $0.apply(change, peer, &$2) }
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
}
