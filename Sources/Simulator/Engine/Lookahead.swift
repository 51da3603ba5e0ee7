import DeadzoneBase

/// A batch of sync windows that phones run through before the server handles their requests.
///
/// Also collects the arrivals (requests to the server) and departures (connections that the server released) of these
/// windows. With several partitions the number of windows adapts to the number of phones that were due, so that the
/// work is worth distributing. A single partition distributes no work. The longer its lookahead, the less often a phone
/// must be stored and loaded.
struct Lookahead {
    /// Maximum number of sync windows per lookahead.
    private static let maxWindows = 4_096
    /// Minimum number of sync windows per lookahead: enough to set up a connection without storing the phone in
    /// between. Loading a phone costs a microsecond.
    private static let minWindows = 16

    private let isShared: Bool
    private let targetTurns: Range<Int>
    private var first: Int64 = 0
    private var count: Int
    /// Requests to the server, by sync window of this lookahead.
    private var arrivalsByWindow: [[ClusterRequest]] = []
    /// Connections that the server released, by sync window of this lookahead.
    private var departuresByWindow: [[Departure]] = []
    /// Bit set with one bit per sync window: 1 if the server has work in that window.
    private var busy: [UInt64] = []
    /// How many times a phone was given control: in the previous lookahead until `recordTurns` is called, then in the
    /// current one.
    private(set) var turns: Int
    /// Count of the current lookahead, which `recordTurns` copies to `turns`.
    private var turnsSoFar = 0

    init(phones: Int, isShared: Bool) {
        self.isShared = isShared
        turns = phones
        targetTurns = min(phones / 4, 1 << 14)..<max(min(phones / 2, 1 << 16), 1)
        count = isShared ? Self.minWindows : Self.maxWindows
    }

    private(set) var last: Int64 = 0

    /// Begins a lookahead with sync window number `window`.
    /// - Parameters:
    ///   - limit: Number of the sync window before which the lookahead must end; `nil` if there is no such limit.
    ///   - most: Maximum number of sync windows.
    mutating func begin(_ window: Int64, before limit: Int64? = nil, atMost most: Int64 = .max) {
        first = window
        last = min(window + min(Int64(count), most), limit ?? .max) - 1
        turnsSoFar = 0
        while arrivalsByWindow.count < count {
            arrivalsByWindow.append([])
            departuresByWindow.append([])
        }
        busy = Array(repeating: 0, count: (count + 63) / 64)
    }

    /// Takes the arrivals and departures since the last call from the partitions, and sorts them by sync window. Call
    /// it after each part of the phones has run.
    mutating func collect(from partitions: borrowing CoupledPartitions, _ syncWindows: SyncWindows) {
        turnsSoFar += partitions.takeArrivals {
            let place = offset(of: $0.at, syncWindows)
            arrivalsByWindow[place].append($0)
            markBusy(place)
        } departures: {
            let place = offset(of: $0.at, syncWindows)
            // Departures of phones that finish at the horizon affect no other phone.
            guard place < count else { return }
            departuresByWindow[place].append($0)
            markBusy(place)
        }
    }

    private func offset(of instant: Instant, _ syncWindows: SyncWindows) -> Int {
        Int(syncWindows.number(of: instant) - first)
    }

    private mutating func markBusy(_ place: Int) { busy[place >> 6] |= 1 << UInt64(place & 63) }

    /// Number of the first sync window in which the server has work; `nil` if there is none.
    var nextBusyWindow: Int64? {
        guard let word = busy.firstIndex(where: { $0 != 0 }) else { return nil }
        return first + Int64(word << 6 + busy[word].trailingZeroBitCount)
    }

    /// Removes and returns the arrivals (requests to the server) of a sync window, in the total order. Call it window
    /// by window.
    mutating func arrivals(in window: Int64) -> [ClusterRequest] {
        var arrivals: [ClusterRequest] = []
        swap(&arrivals, &arrivalsByWindow[Int(window - first)])
        arrivals.sort { ($0.at, $0.phoneIndex, $0.sequence) < ($1.at, $1.phoneIndex, $1.sequence) }
        return arrivals
    }

    /// Removes and returns the departures (connections that the server released) of a sync window, in any order,
    /// because they are only counted. Call it after the window's decisions are applied; no departure is added later.
    mutating func departures(in window: Int64) -> [Departure] {
        let place = Int(window - first)
        busy[place >> 6] &= ~(1 << UInt64(place & 63))
        var departures: [Departure] = []
        swap(&departures, &departuresByWindow[place])
        return departures
    }

    /// Sets `turns` to the count of this lookahead. Call it before the first window's decisions are applied: runs after
    /// that are caused by arrivals at the server and do not count.
    mutating func recordTurns() { turns = turnsSoFar }

    mutating func adaptLength() {
        guard isShared else { return }
        if turns < targetTurns.lowerBound {
            count = min(count * 2, Self.maxWindows)
        } else if targetTurns.upperBound < turns {
            count = max(count / 2, Self.minWindows)
        }
    }
}
