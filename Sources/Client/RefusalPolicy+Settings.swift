import DeadzoneBase

extension SettingsReader {
    /// Reads the reaction to refused messages, written as `on-refusal: drop` or `on-refusal: {retry: {base: 5s, cap:
    /// 5h, wake: job}, also: [next-message, path, foreground]}`. `nil` drops a refused message.
    mutating func refusalPolicy(slot: TimerSlot) -> RefusalPolicy? {
        let plain = ValueFormat.word([("drop", RefusalPolicy?.none)])
        let read = either(
            "on-refusal", "a message that the server's program refuses: is dropped (default), or is sent again later",
            plain: plain
        ) { settings in
            RefusalPolicy?.some(settings.refusalFields(slot: slot))
        }
        return read ?? nil
    }

    private mutating func refusalFields(slot: TimerSlot) -> RefusalPolicy {
        var policy = RefusalPolicy(backoff: nil, slot: slot)
        _ = section("retry", "waits between the attempts of one message; without it only the events of `also` end them")
        {
            settings in
            // The defaults of WorkManager: 30 s, doubled, at most 5 h (androidx.work.WorkRequest,
            // DEFAULT_BACKOFF_DELAY_MILLIS and MAX_BACKOFF_MILLIS).
            policy.backoff = settings.backoffWithoutHistory()
            policy.timing = settings.timerOptions("the retry")
        }
        let events = list(
            "also",
            of: .word([
                ("next-message", RefusalPolicy.Triggers.nextMessage), ("path", .path), ("foreground", .foreground),
            ]), counts: 1...3, "events that end a wait: a new message, a network or a connection, the app in front")
        for event in events ?? [] { policy.triggers.formUnion(event) }
        policy.limit = count("retries", in: 0...200, "retries of one message, after which it is dropped").map {
            UInt8($0)
        }
        policy.retriesPermanent = word(
            "permanent", of: [("drop", false), ("retry", true)], default: false,
            "a permanent refusal: the message is dropped, or retried, which blocks all later ones")
        policy.uploadsAnew = word(
            "locked", of: [("wait", false), ("new-upload", true)], default: false,
            "a message that an earlier upload of it holds: waits as after any refusal, or starts a new upload at once")
        if policy.backoff == nil, policy.triggers.isEmpty, !isDescribing {
            note(
                Fault(
                    .contradiction, at: mark(of: "on-refusal"), width: 10, "a refused message that is never sent again",
                    label: "add `retry: {}`, or events under `also`"))
        }
        return policy
    }

    /// Reads a backoff that keeps only the number of failures.
    mutating func backoffWithoutHistory(default fallback: Backoff = .workManager) -> Backoff {
        let backoff = backoffFields(default: fallback)
        if !isDescribing, backoff.needsHistory {
            refuse(["jitter"], "that depends on earlier waits", label: "only the number of failures is kept here")
        }
        return backoff
    }

    /// Reads the size of the parts in which a message can be continued: `chunks: {size: 1MB, resume: offset}`.
    mutating func chunks() -> UploadPolicy? {
        section("chunks", "large messages are continued on a new connection, as by tus; default: from the start again")
        {
            settings in
            let resumes = settings.word(
                "resume", of: [("offset", true), ("start", false)], default: true,
                "asks the server for the offset and sends the rest, or starts anew")
            guard resumes || settings.isDescribing else {
                settings.refuse(["size"], "beside `resume: start`", label: "no part that the server keeps is used")
                return UploadPolicy(size: 1 << 20, resumesAtOffset: false)
            }
            let size = settings.size(
                "size", default: 1 << 20, in: 1...(1 << 30), "the server keeps whole parts of this size")
            return UploadPolicy(size: UInt32(size), resumesAtOffset: resumes)
        }
    }
}

extension Backoff {
    /// Default of WorkManager: 30 s, doubled, at most 5 h.
    static var workManager: Backoff {
        Backoff(base: .seconds(30), growth: .times(2_000_000), cap: .hours(5), jitter: .none)
    }

    /// `true` if the jitter depends on earlier waits, or on a number that was drawn when the process started.
    var needsHistory: Bool {
        switch jitter {
        case .decorrelated, .perProcess: true
        default: false
        }
    }
}
