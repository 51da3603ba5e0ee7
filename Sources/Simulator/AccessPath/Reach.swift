/// The hosts that packets from a network can reach: the internet, the app's server, both, or neither.
package enum Reach: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case all
    /// The internet without the app's server, such as a phone's mobile network for a server at home.
    case internet
    /// The app's server without the internet, such as a private network.
    case server
    case nothing

    /// The host to which a packet goes, or from which it comes.
    package enum RemoteHost: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// A host on the internet, such as the push service.
        case internet
        /// The app's server.
        case server
        /// The network's resolver, which answers wherever a packet can go.
        case resolver
    }

    package func contains(_ target: RemoteHost) -> Bool {
        switch self {
        case .all: true
        case .internet: target != .server
        case .server: target != .internet
        case .nothing: false
        }
    }

    /// The word in files and in the canonical text of a world.
    package var name: String {
        switch self {
        case .all: "all"
        case .internet: "internet"
        case .server: "server"
        case .nothing: "nothing"
        }
    }
}
