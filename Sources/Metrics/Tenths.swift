import DeadzonePrimitives

/// How many of something there were in each tenth of a second of simulated time. Only tenths in which there was something take
/// a place, so the memory of a fleet is that of its busy moments, not of its phones.
struct Tenths: Equatable, Sendable, Taped {
    private static let span: Int64 = 100_000_000
    private static let perSecond: Int64 = 10

    // The order in which it is walked is never seen: `most` is a largest, `highest` sorts.
    private var counts: [Int64: Int64] = [:]

    mutating func add(_ count: Int64 = 1, inTenthOf instant: Instant) {
        add(count, to: max(instant.nanoseconds, 0) / Self.span)
    }

    /// Something was there from `begin` on and no longer at `end`. It counts at each tenth of a second on which it was there.
    mutating func stay(from begin: Instant, until end: Instant) {
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
        // Looked up once: a herd says this of each phone three times.
        func sum(_ kept: inout Int64) -> Int64 {
            kept += count
            return kept
        }
        if sum(&counts[tenth, default: 0]) == 0 { counts[tenth] = nil }
    }

    mutating func merge(_ other: Self) {
        for (tenth, count) in other.counts { add(count, to: tenth) }
    }

    mutating func pass(through tape: inout Tape) {
        let pairs = counts.sorted { $0.key < $1.key }.map { (Int($0.key), Int128($0.value)) }
        tape.pass(pairs: pairs) { tenth, count in
            guard let count = Int64(exactly: count) else { return false }
            add(count, to: Int64(tenth))
            return true
        }
    }

    var total: Int64 { counts.values.reduce(0, +) }

    /// The most in one tenth of a second.
    var most: Int64 { counts.values.max() ?? 0 }

    /// The most in one whole second of the clock.
    var mostInASecond: Int64 {
        var seconds: [Int64: Int64] = [:]
        for (tenth, count) in counts { seconds[tenth / Self.perSecond, default: 0] += count }
        return seconds.values.max() ?? 0
    }

    /// The most that were there at once, of what stays.
    var highest: Int64 {
        var (sum, highest) = (Int64(0), Int64(0))
        for (_, count) in counts.sorted(by: { $0.key < $1.key }) {
            sum += count
            highest = max(highest, sum)
        }
        return highest
    }
}
