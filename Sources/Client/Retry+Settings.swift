import DeadzonePrimitives
public import DeadzoneSettings

extension SettingsReader {
    /// `backoff: {base: 1s, multiplier: 1.6, cap: 2m, jitter: 20%, from: attempt, wake: alarm}`
    public mutating func retry(_ key: String, slot: TimerSlot, default fallback: Backoff, _ help: String = "") -> Retry
    {
        group(key, help) { settings in
            var retry = Retry(law: settings.backoffLaw(default: fallback), slot: slot)
            retry.anchor = settings.word(
                "from",
                of: [
                    ("failure", Retry.Anchor.failure), ("attempt", .attempt),
                    ("attempt-then-jitter", .attemptThenJitter),
                ], default: .failure,
                "what the wait is counted from: the failure, or the beginning of the attempt, before or after jitter")
            retry.minConnectTimeout = settings.span(
                "min-connect-timeout", in: .milliseconds(1) ... .longest,
                "an attempt may take this or the wait after it, whichever is more; replaces connect's timeout")
            retry.afterOpen = settings.renewal(
                "after-open",
                "the wait after a connection that made the waits begin anew; without it the first wait, from `from`")
            retry.afterSilence = settings.renewal(
                "after-silence", "the same where it was found dead, and nobody had ended it; without it `after-open`")
            retry.reset = settings.resetRule("reset")
            retry.limit = settings.retryLimit("give-up")
            retry.suspension = settings.section("suspended", "after long enough every wait is the same") {
                Retry.Suspension(
                    after: $0.span("after", default: .minutes(2), "so long without a connection"),
                    wait: $0.value("wait", .wait, default: .seconds(30), "every wait from then on, without jitter"))
            }
            retry.hidden = settings.word(
                "in-background",
                of: [("retry", Retry.Hidden.retry), ("longest-wait", .longest), ("hold", .hold)], default: .retry,
                "retries as ever, after the longest wait, or not at all; the two end in the foreground at once")
            retry.denied = settings.word(
                "when-denied", of: [("retry", Retry.Denied.retry), ("stop", .stop)], default: .retry,
                "after a server that does not know who is there: as after any failure, or no attempt of itself")
            retry.timing = settings.timing("the wait")
            settings.checkSuspension(retry)
            return retry
        }
    }

    /// `after-open: 0s`, or `after-open: {wait: 0s, counts: true}`
    private mutating func renewal(_ key: String, _ help: String) -> Retry.Renewal? {
        let plain = Form.wait.map {
            Retry.Renewal(wait: $0)
        } back: {
            $0.wait
        }
        return either(key, help, plain: plain) { settings in
            Retry.Renewal(
                wait: settings.value("wait", .wait, default: .zero, "how long"),
                counts: settings.flag("counts", default: false, "as a failure: the law goes on with its second wait"))
        }
    }

    private mutating func resetRule(_ key: String) -> Retry.Reset {
        let words = Form<Retry.Reset>.word([
            ("open", .opened), ("settings", .greeted), ("message", .received), ("path", .path), ("never", .never),
        ])
        let read = either(
            key,
            "what makes the waits begin anew: an open connection (the default), the server's SETTINGS, a message, {up: 5s}, a new path, nothing",
            plain: words
        ) { settings in
            Retry.Reset.up(
                settings.span("up", default: .seconds(5), "a connection that was open for so long"))
        }
        return read ?? .opened
    }

    private mutating func retryLimit(_ key: String) -> Retry.Limit {
        let read = section(key, "when no further attempt is made until the app or a new path asks for one") {
            settings in
            Retry.Limit(
                retries: settings.count(
                    "retries", in: 0...Int64(UInt32.max - 1), "so many attempts after the first, or after a connection"
                ).map { UInt32($0) } ?? .max,
                after: settings.span("after", "so long after there was last a connection, or after the first attempt")
                    ?? .longest)
        }
        return read ?? Retry.Limit()
    }

    private mutating func checkSuspension(_ retry: Retry) {
        guard let suspension = retry.suspension, retry.limit.after <= suspension.after else { return }
        note(
            Fault(
                .contradiction, at: mark(of: "suspended"), width: 9, "`suspended` after `give-up`",
                label: "given up before it could begin"))
    }
}
