import DeadzoneDevice
import DeadzoneJournal

// The names that NDJSON gives to what records count. Scripts read them: append, never rename.

extension Kind {
    var name: String { Self.names[self] ?? spelled }

    private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.spelled) })

    /// The name of the case, in the way of JSON keys: `timerFired` is `timer_fired`.
    private var spelled: String {
        "\(self)".reduce(into: "") { name, letter in
            if letter.isUppercase { name += "_" }
            name += letter.lowercased()
        }
    }

    /// What the value of such a record is, as a key with its unit; nil if the tag says it all.
    var valueKey: String? {
        switch self {
        case .residency, .zombie, .zombieFrozen, .blocked, .available, .finished, .undetected, .unrecovered, .awake,
            .window,
            .consumerStalled, .flowStalled, .socketStalled,
            .suspended, .callOutage, .stale, .serverHeld, .waitedDown, .waitedUp, .waitedCall, .waitedProbe:
            "span_ns"
        case .deliveredDown, .deliveredUp, .acknowledgedUp, .probeAnswered, .detected, .recovered,
            .timerLate, .pushed, .answered, .callFailed, .resolved, .fresh, .herdBack, .herdMissing:
            "after_ns"
        case .ponged: "round_trip_ns"
        case .bytes, .fullSync, .dedupMemory, .memoryPeak, .serverQueuePeak: "bytes"
        case .sentDown, .sentUp: "message"
        case .lostDown, .lostUp, .duplicatedDown, .duplicatedUp, .pendingDown, .pendingUp, .probeLost, .callPending,
            .queueDropped, .suppressedDown, .suppressedUp, .mistakenDown, .mistakenUp, .reorderedDown, .reorderedUp,
            .gapNoticed, .gapUnnoticed, .drift, .queueOverflow, .bufferFilled, .bufferDropped, .bufferPeak, .pingStruck,
            .serverQueueDropped, .writesPending, .writesCalledBack, .messagesAsked,
            .serverPinged:
            "count"
        case .connecting, .opened, .closed, .failed, .falseDrop, .serverAccepted, .serverExpired, .sessionRefused:
            "connection"
        case .called, .answerUnused, .callRepeated, .serverAsked, .serverRejected: "call"
        case .resumed: "cursor"
        case .stopped: "events"
        case .windowShut, .socketFilled, .promotion, .pinged, .timerFired, .weather, .woke, .killed, .relaunched,
            .crashed,
            .networkTold,
            .mappingExpired, .attemptedOffline,
            .goAway, .herdBegan:
            nil
        }
    }
}

extension ExpiryCode {
    var name: String {
        switch self {
        case .silent: "silent"
        case .unanswered: "unanswered"
        case .idle: "idle"
        case .age: "age"
        case .slow: "slow"
        }
    }
}

extension CloseCode {
    var name: String {
        switch self {
        case .byClient: "by_client"
        case .pathLost: "path_lost"
        case .timedOut: "timed_out"
        case .reset: "reset"
        case .ended: "ended"
        case .denied: "denied"
        }
    }
}

extension FailureCode {
    var name: String {
        switch self {
        case .noPath: "no_path"
        case .timedOut: "timed_out"
        case .refused: "refused"
        case .unresolved: "unresolved"
        case .untrusted: "untrusted"
        case .turnedAway: "turned_away"
        }
    }
}

extension CallCode {
    var name: String {
        switch self {
        case .deadlineExceeded: "deadline_exceeded"
        case .unavailable: "unavailable"
        case .resourceExhausted: "resource_exhausted"
        case .permissionDenied: "permission_denied"
        }
    }
}

extension RejectionCode {
    var name: String {
        switch self {
        case .transient: "transient"
        case .permanent: "permanent"
        case .rateLimited: "rate_limited"
        case .overloaded: "overloaded"
        case .unprocessed: "unprocessed"
        }
    }
}

extension SuspensionCode {
    var name: String {
        switch self {
        case .asleep: "asleep"
        case .suspended: "suspended"
        case .frozen: "frozen"
        }
    }
}

extension ResolutionCode {
    var name: String {
        switch self {
        case .answered: "answered"
        case .cached: "cached"
        case .failed: "failed"
        }
    }
}

extension GoAwayCode {
    var name: String {
        switch self {
        case .noError: "no_error"
        case .tooManyPings: "too_many_pings"
        }
    }
}

extension NetworkCode {
    var name: String {
        switch self {
        case .available: "available"
        case .losing: "losing"
        case .lost: "lost"
        case .validated: "validated"
        case .unvalidated: "unvalidated"
        case .blocked: "blocked"
        case .unblocked: "unblocked"
        case .capabilities: "capabilities"
        }
    }
}

extension PowerLevel {
    var name: String {
        switch self {
        case .unassociated: "unassociated"
        case .idle: "idle"
        case .search: "search"
        case .promotion: "promotion"
        case .secondPromotion: "second_promotion"
        case .activeDown: "active_down"
        case .activeUp: "active_up"
        case .tail: "tail"
        case .shortDRX: "short_drx"
        case .longDRX: "long_drx"
        case .secondTail: "second_tail"
        case .inactive: "inactive"
        case .handover: "handover"
        case .fach: "fach"
        case .dch: "dch"
        case .activeHigh: "active_high"
        case .fachPromotion: "fach_promotion"
        }
    }
}

extension OverflowCode {
    var name: String {
        switch self {
        case .suspend: "suspend"
        case .dropOldest: "drop_oldest"
        case .dropLatest: "drop_latest"
        }
    }
}
