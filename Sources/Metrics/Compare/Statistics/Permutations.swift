import DeadzoneBase

/// A permutation test of the mean: swaps old and new values, as if nothing had changed. Values are swapped within each
/// replica (paired), or between equal numbers of replicas of both sides (unpaired).
///
/// The rank of the observed change among the changes of all permutations gives the p-value (Fisher, "The design of
/// experiments", 1935, section 21). The shifts that the test does not reject form the confidence interval. They are the
/// middle of the means over the swapped values (Hartigan, "Using subsample values as typical values", 1969). Estimate,
/// interval and p come from one test, so they never contradict each other.
package struct Permutations: Sendable {
    /// Number of drawn permutations. For pairs, all permutations are enumerated instead if no more than this exist.
    package static let maxCount = 1 << 13
    /// Largest number of items that are swapped independently. With more replicas, several form one item, and the
    /// remainder stays in place.
    static let maxItems = 512

    /// Number of replicas per item, which are swapped together.
    let groupSize: Int
    /// Number of items on the first side. For pairs, all items.
    let items: Int
    /// 1 if each item is a pair. 2 if equal numbers of items of both sides are swapped.
    let sides: Int
    /// The permutations, one bit per item. The first one swaps nothing.
    let bits: [UInt8]
    let width: Int

    /// Creates permutations of paired replicas.
    package init(pairs: Int, seed: UInt64) {
        (groupSize, items) = Self.grouped(pairs)
        sides = 1
        width = (items + 7) / 8
        let isWhole = items <= Self.maxCount.trailingZeroBitCount
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        var bits: [UInt8] = []
        for exchange in 0..<(isWhole ? 1 << items : Self.maxCount) {
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

    /// Creates permutations of `new` and `old` replicas with different random conditions.
    package init(new: Int, old: Int, seed: UInt64) {
        let size = max(Self.grouped(new).size, Self.grouped(old).size)
        let (items, others) = (new / size, old / size)
        (self.groupSize, self.items, sides) = (size, items, 2)
        width = (items + others + 7) / 8
        var dice = Dice(seed: seed, phone: PhoneID(1), purpose: .bootstrap)
        var bits = [UInt8](repeating: 0, count: Self.maxCount * width)
        var places = Array(0..<(items + others))
        for exchange in 1..<Self.maxCount {
            // Items drawn into the first places count as new.
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
        let size = max(1, (count + maxItems - 1) / maxItems)
        return (size, count / size)
    }

    /// Returns the mean shift of each permutation.
    /// - Parameters:
    ///   - new: The new values. For pairs, the differences.
    ///   - old: The old values. Empty for pairs.
    func shifts(of new: [Int128], _ old: [Int128] = []) -> PermutationShifts {
        let tables = Self.tables(grouped(new) + grouped(old).map { -$0 })
        var shifts: [Double] = []
        shifts.reserveCapacity(bits.count / max(1, width))
        var identityCount = 0
        for start in stride(from: 0, to: bits.count, by: max(1, width)) {
            var sum: Int128 = 0
            var count = 0
            for byte in 0..<width {
                let chosen = bits[start + byte]
                sum += tables[byte][Int(chosen)]
                count += chosen.nonzeroBitCount
            }
            if count == 0 {
                identityCount += 1
            } else {
                shifts.append(Double(sum) * Double(sides) / Double(count * groupSize))
            }
        }
        return PermutationShifts(sorted: shifts.sorted(), identityCount: identityCount)
    }

    /// Returns the relative change of each permutation of pairs: the sum of the differences over the pairs that it
    /// swaps, divided by the sum of the old values of the same pairs.
    ///
    /// The test does not reject the middle of these values, if the tested value is the ratio of the means and not their
    /// difference (Fieller, "Some problems in interval estimation", 1954). Dividing the interval of the difference by
    /// the mean of the old values would ignore that this mean is uncertain.
    /// - Parameter old: one value for each difference, none below zero.
    func relativeShifts(of differences: [Int128], old: [Int128]) -> PermutationShifts {
        let (changes, bases) = (Self.tables(grouped(differences)), Self.tables(grouped(old)))
        var shifts: [Double] = []
        shifts.reserveCapacity(bits.count / max(1, width))
        var identityCount = 0
        for start in stride(from: 0, to: bits.count, by: max(1, width)) {
            var (change, base): (Int128, Int128) = (0, 0)
            for byte in 0..<width {
                change += changes[byte][Int(bits[start + byte])]
                base += bases[byte][Int(bits[start + byte])]
            }
            // A permutation that swaps only pairs of zeros agrees with every ratio.
            if base == 0, change == 0 {
                identityCount += 1
            } else {
                shifts.append(Double(change) / Double(base))
            }
        }
        return PermutationShifts(sorted: shifts.sorted(), identityCount: identityCount)
    }

    private func grouped(_ numbers: [Int128]) -> [Int128] {
        groupSize == 1
            ? numbers
            : (0..<numbers.count / groupSize).map { numbers[$0 * groupSize..<($0 + 1) * groupSize].reduce(0, +) }
    }

    /// One table for each eight items.
    private static func tables(_ items: [Int128]) -> [[Int128]] {
        stride(from: 0, to: items.count, by: 8).map { table(items[$0..<min($0 + 8, items.count)]) }
    }

    /// Sum of each subset of up to eight items, indexed by its bits.
    private static func table(_ items: ArraySlice<Int128>) -> [Int128] {
        var table: [Int128] = [0]
        for item in items { table += table.map { $0 + item } }
        return table
    }
}

/// The results of a permutation test: for each permutation, the mean change over the values that it swaps.
struct PermutationShifts: Hashable, Sendable {
    let sorted: [Double]
    /// Number of permutations that swap nothing.
    let identityCount: Int

    private var count: Int { sorted.count + identityCount }

    /// Two-sided p-value: twice the share of permutations with at least as large a change.
    var p: Double {
        let notAbove = place { $0 > 0 }
        let notBelow = sorted.count - place { $0 >= 0 }
        return count == 0 ? 1 : min(1, 2 * Double(identityCount + min(notAbove, notBelow)) / Double(count))
    }

    /// Index of the first element for which the condition holds, by bisection. The condition then holds for all later
    /// elements.
    private func place(_ holds: (Double) -> Bool) -> Int {
        var range = 0..<sorted.count
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            range = holds(sorted[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// The shifts that the test does not reject at this level. It contains zero exactly if p is at least the level.
    /// `nil` if there are too few permutations to reject any shift.
    func interval(at level: Double) -> ClosedRange<Int128>? {
        // Rounded away from zero, so that rounding never makes a shift zero.
        func whole(_ number: Double) -> Int128 { Int128(number.rounded(.awayFromZero)) }
        return range(at: level).map { whole($0.lowerBound)...whole($0.upperBound) }
    }

    /// The interval without rounding.
    func range(at level: Double) -> ClosedRange<Double>? {
        let rank = Int((level * Double(count) / 2).rounded(.up)) - identityCount
        guard rank > 0, 2 * rank <= sorted.count + 1 else { return nil }
        return sorted[rank - 1]...sorted[sorted.count - rank]
    }
}
