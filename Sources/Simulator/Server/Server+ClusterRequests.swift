package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the decisions of the shared cluster to this phone's requests, at the end of their sync window.
extension Server {
    /// Applies the shared cluster's decision on a session or call request.
    package mutating func applyOutcome(
        _ outcome: Cluster.ServiceOutcome, of request: ClusterRequest, windowEnd: Instant, _ introduction: Introduction,
        at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        if case .token(let number) = request.kind {
            return applyTokenOutcome(number, outcome, windowEnd: windowEnd, &out)
        }
        acknowledge(request, before: min(answerTime(request, outcome, at: now), windowEnd), &out)
        switch request.kind {
        case .session: admit(request, outcome, windowEnd: windowEnd, introduction, at: now, &out)
        case .call(let call): answer(call, request, outcome, windowEnd: windowEnd, at: now, &out)
        case .token: break
        }
    }

    /// Sends the delayed acknowledgement of a request if its timer expires before the answer is sent.
    private mutating func acknowledge(
        _ request: ClusterRequest, before at: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let slot = request.slot
        guard ends[slot].generation == request.generation else { return }
        ends[slot].pendingOutcomes -= min(ends[slot].pendingOutcomes, 1)
        let due = ends[slot].tcp.acknowledgesAt
        guard due < at else { return }
        var packets = OutgoingPackets()
        ends[slot].tcp.sendDelayedAck(at: due, ends[slot].config.downward, &packets)
        transmit(packets, slot, at: due, &out)
    }

    /// Returns the time at which the program answers the request. `.never` if it sends no answer.
    private func answerTime(_ request: ClusterRequest, _ outcome: Cluster.ServiceOutcome, at now: Instant) -> Instant {
        switch (outcome, request.kind) {
        case (.served(let at, _), .call): at + profile.pointee.thinkTime
        case (.served(let at, _), .session): at + authentication(request.slot)
        case (.served(let at, _), .token): at
        case (.dropped(let at), _): at
        case (.refused, .call), (.refused, .token): request.at
        case (.refused, .session), (.reset, _): now
        case (.unanswered, _): .never
        }
    }

    /// Returns the time to authenticate the client. Zero if the queued flight is not the one that requests the session.
    private func authentication(_ slot: Int) -> TimeSpan {
        ends[slot].setup.hasSettingsFlight ? .zero : profile.pointee.authentication ?? .zero
    }

    /// Accepts the session at its completion time, within the sync window or later, or rejects it, as the cluster
    /// decided.
    private mutating func admit(
        _ request: ClusterRequest, _ outcome: Cluster.ServiceOutcome, windowEnd: Instant, _ introduction: Introduction,
        at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        let slot = request.slot
        let isThere = ends[slot].generation == request.generation && ends[slot].isHeld
        switch outcome {
        case .served(let served, let instance):
            if isThere {
                ends[slot].instance = instance
            } else {
                releaseInstance(instance, &out)
            }
            let at = served + authentication(slot)
            if at < windowEnd {
                accept(slot, request.generation, introduction, at: now, acceptedAt: at, &out)
            } else {
                out.append(.schedule(.session, at: at, slot: slot, generation: request.generation))
            }
        case .refused where isThere: rejectSession(slot, .overloaded, at: now, &out)
        case .unanswered where isThere:
            out.note(.serverRejected, .unheard, value: Int64(request.generation))
            ends[slot].isOrphaned = true
            out.append(.connectionChanged)
        case .reset where isThere: reset(slot, at: now, &out)
        case .refused, .dropped, .unanswered, .reset: break
        }
    }
}
