/// What can happen to a client. What cannot happen just now does nothing.
public enum Upheaval: String, CaseIterable, Sendable {
    // The connection, as its transport tells of it.
    case opens, fails, closes, receives, confirms, answers, pongs, goesAway, stalls, writes
    /// Nothing passes any more, and nobody says so: a mapping was lost, an elevator door has closed.
    case silence
    /// The server's process ends: every connection is reset.
    case serverRestarts

    // The app.
    case sends, calls

    // The networks, as the system tells of them.
    case toWifi, toCellular, toNone, again, losing, validated, unvalidated, blocked, unblocked, capabilities

    // The phone.
    case background, foreground, expiring, refresh, push, clockSet, kill
    /// Ten minutes without the processor.
    case sleep

    // Time.
    case moment, second, minute, hour

    /// What turns a client's world over, for exhausting all short histories.
    public static let grave: [Upheaval] = [
        .fails, .closes, .silence, .serverRestarts, .goesAway, .stalls, .sends, .calls, .toCellular, .toNone, .blocked,
        .background, .push, .kill, .clockSet, .minute, .sleep,
    ]

    /// What a client meets most: a server that answers.
    public static let usual: [Upheaval] = [.opens, .pongs, .receives, .second, .calls, .sends, .answers, .confirms]
}
