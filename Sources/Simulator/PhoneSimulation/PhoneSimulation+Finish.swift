package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Ends the simulation of a phone at the horizon: closes all open periods and accounts for every message.
extension PhoneSimulation {
    package mutating func finish(at horizon: Instant, _ context: inout WorkerContext) {
        advanceRadios(before: horizon, &context)
        if !isStopped { now = horizon }
        packetNetwork.closeRadioPeriods(at: now, &context.packets)
        callHost(&context) { $0.system?.pointee.finish(at: $1, &$2) }
        callConnections(&context) { $0.finish(isStopped: $1, at: $2, &$3) }
        packetNetwork.closeTunnelPeriod(at: now, &context.packets)
        if let span = context.credentials?.pointee.endLogout(at: now) {
            journal(.loggedOutFor, value: span.nanoseconds, &context)
        }
        callPushes(&context) { $0.finish(at: $1, &$2) }
        finishPresence(&context)
        if let peer = context.peer { callServer(&context) { $0.finishPaths(peer, at: $1, &$2) } }
        if let wait = connections.recovery.waited(until: now) {
            journal(.unrecovered, value: wait.nanoseconds, &context)
        }
        callPhoneEnd(&context) { $0.endCallOutage(at: $1, &$2) }
        if let span = connections.herd.missing(at: now) {
            journal(.herdMissing, connections.herd.isFromTimeline, value: span.nanoseconds, &context)
        }
        callServer(&context) { $0.finish(at: $1, &$2) }
        for slot in Self.slots { cancelWaits(slot, &context) }
        host.session.now = now
        callDelivery(&context) { $0.recordSuppressed(&$1, &$2) }
        callDelivery(&context) { $0.endFreshness(&$1, &$2) }
        callDelivery(&context) { $0.loseGap(&$1, &$2) }
        finishMessages(&context)
        callPhoneEnd(&context) { $0.finishCalls(at: $1, &$2) }
        packetNetwork.recordProbes(at: now, &context.packets)
        journal(.finished, value: now.nanoseconds, &context)
    }

    /// Returns the memory of all packets that are still in flight to the pool.
    package mutating func releasePackets(_ context: inout WorkerContext) {
        packetNetwork.releaseAll(&context.packets)
    }
}
