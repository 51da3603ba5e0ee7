/// Puts packets into the order of time, as far back as its bound reaches. What comes later still is taken as if it had come
/// at the latest moment that was already taken: radio time never runs backwards.
struct TimeOrder: Sendable {
    /// How many packets wait for stragglers. Captures of several cores or interfaces are out of order by a few packets.
    static let bound = 256
    /// The most that can be added at once.
    static let batch = 512

    /// In the order of time: those that were settled last, then those that wait, then room for newcomers.
    var blips = [Blip](
        repeating: Blip(at: 0, bytes: 0, isUp: false), count: TimeOrder.bound + TimeOrder.batch)
    private var settledCount = 0
    private var count = 0
    private var latest = Int64.min
    private(set) var clamped = 0

    /// Where among `blips` those are that need not wait any more, since packets were added last.
    var settled: Range<Int> { 0..<settledCount }

    /// Where newcomers are to be put, in the order of the file; those that were settled are gone then.
    mutating func makeRoom() -> Int {
        dropSettled()
        return count
    }

    /// Takes what was put there.
    mutating func add(_ newcomers: Int) {
        Self.sort(&blips, count..<(count + newcomers))
        count += newcomers
        // The last may be earlier than all that wait; then it is the one that goes.
        settledCount = max(count - Self.bound, 0)
        clamp()
    }

    private static func sort(_ blips: inout [Blip], _ newcomers: Range<Int>) {
        var blips = blips.mutableSpan
        for place in newcomers where place > 0 && blips[place].at < blips[place &- 1].at {
            let blip = blips[place]
            let settled = max(place &- bound, 0)
            var place = place
            while place > settled, blip.at < blips[place &- 1].at {
                blips[place] = blips[place &- 1]
                place &-= 1
            }
            blips[place] = blip
        }
    }

    /// Nothing more comes: none needs to wait.
    mutating func settleAll() {
        dropSettled()
        settledCount = count
        clamp()
    }

    private mutating func dropSettled() {
        let waiting = settledCount..<count
        blips.withUnsafeMutableBufferPointer { blips in
            _ = blips.update(fromContentsOf: UnsafeBufferPointer(rebasing: blips[waiting]))
        }
        count = waiting.count
        settledCount = 0
    }

    private mutating func clamp() {
        Self.clamp(&blips, settledCount, &latest, &clamped)
    }

    private static func clamp(_ blips: inout [Blip], _ count: Int, _ latest: inout Int64, _ clamped: inout Int) {
        var blips = blips.mutableSpan
        for place in 0..<count {
            if blips[place].at < latest {
                clamped += 1
                blips[place].at = latest
            }
            latest = blips[place].at
        }
    }
}
