package import DeadzoneBase

/// Simulates a first-come, first-served queue for connection set-ups, requests or database queries, served one at a
/// time. Accepted work is completed even if its client has left meanwhile.
package struct ServiceQueue: Sendable {
    /// Time to serve one item.
    package let serviceTime: TimeSpan
    /// Maximum number of items that may wait in addition to the one in service. `nil` means unbounded.
    package let capacity: UInt32?
    private var freeAt = Instant.zero
    private var totalWork = TimeSpan.zero
    /// `true` if `busyTime` is needed, so that the queue stores its waits.
    private let measuresWork: Bool
    /// Times at which the queue waits for the dependencies of its next item, in order, starting at index `oldestWait`.
    private var waits: [Range<Instant>] = []
    private var oldestWait = 0
    /// Completion times of the items in the queue, in order, starting at index `oldest`. Kept only for a bounded queue.
    private var completionTimes: [Instant] = []
    private var oldest = 0

    /// - Parameter measuresWork: `false` if `busyTime` is never called.
    package init(perSecond: UInt32, capacity: UInt32? = nil, measuresWork: Bool = true) {
        precondition(perSecond > 0, "a service queue needs a rate above zero")
        serviceTime = max(.seconds(1) / Int64(perSecond), .nanoseconds(1))
        self.capacity = capacity
        self.measuresWork = measuresWork
    }

    /// Adds an item and returns its completion time, or `nil` if the queue is full. Calls must be in order of time.
    /// - Parameters:
    ///   - ready: Time at which the item's dependencies are available. The item blocks the queue until then.
    ///   - cost: Service time of this item in addition to `serviceTime`, such as that of its handshake.
    package mutating func enqueue(at now: Instant, ready: Instant = .zero, extra cost: TimeSpan = .zero) -> Instant? {
        guard hasCapacity(at: now) else { return nil }
        let turn = max(freeAt, now)
        if measuresWork, turn < ready { addWait(turn..<ready, at: now) }
        freeAt = max(turn, ready) + serviceTime + cost
        totalWork += serviceTime + cost
        if capacity != nil { completionTimes.append(freeAt) }
        return freeAt
    }

    /// Returns the time at which service would begin for an item that arrives now.
    func serviceStart(at now: Instant) -> Instant { max(freeAt, now) }

    /// Counts an item as waiting until `end`, when it leaves the queue without service.
    mutating func occupy(until end: Instant) {
        guard capacity != nil else { return }
        // Insert after the items that are completed by then; the item in service stays before it.
        let place = completionTimes.lastIndex { $0 <= end } ?? oldest - 1
        completionTimes.insert(end, at: max(place + 1, oldest))
    }

    package mutating func hasCapacity(at now: Instant) -> Bool {
        guard let capacity else { return true }
        while oldest < completionTimes.count, completionTimes[oldest] <= now { oldest += 1 }
        if oldest * 2 > completionTimes.count {
            completionTimes.removeFirst(oldest)
            oldest = 0
        }
        return completionTimes.count - oldest <= Int(capacity)
    }

    private mutating func addWait(_ wait: Range<Instant>, at now: Instant) {
        while oldestWait < waits.count, waits[oldestWait].upperBound <= now { oldestWait += 1 }
        if oldestWait * 2 > waits.count {
            waits.removeFirst(oldestWait)
            oldestWait = 0
        }
        waits.append(wait)
    }

    /// Returns the total time that the queue has spent on service up to now, without its waits for dependencies. `now`
    /// must not precede the last `enqueue`.
    func busyTime(by now: Instant) -> TimeSpan {
        let now = max(now, .zero)
        let waiting = waits[oldestWait...].reduce(TimeSpan.zero) {
            $0 + max($1.upperBound - max($1.lowerBound, now), .zero)
        }
        return totalWork - (max(freeAt - now, .zero) - waiting)
    }

    /// Removes all items from the queue.
    mutating func clear(at now: Instant) {
        totalWork = busyTime(by: now)
        freeAt = now
        completionTimes.removeAll()
        oldest = 0
        waits.removeAll()
        oldestWait = 0
    }
}
