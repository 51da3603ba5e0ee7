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

    /// Begins to work on a request for new credentials. With a shared capacity, it waits behind the calls of all phones.
    mutating func receiveTokenRequest(_ number: UInt16, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        guard let rules = profile.pointee.credentials else { return }
        if profile.pointee.sharesCalls {
            submitTokenRequest(number, at: now, &out)
        } else {
            out.append(.schedule(.token(number, isServed: true), at: now + rules.issueTime, slot: 0, generation: 0))
        }
    }

    /// Applies the shared cluster's decision on a request for new credentials.
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
