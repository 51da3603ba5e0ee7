import DeadzoneBase

extension PlatformParameter {
    /// Parameters for the restrictions that the user imposes on apps in the background, and for foreground services.
    static let androidRestrictions: [PlatformParameter] = [
        PlatformParameter(
            "saver.closes-network", .flag(\.restrictions.saverClosesNetwork),
            "battery saver closes the network for apps in the background",
            .always(0, .recalled),
            .since(7, 1, .read, Citation.networkPolicy, note: "isProcStateAllowedWhileIdleOrPowerSaveMode")),
        PlatformParameter(
            "saver.defers-work", .flag(\.restrictions.saverDefersWork),
            "battery saver defers alarms and jobs of apps in the background",
            .always(0, .recalled),
            .since(
                9, 1, .read, Citation.appState,
                note: "areAlarmsRestrictedByBatterySaver; a minute after the foreground, here at once")),
        PlatformParameter(
            "data-saver.exists", .flag(\.restrictions.hasDataSaver),
            "data saver closes metered networks for apps in the background",
            .always(0, .read, Citation.dataSaver), .since(7, 1, .read, Citation.dataSaver)),
        PlatformParameter(
            "app-restriction.exists", .flag(\.restrictions.hasAppRestriction),
            "the user can restrict an app in the background: no alarms, no jobs, no foreground service",
            .always(0, .read, Citation.restriction), .since(9, 1, .read, Citation.restriction)),
        PlatformParameter(
            "services.data-sync", .span(\.restrictions.dataSyncTime),
            "time in the background after which a foreground service of the type dataSync ends",
            .always(.longest, .read, Citation.serviceTimeout),
            .since(15, .hours(6), .read, Citation.serviceTimeout, note: "per 24 h, or until the app is opened")),
        PlatformParameter(
            "services.short", .span(\.restrictions.shortServiceTime),
            "time in the background after which a foreground service of the type shortService ends",
            .always(.longest, .recalled, note: "the type does not exist"),
            .since(14, .minutes(3), .read, Citation.serviceConstants, note: "DEFAULT_SHORT_FGS_TIMEOUT_DURATION")),
        PlatformParameter(
            "services.grace", .span(\.restrictions.serviceGrace),
            "time until the process of an app that does not stop such a service is ended",
            .always(
                .seconds(10), .read, Citation.serviceConstants,
                note: "DEFAULT_SHORT_FGS_ANR_EXTRA_WAIT_DURATION; assumed for dataSync, `a few seconds`")),
    ]
}
