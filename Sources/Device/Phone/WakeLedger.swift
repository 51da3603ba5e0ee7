package import DeadzoneBase

/// Sums of processor wake-ups, of one phone or many: how often processors woke with the screen off, and how long they
/// were then awake, by cause. Integers only, 128 bits wide, as in `Ledger`.
package struct WakeLedger: Hashable, Sendable, BinaryCodable {
    private var times = [Int128](repeating: 0, count: Cause.allCases.count)
    private var wakes = [Int128](repeating: 0, count: Cause.allCases.count)

    package init() {}

    package mutating func add(_ span: TimeSpan, for cause: Cause) {
        times[Int(cause.rawValue)] += Int128(span.nanoseconds)
    }

    package mutating func addWakes(_ count: Int64, for cause: Cause) { wakes[Int(cause.rawValue)] += Int128(count) }

    package mutating func merge(_ other: Self) {
        for index in times.indices { times[index] += other.times[index] }
        for index in wakes.indices { wakes[index] += other.wakes[index] }
    }

    package mutating func code(through coder: inout BinaryCoder) {
        coder.code(&times)
        coder.code(&wakes)
        coder.require((times + wakes).allSatisfy(BinaryCoder.validSums.contains))
    }

    package func nanoseconds(for cause: Cause) -> Int128 { times[Int(cause.rawValue)] }

    package func wakes(for cause: Cause) -> Int128 { wakes[Int(cause.rawValue)] }

    /// Returns the energy of the wake-ups and the time awake of a cause, computed once, to the femtojoule.
    package func energy(for cause: Cause, _ power: ProcessorPower) -> Energy {
        let each = Energy(femtojoules: power.wakeEnergy.femtojoules * wakes(for: cause))
        return power.wakePower.energy(overNanoseconds: nanoseconds(for: cause)) + each
    }
}
