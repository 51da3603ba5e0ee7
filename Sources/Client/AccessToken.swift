public import DeadzoneBase

/// Credentials with which an app opens sessions and makes calls, until they expire. Both times are the server's
/// time of day, rounded to seconds as in a JSON Web Token (RFC 7519 §4.1.4).
public struct AccessToken: Hashable, Sendable, BitwiseCopyable {
    public var issued: Instant
    public var expires: Instant

    public init(issued: Instant, expires: Instant) {
        self.issued = issued
        self.expires = expires
    }
}

/// The change of an app's credentials.
public enum CredentialsChange: Hashable, Sendable, BitwiseCopyable {
    /// The token that the new process has read from storage.
    case stored(AccessToken)
    /// The server has issued another token.
    case renewed(AccessToken)
    /// The server does not accept what the request for another token presented: the user has to log in again.
    case refused
    /// The request got no answer in time, or no network could carry it.
    case unanswered
}
