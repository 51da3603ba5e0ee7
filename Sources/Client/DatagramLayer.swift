/// How the datagrams of a connection are encrypted, and which path they take. Other transports do not use it.
public struct DatagramLayer: Hashable, Sendable, BitwiseCopyable {
    public enum DTLSVersion: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case none, dtls12, dtls13
    }

    /// The path of datagrams to a peer: over a relay or direct; `none` to a server.
    public enum PeerRoute: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case none, relay, direct
    }

    public var version = DTLSVersion.none
    /// `true` if the server finds the DTLS session by a connection id (RFC 9146). Otherwise it finds the session by the
    /// source address, and ignores packets from another address.
    public var hasConnectionID = false
    /// The path of the datagrams, for a client that has two of them to its peer.
    public var route = PeerRoute.none

    public init() {}

    /// Returns the number of round trips of a handshake with a pre-shared key. A full handshake begins with a cookie
    /// exchange (RFC 6347 §4.2.1, RFC 9147 §5.1).
    public func roundTrips(isResumed: Bool) -> UInt8 {
        switch version {
        case .none: 0
        case .dtls12: isResumed ? 1 : 3
        case .dtls13: isResumed ? 1 : 2
        }
    }
}
