import DeadzonePrimitives
public import DeadzoneSettings

extension SettingsReader {
    /// `calls: {deadline: 15s, reconnect-after: 3}`
    public mutating func deadlines(
        _ key: String, slot: TimerSlot, retrySlot: TimerSlot, _ help: String = ""
    ) -> Deadlines {
        group(key, help) { settings in
            var facet = Deadlines(slot: slot)
            facet.limit = settings.span(
                "deadline", in: .milliseconds(1) ... .longest, "a call without an answer for so long fails")
            facet.backgroundLimit = settings.span(
                "in-background", in: .milliseconds(1) ... .longest, "the deadline of calls asked in the background")
            facet.savingLimit = settings.span(
                "low-battery", in: .milliseconds(1) ... .longest,
                "the deadline of calls asked while battery saver is on, in the background as well")
            facet.timing = settings.timing("the deadline")
            settings.readPersistence(&facet, slot: retrySlot)
            facet.unready = settings.word(
                "unready",
                of: [("wait", Deadlines.Unready.wait), ("attempt", .attempt), ("fail", .fail)], default: .wait,
                "what a call does while there is neither connection nor attempt: waits for a connection, or for the "
                    + "next attempt and fails with it, or fails")
            facet.failsOffline = settings.word(
                "offline", of: [("wait", false), ("fail", true)], default: false,
                "what calls do when the system names no network")
            facet.probeAfter = UInt8(
                settings.count(
                    "probe-after", default: 0, in: 0...100,
                    "after so many missed deadlines in a row asks for a sign of life; 0 never"))
            facet.reconnectAfter = UInt8(
                settings.count(
                    "reconnect-after", default: 0, in: 0...100,
                    "after so many missed deadlines in a row takes a new connection; 0 never"))
            return facet
        }
    }

    private static var failureWords: [(String, CallFailure)] {
        [
            ("unavailable", .unavailable), ("resource-exhausted", .resourceExhausted),
            ("permission-denied", .permissionDenied),
        ]
    }

    /// Whether and how a call is asked again: `retry`, or the parts of a gRPC service config, under its own names (grpc/proposal
    /// A6-client-retries.md).
    private mutating func readPersistence(_ facet: inout Deadlines, slot: TimerSlot) {
        let hasPolicy = !isDescribing && (has("retry-policy") || has("hedging-policy"))
        if hasPolicy {
            refuse(["retry"], "beside a policy", label: "a call has one policy")
        } else {
            facet.asksAgain = flag(
                "retry", default: true, "asks again on the next connection what the last one left unanswered")
        }
        let retry = section("retry-policy", "asks again after an error; takes the place of `retry`") { settings in
            settings.retryPolicy(slot: slot)
        }
        let hedge = section("hedging-policy", "asks again beside the first attempt") { settings in
            CallRetry(
                .hedge(settings.span("delay", default: .zero, "from one attempt to the next")),
                attempts: settings.attempts(),
                codes: settings.codes("non-fatal-codes", "after these the other attempts go on"), slot: slot)
        }
        facet.retry = retry ?? hedge
        if retry != nil && hedge != nil { contradict("hedging-policy", "retry-policy") }
        facet.throttle = section("retry-throttling", "no call is repeated while too many fail") { settings in
            RetryThrottle(
                tokens: UInt16(
                    settings.count("max-tokens", default: 10, in: 1...1_000, "a failure takes one; half must be left")),
                ratio: UInt32(
                    settings.value(
                        "token-ratio", .decimal(in: 1_000...1_000_000_000), default: 100_000,
                        "an answer gives back so much of one; finer than thousandths is cut off") / 1_000))
        }
        if facet.throttle != nil && facet.retry == nil {
            note(
                Fault(
                    .contradiction, at: mark(of: "retry-throttling"), width: 16, "`retry-throttling` without a policy",
                    label: "nothing is asked again"))
        }
    }

    private mutating func retryPolicy(slot: TimerSlot) -> CallRetry {
        let base = span("initial-backoff", default: .seconds(1), in: .milliseconds(1) ... .longest, "the first wait")
        let law = Backoff(
            base: base,
            multiplier: value(
                "backoff-multiplier", .decimal(in: 1_000...1_000_000_000), default: 2_000_000,
                "each retry multiplies the wait by this"),
            cap: span(
                "max-backoff", default: max(.seconds(30), base), in: .milliseconds(1) ... .longest, "no wait is longer"),
            jitter: .none)
        let jitter = word(
            "jitter", of: [("20%", CallRetry.Jitter.fifth), ("full", .full), ("none", .none)], default: .fifth,
            "20%: the wait times 0.8 to 1.2; full: anything up to it, the older rule")
        return CallRetry(
            .retry(law, jitter), attempts: attempts(),
            codes: codes("retryable-codes", "errors after which it asks again"), slot: slot)
    }

    private mutating func attempts() -> UInt8 {
        UInt8(
            count(
                "max-attempts", default: Int64(CallRetry.mostAttempts), in: 2...255,
                "the first one counts; \(CallRetry.mostAttempts) is the most that clients make"))
    }

    private mutating func codes(_ key: String, _ help: String) -> CallFailures {
        let read = list(key, of: .word(Self.failureWords, noun: "status"), counts: 1...3, help)
        return CallFailures(read ?? [.unavailable])
    }

    private mutating func contradict(_ key: String, _ other: String) {
        note(
            Fault(
                .contradiction, at: mark(of: key), width: key.utf8.count, "`\(key)` beside `\(other)`",
                label: "a call has one policy"))
    }
}
