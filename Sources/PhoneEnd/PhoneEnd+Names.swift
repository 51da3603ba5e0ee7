import DeadzoneClient
import DeadzoneJournal
import DeadzoneNetwork
public import DeadzonePrimitives
public import DeadzoneTransport

/// From the name of the server to an address that answers, before a connection is set up.
///
///     connect ─▶ (questions over radio and link ─▶ resolver ─▶ answer) ─▶ (knock at what is broken) ─▶ handshake
extension PhoneEnd {
    /// Returns false in a world without a resolver: whoever connects has the address.
    mutating func resolves(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) -> Bool {
        guard let resolver = rules.pointee.resolver else { return false }
        let carrier = lines[slot].carrier
        var approach = Approach(races: carrier.races, patience: carrier.patience, at: now)
        let isKnown = names.knows(at: now, on: Self.network(lines[slot].interface, lines[slot].epoch))
        if isKnown { out.note(.resolved, .cached) }
        lines[slot].belief = .opening
        let step = approach.start(resolver, isKnown: isKnown, at: now)
        lines[slot].approach = approach
        take(step, slot, at: now, session, &out)
        return true
    }

    /// The resolver's answer has reached the phone. Whoever asked, the phone knows it now.
    public mutating func hearResolver(
        _ packet: Packet, _ slot: Int, generation: UInt16, over interface: Interface, epoch: UInt16, at now: Instant,
        _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        guard let resolver = rules.pointee.resolver else { return }
        let hasAddress = packet.number == 1
        if hasAddress { names.learn(resolver, at: now, on: Self.network(interface, epoch)) }
        guard lines[slot].generation == generation, isApproaching(slot), var approach = lines[slot].approach else {
            return
        }
        let step = hasAddress ? approach.answer(resolver, at: now) : approach.refuse()
        lines[slot].approach = approach
        take(step, slot, at: now, session, &out)
    }

    public mutating func expireApproach(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        guard let resolver = rules.pointee.resolver, isApproaching(slot), var approach = lines[slot].approach else {
            return endApproach(slot)
        }
        let step = approach.expire(resolver, at: now)
        lines[slot].approach = approach
        take(step, slot, at: now, session, &out)
    }

    private mutating func take(
        _ step: Approach.Step, _ slot: Int, at now: Instant, _ session: SessionView,
        _ out: inout Steps<PhoneEndStep>
    ) {
        lines[slot].approachEnds = lines[slot].approach?.deadline ?? .never
        switch step {
        case .wait: break
        case .ask:
            leave(Packet(.question, cause: .dns, bytes: Resolver.questionBytes, stamp: now), slot, &out)
        case .knock:
            noteResolved(slot, .answered, at: now, &out)
            leave(Packet(.stray, cause: .connect, bytes: Resolver.knockBytes, stamp: now), slot, &out)
        case .go:
            noteResolved(slot, .answered, at: now, &out)
            endApproach(slot)
            setUp(slot, at: now, session, &out)
        case .unresolved:
            noteResolved(slot, .failed, at: now, &out)
            endApproach(slot)
            fail(slot, .unresolved, &out)
        case .timedOut:
            endApproach(slot)
            fail(slot, .timedOut, &out)
        }
    }

    /// Once, when the first address is used; a cached name was noted when it was looked up.
    private mutating func noteResolved(
        _ slot: Int, _ result: ResolutionCode, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        guard let began = lines[slot].approach?.began, lines[slot].approach?.endsQuestions() == true else { return }
        out.note(.resolved, result, value: (now - began).nanoseconds)
    }

    /// The client may have given up meanwhile.
    private func isApproaching(_ slot: Int) -> Bool {
        lines[slot].belief == .opening && lines[slot].approach != nil
    }

    private mutating func endApproach(_ slot: Int) {
        lines[slot].approach = nil
        lines[slot].approachEnds = .never
    }

    /// A name is known on one network.
    private static func network(_ interface: Interface, _ epoch: UInt16) -> UInt32 {
        UInt32(interface.rawValue) << 16 | UInt32(epoch)
    }
}
