/// A form that the waits of `composed` may have, and the numbers that it leaves open.
struct WaitLaw: Hashable {
    enum Growth: String, CaseIterable { case times, step }
    enum Jitter: String, CaseIterable { case none, full, equal, spread, plus, decorrelated }

    var growth = Growth.times
    var jitter = Jitter.none
    /// Waits are counted from the beginning of the attempt that failed, not from its failure.
    var isFromAttempt = false
    /// A lost connection is followed by a wait like a failed attempt, and counts as one.
    var countsLoss = false
    /// The first wait is another one.
    var hasFirst = false

    /// Numbers that the law leaves open, in the order of `Box`.
    enum Number: Int, CaseIterable { case base, growth, cap, jitter, timeout, first }

    var numbers: [Number] {
        var all: [Number] = [.base, .cap, .timeout]
        if jitter != .decorrelated { all.append(.growth) }
        if jitter == .spread || jitter == .plus { all.append(.jitter) }
        if hasFirst { all.append(.first) }
        return all
    }

    /// How much of it is made up to fit, in bits: so much likelier it must make what was seen.
    var complexity: Double {
        (jitter == .spread || jitter == .plus ? 3 : 0) + (hasFirst ? 8 : 0) + (growth == .step ? 1 : 0)
    }

    /// Every law, those that say least first. Without silence or a loss, what hangs on them is not asked.
    static func all(for waits: [Wait]) -> [WaitLaw] {
        let counting = waits.contains { $0.after == .loss } ? [false, true] : [false]
        var laws: [WaitLaw] = []
        for hasFirst in [false, true] {
            for growth in Growth.allCases {
                for jitter in Jitter.allCases where !(jitter == .decorrelated && (hasFirst || growth == .step)) {
                    for isFromAttempt in [false, true] {
                        for countsLoss in counting {
                            laws.append(
                                WaitLaw(
                                    growth: growth, jitter: jitter, isFromAttempt: isFromAttempt,
                                    countsLoss: countsLoss, hasFirst: hasFirst))
                        }
                    }
                }
            }
        }
        return laws.enumerated().sorted { ($0.element.complexity, $0.offset) < ($1.element.complexity, $1.offset) }
            .map(\.element)
    }
}

/// Every number of a law between two bounds, in seconds or as they are.
struct Box {
    var low = SIMD8<Double>(repeating: 0)
    var high = SIMD8<Double>(repeating: 0)

    subscript(number: WaitLaw.Number) -> ClosedRange<Double> {
        get { low[number.rawValue]...high[number.rawValue] }
        set {
            low[number.rawValue] = newValue.lowerBound
            high[number.rawValue] = newValue.upperBound
        }
    }

    /// Everything that could be worth a thought.
    init(_ law: WaitLaw, _ waits: [Wait]) {
        let longest = (waits.map(\.fromBegin).max() ?? 1) * 1_000
        self[.base] = 0.001...longest
        self[.cap] = 0.001...longest
        self[.first] = 0.001...longest
        self[.growth] = law.growth == .times ? 1...10 : 0.001...longest
        self[.jitter] = law.jitter == .spread ? 0...1 : 0.001...longest
        let silent = waits.filter { $0.after == .silence }
        let most = silent.map { $0.fromBegin + Wait.early }.min() ?? 0.001
        self[.timeout] = min(max(0.001, silent.map { $0.stillTrying - Wait.late(0) }.max() ?? 0), most)...most
    }

    /// In the middle: of powers, by their exponents.
    func middle(_ number: WaitLaw.Number) -> Double {
        let range = self[number]
        return range.lowerBound > 0 && number != .jitter
            ? (range.lowerBound * range.upperBound).squareRoot() : (range.lowerBound + range.upperBound) / 2
    }

    /// Powers by their exponents: so many of its parts from the lower end.
    func part(_ number: WaitLaw.Number, _ share: Double) -> Double {
        let range = self[number]
        guard range.lowerBound > 0, number != .jitter else {
            return range.lowerBound + share * (range.upperBound - range.lowerBound)
        }
        // Five times halved is fine enough to begin with.
        var (low, high, rest) = (range.lowerBound, range.upperBound, share)
        for _ in 0..<5 {
            let middle = (low * high).squareRoot()
            if rest < 0.5 { high = middle } else { low = middle }
            rest = rest < 0.5 ? rest * 2 : rest * 2 - 1
        }
        return low + rest * (high - low)
    }

    /// A step from a value, as a part of it; of a jitter, of all.
    func moved(_ number: WaitLaw.Number, from value: Double, by step: Double) -> Double {
        let range = self[number]
        let moved = range.lowerBound > 0 ? (step < 0 ? value / (1 - step) : value * (1 + step)) : value + step / 2
        return min(max(moved, range.lowerBound), range.upperBound)
    }

    func width(_ number: WaitLaw.Number) -> Double {
        let range = self[number]
        return range.lowerBound > 0 ? range.upperBound / range.lowerBound - 1 : range.upperBound - range.lowerBound
    }

    func halves(_ number: WaitLaw.Number) -> [Box] {
        var (lower, upper) = (self, self)
        lower[number] = self[number].lowerBound...middle(number)
        upper[number] = middle(number)...self[number].upperBound
        return [lower, upper]
    }

    func at(_ number: WaitLaw.Number, _ value: Double) -> Box {
        var point = self
        point[number] = value...value
        return point
    }

    var centre: Box {
        var point = self
        for number in WaitLaw.Number.allCases { point[number] = middle(number)...middle(number) }
        return point
    }

    func contains(_ point: Box) -> Bool {
        !any(point.low .< low) && !any(high .< point.high)
    }

