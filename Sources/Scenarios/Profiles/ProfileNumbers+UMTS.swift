import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneSettings

/// UMTS.
extension ProfileNumbers {
    mutating func umts() -> RadioProfile {
        var powers = PowerTable()
        powers[.promotion] = neededPower("idle-to-dch-power", "power from idle to the dedicated channel")
        powers[.secondPromotion] = neededPower(
            "fach-to-dch-power", "power from the common channel to the dedicated one")
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
            "idle-to-fach-time", "from idle to the common channel; none: the network always gives a dedicated one")
        if little != nil || isDescribing {
            powers[.fachPromotion] = neededPower("idle-to-fach-power", "power from idle to the common channel")
        }
        return UMTSTimers(
            idleToFACH: little,
            idleToDCH: neededSpan("idle-to-dch-time", "from idle to the dedicated channel"),
            fachToDCH: neededSpan("fach-to-dch-time", "from the common channel to the dedicated one"),
            dchInactivity: neededSpan("dch-time", "silence that ends the dedicated channel"),
            fachInactivity: neededSpan("fach-time", "silence that ends the common channel"),
            dchToFACH: span("dch-to-fach-time", "how long leaving the dedicated channel takes") ?? .zero,
            fachToIdle: span("fach-to-idle-time", "how long leaving the common channel takes") ?? .zero,
            up: buffer("up", hasIdleLimit: little != nil), down: buffer("down", hasIdleLimit: little != nil),
            dchResetBytes: size("dch-reset-size", "a packet restarts the DCH timer when its train has so many bytes")
                ?? 0,
            dchResetWindow: span("dch-reset-window", "packets of a train are no further apart") ?? .zero,
            paging: Cycle(
                period: neededSpan("paging-cycle", in: Self.cycles, "an idle phone can be paged once a cycle")))
    }

    private mutating func buffer(_ direction: String, hasIdleLimit: Bool) -> RLCBuffer {
        var idleLimit: UInt32 = 0
        if hasIdleLimit || isDescribing {
            idleLimit = needed("\(direction)-idle-limit", standIn: 0) {
                $0.size($1, "more bytes than this in idle ask for the dedicated channel")
            }
        }
        let fachLimit = needed("\(direction)-fach-limit", standIn: 0) {
            $0.size($1, "more bytes than this on the common channel ask for the dedicated one")
        }
        let short: ClosedRange<TimeSpan> = .zero ... .seconds(1)
        return RLCBuffer(
            idleLimit: idleLimit, fachLimit: fachLimit,
            constant: neededSpan("\(direction)-drain-time", in: short, "what emptying the buffer takes at least")
                .nanoseconds,
            linear: span("\(direction)-drain-per-byte", in: short, "and for each byte in it")?.nanoseconds ?? 0,
            quadratic: span("\(direction)-drain-per-square-byte", in: short, "and for the square of its bytes")?
                .nanoseconds ?? 0)
    }
}
