import DeadzonePrimitives

/// The calls that wait for their answers.
public struct CallTable: Sendable, BitwiseCopyable {
    /// As many as one word has bits; a call every other second may wait a minute.
    public static let capacity = 32

    /// One bit for each place; the places whose bit is set, in their order.
    @usableFromInline struct Flags: BitwiseCopyable, Sendable, Sequence, IteratorProtocol {
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
    @usableFromInline private(set) var isTaken = Flags()
    /// Asked on the present connection.
    var isAsked = Flags()
    /// Deadlines missed in a row on the present connection.
    var misses: UInt8 = 0
    /// Asked again once because the server's program had never seen it.
    var wasPassedOver = Flags()
    /// The server wants no more attempts.
    var isFinal = Flags()
    /// Attempts made: the low half; those of them that failed, or retries waited for: the high half.
    private var attempts = InlineArray<32, UInt8>(repeating: 0)
    var schedule = CallSchedule()
    var throttle = RetryThrottle.State()

    public init() {}

    @inlinable public var isEmpty: Bool { isTaken.bits == 0 }
    public var count: Int { isTaken.bits.nonzeroBitCount }

    func due(_ place: Int) -> Instant { dues[place] }
    func index(_ place: Int) -> UInt32 { indexes[place] }
    /// For a connection, not for its time.
    func waits(_ place: Int) -> Bool { isTaken[place] && !isAsked[place] && !schedule.holds(place) }
    func made(_ place: Int) -> UInt8 { attempts[place] & 15 }
    func failed(_ place: Int) -> UInt8 { attempts[place] >> 4 }

    func place(of call: UInt32) -> Int? { isTaken.first { indexes[$0] == call } }

    var earliest: Instant {
        var earliest = Instant.never
        for place in isTaken { earliest = min(earliest, dues[place]) }
        return earliest
    }

    /// False when it is full.
    mutating func add(_ call: UInt32, due: Instant, isAsked: Bool) -> Bool {
        let place = (~isTaken.bits).trailingZeroBitCount
        guard place < Self.capacity else { return false }
        dues[place] = due
        indexes[place] = call
        isTaken[place] = true
        self.isAsked[place] = isAsked
        attempts[place] = isAsked ? 1 : 0
        wasPassedOver[place] = false
        isFinal[place] = false
        return true
    }

    mutating func asked(_ place: Int) {
        isAsked[place] = true
        if made(place) < 15 { attempts[place] += 1 }
    }

    /// The last attempt does not count.
    mutating func takeBack(_ place: Int) {
        if made(place) > 0 { attempts[place] -= 1 }
    }

    mutating func countFailure(_ place: Int) {
        if failed(place) < 15 { attempts[place] += 16 }
    }

    mutating func forgetFailures(_ place: Int) { attempts[place] &= 15 }

    mutating func remove(_ call: UInt32) {
        for place in isTaken where indexes[place] == call { vacate(place) }
    }

    mutating func vacate(_ place: Int) {
        isTaken[place] = false
        isAsked[place] = false
        dues[place] = .never
        schedule.remove(place)
    }
}
