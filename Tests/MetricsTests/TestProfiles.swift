import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

extension RadioProfile {
    /// A radio profile in which only the prices matter.
    static func priced(
        up: BitCost = .zero, down: BitCost = .zero, _ power: (PowerLevel) -> Power
    ) -> RadioProfile {
        var powers = PowerTable()
        for level in PowerLevel.allCases { powers[level] = power(level) }
        return RadioProfile(
            technology: .wifi, powers: powers, costUp: up, costDown: down,
            machine: .wifi(WiFiTimers(tail: .zero, beacon: .none)), handover: .none,
            search: SearchTimers(scan: .seconds(1), firstPause: .seconds(1), longestPause: .seconds(1)))
    }

    static let free = priced { _ in .zero }

    /// Powers with periods that divide nothing evenly, so that every cell must be rounded.
    static let unevenlyPriced = priced(up: BitCost(femtojoules: 438_390_000), down: BitCost(femtojoules: 51_970_001)) {
        level in
        Power(femtojoules: 1_000_003 * Int64(level.rawValue + 1), per: .nanoseconds(7 + 2 * Int64(level.rawValue)))
    }
}

extension Prices {
    static let unevenlyPriced = Prices(
        radios: RadioProfiles(wifi: .unevenlyPriced, cellular: .unevenlyPriced),
        processor: ProcessorPower(
            wakePower: Power(femtojoules: 1_000_003, per: .nanoseconds(11)), wakeEnergy: Energy(femtojoules: 7)))
}
