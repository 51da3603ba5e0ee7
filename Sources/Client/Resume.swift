public import DeadzoneSettings

/// What a new connection carries over from the old one.
public enum Resume: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Nothing: it begins with what is new, and what was once handed over is forgotten.
    case nothing
    /// The cursor of what the app has seen, and what the server has not confirmed.
    case cursor
    /// The same, and both are written down at each step: a new process goes on from there.
    case persisted

    public func resuming(_ session: Session) -> Resuming {
        self == .nothing ? .fresh : .from(session.cursor)
    }

    /// The app sees what came, up to the cursor.
    public func received(_ cursor: Cursor, _ out: inout Outbox) {
        out.append(.deliver(cursor))
        if self == .persisted { out.append(.persist(cursor)) }
    }

    /// A connection is there: whatever of the app's still has to go over it.
    public func opened(_ line: ConnectionSlot, _ session: Session, _ out: inout Outbox) {
        guard self != .nothing, session.acknowledged < session.produced else { return }
        out.append(.send(line, from: session.acknowledged, upTo: session.produced))
    }

    /// The app has a message; `line` is nil while nothing is connected.
    public func wants(_ message: Message, over line: ConnectionSlot?, _ out: inout Outbox) {
        if self == .persisted { out.append(.keep(below: message.next)) }
        if let line { out.append(.send(line, from: message.cursor, upTo: message.next)) }
        if self == .nothing { out.append(.forget(below: message.next)) }
    }
}

extension SettingsReader {
    /// `resume: cursor`
    public mutating func resume(_ key: String, _ help: String = "") -> Resume {
        word(
            key, of: [("nothing", Resume.nothing), ("cursor", .cursor), ("persisted", .persisted)], default: .cursor,
            help)
    }
}
