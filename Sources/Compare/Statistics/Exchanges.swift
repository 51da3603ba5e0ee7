import DeadzonePrimitives

/// The ways in which before and now could as well have changed places, had nothing changed: paired, in each replica; unpaired,
/// between as many replicas of either side. Where the change of the mean lies among its changes in all of them says how likely
/// it is by chance (Fisher, "The design of experiments", 1935, section 21), and which shifts are not unlikely: those are the
/// middle of the means over what changes places (Hartigan, "Using subsample values as typical values", 1969). Estimate,
/// interval and p are of one kind, so none of them contradicts another.
public struct Exchanges: Sendable {
    /// All of them are gone through where there are no more, or else so many are drawn.
    public static let most = 1 << 13
    /// Of more replicas so many change places at most, several at a time; what is left over stays in its place.
    static let mostItems = 512

    /// Replicas that change places together.
    let size: Int
    /// Of the first side; all, if the sides are pairs.
    let items: Int
    /// 1: each item is a pair. 2: as many items of either side change places.
    let sides: Int
    /// One exchange after the other, a bit for each item; the first one leaves all in their places.
    let bits: [UInt8]
    let width: Int

    /// Of pairs.
    public init(pairs: Int, seed: UInt64) {
        (size, items) = Self.grouped(pairs)
        sides = 1
        width = (items + 7) / 8
        let isWhole = items <= Self.most.trailingZeroBitCount
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        var bits: [UInt8] = []
        for exchange in 0..<(isWhole ? 1 << items : Self.most) {
            for byte in 0..<width {
                let drawn =
                    isWhole || exchange == 0
                    ? UInt64(exchange) >> UInt64(8 * byte) : dice.at(UInt64(exchange * width + byte))
                let isLast = byte == width - 1 && items % 8 > 0
                bits.append(UInt8(truncatingIfNeeded: drawn) & (isLast ? 1 << UInt8(items % 8) - 1 : .max))
            }
        }
        self.bits = bits
    }

    /// Of `new` replicas under one weather and `old` under another.
    public init(new: Int, old: Int, seed: UInt64) {
        let size = max(Self.grouped(new).size, Self.grouped(old).size)
        let (items, others) = (new / size, old / size)
        (self.size, self.items, sides) = (size, items, 2)
        width = (items + others + 7) / 8
        var dice = Dice(seed: seed, phone: PhoneID(1), purpose: .bootstrap)
        var bits = [UInt8](repeating: 0, count: Self.most * width)
        var places = Array(0..<(items + others))
        for exchange in 1..<Self.most {
            // Who is drawn here counts as new.
            for place in 0..<items {
                places.swapAt(place, place + Int(dice.next().scaled(below: UInt64(places.count - place))))
            }
            for place in places.indices where (place < items) != (places[place] < items) {
                bits[exchange * width + places[place] / 8] |= 1 << UInt8(places[place] % 8)
            }
        }
        self.bits = bits
    }

    private static func grouped(_ count: Int) -> (size: Int, items: Int) {
        let size = max(1, (count + mostItems - 1) / mostItems)
        return (size, count / size)
    }

    /// - Parameters:
    ///   - new: what is to be exchanged; of pairs the differences.
    ///   - old: of pairs nothing.
    func shifts(of new: [Int128], _ old: [Int128] = []) -> Shifts {
        let sums = grouped(new) + grouped(old).map { -$0 }
        let tables = stride(from: 0, to: sums.count, by: 8).map { Self.table(sums[$0..<min($0 + 8, sums.count)]) }
        var shifts: [Double] = []
        shifts.reserveCapacity(bits.count / max(1, width))
        var still = 0
        for start in stride(from: 0, to: bits.count, by: max(1, width)) {
            var sum: Int128 = 0
            var count = 0
            for byte in 0..<width {
                let chosen = bits[start + byte]
                sum += tables[byte][Int(chosen)]
                count += chosen.nonzeroBitCount
            }
            if count == 0 { still += 1 } else { shifts.append(Double(sum) * Double(sides) / Double(count * size)) }
        }
        return Shifts(sorted: shifts.sorted(), still: still)
    }

    private func grouped(_ numbers: [Int128]) -> [Int128] {
        size == 1
            ? numbers
            : (0..<numbers.count / size).map { numbers[$0 * size..<($0 + 1) * size].reduce(0, +) }
    }

    /// What each choice of eight items comes to.
    private static func table(_ items: ArraySlice<Int128>) -> [Int128] {
        var table: [Int128] = [0]
        for item in items { table += table.map { $0 + item } }
        return table
    }
}

/// By how much the mean of what changes places differs, in each exchange.
struct Shifts: Hashable, Sendable {
    let sorted: [Double]
    /// Exchanges that exchange nothing.
    let still: Int

    private var count: Int { sorted.count + still }

    /// Two-sided: twice the share of the exchanges in which the change is as large.
    var p: Double {
        let notAbove = place { $0 > 0 }
        let notBelow = sorted.count - place { $0 >= 0 }
        return count == 0 ? 1 : min(1, 2 * Double(still + min(notAbove, notBelow)) / Double(count))
    }

    /// Of the first for which it holds, and so for all after it.
    private func place(_ holds: (Double) -> Bool) -> Int {
        var range = 0..<sorted.count
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            range = holds(sorted[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// The shifts that the test does not refuse at this level: zero is among them exactly if p is no less. Nil where there are
    /// too few exchanges to refuse any.
    func interval(at level: Double) -> ClosedRange<Int128>? {
        let rank = Int((level * Double(count) / 2).rounded(.up)) - still
        guard rank > 0, 2 * rank <= sorted.count + 1 else { return nil }
        // Away from zero, so that no rounding brings it in.
        func whole(_ number: Double) -> Int128 { Int128(number.rounded(.awayFromZero)) }
        return whole(sorted[rank - 1])...whole(sorted[sorted.count - rank])
    }
}
