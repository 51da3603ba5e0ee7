import DeadzonePrimitives

/// Who gets a new connection, and who is fit for one.
extension Cluster {
    mutating func choose(at now: Instant) -> Int? {
        let isPanicking = isPanicking(at: now)
        var best: Int?
        for step in 1...instances.count {
            let number = (last + step) % instances.count
            let instance = instances[number]
            guard instance.isCounted(at: now), isPanicking || isReady(instance),
                instance.connections < profile.connectionLimit ?? .max
            else { continue }
            if profile.balance == .roundRobin {
                best = number
                break
            }
            if best.map({ instance.connections < instances[$0].connections }) ?? true { best = number }
        }
        if let best { last = best }
        return best
    }

    /// Somebody is there to be sent to. Where lines are no matter of the checks, whoever finds nobody has found no place.
    func isAnyReady(at now: Instant) -> Bool {
        guard profile.health?.timeout != nil, !isPanicking(at: now) else { return true }
        return instances.contains { $0.isCounted(at: now) && isReady($0) }
    }

    /// How many of those that there are get no new connections because of the checks.
    func outCount(at now: Instant) -> Int { instances.count { $0.isCounted(at: now) && !isReady($0) } }

    private func isReady(_ instance: Instance) -> Bool {
        !instance.isOut && instance.failures < profile.health?.failures ?? .max
    }

    private func isPanicking(at now: Instant) -> Bool {
        guard let panic = profile.health?.panic else { return false }
        let all = instances.count { $0.isCounted(at: now) }
        return Int128(all - outCount(at: now)) << 63 < Int128(all) * Int128(panic.halves)
    }

    /// Each instance is asked. Of one that is away the timeline knows.
    mutating func check(_ checks: ClusterProfile.HealthChecks) {
        guard let timeout = checks.timeout else { return }
        let patience = queueTimeout.map { min($0, timeout) } ?? timeout
        for number in instances.indices
        where instances[number].isCounted(at: checksAt) && instances[number].absence == nil {
            let answers = instances[number].answers(within: patience, at: checksAt)
            instances[number].failures = answers ? 0 : min(instances[number].failures + 1, checks.failures)
        }
    }
}

extension Cluster.Instance {
    /// It has started, and does not leave.
    func isCounted(at now: Instant) -> Bool { startsAt <= now && !isLeaving }

    /// A check is one more connection, and one more request.
    fileprivate mutating func answers(within timeout: TimeSpan, at now: Instant) -> Bool {
        guard door?.hasPlace(at: now) ?? true, work?.hasPlace(at: now) ?? true else { return false }
        let accepted = door?.begins(at: now) ?? now
        return (work?.begins(at: accepted) ?? accepted) <= now + timeout
    }
}
