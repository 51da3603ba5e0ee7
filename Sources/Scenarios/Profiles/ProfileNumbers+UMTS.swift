import DeadzoneBase
import DeadzoneDevice

/// Numbers of UMTS radios.
extension ProfileNumbers {
    mutating func umts() -> RadioProfile {
        var powers = PowerTable()
        powers[.promotion] = neededPower(
            "idle-to-dch-power", "power during the change from idle to the dedicated channel")
        powers[.secondPromotion] = neededPower(
            "fach-to-dch-power", "power during the change from the common to the dedicated channel")
        powers[.dch] = neededPower("dch-power", "power on the dedicated channel")
        powers[.fach] = neededPower("fach-power", "power on the common channel")
        let hasActiveLevels = settings.has("active-power-down") || isInherited("active-power-down")
        let costs = hasActiveLevels || isDescribing ? active(&powers) : costs()
        var timers = timers(&powers)
        timers.hasActiveLevels = hasActiveLevels
        powers[.idle] = duty(
            mean: "idle-power", on: "paging-on-power", for: "paging-on-time", off: "sleep-power",
            cycle: timers.paging.period, "while idle")
        let handover = handover(&powers, usual: powers[.dch])
        let search = search(&powers)
        return RadioProfile(
            technology: .umts, powers: powers, costUp: costs.up, costDown: costs.down, machine: .umts(timers),
            handover: handover, search: search)
    }

    private mutating func timers(_ powers: inout PowerTable) -> UMTSTimers {
        let little = span(
            "idle-to-fach-time",
            "time from idle to the common channel; default: the network always assigns a dedicated one")
        if little != nil || isDescribing {
            powers[.fachPromotion] = neededPower(
                "idle-to-fach-power", "power during the change from idle to the common channel")
        }
        return UMTSTimers(
            idleToFACH: little,
            idleToDCH: neededSpan("idle-to-dch-time", "time from idle to the dedicated channel"),
            fachToDCH: neededSpan("fach-to-dch-time", "time from the common to the dedicated channel"),
            dchInactivity: neededSpan("dch-time", "silence that ends the dedicated channel"),
            fachInactivity: neededSpan("fach-time", "silence that ends the common channel"),
            dchToFACH: span("dch-to-fach-time", "time to leave the dedicated channel") ?? .zero,
            fachToIdle: span("fach-to-idle-time", "time to leave the common channel") ?? .zero,
            up: buffer("up", hasIdleLimit: little != nil), down: buffer("down", hasIdleLimit: little != nil),
            dchResetBytes: size("dch-reset-size", "size of a packet train that restarts the DCH timer")
                ?? 0,
            dchResetWindow: span("dch-reset-window", "longest gap between packets of a train") ?? .zero,
            paging: Cycle(
                period: neededSpan(
                    "paging-cycle", in: Self.cycles, "paging cycle: an idle phone can be paged once per cycle")))
    }

    private mutating func buffer(_ direction: String, hasIdleLimit: Bool) -> RLCBuffer {
        var idleLimit: UInt32 = 0
        if hasIdleLimit || isDescribing {
            idleLimit = needed("\(direction)-idle-limit", standIn: 0) {
                $0.size($1, "in idle, more bytes than this require the dedicated channel")
            }
        }
        let fachLimit = needed("\(direction)-fach-limit", standIn: 0) {
            $0.size($1, "on the common channel, more bytes than this require the dedicated one")
        }
        let short: ClosedRange<TimeSpan> = .zero ... .seconds(1)
        return RLCBuffer(
            idleLimit: idleLimit, fachLimit: fachLimit,
            constant: neededSpan("\(direction)-drain-time", in: short, "minimum time to empty the buffer")
                .nanoseconds,
            linear: span("\(direction)-drain-per-byte", in: short, "additional time for each byte in the buffer")?
                .nanoseconds ?? 0,
            quadratic: span(
                "\(direction)-drain-per-square-byte", in: short,
                "additional time for the square of the bytes in the buffer")?
                .nanoseconds ?? 0)
    }
}
