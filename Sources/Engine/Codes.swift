import DeadzoneClient
import DeadzoneJournal

// The journal knows nothing of clients and servers: what they are told by names of theirs is written under names of its own.

extension CloseCode {
    init(_ reason: CloseReason) {
        switch reason {
        case .pathLost: self = .pathLost
        case .timedOut: self = .timedOut
        case .reset: self = .reset
        case .ended: self = .ended
        case .denied: self = .denied
        }
    }
}

extension FailureCode {
    init(_ failure: Failure) {
        switch failure {
        case .noPath: self = .noPath
        case .timedOut: self = .timedOut
        case .refused: self = .refused
        case .unresolved: self = .unresolved
        case .untrusted: self = .untrusted
        case .turnedAway: self = .turnedAway
        }
    }
}

extension CallCode {
    init(_ failure: CallFailure) {
        switch failure {
        case .deadlineExceeded: self = .deadlineExceeded
        case .unavailable: self = .unavailable
        case .resourceExhausted: self = .resourceExhausted
        case .permissionDenied: self = .permissionDenied
        }
    }
}

extension GoAwayCode {
    init(_ reason: GoAway) {
        switch reason {
        case .noError: self = .noError
        case .tooManyPings: self = .tooManyPings
        }
    }
}
