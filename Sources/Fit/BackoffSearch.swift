/// Searches for the parameters of a backoff model that best explain the recorded waits.
///
/// Hill climbing finds the most likely point. Branch and bound over boxes finds how far other likely points extend. A
/// box is discarded if its best point is a thousand times less likely than the best. Boxes that are undecided within
/// the budget are kept, so the result may be too wide but is never too narrow.
struct BackoffSearch {
    /// Range of accepted likelihoods, in bits: a factor of a thousand.
    static let acceptedBits = 10.0
    /// The same for the model of a preset: a factor of thirty thousand. Every other model has several free parameters
    /// that follow the chance of the recorded waits.
    static let acceptedPresetBits = 15.0
    /// Likelihood tolerance for a simpler model, in bits: a factor of twenty.
    static let preferenceBits = 4.3
    private static let budget = 1_500
    private static let starts = 8

    let likelihood: BackoffLikelihood
    private var numbers: [BackoffModel.BackoffParameter]

    init(_ model: BackoffModel, _ waits: [RetryWait]) {
        likelihood = BackoffLikelihood(model: model, waits: waits)
        let hasSilence = waits.contains { $0.after == .silence }
        numbers = model.numbers.filter { $0 != .timeout || hasSilence }
    }

    /// Returns the most likely point found and its log-likelihood; `nil` if no point explains the observations.
    /// - Parameter known: A point of the box that may be likely.
    func best(
        in box: ParameterBox, above floor: Double = -.infinity, near known: ParameterBox? = nil
    ) -> (point: ParameterBox, bits: Double)? {
        var best = branchAndBound(box, above: floor)
        let starts = [best?.point ?? box.centre, known].compactMap(\.self)
        for start in starts + (1..<Self.starts).map({ Self.haltonPoint(box, $0) }) {
            let point = climb(from: start, in: box)
            let bits = likelihood.bound(point)
            if bits > max(floor, best?.bits ?? -.infinity) { best = (point, bits) }
        }
        return best
    }

    /// Best box centre found by branch and bound. It takes the most promising box first, alternating with deep boxes
    /// that are promising.
    private func branchAndBound(_ box: ParameterBox, above floor: Double) -> (point: ParameterBox, bits: Double)? {
        var open = [(box: box, bound: likelihood.bound(box), depth: 0.0)]
        var best: (point: ParameterBox, bits: Double)?
        for turn in 0..<Self.budget {
            let share = Double(turn % 2)
            func promise(_ place: Int) -> Double { open[place].bound + share * open[place].depth }
            guard let place = open.indices.max(by: { promise($0) < promise($1) }) else { break }
            let (box, bound, depth) = open.remove(at: place)
            guard bound > max(floor, (best?.bits ?? -.infinity) + 0.3) else {
                if share == 0 { break }
                continue
            }
            let bits = likelihood.bound(box.centre)
            if bits > best?.bits ?? -.infinity { best = (box.centre, bits) }
            guard let number = parameterToDivide(box, bound) else { continue }
            for half in box.halves(number) {
                let bound = likelihood.bound(half)
                if bound > -.infinity { open.append((half, bound, depth + 1)) }
            }
        }
        return best
    }

    /// Hill climbing, one parameter after the other, with shrinking steps.
    private func climb(from start: ParameterBox, in box: ParameterBox) -> ParameterBox {
        var point = start
        var height = likelihood.slope(point)
        var reach = 0.5
        while reach > 0.002 {
            var isHigher = false
            for number in numbers where box.width(number) > 0 {
                for side in [-reach, reach] {
                    let moved = point.at(number, box.moved(number, from: point.low[number.rawValue], by: side))
                    let other = likelihood.slope(moved)
                    guard other > height + 1e-9 else { continue }
                    (point, height, isHigher) = (moved, other, true)
                }
            }
            if !isHigher { reach /= 2 }
        }
        return point
    }

    /// A point of the Halton sequence, which fills a box evenly and is deterministic.
    private static func haltonPoint(_ box: ParameterBox, _ index: Int) -> ParameterBox {
        var point = box.centre
        for (number, prime) in zip(BackoffModel.BackoffParameter.allCases, [2, 3, 5, 7, 11, 13]) {
            var (rest, part, share) = (index, 1.0, 0.0)
            while rest > 0 {
                part /= Double(prime)
                share += part * Double(rest % prime)
                rest /= prime
            }
            point = point.at(number, box.part(number, share))
        }
        return point
    }

    /// The smallest box that is proven to contain every point at least as likely as `floor`.
    func hull(in box: ParameterBox, around point: ParameterBox, above floor: Double) -> ParameterBox {
        var known = point
        var open = [box]
        var next = 0
        while next < open.count, next < Self.budget {
            let box = open[next]
            next += 1
            let bound = likelihood.bound(box)
            guard bound >= floor, !known.contains(box) else { continue }
            let centre = box.centre
            // If the centre of a face is likely enough, the result extends to that face.
            var reached = 0
            for number in numbers {
                for end in [box[number].lowerBound, box[number].upperBound] {
                    let face = centre.at(number, end)
                    guard likelihood.bound(face) >= floor else { continue }
                    reached += 1
                    known.widen(by: face)
                }
            }
            guard reached < 2 * numbers.count, let number = parameterToDivide(box, bound) else { continue }
            open += box.halves(number)
        }
        for box in open[min(next, open.count)...] where likelihood.bound(box) >= floor { known.widen(by: box) }
        return known
    }

    /// Parameter to split: the one with the most informative halves, else the widest. `nil` if none is worth splitting.
    private func parameterToDivide(_ box: ParameterBox, _ bound: Double) -> BackoffModel.BackoffParameter? {
        let open = numbers.filter { box.width($0) > 0.001 }
        let information = open.map { number in
            box.halves(number).reduce(0) { $0 + min(20, bound - likelihood.bound($1)) }
        }
        if let place = information.indices.max(by: { information[$0] < information[$1] }), information[place] > 0.05 {
            return open[place]
        }
        return open.max { box.width($0) < box.width($1) }
    }
}
