import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem

// What the values of changes are called, in a fingerprint and in a picture.

extension ServerChange {
    var row: Change.Row {
        switch self {
        case .frozen: Change.Row("server-frozen", "server freezes", .server(isThere: false))
        case .thawed: Change.Row("server-thawed", "server thaws", .server(isThere: true))
        case .down: Change.Row("server-down", "server down", .server(isThere: false))
        case .up: Change.Row("server-up", "server up", .server(isThere: true))
        case .draining: Change.Row("server-draining", "server drains")
        case .refusingLogins: Change.Row("server-refusingLogins", "logins refused")
        case .takingLogins: Change.Row("server-takingLogins", "logins taken")
        }
    }
}

extension InstanceChange {
    var text: String {
        switch self {
        case .down: "down"
        case .frozen: "frozen"
        case .up: "up"
        case .ejected: "ejected"
        case .taken: "taken"
        }
    }

    var title: String {
        switch self {
        case .down: "down"
        case .frozen: "freezes"
        case .up: "is back"
        case .ejected: "ejected"
        case .taken: "taken back"
        }
    }
}

extension OldPath {
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
    /// Nothing for a network that simply comes up.
    var text: String {
        (usableAfter == .zero ? "" : "-usable-\(usableAfter.nanoseconds)")
            + (portal.map { "-portal-\($0.nanoseconds)" } ?? "")
            + (announcedAfter.map { "-announced-\($0.nanoseconds)" } ?? "")
    }
}

extension Spurious {
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
