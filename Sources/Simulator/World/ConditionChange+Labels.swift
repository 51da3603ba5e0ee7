import DeadzoneBase

// Names of the changes' values, for fingerprints and pictures.

extension ConditionChange {
    /// Labels of a signal that appears or disappears. The end of a roam has those of any signal that appears.
    static func signalLabels(of net: Interface, isThere: Bool) -> ChangeLabels {
        ChangeLabels(
            isThere ? "light-\(net.name)" : "dark-\(net.name)",
            isThere ? "\(net.title) signal back" : "no \(net.title) signal", .coverage(net, isThere: isThere))
    }
}

extension ServerChange {
    var row: ConditionChange.ChangeLabels {
        switch self {
        case .frozen: ConditionChange.ChangeLabels("server-frozen", "server freezes", .server(isThere: false))
        case .thawed: ConditionChange.ChangeLabels("server-thawed", "server thaws", .server(isThere: true))
        case .down: ConditionChange.ChangeLabels("server-down", "server down", .server(isThere: false))
        case .up: ConditionChange.ChangeLabels("server-up", "server up", .server(isThere: true))
        case .draining: ConditionChange.ChangeLabels("server-draining", "server drains")
        case .refusingLogins: ConditionChange.ChangeLabels("server-refusingLogins", "logins refused")
        case .takingLogins: ConditionChange.ChangeLabels("server-takingLogins", "logins taken")
        }
    }
}

extension PeerChange {
    var row: ConditionChange.ChangeLabels {
        switch self {
        case .moves: ConditionChange.ChangeLabels("peer-moves", "peer moves")
        case .blocked: ConditionChange.ChangeLabels("peer-blocked", "direct path blocked")
        case .open: ConditionChange.ChangeLabels("peer-open", "direct path open")
        }
    }
}

extension Deploy {
    var row: ConditionChange.ChangeLabels {
        ConditionChange.ChangeLabels(
            "deploy-\(over.nanoseconds)-\(instances)-\(isAbrupt ? "reset" : "drain")", "server deployed anew")
    }
}

extension SubscriptionEnd {
    var row: ConditionChange.ChangeLabels {
        let word = isSilent ? "lost" : "ended"
        return ConditionChange.ChangeLabels("streams-\(word)-\(count)", "streams \(word)")
    }
}

extension InstanceChange {
    var text: String {
        switch self {
        case .down: "down"
        case .frozen: "frozen"
        case .up: "up"
        case .ejected: "ejected"
        case .readmitted: "taken"
        }
    }

    var title: String {
        switch self {
        case .down: "down"
        case .frozen: "freezes"
        case .up: "is back"
        case .ejected: "ejected"
        case .readmitted: "taken back"
        }
    }
}

extension PathLossSignal {
    var text: String {
        switch self {
        case .error: "error"
        case .silent: "silent"
        case .halfOpen: "half-open"
        case .reset: "reset"
        case .ended: "end"
        }
    }
}

extension Attachment {
    /// The attachment's properties in the canonical text of a world; empty for a network that simply comes up.
    var text: String {
        (usableAfter == .zero ? "" : "-usable-\(usableAfter.nanoseconds)")
            + (portal.map { "-portal-\($0.nanoseconds)" } ?? "")
            + (announcedAfter.map { "-announced-\($0.nanoseconds)" } ?? "")
            + (isMetered.map { $0 ? "-metered" : "-unmetered" } ?? "")
            + (reach == .all ? "" : "-reach-\(reach.name)")
    }

    var title: String { portal == nil ? "joined" : "portal" }
}

extension SpuriousEvent {
    var text: String {
        switch self {
        case .capabilities: "capabilities"
        case .available: "available"
        case .flap: "flap"
        }
    }
}

extension Access {
    var text: String {
        switch self {
        case .open: "open"
        case .refused: "refused"
        case .needsConnection(let takes): takes.map { "on-demand-\($0.nanoseconds)" } ?? "by-hand"
        }
    }

    var title: String {
        switch self {
        case .open: "open to the app"
        case .refused: "refused to the app"
        case .needsConnection: "needs a connection first"
        }
    }
}
