package import DeadzoneBase

/// The power and energy of an awake processor while the screen is off, above the consumption of a sleeping phone. It is
/// a power while awake, and an energy for each wake-up with the return to sleep.
package struct ProcessorPower: Hashable, Sendable {
    package var wakePower: Power
    package var wakeEnergy: Energy

    package init(wakePower: Power, wakeEnergy: Energy) {
        self.wakePower = wakePower
        self.wakeEnergy = wakeEnergy
    }

    package static let zero = ProcessorPower(wakePower: .zero, wakeEnergy: .zero)
}
