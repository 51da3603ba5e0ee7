import DeadzonePrimitives

/// One word per lane, dense from the lowest lane seen to the highest, so that a thread that runs lanes 900,000 and up does
/// not pay for those below. Grows by doubling, in either direction.
struct LaneHashes: Sendable {
    /// What a lane without records has.
    private let empty: UInt64
    private var first: UInt32 = 0
    private var words: [UInt64] = []

    init(empty: UInt64) { self.empty = empty }

    /// Where the word of a lane is, made if there is none. Good until the next call.
    mutating func slot(of lane: UInt32) -> Int {
        let slot = Int(lane) - Int(first)
        return words.indices.contains(slot) ? slot : grownSlot(of: lane)
    }

    subscript(slot: Int) -> UInt64 {
        get { words[slot] }
        set { words[slot] = newValue }
    }

    /// In the order of lanes; those without records are passed over.
    func forEach(_ body: (UInt32, UInt64) -> Void) {
        for (offset, word) in words.enumerated() where word != empty { body(first + UInt32(offset), word) }
    }

    private mutating func grownSlot(of lane: UInt32) -> Int {
        if words.isEmpty { first = lane }
        if lane < first {
            let added = min(max(Int(first - lane), words.count), Int(first))
            words.insert(contentsOf: repeatElement(empty, count: added), at: 0)
            first -= UInt32(added)
        }
        let slot = Int(lane - first)
        if slot >= words.count {
            let room = Int(UInt32.max - first) + 1
            let count = min(max(slot + 1, words.count * 2), room)
            words.append(contentsOf: repeatElement(empty, count: count - words.count))
        }
        return slot
    }
}

extension LaneHashes: Taped {
    mutating func pass(through tape: inout Tape) {
        var pairs: [(Int, Int128)] = []
        forEach { pairs.append((Int($0), Int128($1))) }
        tape.pass(pairs: pairs) { lane, word in
            guard let lane = UInt32(exactly: lane), let word = UInt64(exactly: word) else { return false }
            let slot = slot(of: lane)
            self[slot] = word
            return true
        }
    }
}
