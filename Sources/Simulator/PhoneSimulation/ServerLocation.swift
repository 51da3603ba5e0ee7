import DeadzoneBase
import DeadzoneTransport

/// The server's address, the address that its name has, and the resolver that answers with it. A number stands for an
/// address; each move takes the next.
///
/// Every phone stores its own copy, because every phone applies the timeline for itself. It takes no space: it fills up
/// a word of the phone that was not full. If addresses depend on the network, the count begins at 1, so that a number
/// above 0 says that packets need a check.
struct ServerLocation: BitwiseCopyable {
    /// The present address of the server.
    private(set) var address: UInt16 = 0
    /// The address that resolvers answer with.
    private var namedAddress: UInt16 = 0
    /// Reaction of all addresses that the server has left.
    private var oldAddress = OldAddress.silent
    /// `true` if the resolver can resolve the server's name.
    private var isResolving = true

    init(dependsOnNetwork: Bool) {
        address = Self.first(dependsOnNetwork)
        namedAddress = address
    }

    /// Number of the server's public address at the beginning.
    static func first(_ dependsOnNetwork: Bool) -> UInt16 { dependsOnNetwork ? 1 : 0 }

    /// `true` if a client that resolves the name reaches the server.
    var isNamed: Bool { address == namedAddress }

    /// `true` if packets on networks of this interface to this address do not reach the server.
    /// - Parameter resolver: The resolver, if addresses depend on the network; otherwise `nil`.
    @inline(__always)
    func isOld(
        _ number: @autoclosure () -> UInt16, over interface: Interface, _ resolver: @autoclosure () -> Resolver?
    ) -> Bool {
        address > 0 && differs(number(), interface, resolver())
    }

    @inline(never)
    private func differs(_ number: UInt16, _ interface: Interface, _ resolver: Resolver?) -> Bool {
        guard let resolver else { return number != address }
        let used = ServerAddress(number: number)
        return used.move != ServerAddress(number: address).move || !used.isReachable(resolver, on: interface)
    }

    /// Returns the resolver's answer to a query over this interface; `nil` if it gives none.
    /// - Parameter addresses: The resolver of the world, if addresses depend on the network; otherwise `nil`.
    func answer(
        to query: Packet, over interface: Interface, _ resolver: Resolver, _ addresses: Resolver?
    ) -> Packet? {
        guard isResolving || resolver.failureMode != .silent else { return nil }
        return Packet(
            .dnsResponse, cause: .dns, bytes: isResolving ? Resolver.answerBytes : Resolver.questionBytes,
            number: isResolving ? Resolver.answer(with: namedAddress(on: interface, addresses)) : Resolver.failure,
            stamp: query.stamp, answering: query)
    }

    private func namedAddress(on interface: Interface, _ resolver: Resolver?) -> UInt16 {
        guard let resolver else { return namedAddress }
        return ServerAddress(move: namedAddress, resolver, on: interface).number
    }

    /// `true` if another host has the address and answers with a reset.
    func isReset(_ number: UInt16, _ resolver: Resolver?) -> Bool {
        let used = ServerAddress(number: number)
        guard let resolver, used.move == ServerAddress(number: address).move else { return oldAddress == .reset }
        return used.isPrivate && [resolver.wifi, resolver.cellular].contains { $0.privateAddress == .reset }
    }

    /// Applies a change of the timeline. Returns `false` if it changes nothing. A timeline has at most 65,535 changes,
    /// so no number is used twice.
    mutating func apply(_ change: ConditionChange) -> Bool {
        switch change {
        case .serverMoved(let oldAddress):
            address &+= 1
            self.oldAddress = oldAddress
        case .nameUpdated:
            guard !isNamed else { return false }
            namedAddress = address
        case .names(let resolve):
            guard isResolving != resolve else { return false }
            isResolving = resolve
        default: return false
        }
        return true
    }
}
