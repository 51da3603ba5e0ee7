import DeadzoneBase

/// Duplicate detection limited by number and age (`lasting`). Keys are in a ring buffer. Each entry is two words: the
/// key and its arrival time.
extension DedupMemory {
    mutating func insertInTimedSet(
        _ key: UInt32, _ window: UInt32, _ time: TimeSpan, at now: Instant,
        _ words: inout UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        removeExpired(window, time, at: now, words)
        // Numbers grow: only a key that arrives again has to be searched.
        if key < nextNumber {
            for index in 0..<count where words[wordIndex(of: index, words)] == UInt64(key) { return false }
        }
        if count == Self.capacity(words) { grow(&words) }
        let end = wordIndex(of: count, words)
        words[end] = UInt64(key)
        words[end + 1] = UInt64(bitPattern: now.nanoseconds)
        count += 1
        nextNumber = max(nextNumber, key + 1)
        removeExpired(window, time, at: now, words)
        peakCount = max(peakCount, count)
        return true
    }

    private mutating func removeExpired(
        _ window: UInt32, _ time: TimeSpan, at now: Instant, _ words: UnsafeMutableBufferPointer<UInt64>
    ) {
        while count > window {
            let came = Instant(nanoseconds: Int64(bitPattern: words[wordIndex(of: 0, words) + 1]))
            guard now - came > time else { return }
            oldestIndex = (oldestIndex + 1) % Self.capacity(words)
            count -= 1
        }
    }

    private static func capacity(_ words: UnsafeMutableBufferPointer<UInt64>) -> UInt32 { UInt32(words.count / 2) }

    /// Returns the index in `words` at which the n-th oldest key is stored.
    private func wordIndex(of index: UInt32, _ words: UnsafeMutableBufferPointer<UInt64>) -> Int {
        Int((oldestIndex + index) % Self.capacity(words)) * 2
    }

    private mutating func grow(_ words: inout UnsafeMutableBufferPointer<UInt64>) {
        let larger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words.count * 2)
        larger.initialize(repeating: 0)
        for index in 0..<count {
            let place = wordIndex(of: index, words)
            larger[Int(index) * 2] = words[place]
            larger[Int(index) * 2 + 1] = words[place + 1]
        }
        words.deallocate()
        words = larger
        oldestIndex = 0
    }
}
