import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// Sentences about settings that mean something else than a reader may expect. They are no faults.
extension Scenario {
    package var notes: [String] {
        lateVisits + [unmadeCalls, unsetRelay, unusedDedup, ignoredAccess, ignoredMotion].compactMap(\.self)
            + vacuousBounds + swappedBackoffs + longIntervals
    }

    /// One sentence for each client with visits in the background that last at least as long as the processor is awake
    /// for them. The timer of their end wakes no phone, so they last longer than the scenario says.
    private var lateVisits: [String] {
        guard let rules = world.platform?.processor, rules.sleeps else { return [] }
        return strategies.compactMap { named in
            guard let visit = named.strategy.unlockedVisit else { return nil }
            let awake = visit.wake == .job ? rules.jobSpan : rules.alarmSpan
            guard visit.length >= awake else { return nil }
            return
                "`\(named.name.escapedForTerminal)`: visits of \(Self.text(visit.length)), but the processor is awake "
                + "for \(Self.text(awake)). Their end waits until something wakes it. `wake-lock: visit` changes that"
                + (visit.wake == .job ? ", as Android does for a job whose code still runs" : "")
        }
    }

    /// A sentence if the scenario has calls and some clients make none; otherwise `nil`.
    private var unmadeCalls: String? {
        let clients = strategies.filter { !$0.strategy.makesCalls }
        guard world.traffic.calls != nil, !clients.isEmpty else { return nil }
        let subject = clients.count == 1 ? "this client makes" : "these clients make"
        return "\(Self.list(clients)): \(subject) no calls, so the calls of the scenario stay pending"
    }

    /// A sentence if clients use a relay that the scenario does not describe; otherwise `nil`.
    private var unsetRelay: String? {
        let clients = strategies.filter { $0.strategy.transport?.datagrams.route == .relay }
        guard world.server.peer == nil, !clients.isEmpty else { return nil }
        return
            "\(Self.list(clients)): the relay takes \(Self.text(PeerRules().relayDelay)) in each direction, because the "
            + "scenario has no `server: {peer: {relay: …}}`"
    }

    /// A sentence if the server's duplicate detection concerns no client; otherwise `nil`.
    private var unusedDedup: String? {
        guard world.server.dedup != .none, !strategies.isEmpty,
            strategies.allSatisfy({ $0.strategy.name == "coap" })
        else { return nil }
        return
            "\(Self.list(strategies)): `server: {dedup: …}` has no effect, because a CoAP server recognises repeats by "
            + "their message id. `exchange-lifetime` says for how long"
    }

    /// A sentence if the timeline changes the access of a network on a system that knows no such states. Beside another
    /// change of the same entry, nothing else shows that it has no effect.
    private var ignoredAccess: String? {
        let isUsed = world.timeline.contains { if case .access = $0.change { true } else { false } }
        guard let platform = onlyPlatform, platform.family == .android, isUsed else { return nil }
        return "`access` in the timeline has no effect on \(platform.name): its networks have no such states"
    }

    /// A sentence if the timeline moves a phone, and its system takes no notice of it; otherwise `nil`.
    private var ignoredMotion: String? {
        let isUsed = world.timeline.contains { if case .moving = $0.change { true } else { false } }
        guard let platform = onlyPlatform, platform.family == .ios, isUsed else { return nil }
        return "`motion` in the timeline has no effect on \(platform.name): only Doze depends on it"
    }

    /// The platform of all phones; `nil` if there are several or none.
    private var onlyPlatform: Platform? { population.isEmpty ? world.platform : nil }

    static func text(_ span: TimeSpan) -> String { ValueFormat<TimeSpan>.span().write(span).scalar ?? "" }

    private static func list(_ clients: [NamedStrategy]) -> String {
        let names = clients.prefix(3).map { "`\($0.name.escapedForTerminal)`" }
        return names.joined(separator: ", ") + (clients.count > 3 ? " and \(clients.count - 3) more" : "")
    }
}