    mutating func widen(by other: Box) {
        low = pointwiseMin(low, other.low)
        high = pointwiseMax(high, other.high)
    }
}

/// How well a law with its numbers somewhere in a box explains what was seen.
struct WaitLikelihood {
    let law: WaitLaw
    let waits: [Wait]

    /// The chance of all waits, by their slack, in bits: of a point exact, of a box no less than of its best point.
    func bound(_ box: Box) -> Double { bits(box) { _ in nil } }

    /// The same of a point, where what cannot be is only the worse the farther it is off: a slope to climb.
    func slope(_ point: Box) -> Double { bits(point) { 20 + 100 * $0 } }

    /// - Parameter cost: of a wait that cannot be, by how far it is off, as a part of what was seen; nil: all is lost.
    private func bits(_ box: Box, cost: (Double) -> Double?) -> Double {
        guard box[.base].lowerBound <= box[.cap].upperBound else { return -.infinity }
        var bits = -law.complexity
        var product = 1.0
        for wait in waits {
            if wait.after == .loss && !law.countsLoss { continue }
            let chance = chance(of: wait, box)
            guard chance > 0 else {
                guard let cost = cost(-chance / max(wait.fromBegin, 0.01)) else { return -.infinity }
                bits -= cost
                continue
            }
            product *= chance
            if product < 0x1p-500 {
                product *= 0x1p500
                bits -= 500
            }
        }
        // The logarithm, but for less than a tenth of a bit.
        return bits + Double(product.exponent) + product.significand - 1
    }

    /// Where it cannot be, how far it is off, below zero.
    private func chance(of wait: Wait, _ box: Box) -> Double {
        guard var window = window(of: wait, box) else { return wait.fromBegin - box[.timeout].lowerBound }
        if law.jitter == .decorrelated, !(law.hasFirst && wait.failed == 0), box[.cap].lowerBound <= window.high {
            // Whatever the dice say beyond the cap comes to the cap.
            guard window.low <= box[.cap].upperBound else { return box[.cap].upperBound - window.low }
            window.high = .infinity
            window.width = .infinity
        }
        let drawn = drawn(wait, box)
        let overlap = min(window.high, drawn.high) - max(window.low, drawn.low)
        guard overlap >= 0 else { return overlap }
        return drawn.width > 0 ? min(1, min(overlap, window.width) / drawn.width) : 1
    }

    private struct Range { var low, high, width: Double }

    /// Where the wait itself must have been for what was seen: `width` is the most that fits.
    private func window(of wait: Wait, _ box: Box) -> Range? {
        func around(_ low: Double, _ high: Double) -> Range {
            let late = Wait.late(high)
            return Range(low: max(0, low - late), high: high + Wait.early, width: late + Wait.early)
        }
        func below(_ span: Double) -> Range { Range(low: 0, high: span + Wait.early, width: span + Wait.early) }
        let span = wait.fromBegin
        switch (wait.after, law.isFromAttempt) {
        case (.silence, false):
            let timeout = box[.timeout]
            let (low, high) = (span - timeout.upperBound, span - timeout.lowerBound)
            let late = Wait.late(span)
            guard high + Wait.early >= 0 else { return nil }
            return Range(low: max(0, low - late), high: high + Wait.early, width: late + Wait.early)
        case (.silence, true):
            let timeout = box[.timeout]
            guard timeout.lowerBound <= span + Wait.early else { return nil }
            return timeout.upperBound >= span - Wait.late(span) ? below(span) : around(span, span)
        case (_, false): return around(wait.fromEnd, wait.fromEnd)
        // The wait was over before the attempt was.
        case (_, true): return wait.fromEnd <= Wait.late(0) ? below(span) : around(span, span)
        }
    }

    /// What the law may draw: `width` is the least.
    private func drawn(_ wait: Wait, _ box: Box) -> Range {
        let failed = wait.failed + (law.countsLoss && wait.followsLoss && wait.after != .loss ? 1 : 0)
        if law.hasFirst && failed == 0 {
            return Range(low: box[.first].lowerBound, high: box[.first].upperBound, width: 0)
        }
        let low = level(failed, box.low)
        let high = level(failed, box.high)
        let jitter = box[.jitter]
        switch law.jitter {
        case .none: return Range(low: low, high: high, width: 0)
        case .full: return Range(low: 0, high: high, width: low)
        case .equal: return Range(low: low / 2, high: high, width: low / 2)
        case .spread:
            return Range(
                low: low * (1 - jitter.upperBound), high: high * (1 + jitter.upperBound),
                width: 2 * jitter.lowerBound * low)
        case .plus: return Range(low: low, high: high + jitter.upperBound, width: jitter.lowerBound)
        case .decorrelated: return decorrelated(wait, box)
        }
    }

    private func level(_ failed: Int, _ numbers: SIMD8<Double>) -> Double {
        let (base, growth, cap) = (numbers[0], numbers[1], numbers[2])
        let steps = law.hasFirst ? failed - 1 : failed
        guard law.growth == .times else { return min(cap, base + growth * Double(steps)) }
        var wait = base
        for _ in 0..<steps where wait < cap { wait *= growth }
        return min(cap, wait)
    }

    /// From the base to three times the wait before.
    private func decorrelated(_ wait: Wait, _ box: Box) -> Range {
        let (base, cap) = (box[.base], box[.cap])
        let window = wait.before.flatMap { self.window(of: waits[$0], box) }
        let low = min(base.lowerBound, cap.lowerBound)
        let high = 3 * max(base.upperBound, window?.high ?? 0)
        let least = 3 * max(low, window?.low ?? 0)
        return Range(low: low, high: high, width: max(0, least - min(base.upperBound, cap.upperBound)))
    }
}
