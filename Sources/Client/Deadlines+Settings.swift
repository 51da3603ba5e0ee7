public import DeadzoneBase

extension SettingsReader {
    /// Reads the settings for calls, written as `calls: {deadline: 15s, reconnect-after: 3}`.
    public mutating func deadlines(
        _ key: String, slot: TimerSlot, retrySlot: TimerSlot, _ help: String = ""
    ) -> Deadlines {
        group(key, help) { settings in
            var facet = Deadlines(slot: slot)
            facet.limit = settings.span(
                "deadline", in: .milliseconds(1) ... .longest, "time limit of a call; without an answer it fails")
            facet.backgroundLimit = settings.span(
                "in-background", in: .milliseconds(1) ... .longest, "deadline of calls made in the background")
            facet.batterySaverLimit = settings.span(
                "low-battery", in: .milliseconds(1) ... .longest,
                "deadline of calls made while battery saver is on, in the foreground or background")
            facet.slowNetwork = settings.section(
                "slow-network", "deadline of calls in the foreground while the app's calls are slow"
            ) { settings in
                Deadlines.SlowNetworkLimit(
                    threshold: settings.span(
                        "above", default: .seconds(1), in: .milliseconds(1) ... .longest,
                        "the network is slow if the last measured call took longer, or was not answered"),
                    limit: settings.required(
                        "deadline", .span(in: .milliseconds(1) ... .longest), standIn: .seconds(1),
                        "deadline on a slow network"))
            }
            facet.timing = settings.timerOptions("the deadline")
            settings.readPersistence(&facet, slot: retrySlot)
            facet.whenNotConnected = settings.word(
                "unready",
                of: [("wait", Deadlines.NotConnectedPolicy.wait), ("attempt", .attempt), ("fail", .fail)],
                default: .wait,
                "a call without a connection or an attempt: waits for a connection, waits for the "
                    + "next attempt and fails with it, or fails at once")
            facet.failsOffline = settings.word(
                "offline", of: [("wait", false), ("fail", true)], default: false,
                "calls while the system reports no network")
            facet.probeAfter = UInt8(
                settings.count(
                    "probe-after", default: 0, in: 0...100,
                    "missed deadlines in a row after which the connection is probed; 0 disables it"))
            facet.reconnectAfter = UInt8(
                settings.count(
                    "reconnect-after", default: 0, in: 0...100,
                    "missed deadlines in a row after which the connection is replaced; 0 disables it"))
            return facet
        }
    }

    private static var failureWords: [(String, CallFailure)] {
        [
            ("unavailable", .unavailable), ("resource-exhausted", .resourceExhausted),
            ("permission-denied", .permissionDenied),
        ]
    }

    /// Reads the settings that define whether and how a call is sent again: `retry`, or the fields of a gRPC service
    /// config, under their own names (grpc/proposal A6-client-retries.md).
    private mutating func readPersistence(_ facet: inout Deadlines, slot: TimerSlot) {
        let hasPolicy = !isDescribing && (has("retry-policy") || has("hedging-policy"))
        if hasPolicy {
            refuse(["retry"], "beside a policy", label: "a call has one policy")
        } else {
            facet.retriesAfterReconnect = flag(
                "retry", default: true, "sends unanswered calls again on the next connection")
        }
        let retry = section("retry-policy", "sends a call again after an error; replaces `retry`") { settings in
            settings.retryPolicy(slot: slot)
        }
        let hedge = section("hedging-policy", "sends further attempts beside the first") { settings in
            CallRetry(
                .hedge(settings.span("delay", default: .zero, "time between two attempts")),
                attempts: settings.attempts(),
                codes: settings.codes("non-fatal-codes", "errors after which the other attempts continue"), slot: slot)
        }
        facet.retry = retry ?? hedge
        if retry != nil && hedge != nil { contradict("hedging-policy", "retry-policy") }
        facet.throttle = section("retry-throttling", "stops retries while too many calls fail") { settings in
            RetryThrottle(
                tokens: UInt16(
                    settings.count(
                        "max-tokens", default: 10, in: 1...1_000,
                        "tokens at the start; a failure costs one, and a retry needs more than half of them")),
                ratio: UInt32(
                    settings.value(
                        "token-ratio", .decimal(in: 1_000...1_000_000_000), default: 100_000,
                        "tokens that an answer gives back; truncated to thousandths") / 1_000))
        }
        if facet.throttle != nil && facet.retry == nil {
            note(
                Fault(
                    .contradiction, at: mark(of: "retry-throttling"), width: 16, "`retry-throttling` without a policy",
                    label: "no call is sent again"))
        }
    }

    private mutating func retryPolicy(slot: TimerSlot) -> CallRetry {
        let base = span("initial-backoff", default: .seconds(1), in: .milliseconds(1) ... .longest, "first wait")
        let backoff = Backoff(
            base: base,
            multiplier: value(
                "backoff-multiplier", .decimal(in: 1_000...1_000_000_000), default: 2_000_000,
                "factor of the wait for each retry"),
            cap: span(
                "max-backoff", default: max(.seconds(30), base), in: .milliseconds(1) ... .longest, "longest wait"),
            jitter: .none)
        let jitter = word(
            "jitter", of: [("20%", CallRetry.RetryJitter.fifth), ("full", .full), ("none", .none)], default: .fifth,
            "20%: the wait times 0.8 to 1.2; full: from 0 to the wait (the older rule)")
        return CallRetry(
            .retry(backoff, jitter), attempts: attempts(),
            codes: codes("retryable-codes", "errors after which a call is sent again"), slot: slot)
    }

    private mutating func attempts() -> UInt8 {
        UInt8(
            count(
                "max-attempts", default: Int64(CallRetry.mostAttempts), in: 2...255,
                "attempts including the first; clients limit them to \(CallRetry.mostAttempts)"))
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
