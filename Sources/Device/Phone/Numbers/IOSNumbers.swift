import DeadzoneBase

extension PlatformParameter {
    /// The parameters of iOS, by release.
    static let ios: [PlatformParameter] = iosLife + iosProcessor + iosNetworks

    private static let iosLife: [PlatformParameter] = [
        PlatformParameter(
            "life.suspends-after", .span(\.life.suspendsAfter), "time in the background until the app is suspended",
            .always(.seconds(5), .secondary, Citation.background)),
        PlatformParameter(
            "life.task-time", .span(\.life.taskTime),
            "time in the background until the app is suspended, with a task assertion",
            .always(.minutes(10), .secondary, Citation.task), .since(7, .minutes(3), .secondary, Citation.task),
            .since(13, .seconds(30), .secondary, Citation.task, note: "undocumented, and may change")),
        PlatformParameter(
            "life.task-warning", .span(\.life.taskWarning), "notice to the app before its time ends",
            .always(.seconds(5), .assumed)),
        PlatformParameter(
            "life.time-holds-processor", .flag(\.life.timeHoldsProcessor),
            "background time keeps the processor awake", .always(1, .secondary, Citation.task)),
        PlatformParameter(
            "life.reclaims-sockets-after", .span(\.life.reclaimsSocketsAfter),
            "time until the kernel closes the sockets of a suspended app",
            .always(.minutes(1), .assumed, Citation.sockets, note: "the note says that it may happen, not when")),
        PlatformParameter(
            "life.refresh-every", .span(\.life.refreshEvery),
            "time between two background grants to an app that requests them",
            .always(.longest, .recalled, Citation.refresh, note: "did not exist yet"),
            .since(13, .hours(4), .assumed, note: "the system decides; the app only names the earliest time")),
        PlatformParameter(
            "life.refresh-time", .span(\.life.refreshTime), "duration of a background grant",
            .always(.seconds(30), .secondary, Citation.refresh)),
        PlatformParameter(
            "life.kills-after", .span(\.life.killsAfter), "time in the background until the app's process is ended",
            .always(.longest, .secondary, Citation.task, note: "only for lack of memory")),
        PlatformParameter(
            "push.time", .span(\.pushes.time), "time that the app may run for a push",
            .always(.seconds(30), .secondary, Citation.pushes)),
        PlatformParameter(
            "push.quota.count", .count(\.pushes.quota.count),
            "background pushes per period; further ones wait, including those of high priority",
            .always(3, .read, Citation.pushes, note: "two or three an hour")),
        PlatformParameter(
            "push.quota.period", .span(\.pushes.quota.period), "period of the push quota",
            .always(.hours(1), .read, Citation.pushes)),
    ]

    private static let iosProcessor: [PlatformParameter] = [
        PlatformParameter(
            "processor.sleeps", .flag(\.processor.sleeps), "the processor sleeps while nothing keeps it awake",
            .always(1, .recalled)),
        PlatformParameter(
            "processor.packet", .span(\.processor.packetSpan), "time awake after a packet",
            .always(.milliseconds(500), .assumed, note: "as on Android")),
        PlatformParameter(
            "processor.push", .span(\.processor.pushSpan), "time awake for a push", .always(.seconds(3), .assumed)),
        PlatformParameter(
            "processor.power", .power(\.wakePower), "power awake with the screen off, above the power asleep",
            .always(157_700, .assumed, note: "as on Android")),
        PlatformParameter(
            "processor.wake-up", .energy(\.wakeEnergy), "energy of one wake-up and return to sleep",
            .always(100_000, .assumed, note: "as on Android")),
    ]
}
