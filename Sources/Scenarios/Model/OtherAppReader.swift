import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator

/// Predefined background apps that may run on a simulated phone beside the app under test.
enum OtherAppPreset {
    /// The intervals of 28 minutes on cellular and 15 minutes on Wi-Fi are those of Google's push service (its own
    /// dialler screen and the platform notes that repeat it). The sizes of a heartbeat and its answer are assumed: one
    /// TLS record each way.
    static let pushService = OtherApp(
        name: "push-service", gap: .constant(TimeSpan.minutes(15).nanoseconds),
        cellularGap: .constant(TimeSpan.minutes(28).nanoseconds), up: 52 + 22 + 10, down: 52 + 22 + 10, cause: .push,
        wake: .whileIdle, isExempt: true)

    static let all: [(name: String, about: String, otherApp: OtherApp)] = [
        ("push-service", "heartbeat every 28 min on cellular and every 15 min on Wi-Fi, also in Doze", pushService)
    ]

    static func named(_ name: String) -> OtherApp? { all.first { $0.name == name }?.otherApp }
}

extension SettingsReader {
    /// Reads the other apps, in file order, which is also the order of their random streams:
    /// `apps: {push: {preset: push-service}, chatty: {every: 10m, up: 2kB, down: 20kB, wake: job}}`
    mutating func apps() -> [OtherApp] {
        let found = namedSections(
            "apps", noun: "app", keepsOrder: true, atMost: OtherApp.most,
            "other apps on the phone, which share its radio and its alarms"
        ) { entry, settings in settings.otherApp(entry.key) }
        return (found ?? []).map(\.value)
    }

    private mutating func otherApp(_ name: String) -> OtherApp {
        let gaps = ValueFormat<Distribution>.distribution(
            .span, in: 1_000_000_000...TimeSpan.hours(24 * 366).nanoseconds)
        let bytes = ValueFormat<Int64>.quantity(.size, in: 40...100_000_000)
        let preset = value(
            "preset", .word(OtherAppPreset.all.map { ($0.name, $0.name) }),
            "preset that supplies the values of all other settings"
        ).flatMap(OtherAppPreset.named)
        var otherApp =
            preset
            ?? OtherApp(
                name: name, gap: .constant(TimeSpan.minutes(15).nanoseconds), up: 1_000, down: 5_000, cause: .otherApps,
                wake: .job)
        otherApp.name = name
        otherApp.gap = value("every", gaps, default: otherApp.gap, "time between two exchanges")
        let help = "time between two exchanges on cellular, if it differs"
        if let usual = otherApp.cellularGap, !has("every") {
            otherApp.cellularGap = value("every-on-cellular", gaps, default: usual, help)
        } else {
            otherApp.cellularGap = value("every-on-cellular", gaps, help)
        }
        otherApp.up = UInt32(value("up", bytes, default: Int64(otherApp.up), "bytes sent, with all headers"))
        otherApp.down = UInt32(
            value("down", bytes, default: Int64(otherApp.down), "bytes of the answer, with all headers"))
        otherApp.wake = word(
            "wake", of: [("none", WakePolicy.none), ("alarm", .alarm), ("while-idle", .whileIdle), ("job", .job)],
            default: otherApp.wake, "wake-up: a plain timer, an alarm, an alarm that fires in Doze, or a job")
        otherApp.isExempt = flag("exempt", default: otherApp.isExempt, "Doze neither delays it nor blocks its network")
        return otherApp
    }
}
