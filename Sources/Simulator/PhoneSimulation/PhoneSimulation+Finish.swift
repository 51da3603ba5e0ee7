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
        recordSilence(&context)
        packetNetwork.closeTunnelPeriod(at: now, &context.packets)
        if let span = context.credentials?.pointee.endLogout(at: now) {
            journal(.loggedOutFor, value: span.nanoseconds, &context)
        }
        callPushes(&context) { $0.finish(at: $1, &$2) }
        finishPresence(&context)
        finishPaths(&context)
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
        finishCalls(&context)
        finishProbes(&context)
        journal(.finished, value: now.nanoseconds, &context)
    }

    private mutating func finishCalls(_ context: inout WorkerContext) {
        guard let course = context.traffic.pointee.callSchedule, phoneEnd.calls.openCount > 0 else { return }
        journal(.callPending, value: Int64(phoneEnd.calls.openCount), &context)
        let book = phoneEnd.calls
        callDelivery(&context) { [now] in
            $2.noteWaits(
                course, from: book.first, before: book.nextCall.index, .waitedCall, at: now, where: book.isOpen)
        }
    }

    private mutating func finishProbes(_ context: inout WorkerContext) {
        var sent: [Instant] = []
        context.packets.pool.forEach(in: packetNetwork.packetsInFlight) { flight in
            if flight.packet.content == .probe { sent.append(flight.packet.stamp) }
            if flight.packet.content == .probeReply { sent.append(flight.packet.echo) }
        }
        for instant in sent { journal(.waitedProbe, value: (now - instant).nanoseconds, &context) }
    }
}

extension PhoneSimulation {
    /// Returns the memory of all packets that are still in flight to the pool.
    package mutating func releasePackets(_ context: inout WorkerContext) {
        packetNetwork.releaseAll(&context.packets)
    }
}
