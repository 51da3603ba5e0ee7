public import DeadzonePrimitives

/// What waking the processor costs while the screen is off, above what the phone draws asleep: a power while it is awake, and
/// an energy for each time that it is brought up and put to sleep again.
public struct ProcessorPower: Hashable, Sendable {
    public var wakePower: Power
    public var wakeEnergy: Energy

    public init(wakePower: Power, wakeEnergy: Energy) {
        self.wakePower = wakePower
        self.wakeEnergy = wakeEnergy
    }

    public static let zero = ProcessorPower(wakePower: .zero, wakeEnergy: .zero)
}
