/// A mean power as a rational number: energy per cycle divided by the cycle length. A duty cycle (on for 2 ms of every
/// 40 ms) is then exact, and so is its product with a time span. Internally energies are femtojoules: one microwatt for
/// one nanosecond.
@usableFromInline package struct Power: Hashable, Sendable, BitwiseCopyable {
    /// The energy of one cycle, in femtojoules.
    package let femtojoules: Int64
    /// The length of one cycle in nanoseconds, at least 1.
    package let cycle: Int64

    @usableFromInline package init(femtojoules: Int64, per cycle: TimeSpan) {
        precondition(cycle.nanoseconds > 0, "a cycle has a length, got \(cycle.nanoseconds) ns")
        precondition(femtojoules >= 0, "power is not negative, got \(femtojoules) fJ per cycle")
        self.femtojoules = femtojoules
        self.cycle = cycle.nanoseconds
    }

    @inlinable package static func microwatts(_ count: Int64) -> Power {
        Power(femtojoules: count, per: .nanoseconds(1))
    }
    @inlinable package static func milliwatts(_ count: Int64) -> Power { microwatts(count * 1_000) }

    package static let zero = Power.microwatts(0)

    /// Returns the mean power of a duty cycle: `high` for the span `on` of every `cycle`, `low` for the remaining time,
    /// both in microwatts.
    package static func duty(high: Int64, for on: TimeSpan, every cycle: TimeSpan, low: Int64) -> Power {
        precondition(.zero <= on && on <= cycle, "on \(on.nanoseconds) ns does not fit into \(cycle.nanoseconds) ns")
        return Power(
            femtojoules: high * on.nanoseconds + low * (cycle - on).nanoseconds, per: cycle)
    }

    /// Returns the mean of this power for the span `on` of every `cycle`, and of another power for the remaining time,
    /// rounded down to a millionth of a microwatt.
    package func mixed(for on: TimeSpan, every cycle: TimeSpan, else other: Power) -> Power {
        precondition(.zero <= on && on <= cycle, "on \(on.nanoseconds) ns does not fit into \(cycle.nanoseconds) ns")
        let (mine, others) = (Int128(self.cycle), Int128(other.cycle))
        let energy =
            Int128(femtojoules) * Int128(on.nanoseconds) * others
            + Int128(other.femtojoules) * Int128((cycle - on).nanoseconds) * mine
        return Power(
            femtojoules: Int64(energy * 1_000_000 / (mine * others * Int128(cycle.nanoseconds))), per: .milliseconds(1))
    }

    /// Returns the energy of this power over a span, rounded to the nearest femtojoule.
    package func energy(over span: TimeSpan) -> Energy {
        let product = Int128(femtojoules) * Int128(span.nanoseconds)
        return Energy(femtojoules: (product + Int128(cycle / 2)) / Int128(cycle))
    }
}

/// The energy per transmitted bit that is added to the base power of a radio. One milliwatt per megabit per second is
/// one nanojoule per bit.
@usableFromInline package struct BitCost: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package let femtojoules: Int64

    @inlinable package init(femtojoules: Int64) { self.femtojoules = femtojoules }

    package static let zero = BitCost(femtojoules: 0)

    package func energy(ofBytes bytes: Int64) -> Energy { Energy(femtojoules: Int128(femtojoules) * 8 * Int128(bytes)) }
}

/// An amount of energy, exact in femtojoules. The sum of amounts does not depend on their order.
package struct Energy: Hashable, Comparable, Sendable {
    package var femtojoules: Int128

    package init(femtojoules: Int128) { self.femtojoules = femtojoules }

    package static let zero = Energy(femtojoules: 0)

    package static func + (a: Self, b: Self) -> Self { Self(femtojoules: a.femtojoules + b.femtojoules) }
    package static func - (a: Self, b: Self) -> Self { Self(femtojoules: a.femtojoules - b.femtojoules) }
    package static func += (a: inout Self, b: Self) { a = a + b }
    package static func < (a: Self, b: Self) -> Bool { a.femtojoules < b.femtojoules }
}
