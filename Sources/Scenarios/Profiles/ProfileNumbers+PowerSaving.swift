import DeadzoneBase
import DeadzoneDevice

/// Numbers of devices that save power: PSM and eDRX.
extension ProfileNumbers {
    /// T3324 has at most 31 units of 6 minutes, T3412 in its extended form 31 units of 320 hours (3GPP TS 24.008,
    /// tables 10.5.163a and 10.5.172).
    private static let activeTimes: ClosedRange<TimeSpan> = .zero ... .minutes(186)
    private static let intervals: ClosedRange<TimeSpan> = .zero ... .hours(9_920)
    /// The cycles and windows of eDRX (3GPP TS 24.008, table 10.5.5.32): at most 10,485.76 s and 40.96 s.
    private static let extendedCycles: ClosedRange<TimeSpan> = .zero ... .milliseconds(10_485_760)
    private static let windows: ClosedRange<TimeSpan> = .milliseconds(1) ... .milliseconds(40_960)
    /// Packets that a core network holds for a device by default. Open5GS holds 64 for a device, and drops further ones.
    private static let usualBuffer: Int64 = 64

    /// Reads PSM and eDRX. With eDRX, the idle power applies in the window of each cycle only. Numbers of a mode that is
    /// switched off are read and not used, so that a scenario can switch it off.
    mutating func powerSaving(_ powers: inout PowerTable) -> PowerSaving {
        var saving = PowerSaving()
        saving.updateInterval =
            span(
                "psm-update-interval", in: Self.intervals,
                "PSM: time from the release of the connection to the periodic update (TAU, T3412); 0s for no PSM")
            ?? .zero
        saving.extendedCycle =
            span("edrx-cycle", in: Self.extendedCycles, "eDRX: cycle in which an idle device listens once; 0s for none")
            ?? .zero
        sleep(&saving)
        let floor = power(
            "psm-power", "power of a device that sleeps, or does not listen for an eDRX cycle", isNeeded: saving.isOn)
        if saving.isOn { powers[.powerSaving] = floor }
        extendCycle(&saving, floor, &powers)
        let buffer = buffer(isOn: saving.isOn)
        saving.heldPackets = saving.isOn ? UInt32(buffer) : 0
        return saving
    }

    private mutating func power(_ key: String, _ help: String, isNeeded: Bool) -> Power {
        isNeeded ? neededPower(key, help) : .microwatts(power(key, help) ?? 0)
    }

    private mutating func span(
        _ key: String, in range: ClosedRange<TimeSpan>, _ help: String, isNeeded: Bool
    ) -> TimeSpan {
        isNeeded ? neededSpan(key, in: range, help) : span(key, in: range, help) ?? .zero
    }

    private mutating func sleep(_ saving: inout PowerSaving) {
        let sleeps = saving.sleeps
        let active = span(
            "psm-active-time", in: Self.activeTimes, "PSM: time that the device listens before it sleeps (T3324)",
            isNeeded: sleeps)
        let update = span(
            "psm-update-time", in: Self.spans, "PSM: length of a periodic update, at the power of the promotion",
            isNeeded: sleeps)
        guard sleeps else { return }
        (saving.activeTime, saving.updateTime) = (active, update)
        if saving.updateInterval <= active, !isDescribing {
            contradict("psm-active-time", "is not shorter than `psm-update-interval`")
        }
    }

    private mutating func extendCycle(_ saving: inout PowerSaving, _ floor: Power, _ powers: inout PowerTable) {
        let (form, help) = (
            ValueFormat<TimeSpan>.span(in: Self.windows), "eDRX: time that the device listens in each cycle (PTW)"
        )
        guard .zero < saving.extendedCycle else {
            _ = number("edrx-window", form, help)
            return
        }
        saving.window = assumed(
            "edrx-window", form, .milliseconds(2_560), because: "the shortest window of NB-IoT", help)
        guard saving.window <= saving.extendedCycle else {
            if !isDescribing { contradict("edrx-window", "is longer than `edrx-cycle`") }
            return
        }
        powers[.idle] = powers[.idle].mixed(for: saving.window, every: saving.extendedCycle, else: floor)
    }

    private mutating func buffer(isOn: Bool) -> Int64 {
        let form = ValueFormat<Int64>.count(in: 0...10_000)
        let help = "number of packets that the network holds for a device that does not listen"
        guard isOn else { return number("psm-buffer", form, help) ?? 0 }
        return assumed(
            "psm-buffer", form, Self.usualBuffer,
            because: "Open5GS holds this number of packets for a device and drops further ones", help)
    }
}
