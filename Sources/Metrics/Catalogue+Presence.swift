import DeadzoneBase

extension Catalogue {
    /// Metrics of the presence that other users see. They are zero if the server has no `presence`.
    static let presence = [
        Metric(
            "presence.flaps", "Presence flaps", .count, .lower,
            "Number of times that other users saw the phone's user go away and come back.",
            """
            The server shows the user as away when it has had no session of the phone for the `grace` time. It knows \
            only its sessions: a connection that it closes starts the time, a dead one that it still holds does not. A \
            mean over replicas.
            """, .mean { Int128($0.fold.count(of: .presenceBack)) }),
        Metric(
            "presence.away_s", "Time shown as away", .seconds, .neither,
            "Time that other users saw the user as away, in total.",
            "It begins with the first session, before which the user is not shown at all.",
            .seconds { $0.fold.sum(of: .presenceBack) + $0.fold.sum(of: .presenceStillAway) }),
        Metric(
            "presence.ghost_s", "Time as a ghost", .seconds, .lower,
            "Time that other users saw the user as online while nothing could reach the app, in total.",
            """
            No connection works, or the system has stopped the app or its network. A long `grace` and a late \
            detection by the server both add to it. A push could still wake the app.
            """, .seconds { $0.fold.sum(of: .presenceGhost) }),
        Metric(
            "presence.missed_s", "Time missed", .seconds, .lower,
            "Time that other users saw the user as away while the app was in front, in total.",
            """
            The user holds the phone, and the app has no session: in a dead zone, or because the client connects \
            late. Without a platform, the app is in front unless the timeline says otherwise.
            """, .seconds { $0.fold.sum(of: .presenceMissed) }),
    ]
}
