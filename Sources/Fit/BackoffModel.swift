/// One form of backoff rule (growth and jitter of waits between connection attempts), with free parameters. The forms
/// are those of the strategy `composed`.
struct BackoffModel: Hashable {
    enum GrowthForm: String, CaseIterable { case times, step }
    enum JitterForm: String, CaseIterable { case none, full, equal, spread, plus, decorrelated }

    var growth = GrowthForm.times
    var jitter = JitterForm.none
    /// `true` if waits are counted from the beginning of the failed attempt, not from its failure.
    var isFromAttempt = false
    /// `true` if a lost connection is followed by a wait like a failed attempt, and counts as one.
    var countsLoss = false
    /// `true` if the end of a connection that the client itself found dead counts as a failure, and other ends do not.
    var countsSilence = false
    /// `true` if the first wait has a value of its own.
    var hasFirst = false

    /// The free parameters of a backoff rule, such as base and cap, in the order of `ParameterBox`.
    enum BackoffParameter: Int, CaseIterable { case base, growth, cap, jitter, timeout, first }

    var numbers: [BackoffParameter] {
        var all: [BackoffParameter] = [.base, .cap, .timeout]
        if jitter != .decorrelated { all.append(.growth) }
        if jitter == .spread || jitter == .plus { all.append(.jitter) }
        if hasFirst { all.append(.first) }
        return all
    }

    /// One, divided by the smallest step of a parameter's text in a file: a millisecond or a thousandth, of a percent for
    /// a spread.
    func digits(of number: BackoffParameter) -> Double { number == .jitter && jitter == .spread ? 100_000 : 1_000 }

    /// Complexity penalty in bits: a more complex model must make the observations this much more likely.
    var complexity: Double {
        (jitter == .spread || jitter == .plus ? 3 : 0) + (hasFirst ? 8 : 0) + (growth == .step ? 1 : 0)
            + (countsSilence ? 2 : 0)
    }

    /// `true` if attempts failed both after an end by the client and after another end.
    static func distinguishSilence(_ waits: [RetryWait]) -> Bool {
        let ends = waits.filter { $0.after != .loss }.compactMap(\.lostBy)
        return ends.contains(.client) && ends.contains { $0 != .client }
    }

    /// Every model, sorted by complexity. Properties that concern only losses are omitted if there were none.
    static func all(for waits: [RetryWait]) -> [BackoffModel] {
        var counting = [(loss: false, silence: false)]
        if waits.contains(where: { $0.after == .loss }) { counting.append((true, false)) }
        if distinguishSilence(waits) { counting.append((false, true)) }
        var models: [BackoffModel] = []
        for hasFirst in [false, true] {
            for growth in GrowthForm.allCases {
                for jitter in JitterForm.allCases where !(jitter == .decorrelated && (hasFirst || growth == .step)) {
                    for isFromAttempt in [false, true] {
                        for counted in counting {
                            models.append(
                                BackoffModel(
                                    growth: growth, jitter: jitter, isFromAttempt: isFromAttempt,
                                    countsLoss: counted.loss, countsSilence: counted.silence, hasFirst: hasFirst))
                        }
                    }
                }
            }
        }
        return models.enumerated().sorted { ($0.element.complexity, $0.offset) < ($1.element.complexity, $1.offset) }
            .map(\.element)
    }
}

/// A range for every parameter of a backoff model: a box in parameter space. Values are in seconds or in the
/// parameter's own unit.
struct ParameterBox {
    var low = SIMD8<Double>(repeating: 0)
    var high = SIMD8<Double>(repeating: 0)

    subscript(number: BackoffModel.BackoffParameter) -> ClosedRange<Double> {
        get { low[number.rawValue]...high[number.rawValue] }
        set {
            low[number.rawValue] = newValue.lowerBound
            high[number.rawValue] = newValue.upperBound
        }
    }

    /// The full search range.
    init(_ model: BackoffModel, _ waits: [RetryWait]) {
        let longest = (waits.map(\.fromBegin).max() ?? 1) * 1_000
        self[.base] = 0.001...longest
        self[.cap] = 0.001...longest
        self[.first] = 0.001...longest
        self[.growth] = model.growth == .times ? 1...10 : 0.001...longest
        self[.jitter] = model.jitter == .spread ? 0...1 : 0.001...longest
        self[.timeout] = Self.timeouts(waits.filter { $0.after == .silence })
    }

    /// Range of the time limit of an attempt: the measured durations of unanswered attempts. If the end of an
    /// attempt was not seen, it was longer than its last retransmission, and ended before the next attempt.
    private static func timeouts(_ silent: [RetryWait]) -> ClosedRange<Double> {
        let most = silent.map { ($0.limit ?? $0.fromBegin) + RetryWait.early }.min() ?? 0.001
        let least = silent.map { wait in
            wait.limit.map { $0 - RetryWait.late($0) } ?? (wait.stillTrying - RetryWait.late(0))
        }
        return min(max(0.001, least.max() ?? 0), most)...most
    }

