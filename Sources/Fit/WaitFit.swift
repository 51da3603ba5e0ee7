/// The law that explains the waits of recordings, and how far its numbers are known.
public struct WaitFit: Sendable {
    /// Laws of which some numbers explain what was seen nearly as well as any; the first is the one that was taken.
    let laws: [WaitLaw]
    /// What the recording allows.
    let hull: Box
    /// Numbers that belong together: those of the preset where they may be, else as round as can be.
    let point: Box
    /// What a number may be at all.
    let whole: Box
    let waits: [Wait]
    /// How likely it makes what was seen.
    let bits: Double

    var law: WaitLaw { laws[0] }

    /// Nil: there are no waits, or no law explains them.
    init?(_ waits: [Wait], preferring own: WaitLaw?, _ values: [WaitLaw.Number: Double]) {
        guard waits.contains(where: { $0.after != .loss }) else { return nil }
        let candidates = WaitLaw.all(for: waits)
        var found: [(law: WaitLaw, point: Box, bits: Double)] = []
        var best = -Double.infinity
        for law in candidates {
            let search = WaitSearch(law, waits)
            guard let one = search.best(in: Box(law, waits), above: best - WaitSearch.reach) else { continue }
            found.append((law, one.point, one.bits))
            best = max(best, one.bits)
        }
        found = found.filter { $0.bits >= best - WaitSearch.reach }
        // The candidates stand in the order of what they make up.
        let isOwn = { (law: WaitLaw) in own.map { $0.isSame(as: law, for: waits) } ?? false }
        guard
            let taken = found.first(where: { isOwn($0.law) })
                ?? found.first(where: { $0.bits >= best - WaitSearch.preference })
        else { return nil }
        laws = [taken.law] + found.map(\.law).filter { $0 != taken.law }
        self.waits = waits
        bits = taken.bits
        whole = Box(taken.law, waits)
        let search = WaitSearch(taken.law, waits)
        let floor = taken.bits - WaitSearch.reach
        hull = search.hull(in: whole, around: taken.point, above: floor)
        point = Self.settled(search, hull, taken.point, above: floor, values, whole)
    }

    /// One number after the other, since they hang on each other.
    private static func settled(
        _ search: WaitSearch, _ hull: Box, _ point: Box, above floor: Double, _ values: [WaitLaw.Number: Double],
        _ whole: Box
    ) -> Box {
        var box = hull
        for number in [WaitLaw.Number.timeout, .growth, .base, .first, .jitter, .cap] {
            let range = hull[number]
            let isOpen = range.upperBound >= whole[number].upperBound * 0.99
            let round = Round.number(
                in: range.lowerBound...(isOpen ? min(range.upperBound, range.lowerBound * 2) : range.upperBound))
            let usual: [WaitLaw.Number: Double] = [.growth: 2, .cap: 32]
            let wishes = [values[number], isOpen ? usual[number] : nil, round].compactMap { $0 }.filter(range.contains)
            let fitting = wishes.lazy.map { box.at(number, $0) }.first { search.best(in: $0, above: floor) != nil }
            box =
                fitting
                ?? box.at(number, search.best(in: box, above: floor)?.point.middle(number) ?? point.middle(number))
        }
        return box
    }

    func isTold(_ number: WaitLaw.Number) -> Bool {
        let (own, all) = (hull[number], whole[number])
        return own.lowerBound > all.lowerBound * 1.01 + 0.001 || own.upperBound < all.upperBound * 0.99
    }

    func isOpenAbove(_ number: WaitLaw.Number) -> Bool { hull[number].upperBound >= whole[number].upperBound * 0.99 }
}

extension WaitLaw {
    /// What nothing in the recording can tell apart is the same.
    func isSame(as other: WaitLaw, for waits: [Wait]) -> Bool {
        var (own, other) = (self, other)
        if !waits.contains(where: { $0.after == .loss }) { (own.countsLoss, other.countsLoss) = (false, false) }
        return own == other
    }
}

/// The number with the fewest digits.
enum Round {
    static func number(in range: ClosedRange<Double>) -> Double {
        if range.lowerBound <= 0.001 { return 0 }
        let middle = (range.lowerBound + range.upperBound) / 2
        var unit = 1e6
        while unit > 0.0005 {
            let nearest = (middle / unit).rounded() * unit
            for value in [nearest, nearest - unit, nearest + unit] where value > 0 && range.contains(value) {
                // What cannot be said in tenths is not said in floating point either.
                return (value * 1_000).rounded() / 1_000
            }
            unit /= 10
        }
        return (middle * 1_000).rounded() / 1_000
    }
}
