import DeadzoneBase

/// A Bloom filter over consecutive message numbers. Only the first number is stored, because the bits can be
/// recomputed from the numbers. This keeps a phone's state small and still gives the false positives of a real
/// filter. Each client hashes with its own salt, as if identifiers were random, so clients differ in their false
/// positives.
struct BloomFilter: Hashable, Sendable {
    let bits: UInt32
    let hashes: UInt8

    /// `true` if the filter reports `key` as present when it holds every number from `first` up to `end`.
    func contains(_ key: UInt32, from first: UInt32, upTo end: UInt32, salt: UInt64) -> Bool {
        if first <= key && key < end { return true }
        let own = hashWords(key, salt)
        var places = InlineArray<32, UInt32>(repeating: 0)
        for mine in 0..<hashes { places[Int(mine)] = bitIndex(own, mine) }
        // One bit for each hash of the key; set if some number in the filter sets the same filter bit.
        var met: UInt64 = 0
        let all: UInt64 = (1 << UInt64(hashes)) - 1
        var other = first
        while other < end && met != all {
            let words = hashWords(other, salt)
            for index in 0..<hashes {
                let place = bitIndex(words, index)
                for mine in 0..<Int(hashes) where places[mine] == place { met |= 1 << UInt64(mine) }
            }
            other += 1
        }
        return met == all
    }

    private func hashWords(_ key: UInt32, _ salt: UInt64) -> (UInt64, UInt64) {
        Philox.block(key: salt, counter: (UInt64(key), 0))
    }

    /// Returns the bit of the hash number `index`. All hashes are derived from two (Kirsch and Mitzenmacher, "Less
    /// Hashing, Same Performance", ESA 2006).
    private func bitIndex(_ words: (UInt64, UInt64), _ index: UInt8) -> UInt32 {
        UInt32((words.0 &+ UInt64(index) &* (words.1 | 1)).scaled(below: UInt64(bits)))
    }
}

extension Resume {
    /// Shows the app the messages that the filter does not report as known. The filter's false positives are new
    /// messages that are skipped.
    func filterAndShow(
        upTo cursor: Cursor, _ filter: BloomFilter, _ keys: UInt32, _ state: inout State, _ session: Session,
        _ out: inout Outbox
    ) {
        // The salt is the same in every process of the phone, because it is stored with the filter.
        let salt = session.random.at(Self.saltCounter)
        var key = session.cursor.position
        while key < cursor.position {
            if key - min(state.filterFrom.position, key) >= keys { state.filterFrom = Cursor(key) }
            if filter.contains(key, from: state.filterFrom.position, upTo: key, salt: salt),
                out.count < Self.mostSkips
            {
                out.append(.discard(from: Cursor(key), upTo: Cursor(key + 1)))
            }
            key += 1
        }
        out.append(.deliver(cursor))
    }

    /// Counter at which the filter's salt is drawn from the strategy's random numbers. Ordinary draws never reach it.
    private static let saltCounter = UInt64.max

    /// Maximum number of messages that the filter skips within one arrival, so that an outbox never overflows. Further
    /// false positives are shown.
    private static let mostSkips = 40
}
