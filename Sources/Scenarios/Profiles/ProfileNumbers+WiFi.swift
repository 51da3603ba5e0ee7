import DeadzoneBase
import DeadzoneDevice

/// Numbers of radios with the state machine of Wi-Fi.
extension ProfileNumbers {
    mutating func wifi(_ technology: Technology) -> RadioProfile {
        var powers = PowerTable()
        let promotion = span("promotion-time", "time from doze to the first bit") ?? .zero
        if .zero < promotion || isDescribing {
            powers[.promotion] = neededPower("promotion-power", "power during the promotion")
        }
        let costs = active(&powers)
        let high = high(&powers)
        let tail = neededSpan("tail-time", "time from the last bit to doze")
        powers[.tail] = neededPower("tail-power", "power during the tail")
        let beacon = neededSpan(
            "beacon-cycle", in: Self.cycles, "beacon cycle: a dozing phone listens to one beacon per cycle")
        powers[.idle] = duty(
            mean: "idle-power", on: "beacon-on-power", for: "beacon-on-time", off: "sleep-power", cycle: beacon,
            "in doze")
        addBroadcastWakeups(&powers)
        let handover = handover(&powers, usual: larger(powers[.activeUp], powers[.activeDown]))
        let search = search(&powers)
        return RadioProfile(
            technology: technology, powers: powers, costUp: costs.up, costDown: costs.down,
            machine: .wifi(
                WiFiTimers(
                    promotion: promotion, tail: tail, beacon: Cycle(period: beacon), highBytes: high?.bytes,
                    highWindow: high?.window ?? .zero)),
            handover: handover, search: search)
    }

    /// Adds the cost of broadcasts to the idle power. Each broadcast keeps a dozing phone awake for a while, at the
    /// power of the tail. Broadcasts delay no packets.
    private mutating func addBroadcastWakeups(_ powers: inout PowerTable) {
        let interval = span(
            "broadcast-interval", in: .milliseconds(1) ... .hours(1),
            "mean time between two broadcasts; default: no broadcasts")
        guard interval != nil || isDescribing else { return }
        let awake = neededSpan("broadcast-time", in: Self.cycles, "time that each broadcast keeps a dozing phone awake")
        guard let interval, awake <= interval else {
            if !isDescribing { contradict("broadcast-time", "is longer than `broadcast-interval`") }
            return
        }
        func mean(_ power: Power) -> Int64 { Int64(power.femtojoules / Int64(power.cycle)) }
        powers[.idle] = .duty(
            high: mean(powers[.tail]), for: awake, every: interval, low: mean(powers[.idle]))
    }

    private mutating func high(_ powers: inout PowerTable) -> (bytes: UInt32, window: TimeSpan)? {
        let bytes = size("high-size", "more bytes than this within `high-window` use the high power")
        guard bytes != nil || isDescribing else { return nil }
        powers[.activeHigh] = neededPower("high-power", "power in windows with more bytes")
        return (bytes ?? 0, neededSpan("high-window", in: Self.cycles, "length of the window"))
    }
}
