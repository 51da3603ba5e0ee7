import DeadzoneBase

/// The cluster's load balancer: selects the instance for a new connection, and runs the health checks.
extension Cluster {
    mutating func chooseInstance(at now: Instant) -> Int? {
        let isPanicking = isPanicking(at: now)
        var best: Int?
        for step in 1...instances.count {
            let number = (lastChosen + step) % instances.count
            let instance = instances[number]
            guard instance.isRunning(at: now), isPanicking || isReady(instance),
                instance.connections < profile.connectionLimit ?? .max
            else { continue }
            if profile.balance == .roundRobin {
                best = number
                break
            }
            if best.map({ instance.connections < instances[$0].connections }) ?? true { best = number }
        }
        if let best { lastChosen = best }
        return best
    }

    /// `true` if at least one instance is ready for new connections. Always `true` if the health checks have no
    /// timeout, and in panic mode: if no instance is chosen then, the server is full.
    func isAnyReady(at now: Instant) -> Bool {
        guard profile.health?.timeout != nil, !isPanicking(at: now) else { return true }
        return instances.contains { $0.isRunning(at: now) && isReady($0) }
    }

    /// Returns the number of running instances that get no new connections because of failed health checks.
    func unreadyCount(at now: Instant) -> Int { instances.count { $0.isRunning(at: now) && !isReady($0) } }

    private func isReady(_ instance: Instance) -> Bool {
        !instance.isEjected && instance.failures < profile.health?.failures ?? .max
    }

    private func isPanicking(at now: Instant) -> Bool {
        guard let panic = profile.health?.panic else { return false }
        let all = instances.count { $0.isRunning(at: now) }
        return Int128(all - unreadyCount(at: now)) << 63 < Int128(all) * Int128(panic.halves)
    }

    /// Runs the timed health check on each running instance. Instances that are down or frozen are skipped: the
    /// timeline's events eject and readmit them.
    mutating func check(_ checks: ClusterProfile.HealthChecks) {
        guard let timeout = checks.timeout else { return }
        let patience = queueTimeout.map { min($0, timeout) } ?? timeout
        for number in instances.indices
        where instances[number].isRunning(at: nextCheckAt) && instances[number].failureOutcome == nil {
            let answers = instances[number].answers(within: patience, at: nextCheckAt)
            instances[number].failures = answers ? 0 : min(instances[number].failures + 1, checks.failures)
        }
    }
}

extension Cluster.Instance {
    /// `true` if the instance has finished starting and is not terminating.
    func isRunning(at now: Instant) -> Bool { startsAt <= now && !isTerminating }

    /// `true` if the instance would answer a health check (one connection and one request) within `timeout`.
    fileprivate mutating func answers(within timeout: TimeSpan, at now: Instant) -> Bool {
        guard acceptQueue?.hasCapacity(at: now) ?? true, work?.hasCapacity(at: now) ?? true else { return false }
        let accepted = acceptQueue?.serviceStart(at: now) ?? now
        return (work?.serviceStart(at: accepted) ?? accepted) <= now + timeout
    }
}
