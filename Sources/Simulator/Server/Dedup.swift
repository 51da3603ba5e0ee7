package import DeadzoneBase

/// The method by which a server or a client detects messages that it has already received.
package enum Dedup: Hashable, Sendable, BitwiseCopyable {
    /// Duplicates are not detected.
    case none
    /// Stores the highest message number and one bit for each of the `window` numbers below it (RFC 4303 §3.4.3, RFC
    /// 6479). Numbers must only grow. A number below the window counts as a duplicate.
    case bitmap(window: UInt32)
    /// Stores the last `window` message keys in a table; a new key replaces the oldest. A key that was replaced counts
    /// as new again.
    case set(window: UInt32)
    /// Stores the last `window` message keys, and all keys that are no older than `time`: whichever is more. The table
    /// grows with the number of messages that arrive within that time.
    case lasting(window: UInt32, time: TimeSpan)
    /// A Bloom filter of `bits` bits, with `hashes` bits for each key. It recognises every key that it has seen. The
    /// more keys it has seen, the more new keys it wrongly treats as seen: such a false positive loses a message. Keys
    /// cannot be removed. After `keys` keys the filter is emptied; `nil` never empties it.
    case bloom(bits: UInt32, hashes: UInt8, keys: UInt32?)

    /// Size of a message key in bytes: 16, the size of a UUID.
    static let keyBytes: UInt32 = 16
    /// Size of a stored arrival time in bytes: 8.
    static let timeBytes: UInt32 = 8

    /// Memory in bytes that duplicate detection takes for a new session. A hash set is counted as Swift's: 16 bytes and
    /// one bit for each slot. The number of slots is a power of two, of which at most three quarters are used
    /// (apple/swift `stdlib/public/core/HashTable.swift`, `maxLoadFactor`). 1,000 keys take 33,024 B, not 16,000.
    package var bytes: UInt32 {
        switch self {
        case .none: 0
        // The highest number takes eight bytes.
        case .bitmap(let window): 8 + (window + 7) / 8
        case .set(let window): Self.table(of: window, Self.keyBytes)
        case .lasting(let window, _): Self.table(of: window, Self.keyBytes + Self.timeBytes)
        case .bloom(let bits, _, _): (bits + 7) / 8
        }
    }

    /// Returns the memory in bytes for a session that has stored up to `keys` keys at once.
    package func bytes(holding keys: UInt32) -> UInt32 {
        guard case .lasting(let window, _) = self else { return bytes }
        return Self.table(of: max(window, keys), Self.keyBytes + Self.timeBytes)
    }

    private static func table(of keys: UInt32, _ entryBytes: UInt32) -> UInt32 {
        slots(for: keys) * entryBytes + slots(for: keys) / 8
    }

    static func slots(for keys: UInt32) -> UInt32 {
        var slots: UInt32 = 2
        while UInt64(slots) * 3 / 4 < UInt64(keys) { slots <<= 1 }
        return slots
    }

    /// Number of 64-bit words that a `DedupMemory` with these rules needs at first.
    package var words: Int {
        switch self {
        case .none: 0
        case .bitmap(let window): Int((window + 63) / 64)
        // A ring of numbers models the table: it holds the same keys, and forgets them in the same order.
        case .set(let window): Int((window + 1) / 2)
        // Initial size; it grows.
        case .lasting: 2 * 64
        case .bloom(let bits, _, _): Int((bits + 63) / 64)
        }
    }
}

