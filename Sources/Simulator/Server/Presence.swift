package import DeadzoneBase

/// Settings of the presence that a server shows to other users.
package struct PresenceRules: Hashable, Sendable {
    /// Time without a session after which the server shows the phone's user as away. In MQTT 5 this is the Will Delay
    /// Interval (§3.1.3.2.2): a new connection before its end keeps the last will from being published.
    package var grace = TimeSpan.zero

    package init(grace: TimeSpan = .zero) { self.grace = grace }
}

/// The presence of one phone's user, as other users see it.
///
///     unseen ──session──▶ online ──no session for the grace time──▶ away
///                           ▲                                        │
///                           └───────────── a new session ────────────┘
///
/// The server knows only its sessions. A dead connection that it still holds therefore keeps the user online.
struct Presence: BitwiseCopyable {
    /// The state that the server shows. `unseen` ends with the first session.
    enum ShownState: UInt8, BitwiseCopyable { case unseen, online, away }
    /// A shown state that is wrong. `ghost`: online, and nothing reaches the app. `missed`: away, and the app is in front.
    enum Mistake: UInt8, BitwiseCopyable { case none, ghost, missed }
    /// A change of the shown state. The span is the time that the user was shown as away.
    enum PresenceChange: Equatable { case away, back(TimeSpan) }

    private(set) var shown = ShownState.unseen
    /// Time at which the latest session ends or ended, as far as the server knows; `.never` if it has no limit.
    private var sessionEnd = Instant.zero
    private var awaySince = Instant.zero
    private var mistake = Mistake.none
    private var mistakenSince = Instant.zero

    /// Time at which the server shows the user as away if nothing happens before; `.never` if it is not online.
    func deadline(_ rules: PresenceRules) -> Instant { shown == .online ? sessionEnd + rules.grace : .never }

    /// Applies the present state of the session. Returns a change of the shown state.
    /// - Parameter limit: Time at which the server gives the session up; `nil` if it has none.
    mutating func update(sessionUntil limit: Instant?, _ rules: PresenceRules, at now: Instant) -> PresenceChange? {
        sessionEnd = limit ?? min(sessionEnd, now)
        let isLive = sessionEnd > now
        switch shown {
        case .unseen:
            if isLive { shown = .online }
        case .online where deadline(rules) <= now:
            shown = .away
            awaySince = now
            return .away
        case .away where isLive:
            shown = .online
            return .back(now - awaySince)
        case .online, .away: break
        }
        return nil
    }

    /// Notes if the shown state is wrong now. Returns the record of the mistake that ends.
    /// - Parameters:
    ///   - reachesApp: `true` if a message of the server would reach the app now.
    ///   - isInFront: `true` if the user looks at the app.
    mutating func judge(reachesApp: Bool, isInFront: Bool, at now: Instant) -> JournalEntry? {
        let present: Mistake =
            switch shown {
            case .online where !reachesApp: .ghost
            case .away where isInFront: .missed
            default: .none
            }
        guard present != mistake else { return nil }
        let past = endMistake(at: now)
        (mistake, mistakenSince) = (present, now)
        return past
    }

    /// Returns the record of the present mistake and its duration until now; `nil` if there is none.
    mutating func endMistake(at now: Instant) -> JournalEntry? {
        guard mistakenSince < now else { return nil }
        let span = (now - mistakenSince).nanoseconds
        switch mistake {
        case .none: return nil
        case .ghost, .missed:
            mistakenSince = now
            return JournalEntry(mistake == .ghost ? .presenceGhost : .presenceMissed, value: span)
        }
    }

    /// Time since the user is shown as away; `nil` if the user is online.
    func away(at now: Instant) -> TimeSpan? { shown == .away ? now - awaySince : nil }
}

extension Server {
    /// Time at which the server gives up the phone's session if nothing more arrives. `.never` without a limit, `nil`
    /// if it has no session. A connection that the phone has replaced still counts.
    package var sessionLimit: Instant? { isUnattached ? halfOpenConnection?.until : .never }
}
