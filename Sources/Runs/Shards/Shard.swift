/// Number of one shard (share of the work) in a run that several processes or machines divide. Shards are numbered from
/// 1.
package struct Shard: Hashable, Sendable {
    package static let maximumCount = 100_000

    package let number: Int
    package let count: Int

    /// `nil` if the number is outside 1...count, or the count is out of range.
    package init?(_ number: Int, of count: Int) {
        guard (1...Self.maximumCount).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// Index of the first of `parts` equal parts that belongs to this shard, if each shard gets consecutive parts.
    func begin(of parts: Int) -> Int { parts * (number - 1) / count }

    /// Value of the `--shard` flag.
    package var flag: String { "\(number)/\(count)" }

    /// File name with leading zeros, so that a folder lists the shards in order.
    package var fileName: String {
        let digits = String(number)
        return String(repeating: "0", count: String(count).count - digits.count) + "\(digits)-of-\(count)"
            + ShardFile.suffix
    }
}

/// Assigns the parts of simulation plans to shards, round-robin. The assignment depends on the parts alone, so every
/// shard finds its parts without communication. Parts of similar cost are dealt consecutively: parts of one strategy
/// with the same number of phones.
struct ShardAssigner {
    private let count: Int
    private var nextShard = 0

    init(among count: Int) { self.count = count }

    /// Shard index of each part, counted from 0.
    mutating func assignShards(_ parts: [SimulationPlan.SimulationPart]) -> [Int] {
        var owners = Array(repeating: 0, count: parts.count)
        let order = parts.indices.sorted { a, b in
            (parts[b].phones.count, parts[a].strategy, a) < (parts[a].phones.count, parts[b].strategy, b)
        }
        for index in order {
            owners[index] = nextShard
            nextShard = (nextShard + 1) % count
        }
        return owners
    }
}
