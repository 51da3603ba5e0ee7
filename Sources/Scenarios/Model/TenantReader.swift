import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneSystem

/// Other programs that a phone may have, by name.
enum TenantPreset {
    /// Heartbeats of 28 minutes on cellular and 15 on Wi-Fi are those of Google's push service (its own dialler screen and
    /// the platform notes that repeat it); the bytes of a beat and its answer are assumed: one TLS record each way.
    static let pushService = Tenant(
        name: "push-service", gap: .constant(TimeSpan.minutes(15).nanoseconds),
        cellularGap: .constant(TimeSpan.minutes(28).nanoseconds), up: 52 + 22 + 10, down: 52 + 22 + 10, cause: .push,
        wake: .whileIdle, isExempt: true)

    static let all: [(name: String, about: String, tenant: Tenant)] = [
        ("push-service", "beats every 28 min on cellular and 15 min on Wi-Fi, in Doze too", pushService)
    ]

    static func named(_ name: String) -> Tenant? { all.first { $0.name == name }?.tenant }
}

extension SettingsReader {
    /// In the order of the file, which is that of their dice:
    /// `apps: {push: {preset: push-service}, chatty: {every: 10m, up: 2kB, down: 20kB, wake: job}}`
    mutating func apps() -> [Tenant] {
        let found = named(
            "apps", noun: "app", keepsOrder: true, atMost: Tenant.most,
            "what else runs on the phone and shares its radio and its alarms"
        ) { entry, settings in settings.tenant(entry.key) }
        return (found ?? []).map(\.value)
    }

    private mutating func tenant(_ name: String) -> Tenant {
        let gaps = Form<Distribution>.distribution(.span, in: 1_000_000_000...TimeSpan.hours(24 * 366).nanoseconds)
        let bytes = Form<Int64>.quantity(.size, in: 40...100_000_000)
        let preset = value(
            "preset", .word(TenantPreset.all.map { ($0.name, $0.name) }), "what the other settings start from"
        ).flatMap(TenantPreset.named)
        var tenant =
            preset
            ?? Tenant(
                name: name, gap: .constant(TimeSpan.minutes(15).nanoseconds), up: 1_000, down: 5_000, cause: .otherApps,
                wake: .job)
        tenant.name = name
        tenant.gap = value("every", gaps, default: tenant.gap, "from one exchange to the next")
        let help = "where it differs on cellular"
        if let usual = tenant.cellularGap, !has("every") {
            tenant.cellularGap = value("every-on-cellular", gaps, default: usual, help)
        } else {
            tenant.cellularGap = value("every-on-cellular", gaps, help)
        }
        tenant.up = UInt32(value("up", bytes, default: Int64(tenant.up), "bytes that it sends, with all headers"))
        tenant.down = UInt32(value("down", bytes, default: Int64(tenant.down), "bytes of the answer"))
        tenant.wake = word(
            "wake", of: [("none", Wake.none), ("alarm", .alarm), ("while-idle", .whileIdle), ("job", .job)],
            default: tenant.wake, "how it is woken: a plain timer, an alarm, an alarm that Doze lets pass, a job")
        tenant.isExempt = flag("exempt", default: tenant.isExempt, "Doze neither puts it off nor keeps it offline")
        return tenant
    }
}
