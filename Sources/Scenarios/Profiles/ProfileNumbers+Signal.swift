import DeadzoneBase
package import DeadzoneDevice
package import DeadzoneTransport

/// The measured effect of a weak signal on a cellular radio: other powers and lower rates.
package struct WeakSignal: Sendable {
    /// The same radio with the powers of a weak signal.
    package var profile: RadioProfile
    /// Maximum rate of a link in bits per second; `nil` if it was not measured.
    package var maxRateUp: Int64?
    package var maxRateDown: Int64?

    /// The link in a weak signal: rates are capped. A link with a trace is unchanged.
    package func over(_ link: LinkProfile) -> LinkProfile {
        func slowed(_ way: LinkDirection, _ most: Int64?) -> LinkDirection {
            guard let most, way.trace == nil else { return way }
            var way = way
            way.bitsPerSecond = min(way.bitsPerSecond, most)
            return way
        }
        return LinkProfile(up: slowed(link.up, maxRateUp), down: slowed(link.down, maxRateDown))
    }
}

/// The weak signal of a profile. Only profiles with a measurement on that network have one. A number that is left out
/// is the same as usual.
extension ProfileNumbers {
    mutating func weakSignal(of usual: RadioProfile) -> WeakSignal? {
        var weak = usual
        let help = "in a weak signal (`signal: weak`)"
        let most = ValueFormat<Int64>.quantity(.rate, in: 1...Self.mostRate)
        let rates = (
            down: number("weak-signal-rate-down", most, "maximum rate to the phone \(help)"),
            up: number("weak-signal-rate-up", most, "maximum rate from the phone in a weak signal")
        )
        let powers = (
            down: power("weak-signal-power-down", "base power while receiving \(help)"),
            up: power("weak-signal-power-up", "base power while sending \(help)")
        )
        let costs = (
            down: cost("weak-signal-cost-down", "energy per bit received \(help)"),
            up: cost("weak-signal-cost-up", "energy per bit sent \(help)")
        )
        if let power = powers.down { weak.powers[.activeDown] = .microwatts(power) }
        if let power = powers.up { weak.powers[.activeUp] = .microwatts(power) }
        weak.costDown = costs.down ?? usual.costDown
        weak.costUp = costs.up ?? usual.costUp
        let isSaid = weak != usual || rates.down != nil || rates.up != nil
        return isSaid ? WeakSignal(profile: weak, maxRateUp: rates.up, maxRateDown: rates.down) : nil
    }

    /// One terabit per second.
    private static let mostRate: Int64 = 1_000_000_000_000
}
