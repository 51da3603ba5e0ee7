/// What the queue knows of each lane: when it is due, and which entry will bring it up. The entry may come too early, because
/// putting a lane off only writes the new instant here; when the entry comes up, it is sent on. So a timer that is armed
/// anew with every message and never fires costs one store per message.
///
/// Entries that no lane knows any more are stale: a lane that was brought forward left one behind.
///
/// The table owns its buffer and frees it when it goes; no pointer leaves it.
struct LaneTable: ~Copyable {
    private struct Row: BitwiseCopyable {
        /// `.max`: not due.
        var due: Int64
        /// The instant of the entry that will bring it up, not after `due`; `.max`: none.
        var carrier: Int64
    }

    private let rows: UnsafeMutablePointer<Row>
    let lanes: Int
    private(set) var stale = 0

    init(lanes: Int) {
        self.lanes = lanes
        rows = .allocate(capacity: lanes)
        rows.initialize(repeating: Row(due: .max, carrier: .max), count: lanes)
    }

    deinit { rows.deallocate() }

    func due(_ lane: UInt32) -> Int64 { rows[Int(lane)].due }

    /// What a lane needs so that it comes up.
    enum Change {
        /// Nothing: its entry comes up in time.
        case carried
        /// An entry.
        case new
        /// An entry, and the one it had is stale now.
        case broughtForward
    }

    /// Writes down when a lane is due.
    @inline(__always) mutating func set(_ lane: UInt32, _ at: Int64) -> Change {
        let carrier = rows[Int(lane)].carrier
        rows[Int(lane)].due = at
        if at >= carrier { return .carried }
        rows[Int(lane)].carrier = at
        if carrier == .max { return .new }
        stale &+= 1
        return .broughtForward
    }

    /// Whether an entry brings its lane up now.
    @inline(__always) func stands(_ entry: DueEntry) -> Bool {
        let row = rows[Int(entry.lane)]
        return row.carrier == entry.at && row.due == entry.at
    }

    /// What has become of an entry that comes up: itself, later, or nothing.
    mutating func confirm(_ entry: DueEntry) -> DueEntry? {
        let row = rows[Int(entry.lane)]
        guard row.carrier == entry.at else {
            stale &-= 1
            return nil
        }
        if row.due == entry.at { return entry }
        rows[Int(entry.lane)].carrier = row.due
        return row.due == .max ? nil : DueEntry(at: row.due, lane: entry.lane)
    }

    /// The lane's turn has come, and its entry is used up.
    @inline(__always) mutating func clear(_ lane: UInt32) {
        rows[Int(lane)] = Row(due: .max, carrier: .max)
    }

    mutating func forgetStale(_ count: Int) { stale -= count }

    /// Makes each lane's own instant its carrier, as if every lane had just been scheduled: what entries there should be.
    mutating func renew(_ lane: UInt32) -> DueEntry? {
        let due = rows[Int(lane)].due
        rows[Int(lane)].carrier = due
        return due == .max ? nil : DueEntry(at: due, lane: lane)
    }
}
