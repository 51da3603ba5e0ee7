public import DeadzoneBase

extension SettingsReader {
    /// Reads the keepalive settings, written as `keepalive: 45s` or `keepalive: {interval: 45s, timeout: 10s, wake:
    /// alarm}`; returns `nil` if the key is absent.
    public mutating func keepalive(
        _ key: String, beat: TimerSlot, reply: TimerSlot, _ help: String = ""
    ) -> Keepalive? {
        let plain = ValueFormat.span(in: .milliseconds(1) ... .longest).map {
            Keepalive(interval: $0, beatSlot: beat, replySlot: reply)
        } back: {
            $0.interval
        }
        return either(key, help, plain: plain) { settings in
            var facet = Keepalive(
                interval: settings.span(
                    "interval", default: .seconds(45), in: .milliseconds(1) ... .longest, "time between two pings"),
                beatSlot: beat, replySlot: reply)
            settings.readMachine(&facet)
            settings.readIntervals(&facet)
            settings.readVerdict(&facet)
            settings.readRestraint(&facet)
            facet.timing = settings.timerOptions("the beat")
            if facet.timing.clock == .uptime && facet.timeoutWake != .none { settings.refuseAlarm("timeout-wake") }
            facet.decisionClock = settings.word(
                "decides-by", of: Self.clockWords,
                "clock that is checked when the timer fires; a ping is sent only after a whole interval of silence by it"
            )
            settings.checkMachine(facet)
            return facet
        }
    }

    private mutating func readMachine(_ facet: inout Keepalive) {
        facet.implementation = word(
            "machine",
            of: [("plain", Keepalive.KeepaliveImplementation.plain), ("grpc-java", .java), ("grpc-go", .go)],
            default: .plain,
            "implementation: one timer, grpc-java's six states, or grpc-go's loop; the latter two raise the interval to at least 10s"
        )
        // gRFC A8, KEEPALIVE_TIME: "values below 10 seconds are raised to it".
        if facet.implementation != .plain { facet.shortestInterval = .seconds(10) }
        facet.pingsWithoutCalls = flag(
            "without-calls", default: true, "also pings between calls, while no stream is open")
        facet.doublesOnTooManyPings =
            word(
                "on-too-many-pings", of: [("double", true), ("keep", false)], default: true,
                "effect of a server's `too_many_pings` on the interval of later connections")
        facet.setsUserTimeout = flag(
            "user-timeout", default: false,
            "sets TCP_USER_TIMEOUT of its connections to `timeout` (gRFC A18), unless the interval is a year or longer")
    }

    private mutating func readIntervals(_ facet: inout Keepalive) {
        facet.wifiInterval = span(
            "on-wifi", in: .milliseconds(1) ... .longest, "interval on Wi-Fi, if it differs")
        facet.cellularInterval = span(
            "on-cellular", in: .milliseconds(1) ... .longest, "interval on cellular, if it differs")
        facet.adaptive = adaptiveInterval("adaptive", "finds the interval by trial, instead of `interval`")
        facet.usesServerInterval = flag(
            "from-server", default: false, "an interval that the server announces replaces the client's own")
        facet.isFirstRandom = word(
            "first", of: [("whole", false), ("random", true)], default: false,
            "first ping after a whole interval, or after a random part of it")
        facet.sendsPings = flag(
            "pings", default: true, "false: sends no pings and only watches the server's heartbeats")
        facet.serverBeatGrace = span(
            "stand-in", in: .milliseconds(1) ... .longest,
            "its pings replace missing server heartbeats; once the server sends some it only listens, for this duration beyond the server's interval"
        )
        facet.coalesceWindow = span(
            "coalesce", default: .zero,
            "a ping that is due within this time is sent together with current traffic; at most half an interval")
    }

