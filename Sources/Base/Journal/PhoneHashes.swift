/// Stores one hash per phone in an array from the lowest to the highest phone index seen. A thread that runs phones
/// 900,000 and up does not pay for those below. Grows by doubling, in either direction.
struct PhoneHashes: Sendable {
    /// Value of a phone without records.
    private let empty: UInt64
    private var first: UInt32 = 0
    private var words: [UInt64] = []

    init(empty: UInt64) { self.empty = empty }

    /// Array index of a phone's hash; grows the array if needed. Valid until the next call.
    mutating func slot(of phone: UInt32) -> Int {
        let slot = Int(phone) - Int(first)
        return words.indices.contains(slot) ? slot : grownSlot(of: phone)
    }

    subscript(slot: Int) -> UInt64 {
        get { words[slot] }
        set { words[slot] = newValue }
    }

    /// Calls `body` for each phone with records, in order of phone.
    func forEach(_ body: (UInt32, UInt64) -> Void) {
        for (offset, word) in words.enumerated() where word != empty { body(first + UInt32(offset), word) }
    }

    private mutating func grownSlot(of phone: UInt32) -> Int {
        if words.isEmpty { first = phone }
        if phone < first {
            let added = min(max(Int(first - phone), words.count), Int(first))
            words.insert(contentsOf: repeatElement(empty, count: added), at: 0)
            first -= UInt32(added)
        }
        let slot = Int(phone - first)
        if slot >= words.count {
            let room = Int(UInt32.max - first) + 1
            let count = min(max(slot + 1, words.count * 2), room)
            words.append(contentsOf: repeatElement(empty, count: count - words.count))
        }
        return slot
    }
}

extension PhoneHashes: BinaryCodable {
    mutating func code(through coder: inout BinaryCoder) {
        var pairs: [(Int, Int128)] = []
        forEach { pairs.append((Int($0), Int128($1))) }
        coder.code(pairs: pairs) { phone, word in
            guard let phone = UInt32(exactly: phone), let word = UInt64(exactly: word) else { return false }
            let slot = slot(of: phone)
            self[slot] = word
            return true
        }
    }
}
