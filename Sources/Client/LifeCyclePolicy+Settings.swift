public import DeadzoneBase

extension SettingsReader {
    /// Reads the life-cycle policy, written as `life-cycle: {background: close, foreground: probe, on-push: 10s}`.
    public mutating func lifeCycle(
        _ key: String, slot: TimerSlot, stay: TimerSlot, _ help: String = ""
    ) -> LifeCyclePolicy {
        group(key, help) { settings in
            var facet = LifeCyclePolicy(slot: slot, stay: stay)
            facet.onBackground = settings.word(
                "background",
                of: [
                    ("keep", LifeCyclePolicy.BackgroundPolicy.keep), ("close", .close), ("flush-and-close", .flush),
                    ("rely-on-push", .relyOnPush),
                ], default: .keep,
                "the connection when the app goes to the background; rely-on-push: as flush-and-close if the "
                    + "server can wake the app by push, otherwise as keep")
            if facet.onBackground == .flush || facet.onBackground == .relyOnPush || settings.isDescribing {
                facet.flushLimit = settings.span(
                    "flush-limit", default: facet.flushLimit, in: .milliseconds(1) ... .longest,
                    "longest wait for the server's confirmations before the connection is closed")
            } else {
                settings.refuse(["flush-limit"], "without `background: flush-and-close`", label: "nothing is flushed")
            }
            facet.onForeground = settings.word(
                "foreground",
                of: [("keep", LifeCyclePolicy.ForegroundPolicy.keep), ("probe", .probe), ("reconnect", .reconnect)],
                default: .keep,
                "the connection when the app returns to the foreground; probe and reconnect also end a wait between attempts"
            )
            facet.freshFor = settings.span(
                "fresh", default: .zero,
                "on return, a connection that received data within this time is not probed")
            facet.pushVisitLength = settings.span(
                "on-push", in: .milliseconds(1) ... .longest,
                "a push makes it connect or probe; a closed client then stays connected for this duration")
            settings.readPushes(&facet)
            facet.refreshVisitLength = settings.span(
                "on-refresh", in: .milliseconds(1) ... .longest, "as `on-push`, when the system grants background time")
            facet.quietLimit = settings.span(
                "quiet", in: .milliseconds(1) ... .longest,
                "a visit ends early after this duration without data, if nothing is missing by the server's count"
            )
            facet.endsVisitWhenDone = settings.word(
                "when-done", of: [("stay", false), ("leave", true)], default: false,
                "a visit, once the server has nothing more by its own count and has confirmed everything: stays, or ends at once"
            )
            facet.sendVisitLength = settings.span(
                "on-send", in: .milliseconds(1) ... .longest,
                "when the app has a message or call while closed in the background: connects, and stays for this duration"
            )
            settings.readPoll(&facet)
            settings.readStanding(&facet)
            return facet
        }
    }

    // Without defaults, so that a client without these settings has the same text as before.
    private mutating func readPushes(_ facet: inout LifeCyclePolicy) {
        let syncs = word(
            "on-deleted", of: [("sync", true), ("ignore", false)],
            "when the push service has discarded pushes because too many waited: as after a push (default), or nothing")
        facet.syncsOnDiscardedPushes = syncs ?? facet.syncsOnDiscardedPushes
        let token = word(
            "push-token",
            of: [
                ("on-change", LifeCyclePolicy.PushTokenPolicy.onChange), ("at-start", .atStart),
                ("on-foreground", .onForeground),
            ],
            "when it sends a new push token to the server: when the system reports it (default), when a process starts, "
                + "or also in the foreground")
        facet.pushToken = token ?? facet.pushToken
    }

    private mutating func readPoll(_ facet: inout LifeCyclePolicy) {
        _ = section("poll", "regular visits while closed in the background") { settings in
            facet.pollInterval = settings.span(
                "every", default: .minutes(15), in: .milliseconds(1) ... .longest, "time between two visits")
            facet.pollVisitLength = settings.span(
                "stay", default: facet.pollVisitLength, in: .milliseconds(1) ... .longest,
                "duration of a visit; its end wakes no phone: see `wake-lock: visit`")
            facet.pollTiming = settings.timerOptions(default: TimerOptions(wake: .job), "the visit")
            facet.pollBackoff = settings.section(
                "backoff", "waits after visits that met no server, instead of `every`, as WorkManager retries"
            ) { settings in
                settings.backoffWithoutHistory()
            }
        }
        if facet.pollInterval != nil && facet.onBackground == .keep && has("poll") {
            note(
                Fault(
                    .contradiction, at: mark(of: "poll"), width: 4, "`poll` without `background: close`",
                    label: "a client that stays connected makes no visits"))
        }
    }

    private mutating func readStanding(_ facet: inout LifeCyclePolicy) {
        facet.wakeLock = word(
            "wake-lock",
            of: [
                ("none", LifeCyclePolicy.WakeLockPolicy.never), ("connected", .connected), ("beat", .beat),
                ("visit", .backgroundActivity),
            ], default: .never,
            "keeps the processor awake: while connected, from a ping to its answer, or during a visit or flush")
        facet.privileges.isExempt = flag(
            "exempt", default: false, "the user has exempted the app from battery optimisation (Android)")
        facet.privileges.hasForegroundService = flag(
            "foreground-service", default: false,
            "shows a notification and continues to run in the background (Android)")
        if facet.privileges.hasForegroundService || isDescribing {
            facet.privileges.serviceType = word(
                "service-type",
                of: [("unlimited", ForegroundServiceType.unlimited), ("data-sync", .dataSync), ("short", .short)],
                default: .unlimited,
                "type of the foreground service; data-sync (also mediaProcessing): 6 h since Android 15, short: 3 min "
                    + "since 14; unlimited: any other type")
            facet.privileges.stopsServiceInTime = word(
                "service-timeout", of: [("stop", true), ("ignore", false)], default: true,
                "when that time is over: stops the service, or ignores the system's call, which ends the process")
        } else {
            refuse(
                ["service-type", "service-timeout"], "without `foreground-service: true`",
                label: "there is no foreground service")
        }
        facet.privileges.hasUnrestrictedData = flag(
            "unrestricted-data", default: false,
            "the user lets it use mobile data in the background although data saver is on (Android)")
        facet.privileges.requestsTime = flag(
            "asks-for-time", default: false, "requests time to finish when the app goes to the background (iOS)")
    }
}
