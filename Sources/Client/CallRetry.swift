public import DeadzoneBase

/// Policy for sending a call more than once: again after a failure (retry), or again before any failure (hedging)
/// (grpc/proposal A6-client-retries.md).
///
///     sent ──answer──> done
///     sent ──error of `codes`, attempts and tokens left──> waits ──timer──> sent
///     sent ──delay over, hedging──> sent once more beside the first
///     sent ──any other error, or the last one──> failed
///
/// The diagram omits the server's pushback, which sets the wait or forbids a retry. It also omits calls that never
/// reached the server application: they are sent again at once and count as nothing. A call that never left the phone
/// is not `sent` yet, even if connections fail in the meantime.
public struct CallRetry: Hashable, Sendable {
    /// Maximum number of attempts of a call, even if a policy allows more: `maxRetryAttempts` of grpc-java
    /// (`core/src/main/java/io/grpc/internal/ManagedChannelImplBuilder.java`), `defaultMaxCallAttempts` of grpc-go
    /// (`clientconn.go`).
    static let mostAttempts: UInt8 = 5
    /// Maximum number of calls that can wait for their next attempt at the same time. A further call fails with the
    /// error that it received, as it does when gRPC's retry buffer is full.
    package static let capacity = 16

    public enum RetryJitter: UInt8, Hashable, Sendable, BitwiseCopyable {
        case none
        /// The wait is multiplied by a random factor from 0.8 to 1.2.
        case fifth
        /// The wait is uniform between zero and the backoff's wait: the older text of A6, and grpc-swift 2
        /// (`Sources/GRPCCore/Call/Client/Internal/RetryDelaySequence.swift`).
        case full
    }

    public enum RepeatPolicy: Hashable, Sendable {
        /// Sends a failed call again. The n-th retry waits as long as the backoff says after n − 1 failures.
        case retry(Backoff, RetryJitter)
        /// Sends the next attempt of a call this long after the previous one, without waiting for the result.
        case hedge(TimeSpan)
    }

    public var policy: RepeatPolicy
    /// Maximum number of attempts, including the first.
    public var attempts: UInt8
    /// Status codes after which a call is retried. With hedging: status codes that do not end the call.
    public var codes: CallFailures
    public var slot: TimerSlot

    public init(_ policy: RepeatPolicy, attempts: UInt8, codes: CallFailures = [.unavailable], slot: TimerSlot) {
        self.policy = policy
        self.attempts = min(attempts, Self.mostAttempts)
        self.codes = codes
        self.slot = slot
    }

    /// Returns the wait before a retry; `index` is the number of earlier retries with a wait.
    func wait(after index: UInt8, using random: inout Dice) -> TimeSpan {
        guard case .retry(let backoff, let jitter) = policy else { return .zero }
        let wait = backoff.delay(afterFailures: UInt32(index))
        let (low, width) =
            switch jitter {
            case .none: (wait, TimeSpan.zero)
            case .fifth: (wait * 4 / 5, wait * 2 / 5)
            case .full: (TimeSpan.zero, wait)
            }
        guard width > .zero else { return low }
        return low + .nanoseconds(Int64(random.next().scaled(below: UInt64(width.nanoseconds) + 1)))
    }
}

/// A set of reasons for which calls fail (status codes), stored as bits.
public struct CallFailures: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt8 = 0

    public init(arrayLiteral elements: CallFailure...) { self.init(elements) }

    public init(_ elements: some Sequence<CallFailure>) {
        for element in elements { bits |= 1 << element.rawValue }
    }

    public func contains(_ failure: CallFailure) -> Bool { bits & (1 << failure.rawValue) != 0 }
}

/// Stores the calls that wait for their next attempt, each with the time at which the attempt is due.
struct CallSchedule: Sendable, BitwiseCopyable {
    private var dues = InlineArray<16, Instant>(repeating: .never)
    private var calls = InlineArray<16, UInt8>(repeating: 0)

    var earliest: Instant {
        var earliest = Instant.never
        for index in 0..<CallRetry.capacity { earliest = min(earliest, dues[index]) }
        return earliest
    }

    func contains(_ place: Int) -> Bool {
        for index in 0..<CallRetry.capacity where dues[index] != .never && Int(calls[index]) == place { return true }
        return false
    }

    /// Schedules the next attempt of a call. Replaces an earlier entry of the same call. Returns `false` if the
    /// schedule is full.
    mutating func add(_ place: Int, at due: Instant) -> Bool {
        remove(place)
        for index in 0..<CallRetry.capacity where dues[index] == .never {
            dues[index] = due
            calls[index] = UInt8(place)
            return true
        }
        return false
    }

    mutating func remove(_ place: Int) {
        for index in 0..<CallRetry.capacity where dues[index] != .never && Int(calls[index]) == place {
            dues[index] = .never
        }
    }

    /// Removes the earliest call that is due and returns it.
    mutating func popDue(at now: Instant) -> Int? {
        var best = -1
        for index in 0..<CallRetry.capacity where dues[index] <= now && dues[index] != .never {
            if best < 0 || dues[index] < dues[best] { best = index }
        }
        guard best >= 0 else { return nil }
        dues[best] = .never
        return Int(calls[best])
    }
}