    /// Midpoint of a range; the geometric mean for positive ranges other than jitter.
    func middle(_ number: BackoffModel.BackoffParameter) -> Double {
        let range = self[number]
        return range.lowerBound > 0 && number != .jitter
            ? (range.lowerBound * range.upperBound).squareRoot() : (range.lowerBound + range.upperBound) / 2
    }

    /// Point at a fraction of the range from its lower end; on a logarithmic scale for positive ranges other than
    /// jitter.
    func part(_ number: BackoffModel.BackoffParameter, _ share: Double) -> Double {
        let range = self[number]
        guard range.lowerBound > 0, number != .jitter else {
            return range.lowerBound + share * (range.upperBound - range.lowerBound)
        }
        // Five halvings are fine enough as a starting point.
        var (low, high, rest) = (range.lowerBound, range.upperBound, share)
        for _ in 0..<5 {
            let middle = (low * high).squareRoot()
            if rest < 0.5 { high = middle } else { low = middle }
            rest = rest < 0.5 ? rest * 2 : rest * 2 - 1
        }
        return low + rest * (high - low)
    }

    /// Moves a value by a relative step; for ranges that include zero, by an absolute step.
    func moved(_ number: BackoffModel.BackoffParameter, from value: Double, by step: Double) -> Double {
        let range = self[number]
        let moved = range.lowerBound > 0 ? (step < 0 ? value / (1 - step) : value * (1 + step)) : value + step / 2
        return min(max(moved, range.lowerBound), range.upperBound)
    }

    func width(_ number: BackoffModel.BackoffParameter) -> Double {
        let range = self[number]
        return range.lowerBound > 0 ? range.upperBound / range.lowerBound - 1 : range.upperBound - range.lowerBound
    }

    func halves(_ number: BackoffModel.BackoffParameter) -> [ParameterBox] {
        var (lower, upper) = (self, self)
        lower[number] = self[number].lowerBound...middle(number)
        upper[number] = middle(number)...self[number].upperBound
        return [lower, upper]
    }

    func at(_ number: BackoffModel.BackoffParameter, _ value: Double) -> ParameterBox {
        var point = self
        point[number] = value...value
        return point
    }

    var centre: ParameterBox {
        var point = self
        for number in BackoffModel.BackoffParameter.allCases { point[number] = middle(number)...middle(number) }
        return point
    }

    /// The point with these values, as far as they are inside. The other parameters are in the middle.
    func point(_ values: [BackoffModel.BackoffParameter: Double]) -> ParameterBox {
        values.reduce(centre) { point, value in
            self[value.key].contains(value.value) ? point.at(value.key, value.value) : point
        }
    }

    func contains(_ point: ParameterBox) -> Bool {
        !any(point.low .< low) && !any(high .< point.high)
    }

    mutating func widen(by other: ParameterBox) {
        low = pointwiseMin(low, other.low)
        high = pointwiseMax(high, other.high)
    }
}

/// Computes how likely the recorded waits are under a backoff model with parameters in given ranges.
struct BackoffLikelihood {
    let model: BackoffModel
    let waits: [RetryWait]
    /// Penalty in bits for waits after losses, if they have a setting of their own.
    private let lateLosses: Double

    init(model: BackoffModel, waits: [RetryWait]) {
        (self.model, self.waits) = (model, waits)
        lateLosses = model.countsLoss ? 0 : 4 * Double(Self.lateLosses(in: waits))
    }

    /// Number of waits after losses that are longer than the shortest one after the same kind of end. A setting of its
    /// own is one fixed time, so the client must have noticed these losses late. Random waits explain them, too.
    private static func lateLosses(in waits: [RetryWait]) -> Int {
        let losses = waits.filter { $0.after == .loss }
        return Dictionary(grouping: losses) { $0.lostBy == .client }.values.reduce(0) { sum, ofEnd in
            let least = ofEnd.map(\.fromEnd).min() ?? 0
            return sum + ofEnd.count { $0.fromEnd > least + RetryWait.early + RetryWait.late(least) }
        }
    }

    /// Log-probability of all waits in bits, given the measurement tolerance. Exact for a point; an upper bound over
    /// the points of a box.
    func bound(_ box: ParameterBox) -> Double { bits(box) { _ in nil } }

    /// Log-probability of all waits in bits at one point. Unlike in `bound`, impossible waits only reduce the value, by
    /// their distance. This gives a slope for hill climbing.
    func slope(_ point: ParameterBox) -> Double { bits(point) { 20 + 100 * $0 } }

