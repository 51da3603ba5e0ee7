import DeadzoneJournal
import DeadzoneLane
import DeadzonePrimitives
import DeadzoneServer

/// Who shares work out, to threads or to nobody: each index below `count` is done once, and all are done on return.
public protocol Helpers {
    func each(_ count: Int, _ body: @Sendable (Int) -> Void)
}

struct NoHelpers: Helpers {
    func each(_ count: Int, _ body: @Sendable (Int) -> Void) { for index in 0..<count { body(index) } }
}

/// All phones that meet, in neighbouring crowds of about the same size; each has its own recorder.
struct Crowds: ~Copyable {
    /// Turns that are worth waking a thread for: some ten microseconds of work.
    private static let worthWaking = 32

    private let base: UnsafeMutablePointer<Crowd>
    private let count: Int
    private let first: UInt32
    private let size: UInt32

    init<R: Recorder>(
        _ simulation: Simulation, _ phones: Range<UInt32>, into recorders: UnsafeMutableBufferPointer<R>,
        by helpers: some Helpers
    ) {
        let size = max(1, (UInt32(phones.count) + UInt32(recorders.count) - 1) / UInt32(recorders.count))
        count = (phones.count + Int(size) - 1) / Int(size)
        first = phones.lowerBound
        self.size = size
        base = .allocate(capacity: count)
        // Each index has its own of both.
        nonisolated(unsafe) let (base, recorders) = (base, recorders)
        helpers.each(count) { index in
            let from = phones.lowerBound + UInt32(index) * size
            (base + index).initialize(
                to: Crowd(simulation, from..<min(from + size, phones.upperBound)) { recorders[index].record($0) })
        }
    }

    deinit { base.deinitialize(count: count).deallocate() }

    /// There are several, so that threads can share them.
    var areShared: Bool { count > 1 }

    /// The parts of the largest.
    var parts: Int { (0..<count).reduce(0) { max($0, base[$1].parts) } }

    /// When the first phone is due, if that is before the limit.
    func next(before limit: Instant) -> Instant? {
        var next = Instant.never
        for index in 0..<count { next = min(next, base[index].nextAt) }
        return next < limit ? next : nil
    }

    func note(_ decision: Crowd.Decision) { base[Int((decision.arrival.lane - first) / size)].note(decision) }

    /// Hands over what has come to the server, and what has left it. Returns how many phones went on.
    func takeArrivals(_ body: (Arrival) -> Void, leavings: (Leaving) -> Void) -> Int {
        var turns = 0
        for index in 0..<count { turns += base[index].takeArrivals(body, leavings: leavings) }
        return turns
    }

    /// - Parameter turns: About how many there are to be done.
    func each(_ turns: Int = .max, by helpers: some Helpers, _ body: @Sendable (inout Crowd) -> Void) {
        // Each index has its own.
        nonisolated(unsafe) let base = base
        if turns < Self.worthWaking {
            for index in 0..<count { body(&base[index]) }
        } else {
            helpers.each(count) { body(&base[$0]) }
        }
    }
}
