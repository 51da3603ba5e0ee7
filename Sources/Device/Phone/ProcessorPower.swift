public import DeadzonePrimitives

/// The power and energy of an awake processor while the screen is off, above the consumption of a sleeping phone. It is
/// a power while awake, and an energy for each wake-up with the return to sleep.
public struct ProcessorPower: Hashable, Sendable {
    public var wakePower: Power
    public var wakeEnergy: Energy

    public init(wakePower: Power, wakeEnergy: Energy) {
        self.wakePower = wakePower
        self.wakeEnergy = wakeEnergy
    }

    public static let zero = ProcessorPower(wakePower: .zero, wakeEnergy: .zero)
}
