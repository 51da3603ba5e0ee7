import DeadzonePrimitives

/// What a sender has written and someone may still ask for, oldest first. A fixed number of places.
///
/// What follows on the run of the same track that was not sent yet, or was written last, joins it. So unsent bytes take at most
/// one run of each track whose items follow each other. No more than `sentLimit` runs are sent before one of them is done with.
///
/// What is asked in any order, calls and answers, and messages that leave others out, can be refused, and so can words of the protocol, which are said again
/// (`limit`). Behind the last of those that was taken at most one run each of messages, pings and pongs can follow, so that
/// these three always find a place.
///
/// Most queues never hold more than `near.count` runs; a longer one keeps the others elsewhere until it is empty.
struct RunQueue: ~Copyable, @unchecked Sendable {
    static let capacity = 14
    static let sentLimit = 5
    /// A run that would grow beyond this gets a successor.
    private static let longest: UInt32 = 1 << 31

    /// The stream's offset where the first run begins.
    private(set) var start: UInt64 = 0
    private var far: UnsafeMutablePointer<Run>?
    private var near = InlineArray<3, Run>(
        repeating: Run(first: 0, last: 0, bytes: 0, track: .control, cause: .payload))
    private var used: UInt8 = 0
    private let anchor = Anchor()

    init() {}

    deinit { far?.deallocate() }

    var count: Int { Int(used) }
    var isOne: Bool { used == 1 }
    /// Only if there is one.
    var first: Run { near[0] }
    var firstEnds: UInt64 { start + UInt64(near[0].bytes) }

    private subscript(index: Int) -> Run {
        get { index < near.count ? near[index] : far.unsafelyUnwrapped[index - near.count] }
        set {
            if index < near.count {
                near[index] = newValue
            } else {
                far.unsafelyUnwrapped[index - near.count] = newValue
            }
        }
    }

    /// How many runs there may be with one more of this track.
    static func limit(_ track: Track) -> Int {
        switch track {
        case .call, .answer, .refusal, .snapshot: capacity - 4
        case .control, .receipt: capacity - 3
        case .message, .ping, .pong, .flight, .finish: capacity
        }
    }

    /// - Parameter sent: Below this offset nothing can move any more.
    /// - Returns: False if there is no room.
    @inline(__always)
    mutating func append(_ run: Run, sent: UInt64) -> Bool {
        guard used == 0 else { return appendBehind(run, sent: sent) }
        near[0] = run
        used = 1
        return true
    }

    private mutating func appendBehind(_ run: Run, sent: UInt64) -> Bool {
        var offset = start
        var limit = Self.limit(run.track)
        for index in 0..<count {
            // Messages behind others that were left out: they share the places of what can be refused.
            if run.track == .message && self[index].track == .message && sent <= offset { limit = Self.limit(.call) }
            let isOpen = sent <= offset || index == count - 1
            if isOpen && joins(run, index) {
                self[index].last = run.last
                self[index].bytes += run.bytes
                return true
            }
            offset += UInt64(self[index].bytes)
        }
        guard count < min(limit, Self.limit(run.track)) else { return false }
        if count == near.count && far == nil { far = .allocate(capacity: Self.capacity - near.count) }
        self[count] = run
        used += 1
        return true
    }

    private func joins(_ run: Run, _ index: Int) -> Bool {
        guard self[index].track == run.track, self[index].last == run.first,
            self[index].count <= Run.most - run.count
        else { return false }
        guard run.track == .message || run.track == .ping || run.track == .pong || run.track == .receipt else {
            return false
        }
        return self[index].cause == run.cause && self[index].bytes <= Self.longest - min(run.bytes, Self.longest)
    }

    /// The run over this offset, and where it begins.
    @inline(__always)
    func run(at offset: UInt64) -> (index: Int, run: Run, start: UInt64)? {
        used > 0 && offset < firstEnds ? (0, near[0], start) : runBehind(offset)
    }

    private func runBehind(_ offset: UInt64) -> (index: Int, run: Run, start: UInt64)? {
        var begin = start
        for index in 0..<count {
            let end = begin + UInt64(self[index].bytes)
            if offset < end { return (index, self[index], begin) }
            begin = end
        }
        return nil
    }

    /// What can leave from this offset on in packets of one cause: up to the next run of another, and of no more runs than
    /// may be under way. Nil if nothing can.
    func stretch(from offset: UInt64) -> (cause: Cause, end: UInt64)? {
        guard let (index, run, start) = run(at: offset), index < Self.sentLimit || offset != start else { return nil }
        var end = start + UInt64(run.bytes)
        var next = index + 1
        while next < min(count, Self.sentLimit) && self[next].cause == run.cause {
            end += UInt64(self[next].bytes)
            next += 1
        }
        return (run.cause, end)
    }

    /// Items that are complete between the mark and `end`, of one run; the mark moves behind them.
    @inline(__always)
    func next(
        _ mark: inout Mark, upTo end: UInt64, _ sizes: borrowing MessageSizes, _ framing: Framing
    ) -> Run? {
        guard mark.offset < end else { return nil }
        // Mostly it is all of the first run.
        guard used > 0, mark.offset == start, firstEnds <= end else {
            return nextPart(&mark, upTo: end, sizes, framing)
        }
        mark = Mark(offset: firstEnds, item: first.last)
        return first
    }

    private func nextPart(
        _ mark: inout Mark, upTo end: UInt64, _ sizes: borrowing MessageSizes, _ framing: Framing
    ) -> Run? {
        guard let (_, run, begin) = run(at: mark.offset) else { return nil }
        let first = mark.offset == begin ? run.first : mark.item
        var done = Run(first: first, last: run.last, bytes: run.bytes, track: run.track, cause: run.cause)
        if begin + UInt64(run.bytes) <= end {
            done.bytes = UInt32(begin + UInt64(run.bytes) - mark.offset)
            mark = Mark(offset: begin + UInt64(run.bytes), item: run.last)
            return done
        }
        guard run.track != .receipt else { return nil }
        let from = mark.offset
        var item = first
        while item < run.last {
            let after = mark.offset + UInt64(run.size(of: item, sizes, framing))
            guard after <= end else { break }
            mark.offset = after
            item += 1
        }
        mark.item = item
        guard first < item else { return nil }
        done.last = item
        done.bytes = UInt32(mark.offset - from)
        return done
    }

    /// Runs that end at or before the offset are needed no more.
    @inline(__always)
    mutating func drop(before offset: UInt64) {
        guard used > 0, firstEnds <= offset else { return }
        if isOne { clear() } else { dropSome(before: offset) }
    }

    /// The only run is needed no more.
    @inline(__always)
    mutating func clear() {
        start = firstEnds
        used = 0
        if far != nil { leaveFar() }
    }

    private mutating func leaveFar() {
        far?.deallocate()
        far = nil
    }

    private mutating func dropSome(before offset: UInt64) {
        var gone = 0
        while gone < count && start + UInt64(self[gone].bytes) <= offset {
            start += UInt64(self[gone].bytes)
            gone += 1
        }
        guard gone > 0 else { return }
        for index in gone..<count { self[index - gone] = self[index] }
        used -= UInt8(gone)
        if count == 0 { leaveFar() }
    }
}
