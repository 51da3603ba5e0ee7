import DeadzoneBase
import DeadzoneClient

/// The memory of one phone's client library about the server's name, together with the library's policy.
struct KeptNames {
    let policy: NamePolicy
    let state: UnsafeMutablePointer<NamePolicy.State>

    /// Decides the next step of an attempt to connect.
    /// - Parameter first: Number of the server's public address at the beginning, which an app may contain.
    func choose(at now: Instant, first: UInt16) -> NamePolicy.AddressChoice {
        policy.family == .literal ? .use(first) : policy.choose(&state.pointee, at: now)
    }

    /// Fails to resolve the name, because the phone has no network. A library that has the address does not ask.
    func failOffline(at now: Instant) {
        guard policy.family != .literal else { return }
        // No attempt is made, so none is counted.
        var copy = state.pointee
        if case .ask = policy.choose(&copy, at: now) { unresolved(at: now) }
    }

    func answered(_ address: UInt16, at now: Instant) { policy.answered(address, &state.pointee, at: now) }

    func unresolved(at now: Instant) { policy.unresolved(&state.pointee, at: now) }

    func opened() { policy.opened(&state.pointee) }

    /// Forgets everything that a process has kept, because another one starts.
    func forget() { state.pointee = NamePolicy.State() }
}
