import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
public import DeadzoneWorld

/// What of a world cannot be done to real programs, said before anything runs.
public struct Unenacted: Hashable, Sendable {
    /// In words of the timeline, or of the scenario.
    public let what: String
    public let why: String
}

extension World {
    /// - Parameters:
    ///   - hasServer: its program is deadzone's own child.
    ///   - hooks: events that the user enacts.
    ///   - isGateway: the phone is a real one.
    public func unenacted(hasServer: Bool, hooks: [String], isGateway: Bool = false) -> [Unenacted] {
        var all: [Unenacted] = []
        for entry in timeline {
            let row = entry.change.row
            guard let why = entry.change.obstacle(self, hasServer: hasServer, isGateway: isGateway),
                !hooks.contains(where: row.text.hasPrefix)
            else {
                continue
            }
            let one = Unenacted(what: row.text, why: why)
            if !all.contains(one) { all.append(one) }
        }
        if platform != nil, !isGateway, timeline.count(where: \.change.movesNetworks) > 1 {
            all.append(
                Unenacted(
                    what: "platform", why: "networks come and go by the kernel's rules, and netlink tells of them"))
        }
        if isGateway, timeline.count(where: \.change.movesNetworks) > 1 {
            all.append(Unenacted(what: "networks", why: "the real phone is told of none: its packets leave by another"))
        }
        if !tenants.isEmpty { all.append(Unenacted(what: "other apps", why: "nobody plays them")) }
        if phones > 1 { all.append(Unenacted(what: "phones", why: "one of \(phones) is enacted")) }
        return all
    }
}

extension Change {
    var isPush: Bool { if case .push = self { true } else { false } }

    /// It is done to the phone or its app, and not to packets.
    private var isOfPhone: Bool {
        switch self {
        case .app, .screen, .charging, .moving, .saving, .alarmClock, .push, .kill, .forceStop: true
        default: false
        }
    }

    fileprivate var movesNetworks: Bool {
        switch self {
        case .pathUp, .pathDown, .readdress, .fading: true
        default: false
        }
    }

    /// Why it cannot be enacted; nil: it can.
    fileprivate func obstacle(_ world: World, hasServer: Bool, isGateway: Bool) -> String? {
        if isGateway, isOfPhone { return "the phone is a real one, and nobody's program: --on leads to it" }
        switch self {
        case .pathUp(_, let attachment):
            return attachment.announcedAfter == nil ? nil : "the kernel says at once that there is an address"
        case .pathDown, .readdress, .fading, .coverage, .oneWay, .uplink, .cellHandover, .technology, .signal,
            .conditions, .mappingsLost, .kill, .forceStop:
            return nil
        case .access:
            return PathRules(world.platform).system == .android ? "nothing of Android asks an app for access" : nil
        case .names:
            return world.resolver == nil ? "names stand in /etc/hosts: resolver: {} puts them into the DNS" : nil
        case .app, .screen, .charging, .moving, .saving, .alarmClock, .push:
            return world.platform == nil ? "there is no phone around the program: phone: platform gives it one" : nil
        case .server(.refusingLogins), .server(.takingLogins): return "only the program can refuse a login"
        case .server, .deploy: return hasServer ? nil : "the server is no program of this run: --server starts one"
        default: return inability
        }
    }

    /// Of what nothing here does. A new change is of these until somebody enacts it.
    private var inability: String {
        switch self {
        case .spurious: "no operating system tells the program of networks"
        case .consumerStall: "only the program can stop its consumer"
        case .clockSet: "the clock is the machine's own"
        case .instance: "a program is one instance"
        default: "only a simulated phone meets it"
        }
    }
}
