public import DeadzoneSettings
import DeadzonePrimitives

extension SettingsReader {
    /// `keepalive: 45s`, or `keepalive: {interval: 45s, timeout: 10s, wake: alarm}`; nil where it is left out.
    public mutating func keepalive(
        _ key: String, beat: TimerSlot, reply: TimerSlot, _ help: String = ""
    ) -> Keepalive? {
        let plain = Form.span(in: .milliseconds(1) ... .longest).map {
            Keepalive(interval: $0, beat: beat, reply: reply)
        } back: {
            $0.interval
        }
        return either(key, help, plain: plain) { settings in
            var facet = Keepalive(
                interval: settings.span(
                    "interval", default: .seconds(45), in: .milliseconds(1) ... .longest, "from one beat to the next"),
                beat: beat, reply: reply)
            settings.readMachine(&facet)
            settings.readIntervals(&facet)
            settings.readVerdict(&facet)
            settings.readRestraint(&facet)
            facet.timing = settings.timing("the beat")
            if facet.timing.clock == .uptime && facet.timeoutWake != .none { settings.refuseAlarm("timeout-wake") }
            facet.decidesBy = settings.word(
                "decides-by", of: Self.clockWords,
                "looks at this clock when the beat fires, and pings only after a whole interval of silence by it")
            settings.checkMachine(facet)
            return facet
        }
    }

    private mutating func readMachine(_ facet: inout Keepalive) {
        facet.machine = word(
            "machine", of: [("plain", Keepalive.Machine.plain), ("grpc-java", .java), ("grpc-go", .go)],
            default: .plain,
            "whose code it is: one timer, grpc-java's six states, or grpc-go's loop; the latter two take no interval below 10s"
        )
        // gRFC A8, KEEPALIVE_TIME: "values below 10 seconds are raised to it".
        if facet.machine != .plain { facet.floor = .seconds(10) }
        facet.withoutCalls = flag(
            "without-calls", default: true, "pings between calls as well, where no stream is open")
        facet.doubles =
            word(
                "on-too-many-pings", of: [("double", true), ("keep", false)], default: true,
                "what a server's `too_many_pings` does to the interval of the next connection")
        facet.limitsKernel = flag(
            "user-timeout", default: false,
            "TCP_USER_TIMEOUT of its connections is the timeout (gRFC A18), unless the interval is a year")
    }

    private mutating func readIntervals(_ facet: inout Keepalive) {
        facet.wifiInterval = span(
            "on-wifi", in: .milliseconds(1) ... .longest, "the interval on Wi-Fi, if it is another")
        facet.cellularInterval = span(
            "on-cellular", in: .milliseconds(1) ... .longest, "the interval on cellular, if it is another")
        facet.adapting = adaptiveInterval("adaptive", "finds the interval by trying, instead")
        facet.takesServersInterval = flag(
            "from-server", default: false, "an interval that the server announces goes before its own")
        facet.isFirstRandom = word(
            "first", of: [("whole", false), ("random", true)], default: false,
            "the first beat after a whole interval, or after a random part of it")
        facet.pings = flag("pings", default: true, "false: it only listens to what the server says by itself")
        facet.standIn = span(
            "stand-in", in: .milliseconds(1) ... .longest,
            "its pings stand in for a server that pings: once that does it only listens, so long beyond the server's interval"
        )
        facet.slack = span(
            "coalesce", default: .zero,
            "a beat that is due this soon goes along with what is sent or arrives now; at most half an interval")
    }

    private mutating func readVerdict(_ facet: inout Keepalive) {
        facet.verdict = word(
            "verdict",
            of: [
                ("timeout", Keepalive.Verdict.replyDeadline), ("next-beat", .nextBeat), ("silence", .silence),
                ("none", .never),
            ],
            default: .replyDeadline,
            "when silence ends the connection: at the timeout, at the next beat, after `silence` of anything, or never")
        if facet.verdict == .replyDeadline || facet.limitsKernel || isDescribing {
            facet.timeout = span(
                "timeout", default: facet.timeout, in: .milliseconds(1) ... .longest,
                "a ping without an answer for so long ends the connection")
            facet.ownTimeout = span(
                "own-timeout", in: .milliseconds(1) ... .longest,
                "its own timer waits so long, whatever `timeout` says; with `user-timeout` the kernel may be sooner")
            facet.timeoutWake = word(
                "timeout-wake", of: Self.wakeWords, default: .none, "whether the timeout wakes a sleeping phone")
        } else {
            refuse(
                ["timeout", "own-timeout", "timeout-wake"], "with a `verdict` that waits for none",
                label: "only `verdict: timeout` looks at it")
        }
        facet.silence = span(
            "silence", in: .milliseconds(1) ... .longest,
            "with `verdict: silence`: nothing heard for so long; by default one and a half intervals")
        facet.looks = looks(
            "looks-every",
            "finds silence only when it looks, which it does so often: [10s], or [6s, 12s] for anything between"
        )
        if facet.verdict == .nextBeat || isDescribing {
            facet.unanswered =
                count(
                    "unanswered", in: 1...100,
                    "with `verdict: next-beat`: so many pings in a row without an answer, not one"
                ).map { UInt8($0) } ?? 1
        } else {
            refuse(["unanswered"], "without `verdict: next-beat`", label: "only that verdict counts them")
        }
        facet.needsPong = word(
            "answered-by", of: [("anything", false), ("pong", true)], default: false,
            "what answers a ping: any byte, or a pong alone")
        facet.postponement = word(
            "postponed-by",
            of: [
                ("nothing", Keepalive.Postponement.nothing), ("received", .received), ("sent", .sent),
                ("traffic", .traffic), ("both", .both),
            ],
            default: .received,
            "what makes the beat wait a whole interval again: nothing, what arrives, what is sent, either, or only both"
        )
        facet.waitsForWriter = word(
            "queue", of: [("own", false), ("writer", true)], default: false,
            "writer: while the socket takes nothing, neither beat nor timeout is handled")
    }

