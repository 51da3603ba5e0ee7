import DeadzoneBase

/// Counts events, or items that exist, in each tenth of a second of simulated time. Only tenths with a non-zero count
/// are stored. The memory of a fleet therefore depends on its busy moments, not on its number of phones.
struct TenthSecondCounts: Equatable, Sendable, BinaryCodable {
    private static let span: Int64 = 100_000_000
    private static let perSecond: Int64 = 10

    // The iteration order never shows: `max` is a maximum, and `maxConcurrent` sorts.
    private var counts: [Int64: Int64] = [:]

    mutating func add(_ count: Int64 = 1, inTenthOf instant: Instant) {
        add(count, to: max(instant.nanoseconds, 0) / Self.span)
    }

    /// Counts something that exists from `begin` (inclusive) until `end` (exclusive). It is present at each whole tenth
    /// of a second in between. Stored as +1 and -1; read the result with `maxConcurrent`.
    mutating func addInterval(from begin: Instant, until end: Instant) {
        let (first, last) = (Self.firstTenth(from: begin), Self.firstTenth(from: end))
        guard first < last else { return }
        add(1, to: first)
        add(-1, to: last)
    }

    private static func firstTenth(from instant: Instant) -> Int64 {
        let nanoseconds = max(instant.nanoseconds, 0)
        return nanoseconds / span + (nanoseconds % span == 0 ? 0 : 1)
    }

    private mutating func add(_ count: Int64, to tenth: Int64) {
        // One dictionary lookup instead of two: a herd calls this three times per phone.
        func sum(_ kept: inout Int64) -> Int64 {
            kept += count
            return kept
        }
        if sum(&counts[tenth, default: 0]) == 0 { counts[tenth] = nil }
    }

    mutating func merge(_ other: Self) {
        for (tenth, count) in other.counts { add(count, to: tenth) }
    }

    mutating func code(through coder: inout BinaryCoder) {
        let pairs = counts.sorted { $0.key < $1.key }.map { (Int($0.key), Int128($0.value)) }
        coder.code(pairs: pairs) { tenth, count in
            guard let count = Int64(exactly: count), count.magnitude <= BinaryCoder.validCounts.upperBound
            else { return false }
            add(count, to: Int64(tenth))
            return true
        }
    }

    var hasNoNegativeCount: Bool { counts.values.allSatisfy { $0 >= 0 } }

    var total: Int64 { counts.values.reduce(0, +) }

    /// The highest count in one tenth of a second.
    var maxCount: Int64 { counts.values.max() ?? 0 }

    /// The highest count in one whole second of the clock.
    var maxPerSecond: Int64 {
        var seconds: [Int64: Int64] = [:]
        for (tenth, count) in counts { seconds[tenth / Self.perSecond, default: 0] += count }
        return seconds.values.max() ?? 0
    }

    /// The highest number present at once, for counts that were added with `addInterval`.
    var maxConcurrent: Int64 {
        var (sum, highest) = (Int64(0), Int64(0))
        for (_, count) in counts.sorted(by: { $0.key < $1.key }) {
            sum += count
            highest = max(highest, sum)
        }
        return highest
    }
}
