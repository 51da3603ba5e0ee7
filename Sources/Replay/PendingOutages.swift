/// A queue of periods without a network that a replay has not reached yet, in time order.
struct PendingOutages: Sendable {
    /// Limit of outages known ahead of the packets; further ones are ignored.
    private static let bound = 1_024

    private var stretches: [(from: Int64, until: Int64)] = []

    var isEmpty: Bool { stretches.isEmpty }

    mutating func add(_ from: Int64, _ until: Int64, now: Int64) {
        stretches.removeAll { $0.until < now }
        guard stretches.count < Self.bound else { return }
        let place = stretches.firstIndex { from < $0.from } ?? stretches.count
        stretches.insert((from, until), at: place)
    }

    /// Removes and returns the next outage that begins in this range. Outages that began earlier are dropped.
    @inline(__always)
    mutating func next(from begin: Int64, before end: Int64) -> (from: Int64, until: Int64)? {
        while let first = stretches.first, first.from < end {
            stretches.removeFirst()
            if begin <= first.from { return first }
        }
        return nil
    }
}
