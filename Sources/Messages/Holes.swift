/// Messages that will not be shown though some before them will; a bounded number of stretches.
struct Holes: BitwiseCopyable {
    static let capacity = 64
    private var froms = InlineArray<64, UInt32>(repeating: 0)
    private var ends = InlineArray<64, UInt32>(repeating: 0)
    private(set) var count = 0
    private(set) var messages: UInt32 = 0

    /// In order. Beyond the capacity the last stretch grows over what lies between: more is lost than would be.
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

    /// How many of them lie below the end.
    func messages(below limit: UInt32) -> UInt32 {
        var sum: UInt32 = 0
        for index in 0..<count where froms[index] < limit { sum += min(ends[index], limit) - froms[index] }
        return sum
    }

    /// The end of the stretch that begins at or before the message and reaches beyond it.
    func end(over message: UInt32) -> UInt32? {
        for index in 0..<count where froms[index] <= message && message < ends[index] { return ends[index] }
        return nil
    }

    /// The message is the first that is in no hole. False if there is no place for another stretch.
    mutating func dropFirst(_ message: UInt32) -> Bool {
        if let index = (0..<count).first(where: { ends[$0] == message }) {
            ends[index] += 1
        } else {
            guard count < Self.capacity else { return false }
            // Whatever lies before it has been passed, or ends right there.
            for index in stride(from: count, to: 0, by: -1) {
                froms[index] = froms[index - 1]
                ends[index] = ends[index - 1]
            }
            froms[0] = message
            ends[0] = message + 1
            count += 1
        }
        messages += 1
        return true
    }

    /// Nothing at or behind the message is in a hole.
    mutating func cut(at message: UInt32) {
        messages = self.messages(below: message)
        while count > 0, froms[count - 1] >= message { count -= 1 }
        if count > 0 { ends[count - 1] = min(ends[count - 1], message) }
    }

    mutating func removeAll(below message: UInt32) {
        while count > 0, froms[0] < message { removeFirst() }
    }

    /// Only where there is one.
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