    /// - Parameter cost: Penalty in bits for an impossible wait, by its relative distance; `nil` makes the result −∞.
    private func bits(_ box: ParameterBox, cost: (Double) -> Double?) -> Double {
        guard box[.base].lowerBound <= box[.cap].upperBound else { return -.infinity }
        var bits = -model.complexity - lateLosses
        var product = 1.0
        for wait in waits {
            if wait.after == .loss && !model.countsLoss { continue }
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
        // Approximate logarithm, exact to a tenth of a bit.
        return bits + Double(product.exponent) + product.significand - 1
    }

    /// Probability of a wait. If the wait is impossible, the negative of its distance.
    private func chance(of wait: RetryWait, _ box: ParameterBox) -> Double {
        guard var window = window(of: wait, box) else { return wait.fromBegin - box[.timeout].lowerBound }
        if model.jitter == .decorrelated, !(model.hasFirst && wait.failed == 0), box[.cap].lowerBound <= window.high {
            // Random values above the cap are cut to the cap.
            guard window.low <= box[.cap].upperBound else { return box[.cap].upperBound - window.low }
            window.high = .infinity
            window.width = .infinity
        }
        let drawn = drawn(wait, box)
        let overlap = min(window.high, drawn.high) - max(window.low, drawn.low)
        guard overlap >= 0 else { return overlap }
        return drawn.width > 0 ? min(1, min(overlap, window.width) / drawn.width) : 1
    }

    private struct WaitRange { var low, high, width: Double }

    /// Range of the wait itself that is consistent with the observation; `width` is the largest possible width. `nil`
    /// if impossible.
    private func window(of wait: RetryWait, _ box: ParameterBox) -> WaitRange? {
        func around(_ low: Double, _ high: Double) -> WaitRange {
            let late = RetryWait.late(high)
            return WaitRange(low: max(0, low - late), high: high + RetryWait.early, width: late + RetryWait.early)
        }
        func below(_ span: Double) -> WaitRange {
            WaitRange(low: 0, high: span + RetryWait.early, width: span + RetryWait.early)
        }
        let span = wait.fromBegin
        switch (wait.after, model.isFromAttempt) {
        case (.silence, false) where wait.limit == nil:
            let timeout = box[.timeout]
            let (low, high) = (span - timeout.upperBound, span - timeout.lowerBound)
            let late = RetryWait.late(span)
            guard high + RetryWait.early >= 0 else { return nil }
            return WaitRange(low: max(0, low - late), high: high + RetryWait.early, width: late + RetryWait.early)
        case (.silence, true) where wait.limit == nil:
            let timeout = box[.timeout]
            guard timeout.lowerBound <= span + RetryWait.early else { return nil }
            return timeout.upperBound >= span - RetryWait.late(span) ? below(span) : around(span, span)
        case (_, false): return around(wait.fromEnd, wait.fromEnd)
        // The wait ended before the attempt failed.
        case (_, true): return wait.fromEnd <= RetryWait.late(0) ? below(span) : around(span, span)
        }
    }

    /// Range that the model may draw the wait from; `width` is the smallest possible width.
    private func drawn(_ wait: RetryWait, _ box: ParameterBox) -> WaitRange {
        let isCounted = model.countsLoss ? wait.lostBy != nil : model.countsSilence && wait.lostBy == .client
        let failed = wait.failed + (isCounted && wait.after != .loss ? 1 : 0)
        if model.hasFirst && failed == 0 {
            return WaitRange(low: box[.first].lowerBound, high: box[.first].upperBound, width: 0)
        }
        let low = level(failed, box.low)
        let high = level(failed, box.high)
        let jitter = box[.jitter]
        switch model.jitter {
        case .none: return WaitRange(low: low, high: high, width: 0)
        case .full: return WaitRange(low: 0, high: high, width: low)
        case .equal: return WaitRange(low: low / 2, high: high, width: low / 2)
        case .spread:
            return WaitRange(
                low: low * (1 - jitter.upperBound), high: high * (1 + jitter.upperBound),
                width: 2 * jitter.lowerBound * low)
        case .plus: return WaitRange(low: low, high: high + jitter.upperBound, width: jitter.lowerBound)
        case .decorrelated: return decorrelated(wait, box)
        }
    }

    private func level(_ failed: Int, _ numbers: SIMD8<Double>) -> Double {
        let (base, growth, cap) = (numbers[0], numbers[1], numbers[2])
        let steps = model.hasFirst ? failed - 1 : failed
        guard model.growth == .times else { return min(cap, base + growth * Double(steps)) }
        var wait = base
        for _ in 0..<steps where wait < cap { wait *= growth }
        return min(cap, wait)
    }

    /// Decorrelated jitter: from the base to three times the previous wait. A wait after a lost connection that has a
    /// setting of its own is no previous wait. Otherwise it is the first wait of a series, and so at most three times
    /// the base, however long the connection lasted.
    private func decorrelated(_ wait: RetryWait, _ box: ParameterBox) -> WaitRange {
        let (base, cap) = (box[.base], box[.cap])
        let before = wait.before.map { waits[$0] }.flatMap { $0.after == .loss && !model.countsLoss ? nil : $0 }
        let window = before.flatMap { self.window(of: $0, box) }
        let low = min(base.lowerBound, cap.lowerBound)
        let longest = before?.after == .loss ? 3 * base.upperBound : .infinity
        let high = 3 * max(base.upperBound, min(window?.high ?? 0, longest))
        let least = 3 * max(low, window?.low ?? 0)
        return WaitRange(low: low, high: high, width: max(0, least - min(base.upperBound, cap.upperBound)))
    }
}
