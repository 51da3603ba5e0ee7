import DeadzonePrimitives
public import DeadzoneSettings

extension SettingsReader {
    /// `life-cycle: {background: close, foreground: probe, on-push: 10s}`
    public mutating func lifeCycle(
        _ key: String, slot: TimerSlot, stay: TimerSlot, _ help: String = ""
    ) -> LifeCycle {
        group(key, help) { settings in
            var facet = LifeCycle(slot: slot, stay: stay)
            facet.leaving = settings.word(
                "background",
                of: [
                    ("keep", LifeCycle.Leaving.keep), ("close", .close), ("flush-and-close", .flush),
                    ("rely-on-push", .relyOnPush),
                ], default: .keep,
                "what becomes of the connection when the app goes to the background; rely-on-push: flush-and-close where the "
                    + "server can have the app woken")
            if facet.leaving == .flush || facet.leaving == .relyOnPush || settings.isDescribing {
                facet.flushLimit = settings.span(
                    "flush-limit", default: facet.flushLimit, in: .milliseconds(1) ... .longest,
                    "waits no longer for the server to confirm what is closed then")
            } else {
                settings.refuse(["flush-limit"], "without `background: flush-and-close`", label: "nothing is flushed")
            }
            facet.returning = settings.word(
                "foreground",
                of: [("keep", LifeCycle.Returning.keep), ("probe", .probe), ("reconnect", .reconnect)], default: .keep,
                "what becomes of it when the app comes back; all but keep end a wait between attempts")
            facet.freshFor = settings.span(
                "fresh", default: .zero,
                "coming back it does not probe a connection that was heard from within so long")
            facet.pushStay = settings.span(
                "on-push", in: .milliseconds(1) ... .longest,
                "a push makes it connect or probe; where the app was closed it stays for so long")
            facet.refreshStay = settings.span(
                "on-refresh", in: .milliseconds(1) ... .longest, "the same when the system grants time")
            facet.quiet = settings.span(
                "quiet", in: .milliseconds(1) ... .longest,
                "a visit ends before its time once nothing has come for so long, and by the server's count nothing is missing"
            )
            facet.leavesWhenDone = settings.word(
                "when-done", of: [("stay", false), ("leave", true)], default: false,
                "a visit, once the server has nothing more by its own count and has confirmed everything: stays, or ends at once"
            )
            facet.sendStay = settings.span(
                "on-send", in: .milliseconds(1) ... .longest,
                "closed in the background, and the app has something to say or to ask: connects, and stays for so long")
            settings.readPoll(&facet)
            settings.readStanding(&facet)
            return facet
        }
    }

    private mutating func readPoll(_ facet: inout LifeCycle) {
        _ = section("poll", "closed in the background, it looks in from time to time") { settings in
            facet.pollEvery = settings.span(
                "every", default: .minutes(15), in: .milliseconds(1) ... .longest, "from one visit to the next")
            facet.pollStay = settings.span(
                "stay", default: facet.pollStay, in: .milliseconds(1) ... .longest, "how long a visit lasts")
            facet.pollTiming = settings.timing(default: Timing(wake: .job), "the visit")
        }
        if facet.pollEvery != nil && facet.leaving == .keep && has("poll") {
            note(
                Fault(
                    .contradiction, at: mark(of: "poll"), width: 4, "`poll` without `background: close`",
                    label: "a client that stays connected has no visits to make"))
        }
    }

    private mutating func readStanding(_ facet: inout LifeCycle) {
        facet.holding = word(
            "wake-lock",
            of: [
                ("none", LifeCycle.Holding.never), ("connected", .connected), ("beat", .beat), ("visit", .errand),
            ], default: .never,
            "keeps the processor awake: while connected, from a ping to its answer, or while it visits or flushes")
        facet.standing.isExempt = flag(
            "exempt", default: false, "the user took it out of battery optimisation (Android)")
        facet.standing.hasForegroundService = flag(
            "foreground-service", default: false, "shows a notification and runs on in the background (Android)")
        facet.standing.asksForTime = flag(
            "asks-for-time", default: false, "asks for time to finish when it goes to the background (iOS)")
    }
}
