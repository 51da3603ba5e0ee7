import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives

/// What may follow what in a radio. Coverage can go at any time, and a handover interrupts what is connected.
extension Technology {
    fileprivate var follows: [RadioState: Set<RadioState>] {
        switch self {
        case .wifi: Self.ofWiFi
        case .umts: Self.ofUMTS
        case .lte: Self.ofLTE
        // The second leg is added while data may already flow, and again when data comes after its tail.
        case .nrNSA:
            Self.ofLTE.merging([.active: [.promotion], .tail: [.promotion], .handover: [.promotion]]) { $0.union($1) }
        case .nrSA:
            Self.ofLTE.merging([.tail: [.inactive], .inactive: [.promotion, .idle, .search]]) { $0.union($1) }
        }
    }

    private static let ofLTE: [RadioState: Set<RadioState>] = [
        .idle: [.promotion, .search],
        .search: [.idle],
        .promotion: [.active, .tail, .search, .handover],
        .active: [.tail, .search, .handover],
        .tail: [.shortDRX, .longDRX, .active, .idle, .search, .handover],
        .shortDRX: [.longDRX, .tail, .active, .search, .handover],
        .longDRX: [.idle, .tail, .active, .search, .handover],
        .handover: [.active, .tail, .shortDRX, .longDRX, .promotion, .idle, .search],
    ]

    private static let ofUMTS: [RadioState: Set<RadioState>] = [
        .idle: [.promotion, .search],
        .search: [.idle],
        .promotion: [.dch, .fach, .active, .search],
        // Data that came while the dedicated channel was left: the common one lasts for no time.
        .dch: [.fach, .active, .promotion, .search],
        // Profiles that price transfer apart from the dedicated channel.
        .active: [.dch, .fach, .search],
        .fach: [.idle, .promotion, .search],
    ]

    private static let ofWiFi: [RadioState: Set<RadioState>] = [
        .idle: [.promotion, .active, .tail, .search, .handover],
        .search: [.idle],
        .promotion: [.active, .tail, .search, .idle, .handover],
        .active: [.tail, .search, .idle, .handover],
        .tail: [.active, .idle, .search, .handover],
        .handover: [.active, .tail, .idle, .search],
    ]
}

extension WorldLaws {
    func checkTransitions(_ world: World, _ broken: inout [String]) {
        var last: [Interface: (state: RadioState, technology: UInt8)] = [:]
        for record in records where record.kind == .residency {
            guard let tag = record.tag(of: .residency),
                let technology = world.technology(of: tag.interface, tag.technology)
            else { return broken.append("a residency of no radio at \(record.at)") }
            let (interface, state) = (tag.interface, tag.level.state)
            // A radio that becomes another technology begins there anew.
            if let before = last[interface], before.state != state, before.technology == tag.technology,
                technology.follows[before.state]?.contains(state) != true
            {
                broken.append("\(technology) from \(before.state) to \(state) at \(record.at)")
            }
            last[interface] = (state, tag.technology)
        }
    }
}

extension World {
    fileprivate func technology(of interface: Interface, _ number: UInt8) -> Technology? {
        guard interface == .cellular, number > 0 else {
            return interface == .wifi ? wifi?.technology : cellular?.technology
        }
        return Int(number) <= cellularAlternates.count ? cellularAlternates[Int(number) - 1].technology : nil
    }
}
