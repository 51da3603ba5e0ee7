/// The facts that decide why the phone has no working connection.
struct OutageFacts: BitwiseCopyable {
    /// The app's process exists.
    var appLives = true
    /// The system prevents the app from running, or from using the network.
    var appIsStopped = false
    /// The phone has a network with an address, and this network leads to the server.
    var networkWorks = true
    /// Only a middlebox keeps the packets of the VPN gateway from the phone.
    var tunnelMappingIsForgotten = false
    /// The server is up, is not frozen, and does not refuse logins.
    var serverAcceptsSessions = true
    /// The server does not accept the phone's access token any more.
    var tokenIsExpired = false
    /// The server has left the address that the phone used last, or the phone's network does not reach it.
    var latestAddressIsOld = false
    /// A slot's latest connection is not on the phone's default path.
    var hasMoved = false
    /// The phone has no address any more that one of its connections used.
    var hasLostAddress = false
    /// The connection in `Connections.brokenSlot`.
    var connection = ConnectionFacts()
}
