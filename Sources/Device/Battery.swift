package import DeadzoneBase

/// Capacity of a full phone battery, to express energy as a share of it.
package struct Battery: Hashable, Sendable {
    package var capacity: Energy
    /// Nominal voltage in millivolts, to convert energy to charge.
    package var millivolts: Int64

    package init(milliampereHours: Int64, millivolts: Int64) {
        precondition(milliampereHours > 0 && millivolts > 0, "a battery needs a charge and a voltage above zero")
        // 1 mAh at 1 mV is 3.6 millijoules.
        capacity = Energy(femtojoules: Int128(milliampereHours) * Int128(millivolts) * 3_600_000_000_000)
        self.millivolts = millivolts
    }

    package init(milliwattHours: Int64, millivolts: Int64 = 3_700) {
        precondition(milliwattHours > 0 && millivolts > 0, "a battery needs an energy and a voltage above zero")
        capacity = Energy(femtojoules: Int128(milliwattHours) * 3_600_000_000_000_000)
        self.millivolts = millivolts
    }

    /// Returns a battery by name. The capacities are from the `power_profile.xml` of the phones:
    /// AICP/device_oneplus_instantnoodle and LineageOS/android_device_lge_hammerhead. 3.7 V nominal (hammerhead: 3.8 V
    /// on its label).
    package static func named(_ name: String) -> Battery? {
        switch name {
        case "oneplus8": Battery(milliampereHours: 4_300, millivolts: 3_700)
        case "nexus5": Battery(milliampereHours: 2_300, millivolts: 3_800)
        default: nil
        }
    }

    package static let names = ["nexus5", "oneplus8"]
}
