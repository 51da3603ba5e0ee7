import DeadzoneTransport

/// The facts about one connection that decide its true state.
struct ConnectionFacts: BitwiseCopyable {
    /// The phone's kernel has closed the connection. The app does not run, so it has not been notified yet.
    var isClosedByKernel = false
    /// The server has the connection and answers on it, or will learn of it from early data that is under way.
    var isServed = true
    /// The phone still has the network and the address that the connection uses.
    var hasItsAddress = true
    /// The client may move the connection to another network, and the server allows it.
    var canMigrate = false
    var middleboxes = MiddleboxMappings.MappingStatus.intact
    var isDatagram = false
    var isUDP = false
    /// The server has left the address that the connection uses.
    var isAtOldAddress = false
    /// The connection is the direct path to an address that the peer has left.
    var isAtOldPeerAddress = false
    var serverIsDown = false
    var serverIsFrozen = false
    /// The connection's network has coverage and internet access.
    var networkWorks = true
    /// The connection is the direct path to a peer, and no packet passes on it.
    var isCutOffFromPeer = false
    /// One of the ends has sent data that the other one has not acknowledged. Known only for a connection that is cut
    /// off.
    var hasUnacknowledged = false

    var state: ConnectionTruth.State {
        guard !isClosedByKernel, isServed, !isAtOldAddress, !isAtOldPeerAddress else { return .dead }
        guard hasItsAddress else { return canMigrate ? .blocked : .dead }
        switch middleboxes {
        // A box that cuts off a connection that can migrate blocks its protocol: on another path it works again.
        case .cut: return canMigrate ? .blocked : .dead
        case .waitsForUplink: return .blocked
        case .intact: break
        }
        // A server that is down terminates connections. A datagram flow cannot be terminated: it is answered again when
        // the server is back.
        if serverIsDown { return isDatagram ? .blocked : .dead }
        return networkWorks && !isCutOffFromPeer && !serverIsFrozen ? .working : .blocked
    }
}
