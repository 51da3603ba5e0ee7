public import DeadzonePrimitives

/// A lane and the instant at which it wants its turn.
public struct Due: Hashable, Sendable, BitwiseCopyable {
    public var at: Instant
    public var lane: UInt32

    @inlinable public init(at: Instant, lane: UInt32) {
        self.at = at
        self.lane = lane
    }
}

/// Which lane is due next. Each lane has at most one instant; lanes come up by (instant, lane), whatever the order in which
/// they were scheduled. `Instant.never` means not due.
///
///     schedule ──> LaneTable ──new or earlier──> Shelves ──open──> NearRun ──> pop
///                      └──later: only noted         (radix heap)     (sorted, a few)
///
/// Amortised constant time per event, and no allocation after `init`. Keys may come in any order, but time that moves
/// forward is what it is made for: a key below everything that was opened makes the shelves put entries back.
public struct DueQueue: ~Copyable {
    private var table: LaneTable
    private var shelves: Shelves
    private var near = NearRun()
    /// How many stale entries may lie about before all are cleared away, at a cost of one visit to every lane.
    private let staleLimit: Int

    /// Lanes are numbered from 0 to one less than `lanes`.
    public init(lanes: Int) {
        precondition(lanes >= 0 && lanes <= 1 << 30, "a queue has room for 0 to 2^30 lanes, not \(lanes)")
        table = LaneTable(lanes: lanes)
        staleLimit = lanes / 2 + 64
        shelves = Shelves(entries: lanes + staleLimit)
    }

    /// Entries that no lane knows any more and that have not come up yet.
    var stale: Int { table.stale }

    /// When a lane is due; `.never` if it is not.
    public func instant(of lane: UInt32) -> Instant {
        precondition(lane < table.lanes, "lane \(lane) of \(table.lanes)")
        return Instant(nanoseconds: table.due(lane))
    }

    /// The lane is due at this instant and no other.
    public mutating func schedule(_ lane: UInt32, at instant: Instant) {
        let at = instant.nanoseconds
        precondition(lane < table.lanes && at >= 0, "lane \(lane) of \(table.lanes), instant \(at)")
        switch table.set(lane, at) {
        case .carried: return
        case .new: insert(DueEntry(at: at, lane: lane))
        case .broughtForward: leaveOneBehind(DueEntry(at: at, lane: lane))
        }
    }

    /// The lane that comes first, if it is due before the limit. It stays in the queue.
    public mutating func first(before limit: Instant = .never) -> Due? {
        settle(limit.nanoseconds) ? near.first.map { Due(at: Instant(nanoseconds: $0.at), lane: $0.lane) } : nil
    }

    /// Takes out the lane that comes first, if it is due before the limit.
    public mutating func pop(before limit: Instant = .never) -> Due? {
        if let entry = near.first, table.stands(entry), entry.at < limit.nanoseconds { return take(entry) }
        return popAfterSettling(limit.nanoseconds)
    }

    /// Apart, so that the way most pops go calls nothing.
    @inline(never) private mutating func popAfterSettling(_ limit: Int64) -> Due? {
        settle(limit) ? near.first.map { take($0) } : nil
    }

    @inline(__always) private mutating func take(_ entry: DueEntry) -> Due {
        near.removeFirst()
        table.clear(entry.lane)
        return Due(at: Instant(nanoseconds: entry.at), lane: entry.lane)
    }

    /// Brings the entry that comes first to the head of the near run, if it is due before the limit.
    private mutating func settle(_ limit: Int64) -> Bool {
        while true {
            if let entry = near.first {
                if entry.at >= limit { return false }
                if table.stands(entry) { return true }
                sendOn(entry)
            } else if !shelves.open(before: limit, into: &near, asking: &table) {
                return false
            }
        }
    }

    /// Lets the entry that has come up too early go to where its lane is due now, if it still has one.
    @inline(never) private mutating func sendOn(_ entry: DueEntry) {
        near.removeFirst()
        if let later = table.confirm(entry) { insert(later) }
    }

    @inline(__always) private mutating func insert(_ entry: DueEntry) {
        if entry.key < near.end { insertNear(entry) } else { shelves.file(entry) }
    }

    @inline(never) private mutating func insertNear(_ entry: DueEntry) {
        if entry.key < shelves.base {
            shelves.rewind(to: entry.key, returning: &near)
            shelves.file(entry)
        } else if near.isFull {
            shelveNear()
            shelves.file(entry)
        } else {
            near.insert(entry)
        }
    }

    @inline(never) private mutating func leaveOneBehind(_ entry: DueEntry) {
        if stale > staleLimit { sweep() } else { insert(entry) }
    }

    /// The run has grown too long to sort into: it goes back to the shelves, on lower levels than it came from.
    private mutating func shelveNear() {
        while let entry = near.first {
            shelves.file(entry)
            near.removeFirst()
        }
        near.reset(end: shelves.base)
    }

    /// Clears stale entries away by making every entry anew.
    private mutating func sweep() {
        shelves.removeAll()
        near.reset(end: shelves.base)
        table.forgetStale(stale)
        for lane in 0..<UInt32(table.lanes) {
            if let entry = table.renew(lane) { insert(entry) }
        }
    }
}
