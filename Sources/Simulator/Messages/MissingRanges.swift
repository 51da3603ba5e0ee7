/// A bounded list of ranges of messages that will never be shown, although messages before them will.
struct MissingRanges: BitwiseCopyable {
    static let capacity = 64
    private var froms = InlineArray<64, UInt32>(repeating: 0)
    private var ends = InlineArray<64, UInt32>(repeating: 0)
    private(set) var count = 0
    private(set) var messages: UInt32 = 0

    /// Appends a range of missing messages. Call in ascending order. If the list is full, the last range grows over the
    /// messages in between, so more messages are lost than necessary.
    mutating func append(from: UInt32, upTo end: UInt32) {
        if count > 0 && (ends[count - 1] == from || count == Self.capacity) {
            messages += end - ends[count - 1]
            ends[count - 1] = end
        } else {
            froms[count] = from
            ends[count] = end
            count += 1
            messages += end - from
        }
    }

    /// Adds a message that is not missing yet, in order among the ranges. If the list is full, the next range grows
    /// down to the message, so more messages are lost than necessary.
    mutating func insert(_ message: UInt32) {
        var index = count
        while index > 0, froms[index - 1] > message { index -= 1 }
        guard index < count else { return append(from: message, upTo: message + 1) }
        if index > 0, ends[index - 1] == message {
            ends[index - 1] += 1
            messages += 1
        } else if froms[index] == message + 1 || count == Self.capacity {
            messages += froms[index] - message
            froms[index] = message
        } else {
            insert(from: message, at: index)
        }
    }

    private mutating func insert(from message: UInt32, at index: Int) {
        for place in stride(from: count, to: index, by: -1) {
            froms[place] = froms[place - 1]
            ends[place] = ends[place - 1]
        }
        froms[index] = message
        ends[index] = message + 1
        count += 1
        messages += 1
    }

    /// Returns the number of missing messages below the limit.
    func messages(below limit: UInt32) -> UInt32 {
        var sum: UInt32 = 0
        for index in 0..<count where froms[index] < limit { sum += min(ends[index], limit) - froms[index] }
        return sum
    }

    /// Returns the end of the range of missing messages that contains this message; `nil` if it is not missing.
    func end(over message: UInt32) -> UInt32? {
        for index in 0..<count where froms[index] <= message && message < ends[index] { return ends[index] }
        return nil
    }

    /// Adds a message to the missing ones. It must be the first message that is not missing. Returns `false` if there
    /// is no space for another range.
    mutating func addFirst(_ message: UInt32) -> Bool {
        if let index = (0..<count).first(where: { ends[$0] == message }) {
            ends[index] += 1
            messages += 1
        } else {
            guard count < Self.capacity else { return false }
            // Ranges before it have been passed, or end exactly there.
            insert(from: message, at: 0)
        }
        return true
    }

    /// Removes this message and all later ones from the ranges, so that they do not count as missing any more.
    mutating func cut(at message: UInt32) {
        messages = self.messages(below: message)
        while count > 0, froms[count - 1] >= message { count -= 1 }
        if count > 0 { ends[count - 1] = min(ends[count - 1], message) }
    }

    mutating func removeAll(below message: UInt32) {
        while count > 0, froms[0] < message { removeFirst() }
    }

    /// The first range of missing messages. There must be one.
    var first: Range<UInt32> { froms[0]..<ends[0] }

    mutating func removeFirst() {
        messages -= ends[0] - froms[0]
        for index in 1..<max(count, 1) {
            froms[index - 1] = froms[index]
            ends[index - 1] = ends[index]
        }
        count -= 1
    }
}
