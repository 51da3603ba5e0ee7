package import DeadzoneBase

/// The order in which an operating system prefers networks, and the networks that it keeps up only when needed.
///
/// Phones keep Wi-Fi up beside any other network, and bring a carrier's network up when nothing better works. A system
/// that prefers Bluetooth to Wi-Fi is a watch: while its phone lends a network, it uses no radio of its own. Wear OS: the
/// traffic is proxied through the phone, and Wi-Fi and cellular are used when the phone is unavailable (Network access
/// and sync on Wear OS, developer.android.com).
package struct NetworkPreference: Hashable, Sendable, BitwiseCopyable {
    /// The rank of each interface in four bits, by its number.
    private var ranks: UInt32 = 0
    /// Interfaces that come up only when needed, as a bit for each.
    private var waiting: UInt32 = 0

    /// - Parameter order: Interfaces with the most preferred one first. All others follow in the usual order.
    package init(_ order: [Interface] = []) {
        let complete = order + Interface.byPreference.filter { !order.contains($0) }
        for (place, interface) in complete.reversed().enumerated() {
            ranks |= UInt32(place) << (UInt32(interface.rawValue) * 4)
        }
        for interface in complete where interface.isCellular { waiting |= 1 << UInt32(interface.rawValue) }
        if rank(.bluetooth) > rank(.wifi) { waiting |= 1 << UInt32(Interface.wifi.rawValue) }
    }

    /// The order of an app that asks the system for a network: it uses this network while it is there, even if the
    /// system has not validated it. Android keeps a requested network up (`ConnectivityManager.requestNetwork`).
    package func requesting(_ interface: Interface?) -> NetworkPreference {
        guard let interface else { return self }
        var preference = self
        preference.ranks |= Self.requestedRank << (UInt32(interface.rawValue) * 4)
        return preference
    }

    private static let requestedRank: UInt32 = 15

    /// `true` if the app has asked for a network of this interface.
    func isRequested(_ interface: Interface) -> Bool { rank(interface) == Int(Self.requestedRank) }

    /// The rank of an interface; the network with the highest rank is selected. At most 7, or 15 if it is requested.
    func rank(_ interface: Interface) -> Int { Int(ranks >> (UInt32(interface.rawValue) * 4) & 15) }

    /// `true` if the network of this interface is kept up only while it is needed.
    func waits(_ interface: Interface) -> Bool { waiting >> UInt32(interface.rawValue) & 1 == 1 }
}
