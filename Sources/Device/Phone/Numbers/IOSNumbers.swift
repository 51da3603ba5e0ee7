import DeadzonePrimitives

extension PlatformNumber {
    /// iOS by release.
    static let ios: [PlatformNumber] = iosLife + iosProcessor + iosNetworks

    private static let iosLife: [PlatformNumber] = [
        PlatformNumber(
            "life.suspends-after", .span(\.life.suspendsAfter), "in the background the app is suspended after so long",
            .always(.seconds(5), .secondary, Cited.background)),
        PlatformNumber(
            "life.task-time", .span(\.life.taskTime), "the same with a task assertion",
            .always(.minutes(10), .secondary, Cited.task), .since(7, .minutes(3), .secondary, Cited.task),
            .since(13, .seconds(30), .secondary, Cited.task, note: "not documented, and may be taken back")),
        PlatformNumber(
            "life.task-warning", .span(\.life.taskWarning), "the app is told so long before the end",
            .always(.seconds(5), .assumed)),
        PlatformNumber(
            "life.time-holds-processor", .flag(\.life.timeHoldsProcessor),
            "time in the background keeps the processor awake", .always(1, .secondary, Cited.task)),
        PlatformNumber(
            "life.reclaims-sockets-after", .span(\.life.reclaimsSocketsAfter),
            "the kernel takes the sockets of a suspended app after so long",
            .always(.minutes(1), .assumed, Cited.sockets, note: "the note says that it may, not when")),
        PlatformNumber(
            "life.refresh-every", .span(\.life.refreshEvery),
            "an app that asks for time is given some in the background every so often",
            .always(.longest, .recalled, Cited.refresh, note: "not yet"),
            .since(13, .hours(4), .assumed, note: "the system decides; the app names only the earliest time")),
        PlatformNumber(
            "life.refresh-time", .span(\.life.refreshTime), "the time that it is given",
            .always(.seconds(30), .secondary, Cited.refresh)),
        PlatformNumber(
            "life.kills-after", .span(\.life.killsAfter), "an app in the background is ended after so long",
            .always(.longest, .secondary, Cited.task, note: "only for want of memory")),
        PlatformNumber(
            "push.time", .span(\.pushes.time), "the app may run so long for a push",
            .always(.seconds(30), .secondary, Cited.pushes)),
        PlatformNumber(
            "push.quota.count", .count(\.pushes.quota.count),
            "background pushes in every period; more have to wait, those of high priority too",
            .always(3, .read, Cited.pushes, note: "two or three an hour")),
        PlatformNumber(
            "push.quota.period", .span(\.pushes.quota.period), "the period that they are counted in",
            .always(.hours(1), .read, Cited.pushes)),
    ]

    private static let iosProcessor: [PlatformNumber] = [
        PlatformNumber(
            "processor.sleeps", .flag(\.processor.sleeps), "the processor sleeps when nothing holds it",
            .always(1, .recalled)),
        PlatformNumber(
            "processor.packet", .span(\.processor.packetSpan), "awake after a packet",
            .always(.milliseconds(500), .assumed, note: "as on Android")),
        PlatformNumber(
            "processor.push", .span(\.processor.pushSpan), "awake for a push", .always(.seconds(3), .assumed)),
        PlatformNumber(
            "processor.power", .power(\.wakePower), "awake with the screen off, above asleep",
            .always(157_700, .assumed, note: "as on Android")),
        PlatformNumber(
            "processor.wake-up", .energy(\.wakeEnergy), "waking up and going to sleep once",
            .always(100_000, .assumed, note: "as on Android")),
    ]
}
