public import DeadzonePrimitives

/// What all phones share of a server: its instances behind a balancer, and the database behind them. It is asked in the total
/// order, and answers at once when an arrival will have been served.
///
///     session ─▶ balancer ─▶ an instance's accept queue ─▶ (database) ─▶ set up, with its handshake
///     call ─▶ the instance of its connection: a place ─▶ (database) ─▶ worked on
public struct Cluster: Sendable {
    /// What becomes of an arrival.
    public enum Verdict: Hashable, Sendable, BitwiseCopyable {
        /// It has been set up, or done, then, by this instance.
        case served(at: Instant, by: UInt8)
        /// There is no place for it, and it is told so.
        case refused
        /// It waited in vain for its turn, and is told so then.
        case dropped(at: Instant)
        /// It hears nothing.
        case unheard
        /// The instance that it was sent to is not there.
        case reset
    }

    /// An instance that left ends for good, and what it still has is reset.
    public struct Cut: Hashable, Sendable {
        public var at: Instant
        public var instance: UInt8
    }

    struct Instance: Sendable {
        var door: ServiceLine?
        var work: ServiceLine?
        /// What it does not answer with while it is away; nil: it is there.
        var absence: Verdict?
        /// The balancer sends nobody there.
        var isOut = false
        /// Checks in a row for which its line was too long.
        var failures: UInt16 = 0
        /// There are too many: it gets no more connections, and goes when it has none.
        var isLeaving = false
        /// Of a new one: until then it starts.
        var startsAt = Instant.zero
        var connections: UInt32 = 0
        /// At the last look.
        var worked = TimeSpan.zero
    }

    let profile: ClusterProfile
    let fresh: Instance
    let queueTimeout: TimeSpan?
    var instances: [Instance]
    private var database: ServiceLine?
    private let events: [InstanceEvent]
    private var nextEvent = 0
    private(set) var looksAt: Instant
    private(set) var checksAt: Instant
    /// How many instances a look wanted, for as long as that counts.
    var wishes: [(at: Instant, count: Int)] = []
    /// Instances that leave, and when what they still have is reset; in order.
    var cuts: [Cut] = []
    /// Who got the last connection.
    var last: Int

    /// - Parameter events: In order of time.
    public init(_ server: ServerProfile, events: [InstanceEvent] = []) {
        profile = server.cluster
        queueTimeout = server.troubles.queueTimeout
        fresh = Instance(
            door: server.acceptsPerSecond.map { ServiceLine(perSecond: $0, places: server.cluster.backlog) },
            work: server.troubles.requestsPerSecond.map { ServiceLine(perSecond: $0, places: server.troubles.queue) })
        instances = Array(repeating: fresh, count: Int(profile.instances))
        database = profile.database.map { ServiceLine(perSecond: $0.queriesPerSecond) }
        self.events = events
        looksAt = profile.autoscaling.map { .zero + $0.every } ?? .never
        checksAt = profile.health.flatMap { $0.timeout == nil ? nil : .zero + $0.every } ?? .never
        last = instances.count - 1
    }

    /// - Parameter roundEnd: Its phone has come so far, and what happened to instances until then has happened to it.
    public mutating func decide(_ arrival: Arrival, roundEnd: Instant) -> Verdict {
        advance(to: arrival.at)
        switch arrival.matter {
        case .call: return work(for: Int(arrival.instance ?? 0), at: arrival.at)
        case .session(let handshake):
            guard let number = choose(at: arrival.at) else { return isAnyReady(at: arrival.at) ? full : .reset }
            if let absence = instances[number].absence ?? absence(of: number, before: roundEnd) { return absence }
            return setUp(handshake, by: number, at: arrival.at)
        }
    }

    /// What is reset next, if that is known by then: it is known as long before as the grace is. Everything that came before then has been
    /// decided.
    public mutating func nextCut(knownAt now: Instant) -> Cut? {
        guard profile.cuts else { return nil }
        while cuts.isEmpty, looksAt <= now { advance(to: looksAt) }
        return cuts.first
    }

    /// All phones hear of it now.
    public mutating func noteCut() {
        advance(to: cuts[0].at)
        cuts.removeFirst()
    }

    /// An instance no longer has one of its connections. It counts from the end of a round on: a phone may lose one while it hears of
    /// its next.
    public mutating func leave(_ instance: UInt8) { instances[Int(instance)].connections -= 1 }

    private mutating func setUp(_ handshake: TimeSpan, by number: Int, at now: Instant) -> Verdict {
        var at = now
        if instances[number].door != nil {
            guard instances[number].door!.hasPlace(at: now) else { return full }
            let ready = query(profile.database?.perSession ?? 0, at: now)
            at = instances[number].door!.offer(at: now, ready: ready, beside: handshake) ?? now
        } else {
            at = query(profile.database?.perSession ?? 0, at: now)
        }
        instances[number].connections += 1
        return .served(at: at, by: UInt8(number))
    }

    private mutating func work(for number: Int, at now: Instant) -> Verdict {
        guard instances[number].work?.hasPlace(at: now) ?? true else { return .refused }
        if let queueTimeout, now + queueTimeout < workBegins(for: number, at: now) {
            instances[number].work?.stand(until: now + queueTimeout)
            return .dropped(at: now + queueTimeout)
        }
        let ready = query(profile.database?.perCall ?? 0, at: now)
        return .served(at: instances[number].work?.offer(at: now, ready: ready) ?? ready, by: UInt8(number))
    }

    /// The later of what it waits for: its turn at the instance, and that of its first query.
    private func workBegins(for number: Int, at now: Instant) -> Instant {
        let turn = instances[number].work?.begins(at: now) ?? now
        guard let database, profile.database?.perCall ?? 0 > 0 else { return turn }
        return max(turn, database.begins(at: now))
    }

    /// The database answers all of them then.
    private mutating func query(_ count: UInt16, at now: Instant) -> Instant {
        var at = now
        for _ in 0..<count { at = database?.offer(at: now) ?? now }
        return at
    }

    private var full: Verdict { profile.shedding == nil ? .unheard : .refused }

    /// It goes before the round is over: the phone has seen that already, and this connection was not there yet.
    private func absence(of number: Int, before end: Instant) -> Verdict? {
        for event in events[nextEvent...].prefix(while: { $0.at < end }) where Int(event.instance) == number {
            if let absence = event.change.absence { return absence }
        }
        return nil
    }

    // MARK: What happens to instances

    private mutating func advance(to now: Instant) {
        while true {
            let event = nextEvent < events.count ? events[nextEvent] : nil
            let next = min(event?.at ?? .never, checksAt, looksAt)
            guard next <= now else { return }
            if let event, event.at == next {
                apply(event)
                nextEvent += 1
            } else if checksAt == next, let checks = profile.health {
                check(checks)
                checksAt += checks.every
            } else if let rule = profile.autoscaling {
                scale(rule)
                looksAt += rule.every
            } else {
                return
            }
        }
    }

    private mutating func apply(_ event: InstanceEvent) {
        let number = Int(event.instance)
        switch event.change {
        case .down, .frozen:
            instances[number].absence = event.change.absence
            instances[number].failures = 0
            instances[number].door?.clear(at: event.at)
            instances[number].work?.clear(at: event.at)
        case .up: instances[number].absence = nil
        case .ejected: instances[number].isOut = true
        case .taken: instances[number].isOut = false
        }
    }
}

extension InstanceChange {
    /// What who is sent to an instance that is away gets to hear.
    fileprivate var absence: Cluster.Verdict? {
        switch self {
        case .down: .reset
        case .frozen: .unheard
        case .up, .ejected, .taken: nil
        }
    }
}
