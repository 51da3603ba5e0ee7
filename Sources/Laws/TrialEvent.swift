/// An event with which a test drives a client strategy. An event that is impossible in the current state has no effect.
package enum TrialEvent: String, CaseIterable, Sendable {
    // The connection, as reported by its transport.
    case opens, fails, closes, receives, confirms, answers, pongs, goesAway, stalls, writes
    /// No data passes any more, without notice: a lost NAT mapping, a closed elevator door.
    case silence
    /// The server's process ends: every connection is reset.
    case serverRestarts

    // The app.
    case sends, calls

    // The networks, as reported by the system.
    case toWifi, toCellular, toNone, again, losing, validated, unvalidated, blocked, unblocked, capabilities

    // The phone.
    case background, foreground, expiring, refresh, push, clockSet, kill
    /// Ten minutes with the processor asleep.
    case sleep

    // Time.
    case moment, second, minute, hour

    /// Disruptive events, for checking all short histories.
    package static let disruptive: [TrialEvent] = [
        .fails, .closes, .silence, .serverRestarts, .goesAway, .stalls, .sends, .calls, .toCellular, .toNone, .blocked,
        .background, .push, .kill, .clockSet, .minute, .sleep,
    ]

    /// The most common events: a server that answers.
    package static let routine: [TrialEvent] = [
        .opens, .pongs, .receives, .second, .calls, .sends, .answers, .confirms,
    ]
}
