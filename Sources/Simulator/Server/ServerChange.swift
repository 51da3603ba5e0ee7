/// A change of the whole server in a scenario's timeline, such as a freeze, an outage or a deploy.
package enum ServerChange: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The program freezes, but the kernel keeps running: connections are accepted and never served. `thawed` ends it.
    case frozen
    case thawed
    /// The server's process ends: every connection is reset. New connections are refused until `up`.
    case down
    case up
    /// Every connection is closed gracefully, as in a deploy: GOAWAY if the protocol has one, then FIN.
    case draining
    /// The server rejects the login of every new connection. Existing connections stay. `takingLogins` ends it.
    case refusingLogins
    case takingLogins
}
