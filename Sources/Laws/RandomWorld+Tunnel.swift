import DeadzoneBase
import DeadzoneSimulator

extension RandomWorld {
    /// A tunnel with short times, because the random worlds are short.
    mutating func tunnel(in world: World) -> TunnelRules {
        var rules = TunnelRules()
        if once(in: 2) { rules.keepalive = seconds(1..<60) }
        rules.rekey = seconds(2..<120)
        rules.retry = seconds(1..<6)
        rules.giveUp = seconds(1..<90)
        rules.deadAfter = seconds(2..<180)
        if world.platform != nil, once(in: 2) { rules.clock = .uptime }
        // Decided by an earlier number, so that the numbers drawn later stay.
        if once(in: 2) { rules.onPathChange = rules.retry < .seconds(3) ? .renew : .keep }
        rules.routes = pick([.all, .app, world.otherApps.isEmpty ? .all : .otherApps])
        rules.mtu = UInt16(1_280 + below(221))
        rules.overhead = UInt16(below(200))
        rules.queue = UInt16(1 + below(200))
        return rules
    }

    /// Makes the networks that a world joins metered or not, at random.
    mutating func meterNetworks(of world: inout World) {
        for index in world.timeline.indices {
            guard case .pathUp(let interface, var attachment) = world.timeline[index].change else { continue }
            attachment.isMetered = once(in: 2)
            world.timeline[index].change = .pathUp(interface, attachment)
        }
    }
}
