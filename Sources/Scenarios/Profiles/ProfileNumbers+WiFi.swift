import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneSettings

/// Wi-Fi.
extension ProfileNumbers {
    mutating func wifi() -> RadioProfile {
        var powers = PowerTable()
        let promotion = span("promotion-time", "from doze to the first bit") ?? .zero
        if .zero < promotion || isDescribing { powers[.promotion] = neededPower("promotion-power", "power meanwhile") }
        let costs = active(&powers)
        let high = high(&powers)
        let tail = neededSpan("tail-time", "from the last bit to doze")
        powers[.tail] = neededPower("tail-power", "power meanwhile")
        let beacon = neededSpan("beacon-cycle", in: Self.cycles, "a dozing phone listens to a beacon once a cycle")
        powers[.idle] = duty(
            mean: "idle-power", on: "beacon-on-power", for: "beacon-on-time", off: "sleep-power", cycle: beacon,
            "in doze")
        hearBroadcasts(&powers)
        let handover = handover(&powers, usual: larger(powers[.activeUp], powers[.activeDown]))
        let search = search(&powers)
        return RadioProfile(
            technology: .wifi, powers: powers, costUp: costs.up, costDown: costs.down,
            machine: .wifi(
                WiFiTimers(
                    promotion: promotion, tail: tail, beacon: Cycle(period: beacon), highBytes: high?.bytes,
                    highWindow: high?.window ?? .zero)),
            handover: handover, search: search)
    }

    /// What is sent to all keeps a dozing phone awake for a while, at the power of its tail; it delays nobody.
    private mutating func hearBroadcasts(_ powers: inout PowerTable) {
        let interval = span(
            "broadcast-interval", in: .milliseconds(1) ... .hours(1),
            "mean time from one packet to all to the next; none: nobody sends any")
        guard interval != nil || isDescribing else { return }
        let awake = neededSpan("broadcast-time", in: Self.cycles, "how long each keeps a dozing phone awake")
        guard let interval, awake <= interval else {
            if !isDescribing { contradict("broadcast-time", "is longer than `broadcast-interval`") }
            return
        }
        func mean(_ power: Power) -> Int64 { Int64(power.femtojoules / Int64(power.cycle)) }
        powers[.idle] = .duty(
            high: mean(powers[.tail]), for: awake, every: interval, low: mean(powers[.idle]))
    }

    private mutating func high(_ powers: inout PowerTable) -> (bytes: UInt32, window: TimeSpan)? {
        let bytes = size("high-size", "more bytes than this within the window draw the high power")
        guard bytes != nil || isDescribing else { return nil }
        powers[.activeHigh] = neededPower("high-power", "power in windows with much data")
        return (bytes ?? 0, neededSpan("high-window", in: Self.cycles, "the length of a window"))
    }
}
