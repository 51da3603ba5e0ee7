import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the effects of `ClientHost` and its operating system in order.
extension PhoneSimulation {
    mutating func applySystemEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.effects.system[index] {
        case .note(let note): write(note, &context)
        case .notifyApp(let event): context.client.events.append(event)
        case .slept(let span): host.session.slept += span
        case .suspensionChanged(let wasStopped):
            callConnections(&context) { $0.splitZombies(wasStopped: wasStopped, at: $2, &$3) }
            updateOutage(&context)
        case .processEnded(let kind): endProcess(kind, &context)
        case .processStarted: startProcess(&context)
        case .appRuns:
            callPhoneEnd(&context) { $0.reportPendingLosses(at: $1, &$2) }
            callPhoneEnd(&context) { $0.catchUp(at: $1, &$2) }
            callPushes(&context) { $0.announceToken(&$2) }
            sendPushToken(&context)
        case .firewallChanged(let isBlocked):
            callNetworks(&context) { $0.block(isBlocked, at: $1, &$2) }
            if !isBlocked, context.pushes?.pointee.storesSeveral ?? false { advancePushes(&context) }
            updateOutage(&context)
        case .reclaimSockets:
            for slot in Self.slots { closeByError(slot, &context) }
        case .retryPush: advancePushes(&context)
        case .visibilityChanged: callHost(&context) { $0.followSystem(&$2) }
        case .foregroundChanged where host.session.isForeground: beginFreshness(&context)
        case .foregroundChanged: callDelivery(&context) { $0.endFreshness(&$1, &$2) }
        }
    }

    /// Ends the app's process. Its memory is lost, its calls fail, and the kernel closes its sockets gracefully.
    private mutating func endProcess(_ kind: RecordKind, _ context: inout WorkerContext) {
        updateOutage(&context, cause: .processEnded)
        for slot in Self.slots {
            callPhoneEnd(&context) { $0.abandon(slot, at: $1, &$2) }
        }
        callPhoneEnd(&context) { $0.failCalls(at: $1, &$2) }
        delivery.noteGivenUp(host.endProcess(&context.client), .processEnded)
        callDelivery(&context) { $0.endProcess(&$1, &$2) }
        context.pushes?.pointee.endProcess()
        journal(kind, &context)
    }

    private mutating func startProcess(_ context: inout WorkerContext) {
        host.startProcess(&context.client)
        journal(.relaunched, &context)
        updateOutage(&context)
        if host.system != nil && host.session.isForeground { beginFreshness(&context) }
        context.names?.forget()
        callCredentials(&context) { state, rules, _ in .loaded(state.load(rules)) }
        context.client.events.append(.started)
    }
}
