/// Where the numbers of a law may lie: climbing finds the likeliest, and branch and bound over boxes how far others reach. A box whose best point is a thousand times less likely than
/// the best is left; what could not be decided within the budget stays, so that the
/// answer may be too wide and is never too narrow.
struct WaitSearch {
    /// In bits: a thousand times less likely.
    static let reach = 10.0
    /// In bits: twenty times.
    static let preference = 4.3
    private static let budget = 1_500
    private static let starts = 8

    let likelihood: WaitLikelihood
    private var numbers: [WaitLaw.Number]

    init(_ law: WaitLaw, _ waits: [Wait]) {
        likelihood = WaitLikelihood(law: law, waits: waits)
        let hasSilence = waits.contains { $0.after == .silence }
        numbers = law.numbers.filter { $0 != .timeout || hasSilence }
    }

    /// The likeliest point that was found, and how likely it is; nil: no point explains what was seen.
    func best(in box: Box, above floor: Double = -.infinity) -> (point: Box, bits: Double)? {
        var best = searched(box, above: floor)
        for start in 0..<Self.starts {
            let point = climbed(from: start == 0 ? best?.point ?? box.centre : Self.scattered(box, start), in: box)
            let bits = likelihood.bound(point)
            if bits > max(floor, best?.bits ?? -.infinity) { best = (point, bits) }
        }
        return best
    }

    /// The best centre of boxes that are divided, the most promising first and in turn the deepest of those that promise much.
    private func searched(_ box: Box, above floor: Double) -> (point: Box, bits: Double)? {
        var open = [(box: box, bound: likelihood.bound(box), depth: 0.0)]
        var best: (point: Box, bits: Double)?
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
            guard let number = numberToDivide(box, bound) else { continue }
            for half in box.halves(number) {
                let bound = likelihood.bound(half)
                if bound > -.infinity { open.append((half, bound, depth + 1)) }
            }
        }
        return best
    }

    /// One number after the other, in steps that shrink.
    private func climbed(from start: Box, in box: Box) -> Box {
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

    /// Halton's points: they fill a box evenly, and are always the same.
    private static func scattered(_ box: Box, _ index: Int) -> Box {
        var point = box.centre
        for (number, prime) in zip(WaitLaw.Number.allCases, [2, 3, 5, 7, 11, 13]) {
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

    /// The smallest box known to hold every point that is as likely as `floor`.
    func hull(in box: Box, around point: Box, above floor: Double) -> Box {
        var known = point
        var open = [box]
        var next = 0
        while next < open.count, next < Self.budget {
            let box = open[next]
            next += 1
            let bound = likelihood.bound(box)
            guard bound >= floor, !known.contains(box) else { continue }
            let centre = box.centre
            // Where the middle of a face is likely enough, the answer reaches as far as the face.
            var reached = 0
            for number in numbers {
                for end in [box[number].lowerBound, box[number].upperBound] {
                    let face = centre.at(number, end)
                    guard likelihood.bound(face) >= floor else { continue }
                    reached += 1
                    known.widen(by: face)
                }
            }
            guard reached < 2 * numbers.count, let number = numberToDivide(box, bound) else { continue }
            open += box.halves(number)
        }
        for box in open[min(next, open.count)...] where likelihood.bound(box) >= floor { known.widen(by: box) }
        return known
    }

    /// The number whose halves tell the most, or the widest; nil: none is worth dividing.
    private func numberToDivide(_ box: Box, _ bound: Double) -> WaitLaw.Number? {
        let open = numbers.filter { box.width($0) > 0.001 }
        let told = open.map { number in
            box.halves(number).reduce(0) { $0 + min(20, bound - likelihood.bound($1)) }
        }
        if let place = told.indices.max(by: { told[$0] < told[$1] }), told[place] > 0.05 { return open[place] }
        return open.max { box.width($0) < box.width($1) }
    }
}
