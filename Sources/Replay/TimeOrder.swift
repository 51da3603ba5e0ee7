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
    /// No straggler came later than the bound reaches: all of them are in order.
    private var isInOrder = true

    /// Where among `blips` those are that need not wait any more, since packets were added last.
    var settled: Range<Int> { 0..<settledCount }

    /// Where newcomers are to be put, in the order of the file; those that were settled are gone then.
    mutating func makeRoom() -> Int {
        dropSettled()
        return count
    }

    /// Takes what was put there.
    mutating func add(_ newcomers: Newcomers) {
        let places = count..<(count + newcomers.count)
        if newcomers.isDisordered || count > 0 && newcomers.count > 0 && blips[count].at < blips[count - 1].at {
            Self.sort(&blips, places, &isInOrder)
        }
        count += newcomers.count
        // The last may be earlier than all that wait; then it is the one that goes.
        settledCount = max(count - Self.bound, 0)
        clamp()
    }

    private static func sort(_ blips: inout [Blip], _ newcomers: Range<Int>, _ isInOrder: inout Bool) {
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
            if place > 0, blip.at < blips[place &- 1].at { isInOrder = false }
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
        guard settledCount > 0 else { return }
        if isInOrder, latest <= blips[0].at {
            latest = blips[settledCount - 1].at
        } else {
            Self.clamp(&blips, settledCount, &latest, &clamped)
        }
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

/// Packets that were put behind those that wait.
struct Newcomers {
    var count = 0
    private var last = -farthest
    private var steps: Int64 = 0

    /// One of them is earlier than the one before it.
    var isDisordered: Bool { steps < 0 }

    /// No fork: any step back leaves its sign.
    @inline(__always)
    mutating func add(at now: Int64) {
        steps |= now &- last
        last = now
        count &+= 1
    }
}
