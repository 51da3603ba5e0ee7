import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator

@Suite struct MissingRangesTests {
    /// Compares a list of ranges with a set of messages.
    private func compare(_ ranges: MissingRanges, _ model: Set<UInt32>, _ label: String) {
        #expect(ranges.messages == UInt32(model.count), "\(label)")
        for message in 0..<40 as Range<UInt32> {
            #expect(
                ranges.messages(below: message) == UInt32(model.count { $0 < message }), "\(label), below \(message)")
            // Two ranges may touch, so a range may end before the last message of its kind.
            let end = ranges.end(over: message)
            #expect((end != nil) == model.contains(message), "\(label), over \(message)")
            if let end { #expect(message < end && (message..<end).allSatisfy(model.contains), "\(label)") }
        }
        #expect((ranges.count == 0) == model.isEmpty, "\(label)")
        if let first = model.min() { #expect(ranges.first.lowerBound == first, "\(label)") }
    }

    @Test("A list of ranges holds the same messages as a set")
    func set() {
        var steps = Set<UInt64>()
        seedSweep(100) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> UInt32 { UInt32(dice.next().scaled(below: below)) }
            var (ranges, model, end) = (MissingRanges(), Set<UInt32>(), draw(4))
            for _ in 0..<8 {
                let kind = draw(7)
                steps.insert(UInt64(kind))
                switch kind {
                case 0...1:
                    // A range that follows the last one directly belongs to it.
                    let from = max(end, model.max().map { $0 + 1 } ?? 0) + draw(3)
                    end = from + 1 + draw(3)
                    ranges.append(from: from, upTo: end)
                    model.formUnion(from..<end)
                case 2:
                    // The first message that is not missing, after the ranges before it were passed.
                    let message = model.min().map { first in
                        draw(2) == 0 && first > 0 ? first - 1 : (first...).first { !model.contains($0) } ?? 0
                    }
                    guard let message, !model.contains(message + 1) || message < (model.min() ?? 0) else { continue }
                    let isAdded = ranges.addFirst(message)
                    #expect(isAdded)
                    model.insert(message)
                case 3:
                    let message = draw(30)
                    ranges.cut(at: message)
                    model = model.filter { $0 < message }
                    end = min(end, message)
                case 4:
                    guard let first = model.min() else { continue }
                    let next = (first...).first { !model.contains($0) } ?? 0
                    ranges.removeAll(below: next)
                    model = model.filter { $0 > next }
                case 5:
                    let message = draw(30)
                    guard !model.contains(message) else { continue }
                    ranges.insert(message)
                    model.insert(message)
                    end = max(end, message + 1)
                default:
                    guard !model.isEmpty, ranges.first.upperBound > 0 else { continue }
                    let first = ranges.first
                    ranges.removeFirst()
                    model.subtract(first)
                }
                compare(ranges, model, "seed \(seed)")
            }
        }
        #expect(steps.count == 7)
    }

    @Test("A range that begins at the limit stays, and one that begins before it is removed")
    func removal() {
        var ranges = MissingRanges()
        ranges.append(from: 2, upTo: 4)
        ranges.append(from: 6, upTo: 9)
        ranges.removeAll(below: 2)
        #expect(ranges.count == 2)
        ranges.removeAll(below: 6)
        #expect(ranges.count == 1 && ranges.first == 6..<9 && ranges.messages == 3)
        ranges.removeAll(below: 7)
        #expect(ranges.count == 0 && ranges.messages == 0)
    }

