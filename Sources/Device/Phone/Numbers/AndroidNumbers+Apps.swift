import DeadzonePrimitives

extension PlatformNumber {
    /// What Android lets apps do, by release.
    static let androidApps: [PlatformNumber] = androidAlarms + androidLife + androidPushes + androidProcessor

    private static let androidAlarms: [PlatformNumber] = [
        PlatformNumber(
            "alarms.while-idle.count", .count(\.alarms.whileIdle.count), "alarms in deep idle, in every period",
            .always(1, .read, Cited.dozeGuide, note: "once per 9 min"),
            .since(
                12, 72, .read, Cited.alarms15, note: "exact, with the permission; 7 for old targets and inexact ones")),
        PlatformNumber(
            "alarms.while-idle.period", .span(\.alarms.whileIdle.period), "the period they are counted in",
            .always(.minutes(9), .read, Cited.dozeGuide), .since(12, .hours(1), .read, Cited.alarms15)),
        PlatformNumber(
            "alarms.while-idle.network", .span(\.alarms.whileIdleNetwork), "each of them opens the network for so long",
            .always(.seconds(10), .read, Cited.alarms, note: "ALLOW_WHILE_IDLE_WHITELIST_DURATION")),
        PlatformNumber(
            "alarms.exemption-frees", .flag(\.alarms.exemptionFreesAlarms),
            "an exemption from battery optimisation frees alarms from Doze",
            .always(
                1, .read, Cited.alarms15,
                note: "FLAG_ALLOW_WHILE_IDLE_UNRESTRICTED for the user's list, against the guide to Doze")),
        PlatformNumber(
            "jobs.exemption-frees", .flag(\.alarms.exemptionFreesJobs), "and jobs",
            .always(0, .recalled, Cited.dozeGuide),
            .since(7, 1, .recalled, Cited.dozeGuide, note: "deferred up to API 23")),
    ]

    private static let androidLife: [PlatformNumber] = [
        PlatformNumber(
            "life.suspends-after", .span(\.life.suspendsAfter), "in the background the app is frozen after so long",
            .always(.longest, .recalled, note: "nobody freezes"),
            .since(11, .minutes(10), .secondary, Cited.freezer, note: "DEFAULT_FREEZER_DEBOUNCE_TIMEOUT, until 13"),
            .since(14, .seconds(10), .secondary, Cited.freezer, note: "DEFAULT_FREEZER_DEBOUNCE_TIMEOUT, since 14")),
        PlatformNumber(
            "life.services-run", .flag(\.life.servicesRun), "a foreground service or an exemption keeps it from that",
            .always(1, .secondary, Cited.freezer, note: "certain of services, assumed of exemptions")),
        PlatformNumber(
            "life.blocks-network-after", .span(\.life.blocksNetworkAfter),
            "in the background its network is closed after so long",
            .always(.longest, .assumed, note: "only by Doze and standby"),
            .since(
                15, .seconds(5), .recalled, "NetworkPolicyManagerService, BACKGROUND_THRESHOLD_STATE",
                note: "the rule is public, the delay recalled")),
        PlatformNumber(
            "life.reclaims-sockets-after", .span(\.life.reclaimsSocketsAfter),
            "the kernel takes the sockets of a frozen app after so long",
            .always(.longest, .assumed, note: "it keeps them"),
            .since(14, .zero, .recalled, "ConnectivityService, frozen UIDs", note: "TCP sockets are destroyed")),
        PlatformNumber(
            "life.kills-after", .span(\.life.killsAfter), "an app in the background is ended after so long",
            .always(.longest, .assumed, note: "only for want of memory")),
        PlatformNumber(
            "life.kills-for-good", .flag(\.life.killsForGood), "and nothing but the user starts it again",
            .always(0, .assumed)),
    ]

    private static let androidPushes: [PlatformNumber] = [
        PlatformNumber(
            "push.network", .span(\.pushes.network), "an urgent push opens the network for so long",
            .always(.minutes(5), .read, Cited.doze, note: "the most that the system gives; what is asked is not public")
        ),
        PlatformNumber(
            "push.time", .span(\.pushes.time), "the app may run so long for a push",
            .always(.seconds(20), .recalled, "firebase.google.com/docs/cloud-messaging/android/receive")),
    ]

    private static let androidProcessor: [PlatformNumber] = [
        PlatformNumber(
            "processor.sleeps", .flag(\.processor.sleeps), "the processor sleeps when nothing holds it",
            .always(1, .recalled)),
        PlatformNumber(
            "processor.alarm", .span(\.processor.alarmSpan), "awake for the handler of an alarm",
            .always(.seconds(1), .assumed)),
        PlatformNumber(
            "processor.packet", .span(\.processor.packetSpan), "awake after a packet",
            .always(.milliseconds(500), .read, Cited.wake)),
        PlatformNumber(
            "processor.push", .span(\.processor.pushSpan), "awake for a push", .always(.seconds(3), .assumed)),
        PlatformNumber(
            "processor.job", .span(\.processor.jobSpan), "awake for a job", .always(.seconds(10), .assumed)),
        PlatformNumber(
            "processor.window", .span(\.processor.windowSpan), "awake when a window opens",
            .always(.seconds(5), .read, Cited.doze, note: "MIN_LIGHT_MAINTENANCE_TIME, taken for both kinds")),
        PlatformNumber(
            "processor.power", .power(\.wakePower), "awake with the screen off, above asleep",
            .always(
                157_700, .derived, Cited.pixel,
                note: "cpu.idle 28.6 mA and cpu.active 12.37 mA above cpu.suspend, at 3.85 V")),
        PlatformNumber(
            "processor.wake-up", .energy(\.wakeEnergy), "waking up and going to sleep once",
            .always(100_000, .assumed, note: "a third of a second of suspend and resume at 0.3 W")),
    ]
}
