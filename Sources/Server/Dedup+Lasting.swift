import DeadzonePrimitives

/// Keys that leave by their number and their age: a ring of keys and of when they came, two words each.
extension DedupMemory {
    mutating func find(
        _ key: UInt32, _ window: UInt32, _ time: TimeSpan, at now: Instant,
        _ words: inout UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        forget(window, time, at: now, words)
        // Numbers grow: only what comes again has to be looked for.
        if key < high {
            for index in 0..<count where words[place(of: index, words)] == UInt64(key) { return false }
        }
        if count == Self.places(words) { grow(&words) }
        let end = place(of: count, words)
        words[end] = UInt64(key)
        words[end + 1] = UInt64(bitPattern: now.nanoseconds)
        count += 1
        high = max(high, key + 1)
        forget(window, time, at: now, words)
        most = max(most, count)
        return true
    }

    private mutating func forget(
        _ window: UInt32, _ time: TimeSpan, at now: Instant, _ words: UnsafeMutableBufferPointer<UInt64>
    ) {
        while count > window {
            let came = Instant(nanoseconds: Int64(bitPattern: words[place(of: 0, words) + 1]))
            guard now - came > time else { return }
            oldest = (oldest + 1) % Self.places(words)
            count -= 1
        }
    }

    private static func places(_ words: UnsafeMutableBufferPointer<UInt64>) -> UInt32 { UInt32(words.count / 2) }

    /// Of the key that came as the so many-th of those that are kept.
    private func place(of index: UInt32, _ words: UnsafeMutableBufferPointer<UInt64>) -> Int {
        Int((oldest + index) % Self.places(words)) * 2
    }

    private mutating func grow(_ words: inout UnsafeMutableBufferPointer<UInt64>) {
        let larger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words.count * 2)
        larger.initialize(repeating: 0)
        for index in 0..<count {
            let place = place(of: index, words)
            larger[Int(index) * 2] = words[place]
            larger[Int(index) * 2 + 1] = words[place + 1]
        }
        words.deallocate()
        words = larger
        oldest = 0
    }
}
