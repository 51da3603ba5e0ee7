import DeadzoneBase

/// A parallel for loop: executes a body once for each index below a count, on several threads or serially. `each`
/// returns when all calls are done.
package protocol ParallelFor {
    func each(_ count: Int, _ body: @Sendable (Int) -> Void)
}

struct SerialFor: ParallelFor {
    func each(_ count: Int, _ body: @Sendable (Int) -> Void) { for index in 0..<count { body(index) } }
}

/// All coupled phones (phones that share a server), split into partitions that threads can run in parallel.
///
/// A partition is a range of neighbouring phone indices. All partitions have about the same size, and each has its own
/// recorder.
struct CoupledPartitions: ~Copyable {
    /// Minimum number of phones to run for which waking threads pays: about ten microseconds of work.
    private static let minParallelTurns = 32

    private let base: UnsafeMutablePointer<CoupledPhones>
    private let count: Int
    private let first: UInt32
    private let size: UInt32

    init<R: Recorder>(
        _ simulation: Simulation, _ phones: Range<UInt32>, into recorders: UnsafeMutableBufferPointer<R>,
        by parallelFor: some ParallelFor
    ) {
        let size = max(1, (UInt32(phones.count) + UInt32(recorders.count) - 1) / UInt32(recorders.count))
        count = (phones.count + Int(size) - 1) / Int(size)
        first = phones.lowerBound
        self.size = size
        base = .allocate(capacity: count)
        // Each index uses its own element of both.
        nonisolated(unsafe) let (base, recorders) = (base, recorders)
        parallelFor.each(count) { index in
            let from = phones.lowerBound + UInt32(index) * size
            (base + index).initialize(
                to: CoupledPhones(simulation, from..<min(from + size, phones.upperBound)) {
                    recorders[index].record($0)
                })
        }
    }

    deinit { base.deinitialize(count: count).deallocate() }

    /// `true` if there are several partitions, so that threads can run them in parallel.
    var areSeveral: Bool { count > 1 }

    /// Number of parts of the largest partition. A part is a range of phones that run between two checks for
    /// cancellation.
    var parts: Int { (0..<count).reduce(0) { max($0, base[$1].parts) } }

    /// Returns the earliest instant at which any phone must run again; `nil` if that is not before the limit.
    func next(before limit: Instant) -> Instant? {
        var next = Instant.never
        for index in 0..<count { next = min(next, base[index].nextAt) }
        return next < limit ? next : nil
    }

    func add(_ decision: CoupledPhones.ArrivalDecision) {
        base[Int((decision.arrival.phoneIndex - first) / size)].add(decision)
    }

    /// Takes all arrivals (requests to the shared server) and departures (connections that it released) from the
    /// partitions, and passes them to the closures. Returns how many times a phone was given control since the last
    /// call.
    func takeArrivals(_ body: (ClusterRequest) -> Void, departures: (Departure) -> Void) -> Int {
        var turns = 0
        for index in 0..<count { turns += base[index].takeArrivals(body, departures: departures) }
        return turns
    }

    /// Executes the body for each partition, in parallel if that pays.
    /// - Parameter turns: Approximate number of phones that the body runs.
    func each(_ turns: Int = .max, by parallelFor: some ParallelFor, _ body: @Sendable (inout CoupledPhones) -> Void) {
        // Each index uses its own element.
        nonisolated(unsafe) let base = base
        if turns < Self.minParallelTurns {
            for index in 0..<count { body(&base[index]) }
        } else {
            parallelFor.each(count) { body(&base[$0]) }
        }
    }
}
