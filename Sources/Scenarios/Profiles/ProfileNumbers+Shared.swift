import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneSettings

/// What every kind of radio has.
extension ProfileNumbers {
    /// Powers of 1 µW more than zero stand for numbers that are missing.
    private static let standIn: Int64 = 1

    mutating func neededPower(_ key: String, _ help: String) -> Power {
        .microwatts(needed(key, standIn: Self.standIn) { $0.power($1, help) })
    }

    mutating func neededSpan(_ key: String, in range: ClosedRange<TimeSpan> = spans, _ help: String) -> TimeSpan {
        needed(key, standIn: .milliseconds(1)) { $0.span($1, in: range, help) }
    }

    /// A mean power, or one power for a part of each cycle and another for the rest.
    mutating func duty(
        mean: String?, on: String, for time: String, off: String, cycle: TimeSpan, _ what: String
    ) -> Power {
        if let mean, let power = power(mean, "mean power \(what)") { return .microwatts(power) }
        let isDuty = mean == nil || settings.has(on) || isInherited(on)
        guard isDuty || isDescribing else { return neededPower(mean ?? on, "mean power \(what)") }
        let high = needed(on, standIn: Self.standIn) { $0.power($1, "power while listening \(what)") }
        let length = neededSpan(time, in: Self.cycles, "how much of each cycle it listens \(what)")
        let low = needed(off, standIn: 0) { $0.power($1, "power of the rest of each cycle \(what)") }
        guard length <= cycle else {
            if !isDescribing {
                settings.note(
                    Fault(
                        .outOfRange, at: settings.mark(of: time), width: time.utf8.count,
                        "`\(time)` is longer than its cycle", label: "at most \(Measure.span.text(cycle.nanoseconds))"))
            }
            return .microwatts(high)
        }
        return .duty(high: high, for: length, every: cycle, low: low)
    }

    /// What flowing bits cost: the base power of each direction, and per bit.
    mutating func active(_ powers: inout PowerTable) -> (up: BitCost, down: BitCost) {
        powers[.activeDown] = neededPower("active-power-down", "base power while receiving")
        powers[.activeUp] = neededPower("active-power-up", "base power while sending")
        return costs()
    }

    mutating func costs() -> (up: BitCost, down: BitCost) {
        let up = cost("cost-up", "what a bit sent costs on top of the base power")
        let down = cost("cost-down", "what a bit received costs on top of the base power")
        return (up ?? .zero, down ?? .zero)
    }

    /// The larger of two powers.
    func larger(_ a: Power, _ b: Power) -> Power {
        Int128(a.femtojoules) * Int128(b.cycle) >= Int128(b.femtojoules) * Int128(a.cycle) ? a : b
    }

    mutating func handover(
        _ powers: inout PowerTable, usual: Power, hasLegs: Bool = false
    ) -> HandoverLaw {
        let form = Form<Distribution>.distribution(.span, in: 0...Self.spans.upperBound.nanoseconds)
        var law = HandoverLaw(
            assumed(
                "handover-time", form, .constant(0), because: "not given: interrupts nothing",
                "how long a change of cell or access point interrupts data"))
        if hasLegs || isDescribing {
            law.addition =
                number("nr-addition-time", form, "the same of an NR leg that comes; that of a change of cell")
                ?? law.addition
            law.release =
                number("nr-release-time", form, "the same of an NR leg that goes; that of a change of cell")
                ?? law.release
        }
        if let share = number("handover-failure", .probability, "how often the new cell is not found") {
            law.failure = share
            law.reestablishment = needed("re-establishment-time", standIn: .constant(0)) {
                $0.number($1, form, "how much longer it takes then until the connection is there again")
            }
        } else if isDescribing {
            _ = number(
                "re-establishment-time", form, "how much longer it takes then until the connection is there again")
        }
        if let power = power("handover-power", "power meanwhile; that of sending or receiving, whichever is larger") {
            powers[.handover] = .microwatts(power)
        } else {
            powers[.handover] = usual
        }
        return law
    }

    mutating func search(_ powers: inout PowerTable) -> SearchLaw {
        let microwatts = assumed(
            "search-power", .quantity(.power, in: Self.powers), 367_000, because: "a Nexus 5 while scanning",
            "power while looking for a network")
        powers[.search] = .microwatts(microwatts)
        let rest = assumed(
            "unassociated-power", .quantity(.power, in: Self.powers), 0, because: "no network to listen to",
            "power without a network, between scans")
        powers[.unassociated] = .microwatts(rest)
        return SearchLaw(
            scan: assumed(
                "search-time", .span(in: Self.scans), .seconds(2), because: "one pass over the bands",
                "how long one scan takes"),
            firstRest: assumed(
                "search-rest", .span(in: Self.scans), .seconds(4), because: "no published figure",
                "from the first scan to the second; each further rest is twice as long"),
            longestRest: assumed(
                "search-longest-rest", .span(in: Self.scans), .seconds(64), because: "no published figure",
                "no rest is longer"))
    }
}
