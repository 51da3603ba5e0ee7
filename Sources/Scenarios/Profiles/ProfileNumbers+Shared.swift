import DeadzoneBase
import DeadzoneDevice

/// The numbers that all radios have.
extension ProfileNumbers {
    /// Stand-in for a missing power: 1 µW, so that it is not zero.
    private static let standIn: Int64 = 1

    mutating func neededPower(_ key: String, _ help: String) -> Power {
        .microwatts(needed(key, standIn: Self.standIn) { $0.power($1, help) })
    }

    mutating func neededSpan(_ key: String, in range: ClosedRange<TimeSpan> = spans, _ help: String) -> TimeSpan {
        needed(key, standIn: .milliseconds(1)) { $0.span($1, in: range, help) }
    }

    /// A mean power, or a duty cycle: one power for part of each cycle and another for the rest.
    mutating func duty(
        mean: String?, on: String, for time: String, off: String, cycle: TimeSpan, _ what: String
    ) -> Power {
        if let mean, let power = power(mean, "mean power \(what)") { return .microwatts(power) }
        let isDuty = mean == nil || settings.has(on) || isInherited(on)
        guard isDuty || isDescribing else { return neededPower(mean ?? on, "mean power \(what)") }
        let high = needed(on, standIn: Self.standIn) { $0.power($1, "power while listening \(what)") }
        let length = neededSpan(time, in: Self.cycles, "time that it listens in each cycle \(what)")
        let low = needed(off, standIn: 0) { $0.power($1, "power in the rest of each cycle \(what)") }
        guard length <= cycle else {
            if !isDescribing {
                settings.note(
                    Fault(
                        .outOfRange, at: settings.mark(of: time), width: time.utf8.count,
                        "`\(time)` is longer than its cycle",
                        label: "at most \(QuantityKind.span.text(cycle.nanoseconds))"))
            }
            return .microwatts(high)
        }
        return .duty(high: high, for: length, every: cycle, low: low)
    }

    /// Reads the cost of data transfer: base power of each direction, and energy per bit.
    mutating func active(_ powers: inout PowerTable) -> (up: BitCost, down: BitCost) {
        powers[.activeDown] = neededPower("active-power-down", "base power while receiving")
        powers[.activeUp] = neededPower("active-power-up", "base power while sending")
        return costs()
    }

    mutating func costs() -> (up: BitCost, down: BitCost) {
        let up = cost("cost-up", "energy per bit sent, in addition to the base power")
        let down = cost("cost-down", "energy per bit received, in addition to the base power")
        return (up ?? .zero, down ?? .zero)
    }

    /// The larger of two powers.
    func larger(_ a: Power, _ b: Power) -> Power {
        Int128(a.femtojoules) * Int128(b.cycle) >= Int128(b.femtojoules) * Int128(a.cycle) ? a : b
    }

    mutating func handover(
        _ powers: inout PowerTable, usual: Power, hasLegs: Bool = false
    ) -> HandoverTimings {
        let form = ValueFormat<Distribution>.distribution(.span, in: 0...Self.spans.upperBound.nanoseconds)
        var law = HandoverTimings(
            assumed(
                "handover-time", form, .constant(0), because: "not given: no interruption",
                "interruption of data by a change of cell or access point"))
        if hasLegs || isDescribing {
            law.addition =
                number("nr-addition-time", form, "interruption by adding an NR leg; default: that of a change of cell")
                ?? law.addition
            law.release =
                number("nr-release-time", form, "interruption by removing an NR leg; default: that of a change of cell")
                ?? law.release
        }
        if let share = number("handover-failure", .probability, "probability that the new cell is not found") {
            law.failure = share
            law.reestablishment = needed("re-establishment-time", standIn: .constant(0)) {
                $0.number($1, form, "additional time then until the connection is re-established")
            }
        } else if isDescribing {
            _ = number(
                "re-establishment-time", form, "additional time then until the connection is re-established")
        }
        if let power = power(
            "handover-power", "power during a handover; default: the larger power of sending and receiving")
        {
            powers[.handover] = .microwatts(power)
        } else {
            powers[.handover] = usual
        }
        return law
    }

    mutating func search(_ powers: inout PowerTable) -> SearchTimers {
        let microwatts = assumed(
            "search-power", .quantity(.power, in: Self.powers), 367_000, because: "a Nexus 5 while scanning",
            "power during a scan for a network")
        powers[.search] = .microwatts(microwatts)
        let rest = assumed(
            "unassociated-power", .quantity(.power, in: Self.powers), 0, because: "no network to listen to",
            "power without a network, between scans")
        powers[.unassociated] = .microwatts(rest)
        return SearchTimers(
            scan: assumed(
                "search-time", .span(in: Self.scans), .seconds(2), because: "one scan of all bands",
                "duration of a scan"),
            firstPause: assumed(
                "search-rest", .span(in: Self.scans), .seconds(4), because: "no published figure",
                "pause between the first and second scan; each further pause is twice as long"),
            longestPause: assumed(
                "search-longest-rest", .span(in: Self.scans), .seconds(64), because: "no published figure",
                "longest pause"))
    }
}
