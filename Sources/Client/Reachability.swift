import DeadzoneBase

/// The iOS reachability of a host (`SCNetworkReachabilityFlags`), limited to the flags that apps read.
public struct Reachability: Hashable, Sendable, BitwiseCopyable {
    /// `true` if packets to the host can be sent.
    public var isReachable: Bool
    /// `true` if a connection must be set up first.
    public var needsConnection: Bool
    /// `true` if the route uses the cellular network.
    public var isWWAN: Bool

    public init(isReachable: Bool, needsConnection: Bool = false, isWWAN: Bool = false) {
        self.isReachable = isReachable
        self.needsConnection = needsConnection
        self.isWWAN = isWWAN
    }

    /// The kind of network that the flags imply. gRPC's ConnectivityMonitor treats only a change of this category as a
    /// change of network (grpc/grpc, `doc/` note on network transitions of iOS).
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
            isWWAN: network.path?.isCellular ?? false)
    }
}
