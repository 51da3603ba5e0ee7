import DeadzoneDevice
import DeadzonePrimitives

/// Stretches without a network, in the order of time; those that lie before the latest packet are forgotten.
struct Outages: Sendable {
    /// As many are known ahead of the packets; later ones are not heeded.
    private static let bound = 1_024

    private var stretches: [(from: Int64, until: Int64)] = []

    mutating func add(_ from: Int64, _ until: Int64, now: Int64) {
        stretches.removeAll { $0.until < now }
        guard stretches.count < Self.bound else { return }
        let place = stretches.firstIndex { from < $0.from } ?? stretches.count
        stretches.insert((from, until), at: place)
    }

    /// The next beginning, not before `now`.
    @inline(__always) func begin(from now: Int64) -> Int64 {
        stretches.isEmpty ? farthest : stretches.first { now <= $0.from }?.from ?? farthest
    }

    /// What an idle radio draws at a moment, and until when.
    func level(at now: Int64) -> (PowerLevel, until: Int64) {
        if let present = stretches.first(where: { $0.from <= now && now < $0.until }) {
            return (.unassociated, present.until)
        }
        return (.idle, stretches.first { now < $0.from }?.from ?? farthest)
    }
}
