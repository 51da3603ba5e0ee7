public import DeadzoneDevice
public import DeadzonePrimitives

/// Phones that follow each other and live by a world of their own, beside others that share their server and their end.
public struct PopulationGroup: Sendable {
    public let name: String
    public let phones: Range<UInt32>
    public let world: World
    /// Where its timeline begins in that of all.
    public let firstChange: Int
}

/// The radio profiles of a whole population, by interface, and which of them a group's own begin with.
struct RadioShelf: Sendable {
    private(set) var profiles: [[RadioProfile]] = [[], []]
    private(set) var first: [UInt8] = [0, 0]

    /// With the profiles of another group, if they do not stand there one after the other.
    mutating func hold(_ own: [RadioProfile], of interface: Interface) {
        let shelf = Int(interface.rawValue)
        let known = profiles[shelf].indices.first { profiles[shelf][$0...].starts(with: own) }
        first[shelf] = UInt8(clamping: known ?? profiles[shelf].count)
        if known == nil { profiles[shelf] += own }
    }

    fileprivate mutating func point(at other: RadioShelf) { first = other.first }
}

extension World {
    /// What records can tell apart of one interface.
    public static let mostProfiles = 8

    /// Of groups that live side by side, the phones of each behind those of the one before; all have the horizon and the server of
    /// the first.
    public init(of groups: [(name: String, phones: Int, world: World)]) {
        precondition(!groups.isEmpty, "a population of nobody")
        self = groups[0].world
        phones = groups.reduce(0) { $0 + $1.phones }
        precondition((1...1 << 31).contains(phones), "a population of \(phones) phones")
        timeline = groups.flatMap(\.world.timeline)
        var shelf = RadioShelf()
        var shelves: [RadioShelf] = []
        for group in groups {
            for interface in Interface.allCases { shelf.hold(group.world.profiles(of: interface), of: interface) }
            shelves.append(shelf)
        }
        var (first, change) = (UInt32(0), 0)
        for (group, own) in zip(groups, shelves) {
            precondition(group.phones > 0, "nobody is in \(group.name)")
            var world = group.world
            world.shelf = shelf
            world.shelf?.point(at: own)
            let end = first + UInt32(group.phones)
            self.groups.append(
                PopulationGroup(name: group.name, phones: first..<end, world: world, firstChange: change))
            first = end
            change += world.timeline.count
        }
        shelf.point(at: RadioShelf())
        self.shelf = shelf
    }

    /// Some phones of one group, or of all where there are none.
    public struct Part: Sendable {
        public let phones: Range<UInt32>
        /// What they live by.
        public let world: World
        /// Where its timeline begins in that of all.
        public let firstChange: Int
        /// The number of their group; 0 where there are none.
        public let group: Int
    }

    /// These phones by group.
    public func parts(of phones: Range<UInt32>) -> [Part] {
        guard !groups.isEmpty else { return [Part(phones: phones, world: self, firstChange: 0, group: 0)] }
        return groups.enumerated().compactMap { number, group in
            let own = group.phones.clamped(to: phones)
            return own.isEmpty
                ? nil : Part(phones: own, world: group.world, firstChange: group.firstChange, group: number)
        }
    }

    /// The world that the first phone lives by.
    public var ofFirstPhone: World { groups.first?.world ?? self }

    /// Whatever radios of the interface there are among all groups, in the order in which records number them.
    public func profiles(of interface: Interface) -> [RadioProfile] {
        if let shelf { return shelf.profiles[Int(interface.rawValue)] }
        let own = interface == .wifi ? wifi : cellular
        return [own].compactMap(\.self) + (interface == .cellular ? cellularAlternates : [])
    }

    /// The number of the first that phones of this world have.
    public func firstProfile(of interface: Interface) -> UInt8 { shelf?.first[Int(interface.rawValue)] ?? 0 }
}
