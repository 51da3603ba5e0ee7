import DeadzoneBase

/// A client's calls that wait for an answer, with their deadlines and numbers of attempts.
public struct CallTable: Sendable, BitwiseCopyable {
    /// Maximum number of waiting calls: the number of bits in one word. If one call is made every other second, each
    /// may wait about a minute.
    public static let capacity = 32

    /// A set of positions in the table, one bit for each. Iteration returns the positions in ascending order.
    @usableFromInline struct CallBits: BitwiseCopyable, Sendable, Sequence, IteratorProtocol {
        @usableFromInline var bits: UInt32 = 0

        @usableFromInline mutating func next() -> Int? {
            guard bits != 0 else { return nil }
            defer { bits &= bits &- 1 }
            return bits.trailingZeroBitCount
        }

        subscript(place: Int) -> Bool {
            get { bits & (1 << UInt32(place)) != 0 }
            set { bits = newValue ? bits | (1 << UInt32(place)) : bits & ~(1 << UInt32(place)) }
        }
    }

    private var dues = InlineArray<32, Instant>(repeating: .never)
    private var indexes = InlineArray<32, UInt32>(repeating: 0)
    @usableFromInline private(set) var occupied = CallBits()
    /// Calls that were sent on the present connection.
    var isSent = CallBits()
    /// Number of consecutive deadlines that calls missed on the present connection.
    var missedDeadlines: UInt8 = 0
    /// `true` if the last measured call was slow, or was not answered.
    private(set) var isNetworkSlow = false
    /// Calls that were sent again once, because the server application had never received them.
    var wasUnprocessed = CallBits()
    /// Calls for which the server allows no further attempts.
    var hasNoMoreAttempts = CallBits()
    /// Two counters of each call: attempts made (low 4 bits), and failed attempts, or retries that had a wait (high 4
    /// bits).
    private var attempts = InlineArray<32, UInt8>(repeating: 0)
    /// The call that is being measured, and the time at which it was made. `.never` if no call is being measured.
    private var measuredCall: UInt32 = 0
    private var measuredSince = Instant.never
    var schedule = CallSchedule()
    var throttle = RetryThrottle.State()

    public init() {}

    @inlinable public var isEmpty: Bool { occupied.bits == 0 }
    public var count: Int { occupied.bits.nonzeroBitCount }

    func due(_ place: Int) -> Instant { dues[place] }
    func index(_ place: Int) -> UInt32 { indexes[place] }
    /// `true` if the call at this position waits for a connection, and not for its retry time.
    func awaitsConnection(_ place: Int) -> Bool { occupied[place] && !isSent[place] && !schedule.contains(place) }
    func attemptsMade(_ place: Int) -> UInt8 { attempts[place] & 15 }
    func attemptsFailed(_ place: Int) -> UInt8 { attempts[place] >> 4 }

    /// Measures the time until this call is answered, unless another call is being measured.
    mutating func measure(_ call: UInt32, at now: Instant) {
        guard measuredSince == .never else { return }
        (measuredCall, measuredSince) = (call, now)
    }

    mutating func measured(_ call: UInt32, at now: Instant, slowAbove threshold: TimeSpan) {
        guard measuredSince != .never, measuredCall == call else { return }
        isNetworkSlow = measuredSince + threshold < now
        measuredSince = .never
    }

    /// Ends the measurement of a call that gets no answer.
    private mutating func measuredNoAnswer(_ call: UInt32) {
        guard measuredSince != .never, measuredCall == call else { return }
        isNetworkSlow = true
        measuredSince = .never
    }

    func place(of call: UInt32) -> Int? { occupied.first { indexes[$0] == call } }

    var earliest: Instant {
        var earliest = Instant.never
        for place in occupied { earliest = min(earliest, dues[place]) }
        return earliest
    }

    var isFull: Bool { occupied.bits == .max }

    /// Position of the oldest call that no deadline will end; `nil` if there is none. It may have ended unnoticed: the
    /// app has a limit of open calls, too.
    var oldestWithoutDeadline: Int? {
        occupied.filter { dues[$0] == .never }.min { indexes[$0] < indexes[$1] }
    }

    /// Adds a call with its deadline. The table must not be full.
    mutating func add(_ call: UInt32, due: Instant, isSent: Bool) {
        let place = (~occupied.bits).trailingZeroBitCount
        precondition(place < Self.capacity, "the table of calls is full")
        dues[place] = due
        indexes[place] = call
        occupied[place] = true
        self.isSent[place] = isSent
        attempts[place] = isSent ? 1 : 0
        wasUnprocessed[place] = false
        hasNoMoreAttempts[place] = false
    }

    mutating func markSent(_ place: Int) {
        isSent[place] = true
        if attemptsMade(place) < 15 { attempts[place] += 1 }
    }

    /// Subtracts one from the attempts of this call, so that its last attempt does not count.
    mutating func uncountAttempt(_ place: Int) {
        if attemptsMade(place) > 0 { attempts[place] -= 1 }
    }

    mutating func countFailure(_ place: Int) {
        if attemptsFailed(place) < 15 { attempts[place] += 16 }
    }

    mutating func forgetFailures(_ place: Int) { attempts[place] &= 15 }

    mutating func remove(_ call: UInt32) {
        for place in occupied where indexes[place] == call { release(place) }
    }

    mutating func release(_ place: Int) {
        measuredNoAnswer(indexes[place])
        occupied[place] = false
        isSent[place] = false
        dues[place] = .never
        schedule.remove(place)
    }
}
