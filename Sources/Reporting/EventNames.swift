import DeadzoneDevice
import DeadzoneJournal

// The names that NDJSON gives to what records count. Scripts read them: append, never rename.

extension Kind {
    var name: String {
        switch self {
        case .residency: "residency"
        case .promotion: "promotion"
        case .bytes: "bytes"
        case .sentDown: "sent_down"
        case .sentUp: "sent_up"
        case .deliveredDown: "delivered_down"
        case .deliveredUp: "delivered_up"
        case .acknowledgedUp: "acknowledged_up"
        case .lostDown: "lost_down"
        case .lostUp: "lost_up"
        case .duplicatedDown: "duplicated_down"
        case .duplicatedUp: "duplicated_up"
        case .pendingDown: "pending_down"
        case .pendingUp: "pending_up"
        case .probeAnswered: "probe_answered"
        case .probeLost: "probe_lost"
        case .connecting: "connecting"
        case .opened: "opened"
        case .closed: "closed"
        case .failed: "failed"
        case .falseDrop: "false_drop"
        case .zombie: "zombie"
        case .blocked: "blocked"
        case .detected: "detected"
        case .recovered: "recovered"
        case .available: "available"
        case .resumed: "resumed"
        case .pinged: "pinged"
        case .ponged: "ponged"
        case .timerFired: "timer_fired"
        case .weather: "weather"
        case .serverAccepted: "server_accepted"
        case .finished: "finished"
        case .stopped: "stopped"
        case .undetected: "undetected"
        case .unrecovered: "unrecovered"
        case .awake: "awake"
        case .woke: "woke"
        case .window: "window"
        case .suspended: "suspended"
        case .killed, .relaunched, .crashed: "\(self)"
        case .timerLate: "timer_late"
        case .pushed: "pushed"
        case .networkTold: "network_told"
        case .called: "called"
        case .answered: "answered"
        case .callFailed: "call_failed"
        case .callPending: "call_pending"
        case .answerUnused: "answer_unused"
        case .mappingExpired: "mapping_expired"
        case .queueDropped: "queue_dropped"
        case .serverExpired: "server_expired"
        case .resolved: "resolved"
        case .goAway: "go_away"
        case .callOutage: "call_outage"
        case .pingStruck, .serverPinged: self == .pingStruck ? "ping_struck" : "server_pinged"
        }
    }

    /// What the value of such a record is, as a key with its unit; nil if the tag says it all.
    var valueKey: String? {
        switch self {
        case .residency, .zombie, .blocked, .available, .finished, .undetected, .unrecovered, .awake, .window,
            .suspended, .callOutage:
            "span_ns"
        case .deliveredDown, .deliveredUp, .acknowledgedUp, .probeAnswered, .detected, .recovered, .falseDrop,
            .timerLate, .pushed, .answered, .callFailed, .resolved:
            "after_ns"
        case .ponged: "round_trip_ns"
        case .bytes: "bytes"
        case .sentDown, .sentUp: "message"
        case .lostDown, .lostUp, .duplicatedDown, .duplicatedUp, .pendingDown, .pendingUp, .probeLost, .callPending,
            .queueDropped, .pingStruck, .serverPinged:
            "count"
        case .connecting, .opened, .closed, .failed, .serverAccepted, .serverExpired: "connection"
        case .called, .answerUnused: "call"
        case .resumed: "cursor"
        case .stopped: "events"
        case .promotion, .pinged, .timerFired, .weather, .woke, .killed, .relaunched, .crashed, .networkTold,
            .mappingExpired,
            .goAway:
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
        }
    }
}

extension CallCode {
    var name: String {
        switch self {
        case .deadlineExceeded: "deadline_exceeded"
        case .unavailable: "unavailable"
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
