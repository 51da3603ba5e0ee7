import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator

/// Random worlds in which a phone has more networks than Wi-Fi and a cellular one.
extension RandomWorld {
    /// Gives the phone further networks, an order of preference, and a share of the timeline's changes of networks.
    mutating func addNetworks(to world: inout World) {
        for interface in Interface.further where once(in: 2) {
            let profiles =
                radios.local.filter { $0.technology.fits(interface) } + (interface.isCellular ? radios.cellular : [])
            guard !profiles.isEmpty else { continue }
            var links = [link(delay: .milliseconds(Int64(5 + below(100))), bitsPerSecond: 400_000)]
            if once(in: 2) { links.append(link(delay: .milliseconds(200), bitsPerSecond: 60_000)) }
            world.furtherNetworks.append(FurtherNetwork(interface, pick(profiles), links: links))
            if once(in: 3) { world.middleboxes.set([middlebox()], of: interface) }
        }
        if once(in: 2) { world.preference = NetworkPreference(shuffled(Array(world.interfaces))) }
        for index in world.timeline.indices where once(in: 2) {
            guard !world.furtherNetworks.isEmpty else { break }
            let network = pick(world.furtherNetworks)
            world.timeline[index].change = moved(world.timeline[index].change, to: network)
        }
        // The packets of an app in a tunnel go to the gateway.
        if world.tunnel == nil, once(in: 2) { limitReach(in: &world) }
    }

    /// Lets some Wi-Fi signals come back at another access point.
    mutating func roam(in world: inout World) {
        for index in world.timeline.indices where world.timeline[index].change == .coverage(.wifi, true) {
            if once(in: 2) { world.timeline[index].change = .roamed }
        }
    }

    /// Lets some networks lead to some hosts only.
    private mutating func limitReach(in world: inout World) {
        for index in world.timeline.indices where once(in: 3) {
            guard case .pathUp(let interface, var attachment) = world.timeline[index].change else { continue }
            attachment.reach = pick(Reach.allCases)
            world.timeline[index].change = .pathUp(interface, attachment)
        }
    }

    /// The same change on another network, if it is a change of one network.
    private mutating func moved(_ change: ConditionChange, to network: FurtherNetwork) -> ConditionChange {
        let interface = network.interface
        return switch change {
        case .pathUp(_, let attachment): .pathUp(interface, attachment)
        case .pathDown(_, let signal): .pathDown(interface, signal)
        case .fading: .fading(interface)
        case .readdress(_, let signal): .readdress(interface, signal)
        case .coverage(_, let isThere): .coverage(interface, isThere)
        case .oneWay(_, let direction, let passes): .oneWay(interface, direction, passes: passes)
        case .uplink(_, let isThere): .uplink(interface, isThere)
        case .conditions: .conditions(interface, UInt8(below(network.links.count)))
        case .mappingsLost: .mappingsLost(interface)
        case .spurious(_, let event): .spurious(interface, event)
        case .access(_, let access): .access(interface, access)
        default: change
        }
    }

    private mutating func shuffled(_ interfaces: [Interface]) -> [Interface] {
        var (rest, order) = (interfaces, [Interface]())
        while !rest.isEmpty { order.append(rest.remove(at: below(rest.count))) }
        return order
    }
}
