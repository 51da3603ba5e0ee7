import DeadzonePrimitives

/// The calls that wait for their answers.
public struct CallTable: Sendable, BitwiseCopyable {
    /// As many as one word has bits; a call every other second may wait a minute.
    public static let capacity = 32
    static let places = 0..<capacity

    /// One bit for each place.
    struct Flags: BitwiseCopyable, Sendable {
        var bits: UInt32 = 0

        subscript(place: Int) -> Bool {
            get { bits & (1 << UInt32(place)) != 0 }
            set { bits = newValue ? bits | (1 << UInt32(place)) : bits & ~(1 << UInt32(place)) }
        }
    }

    private var dues = InlineArray<32, Instant>(repeating: .never)
    private var indexes = InlineArray<32, UInt32>(repeating: 0)
    private(set) var isTaken = Flags()
    /// Asked on the present connection.
    var isAsked = Flags()
    /// Deadlines missed in a row on the present connection.
    var misses: UInt8 = 0

    public init() {}

    public var isEmpty: Bool { isTaken.bits == 0 }
    public var count: Int { isTaken.bits.nonzeroBitCount }

    func due(_ place: Int) -> Instant { dues[place] }
    func index(_ place: Int) -> UInt32 { indexes[place] }
    func waits(_ place: Int) -> Bool { isTaken[place] && !isAsked[place] }

    var earliest: Instant {
        var earliest = Instant.never
        for place in Self.places where isTaken[place] { earliest = min(earliest, dues[place]) }
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
        return true
    }

    mutating func remove(_ call: UInt32) {
        for place in Self.places where isTaken[place] && indexes[place] == call { vacate(place) }
    }

    mutating func vacate(_ place: Int) {
        isTaken[place] = false
        isAsked[place] = false
        dues[place] = .never
    }
}