/// The keys that duplicate detection has stored for one session, by the method of a `Dedup`. Its words are stored
/// outside of it; the creator owns them.
package struct DedupMemory: Sendable, BitwiseCopyable {
    /// Number of keys that were stored since the state was last emptied. For `set`, the count is reduced before it
    /// overflows, but stays at or above `window`. For `lasting`, it is the number of keys in the ring buffer.
    package internal(set) var count: UInt32 = 0
    /// Maximum number of keys that were stored at once; updated only for `lasting`.
    package internal(set) var peakCount: UInt32 = 0
    /// One more than the highest message number that has arrived.
    var nextNumber: UInt32 = 0
    /// Index of the oldest key in the ring buffer. Used only for `lasting`.
    var oldestIndex: UInt32 = 0

    package init() {}

    /// Forgets all stored keys, but keeps `peakCount`.
    package mutating func removeAll(_ words: UnsafeMutableBufferPointer<UInt64>) {
        let most = peakCount
        self = DedupMemory()
        self.peakCount = most
        for index in words.indices { words[index] = 0 }
    }

    /// Stores the key of a message. Returns `true` if the message counts as new, `false` if as a duplicate.
    /// - Parameter salt: Random number of the session, so that different clients have different keys.
    package mutating func admits(
        _ key: UInt32, _ rules: Dedup, at now: Instant, salt: UInt64,
        _ words: inout UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        switch rules {
        case .none: true
        case .bitmap(let window): insertInBitmap(to: key, window, words)
        case .set(let window): insertInSet(key, window, words)
        case .lasting(let window, let time): insertInTimedSet(key, window, time, at: now, &words)
        case .bloom(let bits, let hashes, let keys): insertInBloomFilter(key, bits, hashes, keys, salt, words)
        }
    }

    private mutating func insertInBitmap(
        to key: UInt32, _ window: UInt32, _ words: UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        if key >= nextNumber {
            // Clear the bits of the new numbers, which may be left from an earlier window.
            let first = key - nextNumber >= window ? key - min(key, window - 1) : nextNumber
            for number in first...key { words.set(number % window, to: false) }
            nextNumber = key + 1
        } else if nextNumber - key > window {
            return false
        } else if words.isSet(key % window) {
            return false
        }
        words.set(key % window, to: true)
        count &+= 1
        return true
    }

    private mutating func insertInSet(
        _ key: UInt32, _ window: UInt32, _ words: UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        let kept = min(count, window)
        for place in 0..<kept where words.half(place) == key { return false }
        words.setHalf(count % window, to: key)
        count &+= 1
        // The ring index follows from the count. Once the ring is full, the count only has to stay at or above
        // `window`; half the counter's range is far beyond any window.
        if count == 2 * window { count = window }
        return true
    }

    private mutating func insertInBloomFilter(
        _ key: UInt32, _ bits: UInt32, _ hashes: UInt8, _ keys: UInt32?, _ salt: UInt64,
        _ words: UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        if let keys, count >= keys { removeAll(words) }
        var isNew = false
        // Two hashes replace all others (Kirsch and Mitzenmacher, "Less Hashing, Same Performance", ESA 2006).
        let (one, two) = Philox.block(key: salt, counter: (UInt64(key), 0))
        for index in 0..<UInt64(hashes) {
            let place = UInt32((one &+ index &* (two | 1)).scaled(below: UInt64(bits)))
            if !words.isSet(place) {
                isNew = true
                words.set(place, to: true)
            }
        }
        if isNew { count &+= 1 }
        return isNew
    }
}

extension UnsafeMutableBufferPointer where Element == UInt64 {
    func isSet(_ bit: UInt32) -> Bool { self[Int(bit >> 6)] & (1 << UInt64(bit & 63)) != 0 }

    func set(_ bit: UInt32, to value: Bool) {
        let mask: UInt64 = 1 << UInt64(bit & 63)
        if value { self[Int(bit >> 6)] |= mask } else { self[Int(bit >> 6)] &= ~mask }
    }

    /// Returns the 32-bit number at index `place`. Each 64-bit word holds two.
    func half(_ place: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: self[Int(place >> 1)] >> (UInt64(place & 1) * 32))
    }

    func setHalf(_ place: UInt32, to value: UInt32) {
        let shift = UInt64(place & 1) * 32
        self[Int(place >> 1)] = self[Int(place >> 1)] & ~(UInt64(UInt32.max) << shift) | UInt64(value) << shift
    }
}
