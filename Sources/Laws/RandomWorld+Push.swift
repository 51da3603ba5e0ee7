import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

/// Push services that store several pushes, and push tokens that become void.
extension RandomWorld {
    mutating func storePushes(in world: inout World, until horizon: TimeSpan) {
        if once(in: 2) { world.server.pushQueue = pushQueueRules() }
        if once(in: 2) { world.traffic.down?.push = pushOptions() }
        guard once(in: 2) else { return }
        let at = Instant.zero + seconds(0..<Int(horizon.nanoseconds / 1_000_000_000))
        let place = world.timeline.firstIndex { at < $0.at } ?? world.timeline.count
        world.timeline.insert(TimelineEntry(at: at, .pushTokenVoid), at: place)
    }

    private mutating func pushQueueRules() -> PushQueueRules {
        var rules = PushQueueRules()
        let options = pushOptions()
        (rules.collapseKeys, rules.timeToLive) = (options.collapseKeys, options.timeToLive)
        rules.pendingLimit = UInt16(1 + below(20))
        rules.keyLimit = UInt8(1 + below(4))
        return rules
    }

    private mutating func pushOptions() -> PushOptions {
        var options = PushOptions(priority: pick(PushPolicy.allCases))
        options.collapseKeys = UInt16(below(6))
        options.timeToLive = once(in: 3) ? PushOptions.longestTimeToLive : seconds(0..<300)
        return options
    }
}