    @Test("Adjacent ranges are one; separate ranges are not")
    func adjacency() {
        var ranges = MissingRanges()
        ranges.append(from: 1, upTo: 3)
        ranges.append(from: 3, upTo: 4)
        #expect(ranges.count == 1 && ranges.first == 1..<4)
        ranges.append(from: 5, upTo: 6)
        #expect(ranges.count == 2 && ranges.messages == 4)
        // Message 4 closes the hole behind the first range, but the ranges stay two.
        let isAdded = ranges.addFirst(4)
        #expect(isAdded && ranges.count == 2 && ranges.messages == 5 && ranges.first == 1..<5)
        let isFirst = ranges.addFirst(0)
        #expect(
            isFirst && ranges.count == 3 && ranges.first == 0..<1 && ranges.end(over: 1) == 5
                && ranges.end(over: 5) == 6)
    }

    @Test("A full list grows its last range over the messages in between, and takes no new first message")
    func capacity() {
        var ranges = MissingRanges()
        for turn in 0..<UInt32(MissingRanges.capacity) { ranges.append(from: 1 + 4 * turn, upTo: 3 + 4 * turn) }
        #expect(MissingRanges.capacity == 64 && ranges.count == 64 && ranges.messages == 128)
        let isRefused = !ranges.addFirst(0)
        #expect(isRefused && ranges.count == 64 && ranges.messages == 128)
        // The last range is 253..<255. It grows to 260, over 255 and 256.
        ranges.append(from: 257, upTo: 260)
        #expect(ranges.count == 64 && ranges.messages == 133)
        #expect(ranges.end(over: 255) == 260 && ranges.end(over: 252) == nil && ranges.end(over: 260) == nil)
        // A message that follows the first range needs no further range.
        let isAdded = ranges.addFirst(3)
        #expect(isAdded && ranges.count == 64 && ranges.end(over: 1) == 4)
        ranges.removeFirst()
        #expect(ranges.count == 63 && ranges.first == 5..<7 && ranges.messages == 131)
        let isFirst = ranges.addFirst(4)
        #expect(isFirst && ranges.count == 64 && ranges.first == 4..<5 && ranges.end(over: 253) == 260)
        ranges.cut(at: 254)
        #expect(ranges.count == 64 && ranges.end(over: 253) == 254 && ranges.messages == 126)
        ranges.cut(at: 253)
        #expect(ranges.count == 63 && ranges.messages == 125 && ranges.end(over: 250) == 251)
    }
}

@Suite struct MissingRangeInsertionTests {
    private func ranges(_ parts: Range<UInt32>...) -> MissingRanges {
        var ranges = MissingRanges()
        for part in parts { ranges.append(from: part.lowerBound, upTo: part.upperBound) }
        return ranges
    }

    @Test("A message joins the range before it or after it, or becomes a range in between", arguments: 0..<16)
    func places(message: UInt32) {
        guard ![2, 3, 7, 8, 12].contains(message) else { return }
        var ranges = ranges(2..<4, 7..<9, 12..<13)
        ranges.insert(message)
        #expect(ranges.messages == 6)
        #expect(ranges.count == ([1, 4, 6, 9, 11, 13].contains(message) ? 3 : 4))
        #expect(ranges.first.lowerBound == min(message, 2))
        let missing = (0..<20).filter { ranges.end(over: $0) != nil } as [UInt32]
        #expect(missing == ([2, 3, 7, 8, 12, message] as [UInt32]).sorted())
        while ranges.count > 0 {
            let first = ranges.first
            ranges.removeFirst()
            if ranges.count > 0 { #expect(first.upperBound <= ranges.first.lowerBound) }
        }
    }

    @Test("In a full list the next range grows down to the message")
    func capacity() {
        var ranges = MissingRanges()
        for turn in 0..<UInt32(MissingRanges.capacity) { ranges.append(from: 10 + 4 * turn, upTo: 11 + 4 * turn) }
        ranges.insert(12)
        #expect(ranges.count == 64 && ranges.messages == 66)
        #expect((9..<17).filter { ranges.end(over: $0) != nil } == [10, 12, 13, 14])
        ranges.insert(11)
        #expect(ranges.count == 64 && ranges.messages == 67 && ranges.first == 10..<12)
        ranges.insert(8)
        #expect(ranges.count == 64 && ranges.messages == 69 && ranges.first == 8..<12)
    }
}

@Suite struct MessageRangeTests {
    @Test("A range contains its start and not its end, and gives up messages from its start")
    func ends() {
        var range = MessageRange(from: 3, upTo: 6)
        func take(_ end: UInt32) -> UInt32 { range.take(before: end) }
        #expect(range.count == 3 && !range.isEmpty)
        #expect((0..<9).filter { range.contains($0) } == [3, 4, 5])
        #expect(take(3) == 0 && range.from == 3)
        #expect(take(4) == 1 && range.from == 4)
        #expect(take(9) == 2 && range.from == 6 && range.isEmpty && range.count == 0)
        #expect(take(9) == 0 && range.from == 6)
        let reversed = MessageRange(from: 7, upTo: 5)
        #expect(reversed.isEmpty && reversed.count == 0 && !reversed.contains(6))
        #expect(!MessageRange(from: 7, upTo: 8).isEmpty && MessageRange(from: 7, upTo: 7).isEmpty)
    }
}
