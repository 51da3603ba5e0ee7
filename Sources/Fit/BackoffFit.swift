/// Estimates a client's backoff (wait between connection attempts) from recorded waits. It fits a backoff model, with
/// the uncertainty of its parameters.
package struct BackoffFit: Sendable {
    /// Models that explain the observations nearly as well as the best; the first is the chosen one.
    let models: [BackoffModel]
    /// Parameter ranges that the recordings allow.
    let hull: ParameterBox
    /// One consistent set of parameter values: the preset's values if allowed, else the roundest possible.
    let point: ParameterBox
    /// The full search range of each parameter.
    let searchSpace: ParameterBox
    let waits: [RetryWait]
    /// Log-likelihood of the observations, in bits.
    let bits: Double

    var model: BackoffModel { models[0] }

    /// `nil` if there are no waits, or if no model explains them.
    init?(_ waits: [RetryWait], preferring own: BackoffModel?, _ values: [BackoffModel.BackoffParameter: Double]) {
        guard waits.contains(where: { $0.after != .loss }) else { return nil }
        let candidates = BackoffModel.all(for: waits)
        let isOwn = { (model: BackoffModel) in own.map { $0.isSame(as: model, for: waits) } ?? false }
        let accepted = { (model: BackoffModel) in
            isOwn(model) ? BackoffSearch.acceptedPresetBits : BackoffSearch.acceptedBits
        }
        var found: [(model: BackoffModel, point: ParameterBox, bits: Double)] = []
        var best = -Double.infinity
        for model in candidates {
            let search = BackoffSearch(model, waits)
            let whole = ParameterBox(model, waits)
            let known = isOwn(model) ? whole.point(values) : nil
            guard let one = search.best(in: whole, above: best - accepted(model), near: known) else {
                continue
            }
            found.append((model, one.point, one.bits))
            best = max(best, one.bits)
        }
        found = found.filter { $0.bits >= best - accepted($0.model) }
        // The candidates are sorted by complexity.
        guard
            let taken = found.first(where: { isOwn($0.model) })
                ?? found.first(where: { $0.bits >= best - BackoffSearch.preferenceBits })
        else { return nil }
        models = [taken.model] + found.map(\.model).filter { $0 != taken.model }
        self.waits = waits
        bits = taken.bits
        searchSpace = ParameterBox(taken.model, waits)
        let search = BackoffSearch(taken.model, waits)
        let floor = taken.bits - BackoffSearch.acceptedBits
        hull = search.hull(in: searchSpace, around: taken.point, above: floor)
        point = Self.roundedPoint(search, hull, taken.point, above: floor, values, searchSpace)
    }

    /// Chooses parameter values one after the other, because they depend on each other.
    private static func roundedPoint(
        _ search: BackoffSearch, _ hull: ParameterBox, _ point: ParameterBox, above floor: Double,
        _ values: [BackoffModel.BackoffParameter: Double],
        _ whole: ParameterBox
    ) -> ParameterBox {
        var box = hull
        func isOpenEnded(_ number: BackoffModel.BackoffParameter) -> Bool {
            hull[number].upperBound >= whole[number].upperBound * 0.99
        }
        // A cap that was not reached comes first. Otherwise it could be used to cut a wait that grew too much.
        let others: [BackoffModel.BackoffParameter] = [.timeout, .growth, .base, .first, .jitter]
        for number in isOpenEnded(.cap) ? [.cap] + others : others + [.cap] {
            let range = hull[number]
            let isOpen = isOpenEnded(number)
            let round = RoundNumber.number(
                in: range.lowerBound...(isOpen ? min(range.upperBound, range.lowerBound * 2) : range.upperBound))
            // Waits that do not grow are usual, too.
            let usual: [BackoffModel.BackoffParameter: [Double]] = [.growth: [2, 1], .cap: [32]]
            let wishes = [values[number]].compactMap { $0 } + (isOpen ? usual[number] ?? [] : []) + [round]
            let likeliest = search.best(in: box, above: floor)?.point.middle(number) ?? point.middle(number)
            // A file has three or five decimals. The next parameters must fit the value as it is written.
            let digits = search.likelihood.model.digits(of: number)
            let written = [FloatingPointRoundingRule.toNearestOrEven, .down, .up].map {
                (likeliest * digits).rounded($0) / digits
            }
            let fitting = (wishes + written).lazy.filter(range.contains).map { box.at(number, $0) }
                .first { search.best(in: $0, above: floor) != nil }
            box = fitting ?? box.at(number, likeliest)
        }
        return box
    }

    func isDetermined(_ number: BackoffModel.BackoffParameter) -> Bool {
        // The search range of the time limit is already measured.
        if number == .timeout { return waits.contains { $0.after == .silence } }
        let (own, all) = (hull[number], searchSpace[number])
        return own.lowerBound > all.lowerBound * 1.01 + 0.001 || own.upperBound < all.upperBound * 0.99
    }

    func isOpenAbove(_ number: BackoffModel.BackoffParameter) -> Bool {
        hull[number].upperBound >= searchSpace[number].upperBound * 0.99
    }
}

extension BackoffModel {
    /// `true` if the models are equal, apart from properties that the recordings cannot distinguish.
    func isSame(as other: BackoffModel, for waits: [RetryWait]) -> Bool {
        var (own, other) = (self, other)
        if !waits.contains(where: { $0.after == .loss }) { (own.countsLoss, other.countsLoss) = (false, false) }
        if !Self.distinguishSilence(waits) { (own.countsSilence, other.countsSilence) = (false, false) }
        return own == other
    }
}

/// Finds the number with the fewest digits in a range, to propose round setting values.
enum RoundNumber {
    static func number(in range: ClosedRange<Double>) -> Double {
        if range.lowerBound <= 0.001 { return 0 }
        let middle = (range.lowerBound + range.upperBound) / 2
        var unit = 1e6
        while unit > 0.0005 {
            let nearest = (middle / unit).rounded() * unit
            for value in [nearest, nearest - unit, nearest + unit] where value > 0 && range.contains(value) {
                // Powers of ten below one are not exact in floating point, so round to thousandths.
                return (value * 1_000).rounded() / 1_000
            }
            unit /= 10
        }
        return (middle * 1_000).rounded() / 1_000
    }
}
