package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// Resolves the server's name to an address that answers, before a connection is set up.
///
///     connect ─▶ (DNS queries over radio and link ─▶ resolver ─▶ answer) ─▶ (SYN to broken address) ─▶ handshake
extension PhoneEnd {
    /// Starts to resolve the server's name. Returns `false` if the scenario has no resolver: the address is then known.
    mutating func startResolution(
        _ slot: Int, _ choice: NamePolicy.AddressChoice, at now: Instant, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) -> Bool {
        guard settings.pointee.resolver != nil else { return false }
        let carrier = connections[slot].transport
        var resolution = AddressResolution(
            races: carrier.racesAddresses, addressTimeout: connections[slot].addressLimit, at: now)
        connections[slot].belief = .opening
        var known: UInt16?
        switch choice {
        case .fail:
            out.note(.resolved, .keptFailure)
            fail(slot, .unresolved, &out)
            return true
        case .use(let address):
            known = address
            out.note(.resolved, .kept)
        case .ask(let stale):
            let response = nameCache.response(
                at: now, on: Self.network(connections[slot].interface, connections[slot].addressNumber))
            connections[slot].staleAddressNumber = stale.map { $0 &+ 1 } ?? 0
            if response == Resolver.failure {
                out.note(.resolved, .keptFailure)
                endUnresolved(slot, at: now, session, &out)
                return true
            }
            known = response.flatMap { Resolver.address(inAnswer: $0) }
            if let known {
                out.note(.resolved, .cached)
                reportAnswer(known, &out)
            }
        }
        if let known { connections[slot].address = known }
        let resolver = resolver(slot, keeping: known)
        let step = resolution.start(resolver, isKnown: known != nil, at: now)
        connections[slot].resolution = resolution
        perform(step, slot, at: now, session, &out)
        return true
    }

    /// Handles the resolver's response. The phone caches the address, even if the connection that requested it is gone.
    package mutating func receiveResolution(
        _ packet: Packet, _ slot: Int, generation: UInt16, over interface: Interface, addressNumber: UInt16,
        at now: Instant,
        _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard let zone = settings.pointee.resolver else { return }
        let address = Resolver.address(inAnswer: packet.number)
        nameCache.store(packet.number, zone.on(interface), at: now, on: Self.network(interface, addressNumber))
        if let address { reportAnswer(address, &out) }
        guard connections[slot].generation == generation, isResolving(slot),
            var resolution = connections[slot].resolution
        else {
            return
        }
        if let address { connections[slot].address = address }
        let resolver = resolver(slot)
        let step = address != nil ? resolution.receiveAnswer(resolver, at: now) : resolution.receiveFailure()
        connections[slot].resolution = resolution
        perform(step, slot, at: now, session, &out)
    }

    package mutating func expireResolution(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard settings.pointee.resolver != nil, isResolving(slot), var resolution = connections[slot].resolution else {
            return expireSetup(slot, at: now, &out)
        }
        let resolver = resolver(slot, keeping: resolution.isKept ? connections[slot].address : nil)
        let step = resolution.expire(resolver, at: now)
        connections[slot].resolution = resolution
        perform(step, slot, at: now, session, &out)
    }

    private mutating func perform(
        _ step: AddressResolution.ResolutionAction, _ slot: Int, at now: Instant, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].resolutionDeadline = connections[slot].resolution?.deadline ?? .never
        switch step {
        case .wait: break
        case .ask:
            transmit(Packet(.dnsQuery, cause: .dns, bytes: Resolver.questionBytes, stamp: now), slot, &out)
        case .knock:
            useAddress(slot)
            recordResolution(slot, .answered, at: now, &out)
            transmit(Packet(.unansweredSYN, cause: .connect, bytes: Resolver.synBytes, stamp: now), slot, &out)
        case .go:
            recordResolution(slot, .answered, at: now, &out)
            endResolution(slot)
            startHandshake(slot, at: now, session, &out)
        case .unresolved:
            recordResolution(slot, connections[slot].staleAddressNumber == 0 ? .failed : .stale, at: now, &out)
            endResolution(slot)
            endUnresolved(slot, at: now, session, &out)
        case .unreachable:
            recordResolution(slot, .answered, at: now, &out)
            endResolution(slot)
            fail(slot, .noPath, &out)
        case .timedOut:
            endResolution(slot)
            fail(slot, .timedOut, &out)
        }
    }

    /// The resolver and the addresses of the connection's network, as the client can use them.
    private func resolver(_ slot: Int, keeping address: UInt16? = nil) -> Resolver {
        guard let zone = settings.pointee.resolver else { return Resolver() }
        return zone.view(
            on: connections[slot].interface, for: settings.pointee.family, settings.pointee.translation,
            keeping: address)
    }

    /// Ends an attempt without an address, unless the client's library uses the last one, however old.
    private mutating func endUnresolved(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        if settings.pointee.keepsNames { out.append(.nameUnresolved) }
        let stale = connections[slot].staleAddressNumber
        guard stale > 0 else { return fail(slot, .unresolved, &out) }
        connections[slot].address = stale - 1
        guard !resolver(slot, keeping: stale - 1).hasNoRoute else { return fail(slot, .noPath, &out) }
        startHandshake(slot, at: now, session, &out)
    }

    /// Reports an answer of the system to the client's library, if it keeps addresses.
    private func reportAnswer(_ address: UInt16, _ out: inout EffectQueue<PhoneEndEffect>) {
        if settings.pointee.keepsNames { out.append(.nameAnswered(address)) }
    }

    /// Records the result of the resolution once, when the first address is used. A cached name was recorded when it
    /// was looked up.
    private mutating func recordResolution(
        _ slot: Int, _ result: ResolutionCode, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard let began = connections[slot].resolution?.startedAt,
            connections[slot].resolution?.reportQueriesEnded() == true
        else { return }
        out.note(.resolved, result, value: (now - began).nanoseconds)
    }

    /// `true` if the connection is still waiting for the server's address. The client may have given up meanwhile.
    private func isResolving(_ slot: Int) -> Bool {
        connections[slot].belief == .opening && connections[slot].resolution != nil
    }

    mutating func endResolution(_ slot: Int) {
        connections[slot].resolution = nil
        connections[slot].resolutionDeadline = .never
    }

    /// Returns the cache key of a network: a cached name is valid on one network only.
    private static func network(_ interface: Interface, _ addressNumber: UInt16) -> UInt32 {
        UInt32(interface.rawValue) << 16 | UInt32(addressNumber)
    }
}
