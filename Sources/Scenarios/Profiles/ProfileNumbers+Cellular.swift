import DeadzoneBase
import DeadzoneDevice

/// Numbers of LTE and NR radios.
extension ProfileNumbers {
    mutating func cellular(_ technology: Technology) -> RadioProfile {
        var powers = PowerTable()
        let promotion = neededSpan("promotion-time", "time from idle to the first bit")
        powers[.promotion] = neededPower("promotion-power", "power during the promotion")
        let second = technology == .nrNSA ? secondPromotion(after: promotion, &powers) : .zero
        let signalling = signalling()
        let costs = active(&powers)
        let drx = drx()
        let tail = tail(technology, drx, &powers)
        let inactive = technology == .nrSA ? inactive(&powers) : (time: .zero, resume: .zero)
        let paging = neededSpan(
            "paging-cycle", in: Self.cycles, "paging cycle: an idle phone can be paged once per cycle")
        powers[.idle] = duty(
            mean: "idle-power", on: "paging-on-power", for: "paging-on-time", off: "sleep-power", cycle: paging,
            "while idle")
        let saving = technology == .lte ? powerSaving(&powers) : PowerSaving()
        let handover = handover(
            &powers, usual: larger(powers[.activeUp], powers[.activeDown]), hasLegs: technology == .nrNSA)
        let search = search(&powers)
        return RadioProfile(
            technology: technology, powers: powers, costUp: costs.up, costDown: costs.down,
            machine: .cellular(
                CellularTimers(
                    promotion: promotion, signalling: signalling, secondPromotion: second, tail: tail, drx: drx,
                    paging: Cycle(period: paging), inactive: inactive.time, resume: inactive.resume,
                    saving: saving)),
            handover: handover, search: search)
    }

    private mutating func secondPromotion(after first: TimeSpan, _ powers: inout PowerTable) -> TimeSpan {
        let total = neededSpan(
            "nr-promotion-time", "time from idle until the NR leg is up; until then data flows on the LTE leg")
        powers[.secondPromotion] = neededPower("nr-promotion-power", "power between the LTE leg and the NR leg")
        if total < first, !isDescribing { contradict("nr-promotion-time", "ends before `promotion-time`") }
        return max(.zero, total - first)
    }

    private mutating func signalling() -> Distribution {
        number(
            "signalling-time", .distribution(.span, in: 0...Self.spans.upperBound.nanoseconds),
            "time from the first bit to the last signalling, where the tail starts; on 5G over LTE until the addition of the NR leg "
                + "starts, if the connection lasts that long")
            ?? .constant(0)
    }

    private mutating func drx() -> DRXTimers {
        let inactivity = neededSpan("inactivity-time", "silence after the last bit until DRX begins")
        let shortSpan = span("short-drx-time", "duration of short DRX") ?? .zero
        let short = Cycle(
            period: span("short-drx-cycle", in: Self.cycles, "short DRX cycle") ?? .zero,
            on: span("short-drx-on-time", in: Self.cycles, "time that the phone listens in each short cycle") ?? .zero)
        let long = Cycle(
            period: span("long-drx-cycle", in: Self.cycles, "long DRX cycle; default: the phone always listens")
                ?? .zero,
            on: span("long-drx-on-time", in: Self.cycles, "time that the phone listens in each long cycle") ?? .zero)
        if !isDescribing && short.period < short.on { contradict("short-drx-on-time", "is longer than the cycle") }
        if !isDescribing && long.period < long.on { contradict("long-drx-on-time", "is longer than the cycle") }
        return DRXTimers(inactivity: inactivity, short: short, shortSpan: shortSpan, long: long)
    }

    /// Reads the tail: one duration at a mean power, or its parts.
    private mutating func tail(_ technology: Technology, _ drx: DRXTimers, _ powers: inout PowerTable) -> TailLadder {
        var steps: [TailLadder.TailStep]
        let whole = span("tail-time", "time from the last bit to idle, all of it at `tail-power`")
        let long = span("long-drx-time", "duration of long DRX, at its own powers")
        if let whole, !isDescribing {
            if long != nil { contradict("tail-time", "beside `long-drx-time`: one of them is enough") }
            powers[.tail] = neededPower("tail-power", "mean power of the tail")
            steps = [.init(.tail, until: whole)]
        } else {
            if isDescribing { _ = power("tail-power", "mean power of the tail") }
            let inactivity = power(
                "inactivity-power",
                "power from the last bit to DRX; default: the base power of the direction that was used last")
            powers[.tail] = inactivity.map { .microwatts($0) } ?? powers[.activeDown]
            steps = parts(drx, inactivity == nil ? .activeDown : .tail, long: long, &powers)
        }
        if technology == .nrNSA { steps += secondTail(after: steps[steps.count - 1].until, &powers) }
        let ladder = TailLadder(
            steps[0], steps.count > 1 ? steps[1] : nil, steps.count > 2 ? steps[2] : nil,
            steps.count > 3 ? steps[3] : nil)
        let limit = span("fast-dormancy", "silence after which the phone releases the connection")
        return limit.map { ladder.cut(at: $0) } ?? ladder
    }

    private mutating func secondTail(after first: TimeSpan, _ powers: inout PowerTable) -> [TailLadder.TailStep] {
        let until = span("second-tail-until", "time from the last bit to idle, on the LTE leg alone")
        guard until != nil || isDescribing else { return [] }
        powers[.secondTail] = neededPower("second-tail-power", "power of the second tail")
        guard let until else { return [] }
        if until < first { contradict("second-tail-until", "ends before the first tail") }
        return [.init(.secondTail, until: until)]
    }

    private mutating func parts(
        _ drx: DRXTimers, _ first: PowerLevel, long: TimeSpan?, _ powers: inout PowerTable
    ) -> [TailLadder.TailStep] {
        let inactivity = drx.inactivity
        let longTime = long ?? neededSpan("long-drx-time", "duration of long DRX; `tail-time` can replace it")
        let shortEnd = inactivity + drx.shortSpan
        if .zero < drx.shortSpan || isDescribing {
            powers[.shortDRX] = duty(
                mean: nil, on: "short-drx-on-power", for: "short-drx-on-time", off: "short-drx-off-power",
                cycle: max(drx.short.period, .milliseconds(1)), "in short DRX")
        }
        powers[.longDRX] = duty(
            mean: "long-drx-power", on: "long-drx-on-power", for: "long-drx-on-time", off: "long-drx-off-power",
            cycle: max(drx.long.period, .milliseconds(1)), "in long DRX")
        return [
            .init(first, until: inactivity), .init(.shortDRX, until: shortEnd),
            .init(.longDRX, until: shortEnd + longTime),
        ]
    }

    private mutating func inactive(_ powers: inout PowerTable) -> (time: TimeSpan, resume: TimeSpan) {
        let time = span("inactive-time", "time in RRC_INACTIVE after the tail") ?? .zero
        guard .zero < time || isDescribing else { return (.zero, .zero) }
        powers[.inactive] = neededPower("inactive-power", "mean power in RRC_INACTIVE")
        return (time, neededSpan("inactive-resume-time", "time from RRC_INACTIVE to the first bit"))
    }

    mutating func contradict(_ key: String, _ problem: String) {
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: key), width: key.utf8.count, "`\(key)` \(problem)",
                label: "change one of the two"))
    }
}
