import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport

/// What the instances that all phones share decide of an arrival, once its round is over.
extension Server {
    /// The instances that all phones share have decided what becomes of the arrival.
    public mutating func hear(
        _ verdict: Cluster.Verdict, of arrival: Arrival, roundEnd: Instant, _ introduction: Introduction,
        at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        acknowledge(arrival, before: min(answersAt(arrival, verdict, at: now), roundEnd), &out)
        switch arrival.matter {
        case .session: admit(arrival, verdict, roundEnd: roundEnd, introduction, at: now, &out)
        case .call(let call): answer(call, arrival, verdict, roundEnd: roundEnd, at: now, &out)
        }
    }

    /// An acknowledgement that waited for the answer, and not so long, has left before it.
    private mutating func acknowledge(
        _ arrival: Arrival, before at: Instant, _ out: inout Steps<ServerStep>
    ) {
        let slot = arrival.slot
        guard ends[slot].generation == arrival.generation else { return }
        ends[slot].undecided -= min(ends[slot].undecided, 1)
        let due = ends[slot].kernel.acknowledgesAt
        guard due < at else { return }
        var packets = Departures()
        ends[slot].kernel.acknowledgeLate(at: due, ends[slot].terms.downward, &packets)
        leave(packets, slot, at: due, &out)
    }

    /// When its program has an answer; `.never`: it says nothing.
    private func answersAt(_ arrival: Arrival, _ verdict: Cluster.Verdict, at now: Instant) -> Instant {
        switch (verdict, arrival.matter) {
        case (.served(let at, _), .call): at + profile.pointee.think
        case (.served(let at, _), .session): at + authentication(arrival.slot)
        case (.dropped(let at), _): at
        case (.refused, .call): arrival.at
        case (.refused, .session), (.reset, _): now
        case (.unheard, _): .never
        }
    }

    /// Who is there is asked where the session is.
    private func authentication(_ slot: Int) -> TimeSpan {
        ends[slot].setup.settlesFirst ? .zero : profile.pointee.authentication ?? .zero
    }

    /// The session is set up: then, if that is within the round, or later. Or it is not.
    private mutating func admit(
        _ arrival: Arrival, _ verdict: Cluster.Verdict, roundEnd: Instant, _ introduction: Introduction,
        at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        let slot = arrival.slot
        let isThere = ends[slot].generation == arrival.generation && ends[slot].isHeld
        switch verdict {
        case .served(let served, let instance):
            if isThere {
                ends[slot].instance = instance
            } else {
                leave(instance, &out)
            }
            let at = served + authentication(slot)
            if at < roundEnd {
                accept(slot, arrival.generation, introduction, at: now, acceptedAt: at, &out)
            } else {
                out.append(.later(.session, at: at, slot: slot, generation: arrival.generation))
            }
        case .refused where isThere: turnAway(slot, .overloaded, at: now, &out)
        case .unheard where isThere:
            out.note(.serverRejected, .unheard, value: Int64(arrival.generation))
            ends[slot].isForgotten = true
            out.append(.changed)
        case .reset where isThere: reset(slot, at: now, &out)
        case .refused, .dropped, .unheard, .reset: break
        }
    }
}
