/// Where a lane stands in the queue's total order: by instant, then by lane. No two lanes are equal, so insertion order
/// never shows.
struct DueKey: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Nanoseconds, never negative: the bits of an `Int64` in the order of an `Int64`.
    let instant: UInt64
    /// Wider than a lane, so that the end of a shelf behind the last lane of an instant can be written down.
    let lane: UInt64

    static let zero = DueKey(instant: 0, lane: 0)

    static func < (a: Self, b: Self) -> Bool {
        a.instant < b.instant || (a.instant == b.instant && a.lane < b.lane)
    }
}

/// A key as the queue stores it, in 16 bytes.
struct DueEntry: Sendable, BitwiseCopyable {
    let at: Int64
    let lane: UInt32

    var key: DueKey { DueKey(instant: UInt64(bitPattern: at), lane: UInt64(lane)) }
}

/// The key read as a number in base 64: eleven digits of nanoseconds above six digits of lane. A level is the position of a
/// digit, counted from the lowest.
extension DueKey {
    static let levels = 17
    static let base = 64
    private static let laneLevels = 6
    private static let bitsPerDigit = 6

    /// The level of the highest digit in which two keys differ; 0 for equal keys.
    func highestDifference(from other: Self) -> Int {
        let time = instant ^ other.instant
        if time != 0 { return Self.laneLevels &+ Self.digit(ofBit: 63 &- time.leadingZeroBitCount) }
        return Self.digit(ofBit: 63 &- (lane ^ other.lane | 1).leadingZeroBitCount)
    }

    func digit(_ level: Int) -> Int {
        let word = level >= Self.laneLevels ? instant : lane
        return Int(truncatingIfNeeded: word &>> Self.shift(level)) & 63
    }

    /// This key with another digit on a level and zeros below.
    func replacing(_ level: Int, by digit: Int) -> Self {
        let shift = Self.shift(level)
        let above: UInt64 = ~0 &<< shift & ~(63 &<< shift)
        let placed = UInt64(truncatingIfNeeded: digit) &<< shift
        return level >= Self.laneLevels
            ? Self(instant: instant & above | placed, lane: 0)
            : Self(instant: instant, lane: lane & above | placed)
    }

    /// The first key behind all those that agree with this one from `level` up. This one has zeros below.
    func end(ofDigitAt level: Int) -> Self {
        let width: UInt64 = 1 &<< Self.shift(level)
        return level >= Self.laneLevels
            ? Self(instant: instant &+ width, lane: 0)
            : Self(instant: instant, lane: lane &+ width)
    }

    /// The lowest bit of a level within its word.
    private static func shift(_ level: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: bitsPerDigit &* (level >= laneLevels ? level &- laneLevels : level))
    }

    /// bit / 6 as a multiplication: 43 / 256 is near enough for 0...63.
    private static func digit(ofBit bit: Int) -> Int { (bit &* 43) &>> 8 }
}
