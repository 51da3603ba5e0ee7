import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Foundation
import Testing

@Suite struct BloomFilterTests {
    /// Keys of new messages that the client's filter takes for duplicates, out of `keys` consecutive messages.
    private func mistaken(_ bytes: Int, _ hashes: Int, of keys: UInt32, seed: UInt64) -> [UInt32] {
        var phone = StrategyHarness.open(
            ["resume": ["keeps": "persisted", "dedup": ["bloom": .text("\(bytes)B"), "hashes": .text("\(hashes)")]]],
            seed: seed)
        return (0..<keys).filter { key in
            phone.session.cursor = Cursor(key)
            let actions = phone.send(.received(ConnectionSlot(0), upTo: Cursor(key + 1), bytes: 100))
            return actions.contains(.discard(from: Cursor(key), upTo: Cursor(key + 1)))
        }
    }

    /// Broken: the filter's error rate is not the expected one. For message j + 1, each of its k bits was set by an
    /// earlier message with probability 1 - (1 - 1/m)^kj. Or all clients share one salt and take the same messages
    /// for duplicates.
    @Test(arguments: [(64, 3, 125), (64, 3, 60), (128, 6, 125)])
    func errorRateIsAsExpectedAndDiffersBetweenClients(bytes: Int, hashes: Int, keys: UInt32) {
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
