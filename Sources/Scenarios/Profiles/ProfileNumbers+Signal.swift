public import DeadzoneDevice
public import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings

/// What a weak signal changes, of a radio that was measured in one.
public struct WeakSignal: Sendable {
    /// The same radio at the prices of a weak signal.
    public var profile: RadioProfile
    /// No link carries more then; nil: nothing was measured.
    public var mostUp: Int64?
    public var mostDown: Int64?

    /// A link through it. What is already slower stays as it is, and a trace is what it is.
    public func over(_ link: LinkProfile) -> LinkProfile {
        func slowed(_ way: LinkDirection, _ most: Int64?) -> LinkDirection {
            guard let most, way.trace == nil else { return way }
            var way = way
            way.bitsPerSecond = min(way.bitsPerSecond, most)
            return way
        }
        return LinkProfile(up: slowed(link.up, mostUp), down: slowed(link.down, mostDown))
    }
}

/// What a profile says of a weak signal: nothing, unless somebody measured it on that network. A number that is left out is as usual.
extension ProfileNumbers {
    mutating func weakSignal(of usual: RadioProfile) -> WeakSignal? {
        var weak = usual
        let help = "in a weak signal (`signal: weak`)"
        let most = Form<Int64>.quantity(.rate, in: 1...Self.mostRate)
        let rates = (
            down: number("weak-signal-rate-down", most, "the most that a link carries \(help)"),
            up: number("weak-signal-rate-up", most, "the same of what is sent")
        )
        let powers = (
            down: power("weak-signal-power-down", "base power while receiving \(help)"),
            up: power("weak-signal-power-up", "base power while sending \(help)")
        )
        let costs = (
            down: cost("weak-signal-cost-down", "what a bit received costs \(help)"),
            up: cost("weak-signal-cost-up", "what a bit sent costs \(help)")
        )
        if let power = powers.down { weak.powers[.activeDown] = .microwatts(power) }
        if let power = powers.up { weak.powers[.activeUp] = .microwatts(power) }
        weak.costDown = costs.down ?? usual.costDown
        weak.costUp = costs.up ?? usual.costUp
        let isSaid = weak != usual || rates.down != nil || rates.up != nil
        return isSaid ? WeakSignal(profile: weak, mostUp: rates.up, mostDown: rates.down) : nil
    }

    /// A terabit a second.
    private static let mostRate: Int64 = 1_000_000_000_000
}
