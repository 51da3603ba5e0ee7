import DeadzoneBase

extension PlatformParameter {
    /// Parameters for alarms, app processes, pushes and the processor, by release of Android.
    static let androidApps: [PlatformParameter] = androidAlarms + androidLife + androidPushes + androidProcessor

    private static let androidAlarms: [PlatformParameter] = [
        PlatformParameter(
            "alarms.while-idle.count", .count(\.alarms.whileIdle.count), "alarms in deep idle per period",
            .always(1, .read, Citation.dozeGuide, note: "once per 9 min"),
            .since(
                12, 72, .read, Citation.alarms15,
                note: "exact alarms, with the permission; 7 for old targets and inexact alarms")),
        PlatformParameter(
            "alarms.while-idle.period", .span(\.alarms.whileIdle.period), "period of `alarms.while-idle.count`",
            .always(.minutes(9), .read, Citation.dozeGuide), .since(12, .hours(1), .read, Citation.alarms15)),
        PlatformParameter(
            "alarms.while-idle.network", .span(\.alarms.whileIdleNetwork),
            "each of these alarms opens the network for this duration",
            .always(.seconds(10), .read, Citation.alarms, note: "ALLOW_WHILE_IDLE_WHITELIST_DURATION")),
        PlatformParameter(
            "alarms.exemption-frees", .flag(\.alarms.exemptionFreesAlarms),
            "an exemption from battery optimisation exempts alarms from Doze",
            .always(
                1, .read, Citation.alarms15,
                note: "FLAG_ALLOW_WHILE_IDLE_UNRESTRICTED for the user's list; contradicts the guide to Doze")),
        PlatformParameter(
            "jobs.exemption-frees", .flag(\.alarms.exemptionFreesJobs),
            "an exemption from battery optimisation exempts jobs from Doze",
            .always(0, .recalled, Citation.dozeGuide),
            .since(7, 1, .recalled, Citation.dozeGuide, note: "API 23 deferred them")),
    ]

    private static let androidLife: [PlatformParameter] = [
        PlatformParameter(
            "life.suspends-after", .span(\.life.suspendsAfter), "time in the background until the app is frozen",
            .always(.longest, .recalled, note: "apps are never frozen"),
            .since(11, .minutes(10), .secondary, Citation.freezer, note: "DEFAULT_FREEZER_DEBOUNCE_TIMEOUT, until 13"),
            .since(14, .seconds(10), .secondary, Citation.freezer, note: "DEFAULT_FREEZER_DEBOUNCE_TIMEOUT, since 14")),
        PlatformParameter(
            "life.services-run", .flag(\.life.servicesRun), "a foreground service or an exemption prevents the freeze",
            .always(1, .secondary, Citation.freezer, note: "certain for services, assumed for exemptions")),
        PlatformParameter(
            "life.blocks-network-after", .span(\.life.blocksNetworkAfter),
            "time in the background until the app's network is closed",
            .always(.longest, .assumed, note: "only Doze and standby close it"),
            .since(
                15, .seconds(5), .recalled, "NetworkPolicyManagerService, BACKGROUND_THRESHOLD_STATE",
                note: "the rule is public; the delay is recalled")),
        PlatformParameter(
            "life.reclaims-sockets-after", .span(\.life.reclaimsSocketsAfter),
            "time until the kernel closes the sockets of a frozen app",
            .always(.longest, .assumed, note: "they stay open"),
            .since(14, .zero, .recalled, "ConnectivityService, frozen UIDs", note: "TCP sockets are destroyed")),
        PlatformParameter(
            "life.kills-after", .span(\.life.killsAfter), "time in the background until the app's process is ended",
            .always(.longest, .assumed, note: "only for lack of memory")),
        PlatformParameter(
            "life.kills-for-good", .flag(\.life.killsForGood),
            "only the user can start an app again that was ended in the background",
            .always(0, .assumed)),
    ]

    private static let androidPushes: [PlatformParameter] = [
        PlatformParameter(
            "push.network", .span(\.pushes.network), "an urgent push opens the network for this duration",
            .always(
                .minutes(5), .read, Citation.doze,
                note: "the most that the system grants; the requested value is not public")
        ),
        PlatformParameter(
            "push.time", .span(\.pushes.time), "time that the app may run for a push",
            .always(.seconds(20), .recalled, "firebase.google.com/docs/cloud-messaging/android/receive")),
    ]

    private static let androidProcessor: [PlatformParameter] = [
        PlatformParameter(
            "processor.sleeps", .flag(\.processor.sleeps), "the processor sleeps while nothing keeps it awake",
            .always(1, .recalled)),
        PlatformParameter(
            "processor.alarm", .span(\.processor.alarmSpan), "time awake for the handler of an alarm",
            .always(.seconds(1), .assumed)),
        PlatformParameter(
            "processor.packet", .span(\.processor.packetSpan), "time awake after a packet",
            .always(.milliseconds(500), .read, Citation.wake)),
        PlatformParameter(
            "processor.push", .span(\.processor.pushSpan), "time awake for a push", .always(.seconds(3), .assumed)),
        PlatformParameter(
            "processor.job", .span(\.processor.jobSpan), "time awake for a job", .always(.seconds(10), .assumed)),
        PlatformParameter(
            "processor.window", .span(\.processor.windowSpan), "time awake when a window opens",
            .always(.seconds(5), .read, Citation.doze, note: "MIN_LIGHT_MAINTENANCE_TIME, used for both kinds")),
        PlatformParameter(
            "processor.power", .power(\.wakePower), "power awake with the screen off, above the power asleep",
            .always(
                157_700, .derived, Citation.pixel,
                note: "cpu.idle 28.6 mA and cpu.active 12.37 mA above cpu.suspend, at 3.85 V")),
        PlatformParameter(
            "processor.wake-up", .energy(\.wakeEnergy), "energy of one wake-up and return to sleep",
            .always(100_000, .assumed, note: "a third of a second of suspend and resume at 0.3 W")),
    ]
}
