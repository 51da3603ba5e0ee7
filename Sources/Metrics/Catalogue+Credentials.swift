import DeadzoneBase

extension Catalogue {
    /// Metrics of credentials that expire. They are zero if the server has no `credentials`.
    static let credentials = [
        Metric(
            "auth.refreshes", "New access tokens", .count, .neither, "Number of access tokens that the apps got.",
            """
            By a timer, before a connection, after a refusal, or because the user logged in again: the client's \
            `credentials` say when. Each one costs a request with a connection of its own. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .credentialsRenewed)) }),
        Metric(
            "auth.refused", "Credentials refused", .count, .lower,
            "Number of sessions, calls and requests for a token that the server refused because of their credentials.",
            """
            An expired or revoked access token, or a refresh token that was used before. The tag of the record \
            `credentials_refused` tells them apart. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .credentialsRefused)) }),
        Metric(
            "auth.logouts", "Logouts", .count, .lower,
            "Number of times that an app lost its credentials, so that the user had to log in again.",
            """
            The server refused the refresh token. With `single-use` it does so if the app presents one twice: two \
            requests at once, or an answer that was lost on the way. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .loggedOut)) }),
        Metric(
            "auth.out_s", "Time logged out", .seconds, .lower,
            "Time from a logout until the user had logged in again, in total.",
            """
            The user logs in when the app next enters the foreground. Until then the app gets nothing, and `lost` \
            messages of this time have the cause `credentials_expired`.
            """, .seconds { $0.fold.sum(of: .loggedOutFor) }),
    ]
}
