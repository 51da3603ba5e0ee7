package import DeadzoneBase

/// The part of a simulated server that all phones share: its instances, load balancer and database. Requests are
/// decided in order of time, and each completion time is known at once.
///
///     session ─▶ balancer ─▶ an instance's accept queue ─▶ (database) ─▶ set up, with its handshake
///     call ─▶ work queue of its connection's instance ─▶ (database) ─▶ processed
package struct Cluster: Sendable {
    /// The server's decision on a session or call request: served at a time, refused, dropped, unanswered or reset.
    package enum ServiceOutcome: Hashable, Sendable, BitwiseCopyable {
        /// The instance `by` has set up the session, or completed the call, at the time `at`.
        case served(at: Instant, by: UInt8)
        /// The request is refused because the queue is full. The client is notified.
        case refused
        /// The request times out in the queue. The client is notified at the time `at`.
        case dropped(at: Instant)
        /// The client gets no answer to its request.
        case unanswered
        /// The instance that received the request is not running: the connection is reset.
        case reset
    }

    /// The time at which an instance that autoscaling removes ends and resets its remaining connections.
    package struct InstanceShutdown: Hashable, Sendable {
        package var at: Instant
        package var instance: UInt8
    }

    struct Instance: Sendable {
        var acceptQueue: ServiceQueue?
        var work: ServiceQueue?
        /// Outcome of all requests to the instance while it is down or frozen. `nil` if it is running.
        var failureOutcome: ServiceOutcome?
        /// `true` if the balancer sends no new connections to the instance.
        var isEjected = false
        /// Number of consecutive health checks that failed because the instance's queue was too long.
        var failures: UInt16 = 0
        /// `true` if the instance is being removed: it gets no new connections, and ends when it has none.
        var isTerminating = false
        /// Time at which the instance has finished starting.
        var startsAt = Instant.zero
        var connections: UInt32 = 0
        /// Total busy time of the instance up to the last autoscaling evaluation.
        var busyTime = TimeSpan.zero
    }

    let profile: ClusterProfile
    let newInstance: Instance
    let queueTimeout: TimeSpan?
    var instances: [Instance]
    private var database: ServiceQueue?
    private let events: [InstanceEvent]
    private var nextEvent = 0
    private(set) var nextScalingAt: Instant
    private(set) var nextCheckAt: Instant
    /// The instance counts that recent autoscaling evaluations computed, with their times. They are kept for the
    /// stabilization window.
    var desiredCounts: [(at: Instant, count: Int)] = []
    /// Terminating instances and the times at which their remaining connections are reset, in order.
    var shutdowns: [InstanceShutdown] = []
    /// Index of the instance that got the most recent connection.
    var lastChosen: Int

    /// Creates a cluster.
    /// - Parameter events: Instance events in order of time.
    package init(_ server: ServerProfile, events: [InstanceEvent] = []) {
        profile = server.cluster
        queueTimeout = server.faults.queueTimeout
        func queue(_ perSecond: UInt32, _ capacity: UInt32?) -> ServiceQueue {
            ServiceQueue(
                perSecond: perSecond, capacity: capacity, measuresWork: server.cluster.autoscaling != nil)
        }
        newInstance = Instance(
            acceptQueue: server.acceptsPerSecond.map { queue($0, server.cluster.backlog) },
            work: server.faults.requestsPerSecond.map { queue($0, server.faults.queue) })
        instances = Array(repeating: newInstance, count: Int(profile.instances))
        database = profile.database.map { ServiceQueue(perSecond: $0.queriesPerSecond, measuresWork: false) }
        self.events = events
        nextScalingAt = profile.autoscaling.map { .zero + $0.every } ?? .never
        nextCheckAt = profile.health.flatMap { $0.timeout == nil ? nil : .zero + $0.every } ?? .never
        lastChosen = instances.count - 1
    }

    /// Decides the outcome of a session or call request.
    /// - Parameter windowEnd: End of the sync window, which the phone has already reached. Instance events before it
    ///   have already been applied to the phone.
    package mutating func decide(_ request: ClusterRequest, windowEnd: Instant) -> ServiceOutcome {
        advance(to: request.at)
        switch request.kind {
        case .call, .token: return serveCall(for: Int(request.instance ?? 0), at: request.at)
        case .session(let handshake):
            guard let number = chooseInstance(at: request.at) else {
                return isAnyReady(at: request.at) ? overflowOutcome : .reset
            }
            if let absence = instances[number].failureOutcome ?? failureOutcome(of: number, before: windowEnd) {
                return absence
            }
            return serveSession(handshake, by: number, at: request.at)
        }
    }

    /// Returns the next instance shutdown, if it is known at `now`; otherwise `nil`. A shutdown is known a grace period
    /// in advance. All earlier requests must have been decided.
    package mutating func nextShutdown(knownAt now: Instant) -> InstanceShutdown? {
        guard profile.resetsOnScaleDown else { return nil }
        while shutdowns.isEmpty, nextScalingAt <= now { advance(to: nextScalingAt) }
        return shutdowns.first
    }

    /// Removes the next shutdown from the list, after all phones were notified of it.
    package mutating func completeShutdown() {
        advance(to: shutdowns[0].at)
        shutdowns.removeFirst()
    }

    /// Subtracts a closed connection from the instance's count. Called at the end of a sync window, because a phone may
    /// lose a connection while it is opening its next.
    package mutating func releaseConnection(_ instance: UInt8) { instances[Int(instance)].connections -= 1 }

    private mutating func serveSession(_ handshake: TimeSpan, by number: Int, at now: Instant) -> ServiceOutcome {
        var at = now
        if instances[number].acceptQueue != nil {
            guard instances[number].acceptQueue!.hasCapacity(at: now) else { return overflowOutcome }
            let ready = query(profile.database?.perSession ?? 0, at: now)
            at = instances[number].acceptQueue!.enqueue(at: now, ready: ready, extra: handshake) ?? now
        } else {
            // Without a rate there is no queue: a handshake takes its own time, and delays no other.
            at = query(profile.database?.perSession ?? 0, at: now) + handshake
        }
        instances[number].connections += 1
        return .served(at: at, by: UInt8(number))
    }

    private mutating func serveCall(for number: Int, at now: Instant) -> ServiceOutcome {
        guard instances[number].work?.hasCapacity(at: now) ?? true else { return .refused }
        if let queueTimeout, now + queueTimeout < serviceStart(for: number, at: now) {
            instances[number].work?.occupy(until: now + queueTimeout)
            return .dropped(at: now + queueTimeout)
        }
        let ready = query(profile.database?.perCall ?? 0, at: now)
        return .served(at: instances[number].work?.enqueue(at: now, ready: ready) ?? ready, by: UInt8(number))
    }

    /// Returns the time at which the instance would begin to serve a call: when it is free and the first database query
    /// has started.
    private func serviceStart(for number: Int, at now: Instant) -> Instant {
        let turn = instances[number].work?.serviceStart(at: now) ?? now
        guard let database, profile.database?.perCall ?? 0 > 0 else { return turn }
        return max(turn, database.serviceStart(at: now))
    }

    /// Runs `count` database queries one after the other, and returns the time at which the last is answered.
    private mutating func query(_ count: UInt16, at now: Instant) -> Instant {
        var at = now
        for _ in 0..<count { at = database?.enqueue(at: now) ?? now }
        return at
    }

    private var overflowOutcome: ServiceOutcome { profile.shedding == nil ? .unanswered : .refused }

    /// Returns the failure outcome of an instance that goes down or freezes before the sync window ends; otherwise
    /// `nil`. The phone has already applied that event, before this connection existed.
    private func failureOutcome(of number: Int, before end: Instant) -> ServiceOutcome? {
        for event in events[nextEvent...].prefix(while: { $0.at < end }) where Int(event.instance) == number {
            if let absence = event.change.failureOutcome { return absence }
        }
        return nil
    }

    // MARK: Instance changes

    private mutating func advance(to now: Instant) {
        while true {
            let event = nextEvent < events.count ? events[nextEvent] : nil
            let next = min(event?.at ?? .never, nextCheckAt, nextScalingAt)
            guard next <= now else { return }
            if let event, event.at == next {
                apply(event)
                nextEvent += 1
            } else if nextCheckAt == next, let checks = profile.health {
                check(checks)
                nextCheckAt += checks.every
            } else if let rule = profile.autoscaling {
                scale(rule)
                nextScalingAt += rule.every
            } else {
                return
            }
        }
    }

    private mutating func apply(_ event: InstanceEvent) {
        let number = Int(event.instance)
        switch event.change {
        case .down, .frozen:
            instances[number].failureOutcome = event.change.failureOutcome
            instances[number].failures = 0
            instances[number].acceptQueue?.clear(at: event.at)
            instances[number].work?.clear(at: event.at)
        case .up: instances[number].failureOutcome = nil
        case .ejected: instances[number].isEjected = true
        case .readmitted: instances[number].isEjected = false
        }
    }
}

extension InstanceChange {
    /// The outcome of a request that is routed to an instance after this change. `nil` if the instance serves the
    /// request.
    fileprivate var failureOutcome: Cluster.ServiceOutcome? {
        switch self {
        case .down: .reset
        case .frozen: .unanswered
        case .up, .ejected, .readmitted: nil
        }
    }
}
