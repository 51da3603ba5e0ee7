public import DeadzonePrimitives

/// The books of a processor, or of many: how often it woke with the screen off and how long it then was awake, by cause.
/// Integers only, wide ones, as in `Ledger`.
public struct WakeLedger: Hashable, Sendable, Taped {
    private var times = [Int128](repeating: 0, count: Cause.allCases.count)
    private var wakes = [Int128](repeating: 0, count: Cause.allCases.count)

    public init() {}

    public mutating func add(_ span: TimeSpan, for cause: Cause) {
        times[Int(cause.rawValue)] += Int128(span.nanoseconds)
    }

    public mutating func addWakes(_ count: Int64, for cause: Cause) { wakes[Int(cause.rawValue)] += Int128(count) }

    public mutating func merge(_ other: Self) {
        for index in times.indices { times[index] += other.times[index] }
        for index in wakes.indices { wakes[index] += other.wakes[index] }
    }

    public mutating func pass(through tape: inout Tape) {
        tape.pass(&times)
        tape.pass(&wakes)
    }

    public func nanoseconds(for cause: Cause) -> Int128 { times[Int(cause.rawValue)] }

    public func wakes(for cause: Cause) -> Int128 { wakes[Int(cause.rawValue)] }

    /// The time awake and the wake-ups of a cause, priced once, to the femtojoule.
    public func energy(for cause: Cause, _ power: ProcessorPower) -> Energy {
        let each = Energy(femtojoules: power.wakeEnergy.femtojoules * wakes(for: cause))
        return power.wakePower.energy(overNanoseconds: nanoseconds(for: cause)) + each
    }
}
