import DeadzonePrimitives

/// How many instances there are to be: Kubernetes' rule, `ceil(current * value / target)`
/// (kubernetes/kubernetes `pkg/controller/podautoscaler`, which has the tolerance and the stabilization, too).
extension Cluster {
    mutating func scale(_ rule: ClusterProfile.Autoscaling) {
        var worked = TimeSpan.zero
        var running = 0
        for number in instances.indices where instances[number].startsAt < looksAt && !instances[number].isLeaving {
            let instance = instances[number]
            let busy = max(
                instance.door?.worked(by: looksAt) ?? .zero, instance.work?.worked(by: looksAt) ?? .zero)
            worked += busy - instance.worked
            instances[number].worked = busy
            running += 1
        }
        let aim = Int128(rule.every.nanoseconds) * Int128(rule.target.halves)
        let done = Int128(worked.nanoseconds) << 63
        let wanted = (done + aim - 1) / aim
        if running < wanted { grow(to: Int(min(wanted, Int128(rule.most))), rule) }
        guard let after = rule.downAfter else { return }
        // No less than nine tenths of the target is near enough.
        let isNear = Int128(running) * aim * 9 <= done * 10
        let wish = isNear ? staying : Int(min(wanted, Int128(staying)))
        wishes.append((looksAt, wish))
        wishes.removeAll { $0.at < looksAt - after }
        shrink(to: max(wishes.map(\.count).max() ?? 0, Int(profile.instances)), rule)
    }

    private var staying: Int { instances.count { !$0.isLeaving } }

    private mutating func grow(to count: Int, _ rule: ClusterProfile.Autoscaling) {
        var instance = fresh
        instance.startsAt = looksAt + rule.startUp
        for _ in 0..<max(count - staying, 0) {
            // It takes the number of one that is gone.
            if let place = instances.indices.first(where: isGone) {
                instances[place] = instance
            } else if instances.count < ClusterProfile.mostInstances {
                instances.append(instance)
            }
        }
    }

    private func isGone(_ number: Int) -> Bool {
        instances[number].isLeaving && instances[number].connections == 0
            && !cuts.contains { $0.instance == UInt8(number) }
    }

    private mutating func shrink(to count: Int, _ rule: ClusterProfile.Autoscaling) {
        for _ in 0..<max(staying - count, 0) {
            let newest = instances.indices.filter { !instances[$0].isLeaving }
                .max { (instances[$0].startsAt, $0) < (instances[$1].startsAt, $1) }
            guard let newest else { return }
            instances[newest].isLeaving = true
            if let grace = rule.grace { cuts.append(Cut(at: looksAt + grace, instance: UInt8(newest))) }
        }
    }
}
