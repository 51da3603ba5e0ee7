import DeadzoneBase

extension PlatformParameter {
    /// Doze parameters by release of Android. Light Doze exists since 7.
    static let androidDoze: [PlatformParameter] = lightDoze + deepDoze

    private static let lightDoze: [PlatformParameter] = [
        PlatformParameter(
            "doze.light.inactive", .span(\.doze.lightInactive), "time from screen off to light pre-idle",
            .since(7, .minutes(5), .read, Citation.doze7), .since(9, .minutes(3), .read, Citation.doze9),
            .since(12, .minutes(1), .read, Citation.doze), .since(13, .minutes(4), .read, Citation.doze15)),
        PlatformParameter(
            "doze.light.inactive-window", .span(\.doze.lightInactiveWindow),
            "time that the alarm after doze.light.inactive waits for another alarm",
            .since(12, .minutes(1), .read, Citation.doze, note: "an alarm in this time is delivered together with it")),
        PlatformParameter(
            "doze.light.pre-idle", .span(\.doze.lightPreIdle),
            "longest time in light pre-idle, in which running work may finish",
            .since(7, .minutes(10), .read, Citation.doze7), .since(9, .minutes(3), .read, Citation.doze9),
            .since(12, .minutes(3), .read, Citation.doze),
            .since(13, .zero, .read, Citation.doze15, note: "this state no longer exists")),
        PlatformParameter(
            "doze.light.idle", .span(\.doze.lightIdle), "first light idle time",
            .always(.minutes(5), .read, Citation.doze)),
        PlatformParameter(
            "doze.light.idle-limit", .span(\.doze.lightIdleLimit), "longest light idle time",
            .always(.minutes(15), .read, Citation.doze)),
        PlatformParameter(
            "doze.light.idle-window", .span(\.doze.lightIdleWindow),
            "time that the alarm after the first light idle time waits for another alarm",
            .since(12, .minutes(1), .read, Citation.doze, note: "before Android 12 75 % of the idle time, not modelled")
        ),
        PlatformParameter(
            "doze.light.idle-window-limit", .span(\.doze.lightIdleWindowLimit), "longest such time",
            .since(12, .minutes(15), .read, Citation.doze), .since(13, .minutes(1), .read, Citation.doze13),
            .since(14, .minutes(15), .read, Citation.doze15)),
        PlatformParameter(
            "doze.light.idle-waits", .flag(\.doze.lightIdleWaits),
            "the alarm after a light idle time does not wake the phone, and waits for another alarm",
            .always(0, .read, Citation.doze7), .since(12, 1, .read, Citation.doze),
            .since(13, 0, .read, Citation.doze13)),
        PlatformParameter(
            "doze.light.budget", .span(\.doze.lightBudget),
            "budget of a light window; the next window may use what is left",
            .always(.minutes(1), .read, Citation.doze)),
        PlatformParameter(
            "doze.light.budget-limit", .span(\.doze.lightBudgetLimit), "longest light window",
            .always(.minutes(5), .read, Citation.doze)),
        PlatformParameter(
            "doze.light.minimum", .span(\.doze.lightMinimum), "shortest light window",
            .always(.seconds(5), .read, Citation.doze)),
    ]

    private static let smallBattery = "on a small battery 15 min; since Android 15 1 min"

    private static let deepDoze: [PlatformParameter] = [
        PlatformParameter(
            "doze.deep.inactive", .span(\.doze.inactive), "time from screen off to the search for motion",
            .always(.minutes(30), .read, Citation.doze, note: smallBattery)),
        PlatformParameter(
            "doze.deep.idle-after-inactive", .span(\.doze.idleAfterInactive), "further time without motion",
            .always(.minutes(30), .read, Citation.doze, note: smallBattery)),
        PlatformParameter(
            "doze.deep.sensing", .span(\.doze.sensing), "time to confirm that the phone is still",
            .always(.minutes(4), .read, Citation.doze, note: "the limit; a sensor answers earlier")),
        PlatformParameter(
            "doze.deep.locating", .span(\.doze.locating), "time to find the location",
            .always(.seconds(30), .read, Citation.doze, note: "the limit; a fix ends it earlier")),
        PlatformParameter(
            "doze.deep.idle", .span(\.doze.idle), "first deep idle time",
            .always(.hours(1), .read, Citation.doze)),
        PlatformParameter(
            "doze.deep.idle-limit", .span(\.doze.idleLimit), "longest deep idle time",
            .always(.hours(6), .read, Citation.doze)),
        PlatformParameter(
            "doze.deep.maintenance", .span(\.doze.maintenance), "first deep window",
            .always(.minutes(5), .read, Citation.doze)),
        PlatformParameter(
            "doze.deep.maintenance-limit", .span(\.doze.maintenanceLimit), "longest deep window",
            .always(.minutes(10), .read, Citation.doze)),
        PlatformParameter(
            "doze.deep.maintenance-minimum", .span(\.doze.maintenanceMinimum), "shortest deep window",
            .always(.seconds(30), .read, Citation.doze)),
        PlatformParameter(
            "doze.deep.early", .flag(\.doze.endsEarly),
            "each deep idle time is shortened by a random time, up to 15 min, from 90 min on up to 30 min",
            .always(1, .read, Citation.alarms11), .since(12, 0, .read, Citation.alarms)),
        PlatformParameter(
            "doze.deep.motion", .span(\.doze.motion), "time from motion until the phone counts as inactive",
            .always(.minutes(10), .read, Citation.doze)),
        PlatformParameter(
            "doze.deep.alarm-clock", .span(\.doze.minimumToAlarmClock),
            "Doze is not entered if an alarm clock rings within this time",
            .always(.hours(1), .read, Citation.doze7), .since(12, .minutes(30), .read, Citation.doze)),
        PlatformParameter(
            "doze.deep.quick-delay", .span(\.doze.quickDelay), "delay of deep Doze while battery saver is on",
            .since(10, .minutes(1), .read, Citation.doze)),
        PlatformParameter(
            "doze.growth", .count(\.doze.growth), "growth factor of idle times and deep windows",
            .always(2, .read, Citation.doze)),
        PlatformParameter(
            "doze.work", .span(\.doze.work), "duration of the pending work of all apps; a window ends when it is done",
            .always(
                .zero, .computed, Citation.dozeDumps,
                note: "in battery histories of three phones, 6 of 7 light and 6 of 6 deep windows were the shortest")),
    ]
}
