import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Foundation
import Testing

@Suite struct BloomTests {
    /// New messages that a client's filter takes for known, of so many that come one after the other.
    private func mistaken(_ bytes: Int, _ hashes: Int, of keys: UInt32, seed: UInt64) -> [UInt32] {
        var lane = ManualLane.open(
            ["resume": ["keeps": "persisted", "dedup": ["bloom": .text("\(bytes)B"), "hashes": .text("\(hashes)")]]],
            seed: seed)
        return (0..<keys).filter { key in
            lane.session.cursor = Cursor(key)
            let actions = lane.tell(.received(ConnectionSlot(0), upTo: Cursor(key + 1), bytes: 100))
            return actions.contains(.discard(from: Cursor(key), upTo: Cursor(key + 1)))
        }
    }

    /// Broken: a filter that errs more often or less than it must: the (j + 1)-th of the messages finds each of its k bits set by one
    /// of the j before it with 1 - (1 - 1/m)^kj. Or one without dice of its own: every client takes the same messages for known.
    @Test(arguments: [(64, 3, 125), (64, 3, 60), (128, 6, 125)])
    func errsAsOftenAsItMustAndNotInUnison(bytes: Int, hashes: Int, keys: UInt32) {
        let seeds = 200
        let runs = (1...UInt64(seeds)).map { mistaken(bytes, hashes, of: keys, seed: $0) }
        let counts = runs.map { Double($0.count) }
        let mean = counts.reduce(0, +) / Double(seeds)
        let variance = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(seeds - 1)
        let isUnset = 1 - 1 / Double(bytes * 8)
        let expected = (0..<keys).reduce(0.0) { sum, before in
            sum + pow(1 - pow(isUnset, Double(hashes) * Double(before)), Double(hashes))
        }
        #expect(variance > 0)
        #expect(abs(mean - expected) < 4 * (variance / Double(seeds)).squareRoot(), "\(mean) for \(expected)")
        #expect(runs[0] == mistaken(bytes, hashes, of: keys, seed: 1) && Set(runs).count > 10)
    }
}
