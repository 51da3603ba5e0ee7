import DeadzonePrimitives

/// What iOS says of reaching a host (`SCNetworkReachabilityFlags`), as far as apps read it.
public struct Reachability: Hashable, Sendable, BitwiseCopyable {
    /// Packets to the host can be sent.
    public var isReachable: Bool
    /// Something would have to be set up first.
    public var needsConnection: Bool
    /// The way leads over the cellular network.
    public var isWWAN: Bool

    public init(isReachable: Bool, needsConnection: Bool = false, isWWAN: Bool = false) {
        self.isReachable = isReachable
        self.needsConnection = needsConnection
        self.isWWAN = isWWAN
    }

    /// What the flags come to. gRPC's ConnectivityMonitor takes a change between two of these, and nothing else, for a change
    /// of network (grpc/grpc, `doc/` note on network transitions of iOS).
    public enum Category: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case none, wifi, cellular
    }

    public var category: Category {
        guard isReachable && !needsConnection else { return .none }
        return isWWAN ? .cellular : .wifi
    }

    public init(_ network: NetworkView) {
        self.init(
            isReachable: network.path != nil && !network.isBlocked, needsConnection: network.needsConnection,
            isWWAN: network.path == .cellular)
    }
}
