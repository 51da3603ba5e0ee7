import DeadzoneBase
package import DeadzoneSimulator
import DeadzoneTransport

/// A condition of the scenario that a live run cannot apply to real programs, with the reason. It is reported before
/// the run.
package struct UnsupportedCondition: Hashable, Sendable {
    /// The text of the timeline entry, or a key of the scenario.
    package let condition: String
    package let reason: String
}

extension World {
    /// Returns every condition that a live run cannot apply.
    /// - Parameters:
    ///   - hasServer: Deadzone starts the server program itself.
    ///   - hooks: The user's own commands for timeline changes.
    ///   - isGateway: The client is a real phone behind the gateway.
    ///   - serverSettings: Names of the settings of `server:` that the scenario changes.
    package func unsupportedConditions(
        hasServer: Bool, hooks: [LivePlan.Hook], isGateway: Bool = false, serverSettings: [String] = []
    ) -> [UnsupportedCondition] {
        var all: [UnsupportedCondition] = []
        for (index, entry) in timeline.enumerated() {
            let row = entry.change.labels
            guard let reason = entry.change.unsupportedReason(self, hasServer: hasServer, isGateway: isGateway),
                !hooks.contains(where: { $0.applies(to: row.text, index) })
            else {
                continue
            }
            let one = UnsupportedCondition(condition: row.text, reason: reason)
            if !all.contains(one) { all.append(one) }
        }
        if platform != nil, !isGateway, timeline.count(where: \.change.changesNetworks) > 1 {
            all.append(
                UnsupportedCondition(
                    condition: "platform",
                    reason: "networks follow the kernel's rules, and netlink reports them"))
        }
        if isGateway, timeline.count(where: \.change.changesNetworks) > 1 {
            all.append(
                UnsupportedCondition(
                    condition: "networks",
                    reason: "the real phone gets no network events: its packets use another network"))
        }
        all += unsupportedServerRules
        let others = serverSettings.filter { name in !all.contains { $0.condition == name } }
        if !others.isEmpty {
            all.append(
                UnsupportedCondition(
                    condition: "server: \(others.joined(separator: ", "))",
                    reason: "the server program follows its own settings"))
        }
        for network in furtherNetworks {
            all.append(
                UnsupportedCondition(
                    condition: "radios: \(network.interface.name)", reason: "a live run has Wi-Fi and cellular"))
        }
        if tunnel != nil {
            all.append(
                UnsupportedCondition(condition: "tunnel", reason: "the program's packets ride in no simulated tunnel"))
        }
        if resolver?.dependsOnNetwork ?? false {
            all.append(
                UnsupportedCondition(
                    condition: "nat64, private addresses",
                    reason: "the server has the same address of both families on all networks"))
        }
        if !otherApps.isEmpty {
            all.append(UnsupportedCondition(condition: "other apps", reason: "they are not simulated"))
        }
        if phones > 1 { all.append(UnsupportedCondition(condition: "phones", reason: "only one of \(phones) is used")) }
        return all
    }

    /// Settings of the server that a real program follows or does not follow.
    private var unsupportedServerRules: [UnsupportedCondition] {
        var all: [UnsupportedCondition] = []
        if server.credentials != nil {
            all.append(
                UnsupportedCondition(condition: "credentials", reason: "tokens are those of the server program"))
        }
        if server.pushQueue != nil || traffic.hasPushOptions {
            all.append(
                UnsupportedCondition(condition: "push", reason: "only the timeline's `push` is sent, one at a time"))
        }
        if server.streams != nil {
            all.append(
                UnsupportedCondition(condition: "streams", reason: "only the server program can end a stream"))
        }
        if server.presence != nil {
            all.append(
                UnsupportedCondition(condition: "presence", reason: "the server program shows it, not the simulation"))
        }
        if server.faults.messages != nil {
            all.append(
                UnsupportedCondition(
                    condition: "errors: messages", reason: "only the server program can refuse a message"))
        }
        return all
    }
}

extension ConditionChange {
    var isPush: Bool { if case .push = self { true } else { false } }

    /// `true` for changes of the phone or its app, as opposed to changes of the network or server.
    private var concernsPhone: Bool {
        switch self {
        case .app, .screen, .charging, .moving, .saving, .dataSaver, .restriction, .alarmClock, .push,
            .pushTokenVoid, .kill, .forceStop:
            true
        default: false
        }
    }

    fileprivate var changesNetworks: Bool {
        switch self {
        case .pathUp, .pathDown, .readdress, .fading: true
        default: false
        }
    }

    /// The reason why the change cannot be applied. `nil` if it can.
    fileprivate func unsupportedReason(_ world: World, hasServer: Bool, isGateway: Bool) -> String? {
        if isGateway, concernsPhone { return "the phone is real: use --on to control it" }
        if let interface, !Interface.common.contains(interface) {
            return "a live run has Wi-Fi and cellular, not \(interface.title)"
        }
        switch self {
        case .pathUp(_, let attachment):
            if attachment.isMetered != nil { return "no network of a live run is metered" }
            if attachment.reach != .all { return "each network of a live run leads to the server" }
            return attachment.announcedAfter == nil ? nil : "the kernel reports an address immediately"
        case .pathDown, .readdress, .fading, .coverage, .roamed, .oneWay, .uplink, .cellHandover, .technology,
            .signal, .conditions, .mappingsLost, .kill, .forceStop:
            return nil
        case .access:
            return PathRules(world.platform).system == .android ? "Android has no such access check" : nil
        case .names:
            return world.resolver == nil ? "names are in /etc/hosts: resolver: {} uses DNS instead" : nil
        case .app, .screen, .charging, .moving, .saving, .restriction, .alarmClock, .push:
            return world.platform == nil ? "the program has no phone: set phone: platform" : nil
        case .server(.refusingLogins), .server(.takingLogins): return "only the server program can refuse a login"
        case .server, .deploy: return hasServer ? nil : "this run does not start the server: use --server"
        default: return defaultUnsupportedReason
        }
    }

    /// Reason for changes that no code here applies. A new kind of change gets this reason until it is implemented.
    private var defaultUnsupportedReason: String {
        switch self {
        case .spurious: "no operating system reports networks to the program"
        case .dataSaver: "no network of a live run is metered"
        case .consumerStall: "only the client program can stop its consumer"
        case .pushTokenVoid: "only the server program knows push tokens"
        case .clockSet: "the machine's clock cannot be set"
        case .instance: "the server program is a single instance"
        case .serverMoved, .nameUpdated: "the server program has one address"
        case .subscriptionsEnded: "only the server program can end a stream"
        case .peer: "the program's packets take no path of the simulation"
        case .serverVersion: "only the server program can change its rules"
        default: "only simulated phones support it"
        }
    }
}
