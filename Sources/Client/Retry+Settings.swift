public import DeadzoneBase

extension SettingsReader {
    /// Reads the retry policy, written as `backoff: {base: 1s, multiplier: 1.6, cap: 2m, jitter: 20%, from: attempt,
    /// wake: alarm}`.
    public mutating func retry(_ key: String, slot: TimerSlot, default fallback: Backoff, _ help: String = "") -> Retry
    {
        group(key, help, main: "base") { settings in
            var retry = Retry(backoff: settings.backoffFields(default: fallback), slot: slot)
            retry.waitOrigin = settings.word(
                "from",
                of: [
                    ("failure", Retry.WaitOrigin.failure), ("attempt", .attempt),
                    ("attempt-then-jitter", .attemptThenJitter),
                ], default: .failure,
                "start of the wait: the failure, or the start of the attempt, with jitter before or after the elapsed time is subtracted"
            )
            retry.minConnectTimeout = settings.span(
                "min-connect-timeout", in: .milliseconds(1) ... .longest,
                "limit of an attempt: this or the wait after it, whichever is longer; replaces `connect: timeout`")
            retry.afterOpen = settings.waitAfterOpen(
                "after-open",
                "wait after a connection that reset the backoff; default: the first wait, counted as `from` says")
            retry.afterSilence = settings.waitAfterOpen(
                "after-silence",
                "as `after-open`, for a connection that the client itself found dead; default: `after-open`")
            retry.reset = settings.resetRule("reset")
            retry.limit = settings.retryLimit("give-up")
            retry.suspension = settings.section("suspended", "constant wait after a long time without a connection") {
                var suspension = Retry.Suspension(
                    after: $0.span("after", default: .minutes(2), "time without a connection"),
                    wait: $0.value("wait", .wait, default: .seconds(30), "every wait from then on, without jitter"))
                suspension.restarts = $0.word(
                    "restarts", of: [("never", false), ("unanswered", true)], default: false,
                    "whether an attempt with this wait that gets no answer starts the time and the backoff again")
                return suspension
            }
            retry.inBackground = settings.word(
                "in-background",
                of: [("retry", Retry.BackgroundRetry.retry), ("longest-wait", .longest), ("hold", .hold)],
                default: .retry,
                "retries as usual, after the longest wait, or not at all; a return to the foreground ends the latter two at once"
            )
            let stopsWhenDenied = settings.word(
                "when-denied", of: [("retry", false), ("stop", true)], default: false,
                "after a server that rejects the credentials: retry as after any failure, or make no attempt of its own; short for `on-end: {denied: stop}`"
            )
            retry.onEnd =
                settings.endReactions(
                    "on-end",
                    "reaction by kind of end, or by the code that the server states (4401, 4400-4499); without an entry the usual wait"
                ) ?? EndReactions()
            if stopsWhenDenied { settings.setStop(.denied, &retry.onEnd, "when-denied") }
            retry.timing = settings.timerOptions("the wait")
            settings.checkSuspension(retry)
            settings.checkUncounted(retry)
            return retry
        }
    }

    /// Reads the wait after a connection that worked, written as `after-open: 0s` or `after-open: {wait: 0s, counts:
    /// true}`.
    private mutating func waitAfterOpen(_ key: String, _ help: String) -> Retry.WaitAfterOpen? {
        let plain = ValueFormat.wait.map {
            Retry.WaitAfterOpen(wait: $0)
        } back: {
            $0.wait
        }
        return either(key, help, plain: plain) { settings in
            Retry.WaitAfterOpen(
                wait: settings.value("wait", .wait, default: .zero, "the wait"),
                counts: settings.flag(
                    "counts", default: false, "counts as a failure, so the backoff continues with its second wait"))
        }
    }

    /// Enters the setting `key: stop`, which is short for one entry of the reactions.
    private mutating func setStop(_ kind: EndKind, _ reactions: inout EndReactions, _ key: String) {
        if reactions[kind] != nil, !isDescribing {
            note(
                Fault(
                    .contradiction, at: mark(of: key), width: key.utf8.count,
                    "`\(key)` beside `on-end: {\(kind.word)}`",
                    label: "one of them is enough"))
        }
        reactions[kind] = .stop
    }

    /// With a minimum time of an attempt, a wait is drawn and counted before the end is known.
    private mutating func checkUncounted(_ retry: Retry) {
        guard retry.minConnectTimeout != nil, retry.onEnd.uses(.uncounted), !isDescribing else { return }
        note(
            Fault(
                .contradiction, at: mark(of: "on-end"), width: 6, "`uncounted` beside `min-connect-timeout`",
                label: "the wait is drawn when the attempt begins"))
    }

    private mutating func resetRule(_ key: String) -> Retry.ResetRule {
        let words = ValueFormat<Retry.ResetRule>.word([
            ("open", .opened), ("settings", .serverResponded), ("message", .received), ("path", .path),
            ("never", .never),
        ])
        let read = either(
            key,
            "event that resets the backoff: an open connection (the default), the server's SETTINGS, a message, {up: 5s}, a new path, or never",
            plain: words
        ) { settings in
            Retry.ResetRule.up(
                settings.span("up", default: .seconds(5), "time that a connection was open"))
        }
        return read ?? .opened
    }

    private mutating func retryLimit(_ key: String) -> Retry.RetryLimit {
        let read = section(
            key, "when attempts stop; then only an event to which the client reacts starts one, such as a new path"
        ) { settings in
            Retry.RetryLimit(
                retries: settings.count(
                    "retries", in: 0...Int64(UInt32.max - 1), "attempts after the first, or after a connection"
                ).map { UInt32($0) } ?? .max,
                after: settings.span("after", "time after the last connection, or after the first attempt")
                    ?? .longest)
        }
        return read ?? Retry.RetryLimit()
    }

    private mutating func checkSuspension(_ retry: Retry) {
        guard let suspension = retry.suspension, retry.limit.after <= suspension.after else { return }
        note(
            Fault(
                .contradiction, at: mark(of: "suspended"), width: 9, "`suspended` after `give-up`",
                label: "attempts stop before it can begin"))
    }
}
