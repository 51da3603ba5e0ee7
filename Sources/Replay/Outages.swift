/// Stretches without a network, in the order of time, until they are met.
struct Outages: Sendable {
    /// As many are known ahead of the packets; later ones are not heeded.
    private static let bound = 1_024

    private var stretches: [(from: Int64, until: Int64)] = []

    var isEmpty: Bool { stretches.isEmpty }

    mutating func add(_ from: Int64, _ until: Int64, now: Int64) {
        stretches.removeAll { $0.until < now }
        guard stretches.count < Self.bound else { return }
        let place = stretches.firstIndex { from < $0.from } ?? stretches.count
        stretches.insert((from, until), at: place)
    }

    /// The next one that begins in between; it and those before it are forgotten.
    @inline(__always)
    mutating func next(from begin: Int64, before end: Int64) -> (from: Int64, until: Int64)? {
        while let first = stretches.first, first.from < end {
            stretches.removeFirst()
            if begin <= first.from { return first }
        }
        return nil
    }
}
