/// Puts packets into the order of time, as far back as its bound reaches. What comes later still is taken as if it had come
/// at the latest moment that was already taken: radio time never runs backwards.
struct TimeOrder: Sendable {
    /// How many packets wait for stragglers. Captures of several cores or interfaces are out of order by a few packets.
    static let bound = 256

    /// A ring; `bound` is a power of two.
    private var waiting = [Blip](repeating: Blip(at: 0, bytes: 0, isUp: false), count: TimeOrder.bound)
    private var head = 0
    private var count = 0
    private var latestTaken = Int64.min
    private(set) var clamped = 0

    /// Adds a packet; gives back the one that need not wait any more.
    @inline(__always)
    mutating func add(_ blip: Blip) -> Blip? {
        var oldest: Blip?
        if count == Self.bound {
            oldest = waiting[head & (Self.bound - 1)]
            // The new one may be earlier than all that wait.
            if blip.at < oldest.unsafelyUnwrapped.at {
                return take(blip)
            }
            head &+= 1
            count &-= 1
        }
        insert(blip)
        return oldest.map { take($0) }
    }

    /// Gives back what still waits, one by one.
    mutating func next() -> Blip? {
        guard count > 0 else { return nil }
        defer {
            head &+= 1
            count -= 1
        }
        return take(waiting[head & (Self.bound - 1)])
    }

    @inline(__always)
    private mutating func insert(_ blip: Blip) {
        var place = head &+ count
        let first = head
        while place > first, blip.at < waiting[(place &- 1) & (Self.bound - 1)].at {
            waiting[place & (Self.bound - 1)] = waiting[(place &- 1) & (Self.bound - 1)]
            place &-= 1
        }
        waiting[place & (Self.bound - 1)] = blip
        count &+= 1
    }

    @inline(__always)
    private mutating func take(_ blip: Blip) -> Blip {
        var blip = blip
        if blip.at < latestTaken {
            clamped += 1
            blip.at = latestTaken
        }
        latestTaken = blip.at
        return blip
    }
}
