/// A network interface of the phone's operating system: the number of a row in the table of kinds.
///
/// A phone has some of them, and the tables of a world are as long as its last one needs. Raw values are written to
/// traces: append rows and never renumber.
public enum Interface: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case wifi, cellular
    /// A phone that lends its network over Bluetooth, as to a watch or by tethering.
    case bluetooth
    /// The data connection of a second SIM.
    case sim2
    /// A cable: a network socket, a dock, or tethering over USB.
    case ethernet

    /// Properties of one kind of interface.
    struct Kind: Sendable {
        /// The name in metrics and files.
        let name: String
        let title: String
        /// `true` for the data connections of a carrier.
        let isCellular: Bool
        /// Position in the usual order of preference; the network with the highest one is selected.
        ///
        /// Android: `PREFERRED_TRANSPORTS_ORDER` of NetworkRanker.java (packages/modules/Connectivity) is Ethernet,
        /// Wi-Fi, Bluetooth, cellular. The second SIM is last, because the first one carries data by default.
        let rank: UInt8
    }

    private static let kinds = [
        Kind(name: "wifi", title: "Wi-Fi", isCellular: false, rank: 3),
        Kind(name: "cellular", title: "cellular", isCellular: true, rank: 1),
        Kind(name: "bluetooth", title: "Bluetooth", isCellular: false, rank: 2),
        Kind(name: "sim2", title: "second SIM", isCellular: true, rank: 0),
        Kind(name: "ethernet", title: "Ethernet", isCellular: false, rank: 4),
    ]

    private var kind: Kind { Self.kinds[Int(rawValue)] }

    /// The name in metrics and files.
    public var name: String { kind.name }
    /// The name of the interface in tables and charts.
    package var title: String { kind.title }
    /// `true` for the data connections of a carrier: the first SIM's and the second SIM's.
    public var isCellular: Bool { kind.isCellular }

    /// The two interfaces that most phones have.
    package static let common: [Interface] = [.wifi, .cellular]
    /// The interfaces that a phone may have beside the common ones.
    package static let further = Array(allCases.dropFirst(common.count))

    /// All interfaces, the most preferred one first.
    package static let byPreference = allCases.sorted { $0.kind.rank > $1.kind.rank }
}

/// The interfaces with the lowest numbers: the index range of a world's tables.
@usableFromInline package struct Interfaces: RandomAccessCollection, Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package let endIndex: Int

    @inlinable package init(_ count: Int) { endIndex = count }

    /// The shortest range that contains these interfaces and the common ones.
    package init(including interfaces: [Interface]) {
        self.init(interfaces.reduce(Interface.common.count) { Swift.max($0, Int($1.rawValue) + 1) })
    }

    @inlinable package var startIndex: Int { 0 }
    @inlinable package subscript(index: Int) -> Interface {
        // A range never ends beyond the last interface.
        Interface(rawValue: UInt8(truncatingIfNeeded: index)).unsafelyUnwrapped
    }
}
