public import DeadzonePrimitives

/// How a server, or a client, knows a message that it has had before.
public enum Dedup: Hashable, Sendable, BitwiseCopyable {
    /// It does not.
    case none
    /// The highest number and a bit for each of the `window` numbers below it (RFC 4303 §3.4.3, RFC 6479). Numbers must only grow.
    /// What lies below the window is taken for a duplicate.
    case bitmap(window: UInt32)
    /// The last `window` keys in a table; the oldest makes room. What was forgotten is new again.
    case set(window: UInt32)
    /// The last `window` keys, and whatever is no older than `time`: whichever is more. The table grows with what comes in that time.
    case lasting(window: UInt32, time: TimeSpan)
    /// `bits` of a Bloom filter, `hashes` of them for each key. It knows everything that it was shown, and more and more that it
    /// was not: a false positive loses a message. Keys cannot be taken out; after `keys` of them it is emptied, nil: never.
    case bloom(bits: UInt32, hashes: UInt8, keys: UInt32?)

    /// A key of 16 bytes, as an UUID has.
    static let keyBytes: UInt32 = 16
    /// When it came: a 64-bit count.
    static let timeBytes: UInt32 = 8

    /// What one session's memory takes from its beginning on. A hash set is counted as Swift's: 16 bytes for each of a power of two
    /// of slots of which three quarters are used at most, and a bit for each slot (apple/swift
    /// `stdlib/public/core/HashTable.swift`, `maxLoadFactor`): 33,024 B for 1,000 keys, not 16,000.
    public var bytes: UInt32 {
        switch self {
        case .none: 0
        // The high mark has eight bytes.
        case .bitmap(let window): 8 + (window + 7) / 8
        case .set(let window): Self.table(of: window, Self.keyBytes)
        case .lasting(let window, _): Self.table(of: window, Self.keyBytes + Self.timeBytes)
        case .bloom(let bits, _, _): (bits + 7) / 8
        }
    }

    /// With so many keys in it, at most so far.
    public func bytes(holding keys: UInt32) -> UInt32 {
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

    /// 64-bit words that `DedupMemory` needs for it.
    public var words: Int {
        switch self {
        case .none: 0
        case .bitmap(let window): Int((window + 63) / 64)
        // A ring of numbers stands for the table: it holds the same keys, and forgets them in the same order.
        case .set(let window): Int((window + 1) / 2)
        // It grows.
        case .lasting: 2 * 64
        case .bloom(let bits, _, _): Int((bits + 63) / 64)
        }
    }
}

/// What one session has had, by the rules of a `Dedup`. Its words belong to whoever made it.
public struct DedupMemory: Sendable, BitwiseCopyable {
    /// Keys that it was shown since it was last emptied, as far as it counts.
    public internal(set) var count: UInt32 = 0
    /// The most that it has held.
    public internal(set) var most: UInt32 = 0
    /// One above the highest number.
    var high: UInt32 = 0
    /// The place of the oldest key, where keys leave by their age.
    var oldest: UInt32 = 0

    public init() {}

    /// Forgets everything.
    public mutating func empty(_ words: UnsafeMutableBufferPointer<UInt64>) {
        let most = most
        self = DedupMemory()
        self.most = most
        for index in words.indices { words[index] = 0 }
    }

    /// Whether the key is taken for new; from now on it is known.
    /// - Parameter salt: Of the session: other clients have other keys.
    public mutating func admits(
        _ key: UInt32, _ rules: Dedup, at now: Instant, salt: UInt64,
        _ words: inout UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        switch rules {
        case .none: true
        case .bitmap(let window): slide(to: key, window, words)
        case .set(let window): find(key, window, words)
        case .lasting(let window, let time): find(key, window, time, at: now, &words)
        case .bloom(let bits, let hashes, let keys): sift(key, bits, hashes, keys, salt, words)
        }
    }

    private mutating func slide(
        to key: UInt32, _ window: UInt32, _ words: UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        if key >= high {
            // Bits of numbers that nobody has seen yet may be left from a window before.
            let first = key - high >= window ? key - min(key, window - 1) : high
            for number in first...key { words.set(number % window, to: false) }
            high = key + 1
        } else if high - key > window {
            return false
        } else if words.isSet(key % window) {
            return false
        }
        words.set(key % window, to: true)
        count &+= 1
        return true
    }

    private mutating func find(
        _ key: UInt32, _ window: UInt32, _ words: UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        let kept = min(count, window)
        for place in 0..<kept where words.half(place) == key { return false }
        words.setHalf(count % window, to: key)
        count &+= 1
        // The ring's place is the count's; half the counter's range is far beyond any window.
        if count == 2 * window { count = window }
        return true
    }

    private mutating func sift(
        _ key: UInt32, _ bits: UInt32, _ hashes: UInt8, _ keys: UInt32?, _ salt: UInt64,
        _ words: UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        if let keys, count >= keys { empty(words) }
        var isNew = false
        // Two hashes stand for all (Kirsch and Mitzenmacher, "Less Hashing, Same Performance", ESA 2006).
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

    /// One of two 32-bit numbers in each word.
    func half(_ place: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: self[Int(place >> 1)] >> (UInt64(place & 1) * 32))
    }

    func setHalf(_ place: UInt32, to value: UInt32) {
        let shift = UInt64(place & 1) * 32
        self[Int(place >> 1)] = self[Int(place >> 1)] & ~(UInt64(UInt32.max) << shift) | UInt64(value) << shift
    }
}