    private mutating func looks(_ key: String, _ help: String) -> ClosedRange<TimeSpan>? {
        let spans = list(key, of: .span(in: .milliseconds(1) ... .longest), counts: 1...2, help)
        guard let first = spans?.first, let last = spans?.last else { return nil }
        if first <= last { return first...last }
        note(
            Fault(
                .outOfRange, at: mark(of: key), width: key.utf8.count, "the first is the larger",
                label: "expected [from, to]"))
        return nil
    }

    private mutating func readRestraint(_ facet: inout Keepalive) {
        facet.budget = section("send-limit", "pings that it allows itself while it has nothing else to say") {
            settings in
            var budget = PingBudget()
            budget.most = UInt8(
                settings.count(
                    "without-data", default: 2, in: 0...100, "so many, and then data has to be sent; 0 is no limit"))
            budget.beyond = settings.word(
                "then", of: [("block", PingBudget.Beyond.block), ("throttle", .throttle)], default: .block,
                "no more of them, or one in `throttle` (gRFC L116)")
            budget.throttle = settings.span(
                "throttle", default: budget.throttle, "from one ping beyond them to the next")
            budget.gap = settings.span("gap", default: .zero, "from one ping to the next, at least")
            budget.counting = settings.word(
                "counts", of: [("always", PingBudget.Counting.always), ("without-streams", .withoutStreams)],
                default: .always, "which pings: all since data was sent, or those while no stream is open")
            return budget
        }
    }

    private mutating func adaptiveInterval(_ key: String, _ help: String) -> AdaptiveInterval? {
        section(key, help) { settings in
            var facet = AdaptiveInterval()
            facet.law = settings.word(
                "law", of: [("stepwise", AdaptiveInterval.Law.stepwise), ("scaled", .scaled)], default: .stepwise,
                "a step more after so many answers (WeChat), or half as much again after each, and half after a failure"
            )
            let limits = TimeSpan.milliseconds(1)...TimeSpan.hours(24)
            facet.least = settings.span("min", default: facet.least, in: limits, "no interval is shorter")
            facet.most = settings.span("max", default: max(facet.most, facet.least), in: limits, "nor longer")
            facet.start = settings.span("start", in: limits, "where it begins; by default at the shortest")
            facet.step = settings.span("step", default: facet.step, in: limits, "stepwise: how much more it tries")
            facet.margin = settings.span(
                "margin", default: facet.margin, in: .zero ... .hours(24),
                "stepwise: what it stays below what failed, beside a step")
            facet.successes = UInt8(
                settings.count("successes", default: 5, in: 1...100, "stepwise: answers in a row before it tries more"))
            facet.failures = UInt8(
                settings.count("failures", default: 2, in: 1...100, "stepwise: failures before it takes less"))
            facet.trials = UInt8(
                settings.count(
                    "trials", default: 3, in: 0...100, "stepwise: answers at the shortest on each connection first"))
            facet.isShortInFront = settings.flag(
                "foreground-min", default: true, "the shortest interval while the app is in the foreground")
            return facet
        }
    }

    /// gRPC's machines have rules of their own for the rest.
    private mutating func checkMachine(_ facet: Keepalive) {
        guard facet.machine != .plain else { return }
        let foreign = [
            "verdict", "silence", "answered-by", "postponed-by", "first", "pings", "coalesce", "send-limit", "queue",
            "stand-in", "looks-every",
        ]
        for key in foreign where has(key) {
            note(
                Fault(
                    .contradiction, at: mark(of: key), width: key.utf8.count, "`\(key)` beside a machine of gRPC",
                    label: "only `machine: plain` can be set this way"))
        }
        leaveUnsaid(foreign)
    }
}
