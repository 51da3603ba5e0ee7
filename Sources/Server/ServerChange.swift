/// What a timeline can do to a server.
public enum ServerChange: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Its kernel goes on, its program says nothing: connections are accepted and stay silent, and are forgotten.
    case frozen
    case thawed
    /// The process ends: every connection is reset. Attempts are refused until it is up.
    case down
    case up
    /// Every connection is ended in order (a deploy): GOAWAY where the protocol has one, then FIN.
    case draining
    /// Whoever connects from now on is told that the server does not know them; who is there may stay.
    case refusingLogins
    case takingLogins
}
