package import DeadzoneBase
package import DeadzoneDevice

/// A group of consecutive phones in a population, with a simulated environment (world) of their own.
///
/// All groups share the server and the horizon.
package struct PopulationGroup: Sendable {
    package let name: String
    package let phones: Range<UInt32>
    package let world: World
    /// Index of the group's first timeline entry in the timeline of the whole population.
    package let firstChange: Int
}

/// The radio profiles of a whole population, numbered per interface, and the first number of one group's profiles.
struct RadioCatalogue: Sendable {
    private(set) var profiles = [[RadioProfile]](repeating: [], count: Interface.allCases.count)
    private(set) var first = [UInt8](repeating: 0, count: Interface.allCases.count)

    /// Appends the profiles of another group, unless they already occur consecutively. Sets `first` to their position.
    mutating func add(_ own: [RadioProfile], of interface: Interface) {
        let shelf = Int(interface.rawValue)
        let known = profiles[shelf].indices.first { profiles[shelf][$0...].starts(with: own) }
        first[shelf] = UInt8(clamping: known ?? profiles[shelf].count)
        if known == nil { profiles[shelf] += own }
    }

    fileprivate mutating func useFirst(at other: RadioCatalogue) { first = other.first }
}

extension World {
    /// Maximum number of radio profiles of an interface, because journal records can distinguish no more.
    package static func maxProfiles(of interface: Interface) -> Int { Interface.common.contains(interface) ? 8 : 1 }

    /// Combines groups into one population, with consecutive phones for each group. The horizon and the server are
    /// those of the first group.
    package init(of groups: [(name: String, phones: Int, world: World)]) {
        precondition(!groups.isEmpty, "a population needs at least one group")
        self = groups[0].world
        phones = groups.reduce(0) { $0 + $1.phones }
        precondition((1...1 << 31).contains(phones), "a population needs 1 to 2^31 phones, not \(phones)")
        timeline = groups.flatMap(\.world.timeline)
        var shelf = RadioCatalogue()
        var shelves: [RadioCatalogue] = []
        for group in groups {
            for interface in Interface.allCases { shelf.add(group.world.profiles(of: interface), of: interface) }
            shelves.append(shelf)
        }
        var (first, change) = (UInt32(0), 0)
        for (group, own) in zip(groups, shelves) {
            precondition(group.phones > 0, "group \(group.name) has no phones")
            var world = group.world
            world.radioCatalogue = shelf
            world.radioCatalogue?.useFirst(at: own)
            let end = first + UInt32(group.phones)
            self.groups.append(
                PopulationGroup(name: group.name, phones: first..<end, world: world, firstChange: change))
            first = end
            change += world.timeline.count
        }
        shelf.useFirst(at: RadioCatalogue())
        self.radioCatalogue = shelf
    }

    /// Phones of one population group with their world; all phones if there are no groups.
    package struct GroupSlice: Sendable {
        package let phones: Range<UInt32>
        /// The simulated environment of these phones.
        package let world: World
        /// Index of the first timeline entry of these phones in the timeline of the whole population.
        package let firstChange: Int
        /// Number of the group of these phones; 0 if there are no groups.
        package let group: Int
    }

    /// Splits a range of phones at the borders of the population groups.
    package func slices(of phones: Range<UInt32>) -> [GroupSlice] {
        guard !groups.isEmpty else { return [GroupSlice(phones: phones, world: self, firstChange: 0, group: 0)] }
        return groups.enumerated().compactMap { number, group in
            let own = group.phones.clamped(to: phones)
            return own.isEmpty
                ? nil : GroupSlice(phones: own, world: group.world, firstChange: group.firstChange, group: number)
        }
    }

    /// The world (simulated environment) of the first phone, which is the first group's.
    package var ofFirstPhone: World { groups.first?.world ?? self }

    /// All radio profiles of the interface in all groups, in the order in which records number them.
    package func profiles(of interface: Interface) -> [RadioProfile] {
        if let radioCatalogue { return radioCatalogue.profiles[Int(interface.rawValue)] }
        let alternates = interface == .cellular ? cellularAlternates : []
        guard let own = firstRadio(of: interface) else { return alternates }
        return alternates.isEmpty ? [own] : [own] + alternates
    }

    /// Number of this world's first radio profile in `profiles(of:)`.
    package func firstProfile(of interface: Interface) -> UInt8 { radioCatalogue?.first[Int(interface.rawValue)] ?? 0 }
}
