/// One of so many calls, on one machine or on many, that divide a run among them. Counted from 1.
public struct Shard: Hashable, Sendable {
    public static let most = 100_000

    public let number: Int
    public let count: Int

    /// Nil where there is no such.
    public init?(_ number: Int, of count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// As the command takes it.
    public var flag: String { "\(number)/\(count)" }

    /// Named so that a folder lists them in order.
    public var fileName: String {
        let digits = String(number)
        return String(repeating: "0", count: String(count).count - digits.count) + "\(digits)-of-\(count)"
            + ShardFile.suffix
    }
}

/// Deals the parts of one assignment after another to shards: a pure function of them, so that every shard finds its own without
/// asking. Parts that cost about the same are dealt in turn: those of one strategy, with as many phones.
struct ShardDealer {
    private let count: Int
    private var turn = 0

    init(among count: Int) { self.count = count }

    /// Whose each part is, counted from 0.
    mutating func deal(_ parts: [Assignment.Part]) -> [Int] {
        var owners = Array(repeating: 0, count: parts.count)
        let order = parts.indices.sorted { a, b in
            (parts[b].phones.count, parts[a].strategy, a) < (parts[a].phones.count, parts[b].strategy, b)
        }
        for index in order {
            owners[index] = turn
            turn = (turn + 1) % count
        }
        return owners
    }
}
