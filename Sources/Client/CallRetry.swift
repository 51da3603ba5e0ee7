public import DeadzonePrimitives

/// When a call that failed is asked once more, or asked twice before it fails (grpc/proposal A6-client-retries.md).
///
///     asked ──answer──> done
///     asked ──error of `codes`, attempts and tokens left──> waits ──timer──> asked
///     asked ──delay over, hedging──> asked once more beside the first
///     asked ──any other error, or the last one──> failed
///
/// The drawing leaves out the server's pushback, which sets the wait or forbids it, and what never reached the server's program:
/// that is asked again at once and counts as nothing. A call that never left the phone is not asked yet, however often
/// connections fail meanwhile.
public struct CallRetry: Hashable, Sendable {
    /// No policy goes beyond: `maxRetryAttempts` of grpc-java (`core/src/main/java/io/grpc/internal/
    /// ManagedChannelImplBuilder.java`), `defaultMaxCallAttempts` of grpc-go (`clientconn.go`).
    public static let mostAttempts: UInt8 = 5
    /// Calls that wait for their next attempt at one time; one more ends with the error that it got, as where gRPC's retry
    /// buffer is full.
    public static let capacity = 16

    public enum Jitter: UInt8, Hashable, Sendable, BitwiseCopyable {
        case none
        /// The wait times 0.8 to 1.2.
        case fifth
        /// Anything up to the wait: the older text, and grpc-swift 2 (`Sources/GRPCCore/Call/Client/Internal/
        /// RetryDelaySequence.swift`).
        case full
    }

    public enum Manner: Hashable, Sendable {
        /// The n-th retry waits `law` after n − 1 failures.
        case retry(Backoff, Jitter)
        /// The next attempt goes out so long after the last one, whatever became of it.
        case hedge(TimeSpan)
    }

    public var manner: Manner
    /// The first one counts.
    public var attempts: UInt8
    /// Retried after these; of a hedged call: those that do not end it.
    public var codes: CallFailures
    public var slot: TimerSlot

    public init(_ manner: Manner, attempts: UInt8, codes: CallFailures = [.unavailable], slot: TimerSlot) {
        self.manner = manner
        self.attempts = min(attempts, Self.mostAttempts)
        self.codes = codes
        self.slot = slot
    }

    /// What a retry waits: `index` retries were waited for before it.
    func wait(after index: UInt8, using random: inout Dice) -> TimeSpan {
        guard case .retry(let law, let jitter) = manner else { return .zero }
        let wait = law.delay(afterFailures: UInt32(index))
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

/// A few of the ways in which a call can fail.
public struct CallFailures: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt8 = 0

    public init(arrayLiteral elements: CallFailure...) { self.init(elements) }

    public init(_ elements: some Sequence<CallFailure>) {
        for element in elements { bits |= 1 << element.rawValue }
    }

    public func contains(_ failure: CallFailure) -> Bool { bits & (1 << failure.rawValue) != 0 }
}

/// Calls that wait for their next attempt, and when it is due.
public struct CallSchedule: Sendable, BitwiseCopyable {
    private var dues = InlineArray<16, Instant>(repeating: .never)
    private var calls = InlineArray<16, UInt8>(repeating: 0)

    public init() {}

    public var earliest: Instant {
        var earliest = Instant.never
        for index in 0..<CallRetry.capacity { earliest = min(earliest, dues[index]) }
        return earliest
    }

    func holds(_ place: Int) -> Bool {
        for index in 0..<CallRetry.capacity where dues[index] != .never && Int(calls[index]) == place { return true }
        return false
    }

    /// False if there is no room. A call has one place at most.
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

    /// The call whose time has come, the earliest first; it is not scheduled any more.
    mutating func next(at now: Instant) -> Int? {
        var best = -1
        for index in 0..<CallRetry.capacity where dues[index] <= now && dues[index] != .never {
            if best < 0 || dues[index] < dues[best] { best = index }
        }
        guard best >= 0 else { return nil }
        dues[best] = .never
        return Int(calls[best])
    }
}