    private mutating func readVerdict(_ facet: inout Keepalive) {
        facet.failureDetection = word(
            "verdict",
            of: [
                ("timeout", Keepalive.FailureDetection.replyDeadline), ("next-beat", .nextBeat), ("silence", .silence),
                ("none", .never),
            ],
            default: .replyDeadline,
            "when silence ends the connection: at `timeout`, at the next ping, after `silence` without any data, or never"
        )
        if facet.failureDetection == .replyDeadline || facet.setsUserTimeout || isDescribing {
            facet.timeout = span(
                "timeout", default: facet.timeout, in: .milliseconds(1) ... .longest,
                "time limit of an answer; an unanswered ping ends the connection")
            facet.timerTimeout = span(
                "own-timeout", in: .milliseconds(1) ... .longest,
                "limit of the client's own timer, instead of `timeout`; with `user-timeout` the kernel may end the connection earlier"
            )
            facet.timeoutWake = word(
                "timeout-wake", of: Self.wakeWords, default: .none, "whether the timeout wakes a sleeping phone")
        } else {
            refuse(
                ["timeout", "own-timeout", "timeout-wake"], "with a `verdict` that does not use it",
                label: "only `verdict: timeout` uses it")
        }
        facet.silence = span(
            "silence", in: .milliseconds(1) ... .longest,
            "with `verdict: silence`: time without received data; default: one and a half intervals")
        facet.checkInterval = looks(
            "looks-every",
            "time between two checks for silence: [10s], or [6s, 12s] for a random time between them; default: no delay"
        )
        if facet.failureDetection == .nextBeat || isDescribing {
            facet.unanswered =
                count(
                    "unanswered", in: 1...100,
                    "with `verdict: next-beat`: unanswered pings in a row that end the connection, default 1"
                ).map { UInt8($0) } ?? 1
        } else {
            refuse(["unanswered"], "without `verdict: next-beat`", label: "only that verdict counts them")
        }
        facet.needsPong = word(
            "answered-by", of: [("anything", false), ("pong", true)], default: false,
            "answer to a ping: any byte, or only a pong")
        facet.postponement = word(
            "postponed-by",
            of: [
                ("nothing", Keepalive.BeatPostponement.nothing), ("received", .received), ("sent", .sent),
                ("traffic", .traffic), ("both", .both),
            ],
            default: .received,
            "traffic that restarts the interval: none, received data, sent data, either of them, or only both"
        )
        facet.waitsForWriter = word(
            "queue", of: [("own", false), ("writer", true)], default: false,
            "writer: while the socket accepts no data, no ping is sent and no timeout is handled")
    }

    private mutating func looks(_ key: String, _ help: String) -> ClosedRange<TimeSpan>? {
        let spans = list(key, of: .span(in: .milliseconds(1) ... .longest), counts: 1...2, help)
        guard let first = spans?.first, let last = spans?.last else { return nil }
        if first <= last { return first...last }
        note(
            Fault(
                .outOfRange, at: mark(of: key), width: key.utf8.count, "the first value is larger than the second",
                label: "expected [from, to]"))
        return nil
    }

    private mutating func readRestraint(_ facet: inout Keepalive) {
        facet.budget = section("send-limit", "limit of pings without other data") {
            settings in
            var budget = PingBudget()
            budget.most = UInt8(
                settings.count(
                    "without-data", default: 2, in: 0...100,
                    "pings allowed before other data must be sent; 0 means no limit"))
            budget.overBudget = settings.word(
                "then", of: [("block", PingBudget.OverBudgetPolicy.block), ("throttle", .throttle)], default: .block,
                "beyond that number: no ping, or one per `throttle` (gRFC L116)")
            budget.throttle = settings.span(
                "throttle", default: budget.throttle, "time between two pings beyond that number")
            budget.gap = settings.span("gap", default: .zero, "minimum time between two pings")
            budget.counting = settings.word(
                "counts", of: [("always", PingBudget.PingCountRule.always), ("without-streams", .withoutStreams)],
                default: .always,
                "pings that count: all since data was last sent, or only those while no stream is open")
            return budget
        }
    }

    private mutating func adaptiveInterval(_ key: String, _ help: String) -> AdaptiveInterval? {
        section(key, help) { settings in
            var facet = AdaptiveInterval()
            facet.rule = settings.word(
                "law", of: [("stepwise", AdaptiveInterval.AdaptationRule.stepwise), ("scaled", .scaled)],
                default: .stepwise,
                "stepwise: one step more after several answers (WeChat); scaled: half as much again after each answer, and half after a failure"
            )
            let limits = TimeSpan.milliseconds(1)...TimeSpan.hours(24)
            facet.shortest = settings.span("min", default: facet.shortest, in: limits, "shortest interval")
            facet.longest = settings.span(
                "max", default: max(facet.longest, facet.shortest), in: limits, "longest interval")
            facet.start = settings.span("start", in: limits, "first interval; default: `min`")
            facet.step = settings.span("step", default: facet.step, in: limits, "stepwise: increase of the interval")
            facet.margin = settings.span(
                "margin", default: facet.margin, in: .zero ... .hours(24),
                "stepwise: reduction below a failed interval, in addition to one step")
            facet.successes = UInt8(
                settings.count(
                    "successes", default: 5, in: 1...100, "stepwise: answers in a row before the interval grows"))
            facet.failures = UInt8(
                settings.count("failures", default: 2, in: 1...100, "stepwise: failures before the interval shrinks"))
            facet.trials = UInt8(
                settings.count(
                    "trials", default: 3, in: 0...100,
                    "stepwise: answers at the shortest interval that each connection needs first"))
            facet.isShortestInForeground = settings.flag(
                "foreground-min", default: true, "uses the shortest interval while the app is in the foreground")
            return facet
        }
    }

    /// Reports a fault for each key that gRPC's keepalive implementations do not support: they have fixed rules of
    /// their own.
    private mutating func checkMachine(_ facet: Keepalive) {
        guard facet.implementation != .plain else { return }
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
        omitFromResolved(foreign)
    }
}
