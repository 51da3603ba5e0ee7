import DeadzonePrimitives

/// A Bloom filter over numbers that follow each other. Which bits are set follows from which numbers are in it, so nothing is
/// kept but the first: a phone's state stays small, and the filter's mistakes are its true ones. Each client hashes with a salt of
/// its own, as random identifiers would do: a fleet does not err in unison.
struct Bloom: Hashable, Sendable {
    let bits: UInt32
    let hashes: UInt8

    /// Whether the filter says that it has `key`, with every number from `first` up to `end` in it.
    func claims(_ key: UInt32, from first: UInt32, upTo end: UInt32, salt: UInt64) -> Bool {
        if first <= key && key < end { return true }
        let own = words(key, salt)
        var places = InlineArray<32, UInt32>(repeating: 0)
        for mine in 0..<hashes { places[Int(mine)] = place(own, mine) }
        // A bit for each hash of the key that some number in the filter has set.
        var met: UInt64 = 0
        let all: UInt64 = (1 << UInt64(hashes)) - 1
        var other = first
        while other < end && met != all {
            let words = words(other, salt)
            for index in 0..<hashes {
                let place = place(words, index)
                for mine in 0..<Int(hashes) where places[mine] == place { met |= 1 << UInt64(mine) }
            }
            other += 1
        }
        return met == all
    }

    private func words(_ key: UInt32, _ salt: UInt64) -> (UInt64, UInt64) {
        Philox.block(key: salt, counter: (UInt64(key), 0))
    }

    /// Two hashes stand for all (Kirsch and Mitzenmacher, "Less Hashing, Same Performance", ESA 2006).
    private func place(_ words: (UInt64, UInt64), _ index: UInt8) -> UInt32 {
        UInt32((words.0 &+ UInt64(index) &* (words.1 | 1)).scaled(below: UInt64(bits)))
    }
}

extension Resume {
    /// Shows what the filter does not know. What it wrongly knows is skipped.
    func sift(
        upTo cursor: Cursor, _ filter: Bloom, _ keys: UInt32, _ state: inout State, _ session: Session,
        _ out: inout Outbox
    ) {
        // The same in every process of the phone: it is written down with the filter.
        let salt = session.random.at(Self.saltPlace)
        var key = session.cursor.position
        while key < cursor.position {
            if key - min(state.filterFrom.position, key) >= keys { state.filterFrom = Cursor(key) }
            if filter.claims(key, from: state.filterFrom.position, upTo: key, salt: salt),
                out.count < Self.mostSkips
            {
                out.append(.discard(from: Cursor(key), upTo: Cursor(key + 1)))
            }
            key += 1
        }
        out.append(.deliver(cursor))
    }

    /// A place among the strategy's dice that no walk of them comes to.
    private static let saltPlace = UInt64.max

    /// Messages skipped within one arrival, so that an outbox never overflows; what lies beyond is shown after all.
    private static let mostSkips = 40
}
