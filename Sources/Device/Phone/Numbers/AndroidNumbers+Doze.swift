import DeadzonePrimitives

extension PlatformNumber {
    /// Doze by release of Android: light since 7.
    static let androidDoze: [PlatformNumber] = lightDoze + deepDoze

    private static let lightDoze: [PlatformNumber] = [
        PlatformNumber(
            "doze.light.inactive", .span(\.doze.lightInactive), "from the screen's going off to light pre-idle",
            .since(7, .minutes(5), .read, Cited.doze7), .since(9, .minutes(3), .read, Cited.doze9),
            .since(12, .minutes(1), .read, Cited.doze), .since(13, .minutes(4), .read, Cited.doze15)),
        PlatformNumber(
            "doze.light.pre-idle", .span(\.doze.lightPreIdle), "what still runs may finish so long",
            .since(7, .minutes(10), .read, Cited.doze7), .since(9, .minutes(3), .read, Cited.doze9),
            .since(12, .minutes(3), .read, Cited.doze),
            .since(13, .zero, .read, Cited.doze15, note: "the state is gone")),
        PlatformNumber(
            "doze.light.idle", .span(\.doze.lightIdle), "the first light idle time",
            .always(.minutes(5), .read, Cited.doze)),
        PlatformNumber(
            "doze.light.idle-limit", .span(\.doze.lightIdleLimit), "no light idle time is longer",
            .always(.minutes(15), .read, Cited.doze)),
        PlatformNumber(
            "doze.light.budget", .span(\.doze.lightBudget), "a light window, and what is left of it the next may use",
            .always(.minutes(1), .read, Cited.doze)),
        PlatformNumber(
            "doze.light.budget-limit", .span(\.doze.lightBudgetLimit), "no light window is longer",
            .always(.minutes(5), .read, Cited.doze)),
        PlatformNumber(
            "doze.light.minimum", .span(\.doze.lightMinimum), "no light window is shorter",
            .always(.seconds(5), .read, Cited.doze)),
    ]

    private static let smallBattery = "on a small battery 15 min, since Android 15 1 min"

    private static let deepDoze: [PlatformNumber] = [
        PlatformNumber(
            "doze.deep.inactive", .span(\.doze.inactive), "from the screen's going off to looking for motion",
            .always(.minutes(30), .read, Cited.doze, note: smallBattery)),
        PlatformNumber(
            "doze.deep.idle-after-inactive", .span(\.doze.idleAfterInactive), "without motion for so long more",
            .always(.minutes(30), .read, Cited.doze, note: smallBattery)),
        PlatformNumber(
            "doze.deep.sensing", .span(\.doze.sensing), "to be sure that the phone lies still",
            .always(.minutes(4), .read, Cited.doze, note: "the limit; a sensor answers sooner")),
        PlatformNumber(
            "doze.deep.locating", .span(\.doze.locating), "to find the place",
            .always(.seconds(30), .read, Cited.doze, note: "the limit; a fix ends it sooner")),
        PlatformNumber(
            "doze.deep.idle", .span(\.doze.idle), "the first deep idle time",
            .always(.hours(1), .read, Cited.doze)),
        PlatformNumber(
            "doze.deep.idle-limit", .span(\.doze.idleLimit), "no deep idle time is longer",
            .always(.hours(6), .read, Cited.doze)),
        PlatformNumber(
            "doze.deep.maintenance", .span(\.doze.maintenance), "the first deep window",
            .always(.minutes(5), .read, Cited.doze)),
        PlatformNumber(
            "doze.deep.maintenance-limit", .span(\.doze.maintenanceLimit), "no deep window is longer",
            .always(.minutes(10), .read, Cited.doze)),
        PlatformNumber(
            "doze.deep.maintenance-minimum", .span(\.doze.maintenanceMinimum), "no deep window is shorter",
            .always(.seconds(30), .read, Cited.doze)),
        PlatformNumber(
            "doze.deep.motion", .span(\.doze.motion), "after motion the phone counts as inactive after so long",
            .always(.minutes(10), .read, Cited.doze)),
        PlatformNumber(
            "doze.deep.alarm-clock", .span(\.doze.minimumToAlarmClock), "so near to an alarm clock Doze is not entered",
            .always(.hours(1), .read, Cited.doze7), .since(12, .minutes(30), .read, Cited.doze)),
        PlatformNumber(
            "doze.deep.quick-delay", .span(\.doze.quickDelay), "with battery saver on, deep Doze comes after so long",
            .since(10, .minutes(1), .read, Cited.doze)),
        PlatformNumber(
            "doze.growth", .count(\.doze.growth), "idle times and deep windows grow by this factor",
            .always(2, .read, Cited.doze)),
        PlatformNumber(
            "doze.work", .span(\.doze.work), "how much work of all apps waits for a window, which ends with it",
            .always(.longest, .assumed, note: "more than fits: every window lasts its limit")),
    ]
}
