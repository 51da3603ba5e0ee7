import DeadzoneDevice
import DeadzonePrimitives

/// Which level may follow which: the arrows of the diagrams, written down a second time.
struct LegalSteps {
    private var table: [PowerLevel: Set<PowerLevel>]

    init(_ profile: RadioProfile) {
        table =
            switch profile.technology {
            case .lte, .nrNSA, .nrSA: Self.cellular(profile)
            case .umts: profile == Fixture.umtsARO ? Self.umtsARO : Self.umtsTeliaSonera
            case .wifi: Self.wifi(profile)
            }
        for (level, next) in table { table[level] = next.subtracting([level]) }
    }

    func allow(_ from: PowerLevel, _ to: PowerLevel) -> Bool { table[from]?.contains(to) ?? false }

    /// Everything that a phone can get to.
    var levels: Set<PowerLevel> { table.values.reduce([]) { $0.union($1) } }

    private static let flows: Set<PowerLevel> = [.activeUp, .activeDown, .tail, .handover, .search]

    private static func cellular(_ profile: RadioProfile) -> [PowerLevel: Set<PowerLevel>] {
        var table: [PowerLevel: Set<PowerLevel>] = [
            .idle: [.promotion, .search], .search: [.unassociated, .idle], .unassociated: [.search, .idle],
            .promotion: flows, .activeUp: flows, .activeDown: flows, .handover: flows.union([.promotion]),
        ]
        switch profile {
        case Fixture.nsa:
            table[.promotion] = [.secondPromotion, .handover, .search]
            table[.secondPromotion] = flows
            table[.tail] = flows.union([.secondTail])
            table[.secondTail] = [.secondPromotion, .idle, .handover, .search]
            table[.handover] = flows.union([.promotion, .secondPromotion, .secondTail])
        case Fixture.sa:
            table[.tail] = flows.union([.inactive])
            table[.inactive] = [.promotion, .idle, .search]
        case Fixture.lte2012:
            table[.tail] = flows.union([.shortDRX])
            table[.shortDRX] = flows.union([.longDRX])
            table[.longDRX] = flows.union([.idle])
            table[.handover] = flows.union([.promotion, .shortDRX, .longDRX])
        default:
            table[.tail] = flows.union([.idle])
        }
        return table
    }

    private static let umtsARO: [PowerLevel: Set<PowerLevel>] = [
        .idle: [.promotion, .search], .search: [.unassociated, .idle], .unassociated: [.search, .idle],
        .promotion: [.dch, .search], .dch: [.fach, .search], .fach: [.secondPromotion, .idle, .search],
        .secondPromotion: [.dch, .search],
    ]

    private static let umtsTeliaSonera: [PowerLevel: Set<PowerLevel>] = [
        .idle: [.promotion, .fachPromotion, .search], .search: [.unassociated, .idle],
        .unassociated: [.search, .idle], .promotion: [.dch, .handover, .search],
        .fachPromotion: [.fach, .secondPromotion, .handover, .search],
        .dch: [.fach, .secondPromotion, .handover, .search],
        .fach: [.secondPromotion, .promotion, .fachPromotion, .idle, .handover, .search],
        .secondPromotion: [.dch, .handover, .search],
        .handover: [.dch, .fach, .promotion, .fachPromotion, .secondPromotion, .search],
    ]

    private static func wifi(_ profile: RadioProfile) -> [PowerLevel: Set<PowerLevel>] {
        let flows = flows.union(profile == Fixture.wifiS2 ? [.unassociated, .activeHigh] : [.unassociated])
        var table: [PowerLevel: Set<PowerLevel>] = [
            .unassociated: [.idle, .search], .search: [.unassociated, .idle], .idle: flows.subtracting([.handover]),
            .activeUp: flows, .activeDown: flows, .tail: flows.union([.idle]), .handover: flows,
        ]
        if profile == Fixture.wifiS2 { table[.activeHigh] = flows }
        if profile == Fixture.wifiMobiSys {
            table[.idle] = [.promotion, .search, .unassociated]
            table[.promotion] = flows
            table[.handover] = flows.union([.promotion])
        }
        return table
    }
}
