import DeadzoneBase

/// The cluster's autoscaling: computes the number of instances by Kubernetes' rule, `ceil(current * value / target)`
/// (kubernetes/kubernetes `pkg/controller/podautoscaler`, which also has the tolerance and the stabilization).
extension Cluster {
    mutating func scale(_ rule: ClusterProfile.Autoscaling) {
        var worked = TimeSpan.zero
        var running = 0
        for number in instances.indices
        where instances[number].startsAt < nextScalingAt && !instances[number].isTerminating {
            let instance = instances[number]
            let busy = max(
                instance.acceptQueue?.busyTime(by: nextScalingAt) ?? .zero,
                instance.work?.busyTime(by: nextScalingAt) ?? .zero)
            worked += busy - instance.busyTime
            instances[number].busyTime = busy
            running += 1
        }
        let aim = Int128(rule.every.nanoseconds) * Int128(rule.target.halves)
        let done = Int128(worked.nanoseconds) << 63
        let wanted = (done + aim - 1) / aim
        if running < wanted { grow(to: Int(min(wanted, Int128(rule.maximum))), rule) }
        guard let after = rule.downAfter else { return }
        // At least nine tenths of the target counts as near enough.
        let isNear = Int128(running) * aim * 9 <= done * 10
        let wish = isNear ? targetCount : Int(min(wanted, Int128(targetCount)))
        desiredCounts.append((nextScalingAt, wish))
        desiredCounts.removeAll { $0.at < nextScalingAt - after }
        shrink(to: max(desiredCounts.map(\.count).max() ?? 0, Int(profile.instances)), rule)
    }

    private var targetCount: Int { instances.count { !$0.isTerminating } }

    private mutating func grow(to count: Int, _ rule: ClusterProfile.Autoscaling) {
        var instance = newInstance
        instance.startsAt = nextScalingAt + rule.startUp
        for _ in 0..<max(count - targetCount, 0) {
            // Reuse the number of an instance that is gone.
            if let place = instances.indices.first(where: isGone) {
                instances[place] = instance
            } else if instances.count < ClusterProfile.maximumInstances {
                instances.append(instance)
            }
        }
    }

    private func isGone(_ number: Int) -> Bool {
        instances[number].isTerminating && instances[number].connections == 0
            && !shutdowns.contains { $0.instance == UInt8(number) }
    }

    private mutating func shrink(to count: Int, _ rule: ClusterProfile.Autoscaling) {
        for _ in 0..<max(targetCount - count, 0) {
            let newest = instances.indices.filter { !instances[$0].isTerminating }
                .max { (instances[$0].startsAt, $0) < (instances[$1].startsAt, $1) }
            guard let newest else { return }
            instances[newest].isTerminating = true
            if let grace = rule.grace {
                shutdowns.append(InstanceShutdown(at: nextScalingAt + grace, instance: UInt8(newest)))
            }
        }
    }
}
