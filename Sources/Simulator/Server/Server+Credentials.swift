package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server's checks of access tokens, and its work on requests for new ones.
extension Server {
    /// Sets the expiry of the token that the phone will present. The unit of an expiry is one second.
    package mutating func setTokenExpiry(_ expiry: Instant) {
        let seconds = (expiry - Instant.zero).nanoseconds / 1_000_000_000
        tokenExpiry = UInt32(clamping: min(seconds, Int64(UInt32.max) - 1))
    }

    /// `true` if the phone's token has expired or was revoked.
    package func hasExpiredToken(at now: Instant) -> Bool {
        guard tokenExpiry != .max, let rules = profile.pointee.credentials else { return false }
        return .zero + .seconds(Int64(tokenExpiry)) + rules.leeway <= now
    }

    /// `true` if a session must be refused because of the phone's token. Records the refusal.
    mutating func refusesToken(at now: Instant, _ out: inout EffectQueue<ServerEffect>) -> Bool {
        guard profile.pointee.credentials?.checksSessions ?? false, hasExpiredToken(at: now) else { return false }
        out.note(.credentialsRefused, .session)
        return true
    }

    // MARK: Requests for new credentials

    /// Receives a packet of a request, and answers it. The answer to the last packet follows the program's decision.
    /// With a shared capacity, the request waits behind the calls of all phones.
    mutating func receiveTokenRequest(
        _ packet: Packet, from address: PhoneAddress, _ credentials: UnsafeMutablePointer<CredentialState>,
        at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard !isDown, !isFrozen, let rules = profile.pointee.credentials else { return }
        switch credentials.pointee.receiveAtServer(packet, rules) {
        case .nothing: break
        case .answer: answer(packet, to: address, rules, at: now, &out)
        case .work where profile.pointee.sharesCalls: submitTokenRequest(packet.number, at: now, &out)
        case .work:
            out.append(
                .schedule(.token(packet.number, isServed: true), at: now + rules.issueTime, slot: 0, generation: 0))
        }
    }

    private func answer(
        _ request: Packet, to address: PhoneAddress, _ rules: CredentialRules, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        let bytes = rules.share(of: rules.down, round: UInt8(truncatingIfNeeded: request.first))
        let packet = Packet(
            .tokenResponse, cause: .connect, bytes: bytes, number: request.number, first: request.first, stamp: now,
            answering: request)
        out.append(.transmitSystemPacket(packet, address))
    }

    /// Decides a request, because the program has finished it, and answers it.
    /// - Parameter isServed: `false` if the server lacks the capacity to decide.
    mutating func decideTokenRequest(
        _ number: UInt16, isServed: Bool, from address: PhoneAddress,
        _ credentials: UnsafeMutablePointer<CredentialState>, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard let rules = profile.pointee.credentials,
            let result = credentials.pointee.decide(number, isServed: isServed, rules, at: now)
        else { return }
        if credentials.pointee.isRevoked { setTokenExpiry(.zero) }
        if result == .refused { out.note(.credentialsRefused, .refresh) }
        let request = Packet(
            .tokenRequest, cause: .connect, bytes: 0, number: number, first: UInt32(rules.roundTrips - 1), stamp: now)
        answer(request, to: address, rules, at: now, &out)
    }

    /// Applies the shared cluster's decision on a request.
    mutating func applyTokenOutcome(
        _ number: UInt16, _ outcome: Cluster.ServiceOutcome, windowEnd: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let issueTime = profile.pointee.credentials?.issueTime ?? .zero
        let (at, isServed): (Instant, Bool) =
            switch outcome {
            case .served(let at, _): (at + issueTime, true)
            case .dropped(let at): (at, false)
            case .refused, .unanswered, .reset: (windowEnd, false)
            }
        out.append(
            .schedule(.token(number, isServed: isServed), at: max(at, windowEnd), slot: 0, generation: 0))
    }
}
