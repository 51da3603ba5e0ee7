import DeadzoneClient
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneTransport
import DeadzoneWorld

/// From the name of the server to an address that answers, before a connection is set up.
///
///     connect ─▶ (questions over radio and link ─▶ resolver ─▶ answer) ─▶ (knock at what is broken) ─▶ handshake
extension Lane {
    /// Returns false in a world without a resolver: whoever connects has the address.
    mutating func resolves(_ slot: Int, _ stage: inout Stage) -> Bool {
        guard let resolver = stage.world.resolver else { return false }
        let carrier = lines[slot].carrier
        var approach = Approach(races: carrier.races, patience: carrier.patience, at: now)
        let isKnown = names.knows(at: now, on: network(of: slot))
        if isKnown { journal(.resolved, .cached, &stage) }
        lines[slot].belief = .opening
        let step = approach.start(resolver, isKnown: isKnown, at: now)
        lines[slot].approach = approach
        take(step, slot, &stage)
        return true
    }

    /// A question has reached the resolver.
    mutating func askResolver(_ flight: Flight, _ stage: inout Stage) {
        guard let resolver = stage.world.resolver else { return }
        if !isResolving && resolver.failing == .silent { return vanish(flight, &stage) }
        var answer = Packet(
            .resolution, cause: .dns, bytes: isResolving ? Resolver.answerBytes : Resolver.questionBytes,
            number: isResolving ? 1 : 0, stamp: now, answering: flight.packet)
        answer.stamp = flight.packet.stamp
        var reply = flight
        reply.packet = answer
        guard resolver.work > .zero else { return answerOfResolver(reply, &stage) }
        reply.at = now + resolver.work
        reply.hop = .resolving
        stage.flights.insert(reply, into: &flights)
    }

    /// The resolver has done its work.
    mutating func answerOfResolver(_ flight: Flight, _ stage: inout Stage) {
        launchDown(
            flight.packet, slot: Int(flight.slot), over: flight.interface, epoch: flight.epoch,
            generation: flight.generation, &stage)
    }

    /// Its answer has reached the phone. Whoever asked, the phone knows it now.
    mutating func hearResolver(_ flight: Flight, _ stage: inout Stage) {
        guard let resolver = stage.world.resolver else { return }
        let hasAddress = flight.packet.number == 1
        if hasAddress { names.learn(resolver, at: now, on: Self.network(flight.interface, flight.epoch)) }
        let slot = Int(flight.slot)
        guard lines[slot].generation == flight.generation, isApproaching(slot), var approach = lines[slot].approach
        else { return }
        let step = hasAddress ? approach.answer(resolver, at: now) : approach.refuse()
        lines[slot].approach = approach
        take(step, slot, &stage)
    }

    mutating func expireApproach(_ slot: Int, _ stage: inout Stage) {
        guard let resolver = stage.world.resolver, isApproaching(slot), var approach = lines[slot].approach else {
            return endApproach(slot)
        }
        let step = approach.expire(resolver, at: now)
        lines[slot].approach = approach
        take(step, slot, &stage)
    }

    private mutating func take(_ step: Approach.Step, _ slot: Int, _ stage: inout Stage) {
        lines[slot].approachEnds = lines[slot].approach?.deadline ?? .never
        switch step {
        case .wait: break
        case .ask:
            sendUp(Packet(.question, cause: .dns, bytes: Resolver.questionBytes, stamp: now), slot, &stage)
        case .knock:
            noteResolved(slot, .answered, &stage)
            sendUp(Packet(.stray, cause: .connect, bytes: Resolver.knockBytes, stamp: now), slot, &stage)
        case .go:
            noteResolved(slot, .answered, &stage)
            endApproach(slot)
            setUp(slot, &stage)
        case .unresolved:
            noteResolved(slot, .failed, &stage)
            endApproach(slot)
            fail(slot, .unresolved, &stage)
        case .timedOut:
            endApproach(slot)
            fail(slot, .timedOut, &stage)
        }
    }

    /// Once, when the first address is used; a cached name was noted when it was looked up.
    private mutating func noteResolved(_ slot: Int, _ result: ResolutionCode, _ stage: inout Stage) {
        guard let began = lines[slot].approach?.began, lines[slot].approach?.endsQuestions() == true else { return }
        journal(.resolved, result, value: (now - began).nanoseconds, &stage)
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
    private func network(of slot: Int) -> UInt32 { Self.network(lines[slot].interface, lines[slot].epoch) }

    private static func network(_ interface: Interface, _ epoch: UInt16) -> UInt32 {
        UInt32(interface.rawValue) << 16 | UInt32(epoch)
    }

    mutating func setResolving(_ isResolving: Bool, _ stage: borrowing Stage) -> Bool {
        // Where nobody asks for names, none can fail.
        guard stage.world.resolver != nil, self.isResolving != isResolving else { return false }
        self.isResolving = isResolving
        return true
    }
}
