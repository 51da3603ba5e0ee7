import DeadzoneBase
import Testing

@testable import DeadzoneFit

/// Laws of the search for backoff parameters, each tried on random models and waits.
@Suite struct BackoffLawTests {
    private typealias Parameter = BackoffModel.BackoffParameter

    /// Random choices for one test.
    private struct Draw {
        private var dice: Dice

        init(_ seed: UInt64) { dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test) }

        mutating func number(_ low: Double, _ high: Double) -> Double {
            low + (high - low) * Double(dice.next() >> 11) / Double(1 << 53)
        }
        mutating func index(_ count: Int) -> Int { Int(dice.next() % UInt64(count)) }
        mutating func flag() -> Bool { index(2) == 0 }

        /// A model without decorrelated jitter.
        mutating func model() -> BackoffModel {
            let jitters = BackoffModel.JitterForm.allCases.filter { $0 != .decorrelated }
            return BackoffModel(
                growth: flag() ? .times : .step, jitter: jitters[index(jitters.count)], isFromAttempt: flag(),
                countsLoss: flag(), hasFirst: flag())
        }

        /// The parameters of a client.
        mutating func point(_ model: BackoffModel, _ waits: [RetryWait]) -> ParameterBox {
            var point = ParameterBox(model, waits).centre
            point = point.at(.base, number(0.2, 2)).at(.cap, number(4, 20)).at(.first, number(0.05, 1))
            point = point.at(.growth, model.growth == .times ? number(1.2, 3) : number(0.2, 2))
            return point.at(.jitter, number(0.05, 0.9))
        }

        /// A series of waits that a client with these parameters makes. Attempts are refused after 60 ms, or given up
        /// after `timeout`; the observer sees the end of some of them.
        mutating func waits(_ model: BackoffModel, _ point: ParameterBox, timeout: Double) -> [RetryWait] {
            let lost: Recording.RecordedConnection.EndedBy? = flag() ? .server : nil
            return (0..<8).map { failed in
                let isSilent = flag()
                let spent = isSilent ? timeout : 0.06
                let isSeen = !isSilent || flag()
                let level = BackoffLawTests.naiveLevel(failed + (model.countsLoss && lost != nil ? 1 : 0), model, point)
                let share = number(0, 1)
                let jitter = point[.jitter].lowerBound
                let drawn =
                    switch model.jitter {
                    case _ where level.isFirst: level.value
                    case .none, .decorrelated: level.value
                    case .full: level.value * share
                    case .equal: level.value * (1 + share) / 2
                    case .spread: level.value * (1 - jitter + 2 * jitter * share)
                    case .plus: level.value + jitter * share
                    }
                let begin = model.isFromAttempt ? max(drawn, spent) : spent + drawn
                return RetryWait(
                    after: isSilent ? .silence : .refusal, at: .zero, failed: failed, lostBy: lost, fromBegin: begin,
                    fromEnd: isSeen ? begin - spent : begin, limit: isSilent && isSeen ? spent : nil, stillTrying: 0,
                    before: nil)
            }
        }
    }

    private static func naiveLevel(_ failed: Int, _ model: BackoffModel, _ point: ParameterBox) -> (
        value: Double, isFirst: Bool
    ) {
        if model.hasFirst && failed == 0 { return (point[.first].lowerBound, true) }
        let steps = model.hasFirst ? failed - 1 : failed
        let (base, growth, cap) = (point[.base].lowerBound, point[.growth].lowerBound, point[.cap].lowerBound)
        guard model.growth == .times else { return (min(cap, base + growth * Double(steps)), false) }
        return (min(cap, (0..<steps).reduce(base) { value, _ in value * growth }), false)
    }

    /// Broken: the recorded waits of a client count as impossible under its own settings, or as more likely than one.
    @Test(arguments: 0..<200 as Range<UInt64>) func waitsAreLikelyUnderTheirOwnSettings(seed: UInt64) {
        var draw = Draw(seed)
        let model = draw.model()
        let point = draw.point(model, [])
        let timeout = draw.number(2, 6)
        let waits = draw.waits(model, point, timeout: timeout)
        let likelihood = BackoffLikelihood(model: model, waits: waits)
        let bits = likelihood.bound(point.at(.timeout, timeout))
        #expect(bits > -.infinity, "\(model) \(waits)")
        #expect(bits <= -model.complexity + 0.1)
        #expect((likelihood.slope(point.at(.timeout, timeout)) - bits).magnitude < 1e-9)
    }

    /// Broken: the probability of a wait is not the part of the drawn range that lies inside the measured one.
    @Test(arguments: 0..<200 as Range<UInt64>) func aLikelihoodIsTheProductOfOverlaps(seed: UInt64) {
        var draw = Draw(seed)
        let model = draw.model()
        let point = draw.point(model, [])
        let waits = draw.waits(model, point, timeout: 3).filter { $0.limit != nil || $0.after == .refusal }
        var bits = -model.complexity
        for wait in waits {
            let level = Self.naiveLevel(
                wait.failed + (model.countsLoss && wait.lostBy != nil ? 1 : 0), model, point)
            let jitter = point[.jitter].lowerBound
            let drawn: (Double, Double) =
                switch model.jitter {
                case _ where level.isFirst: (level.value, level.value)
                case .none, .decorrelated: (level.value, level.value)
                case .full: (0, level.value)
                case .equal: (level.value / 2, level.value)
                case .spread: (level.value * (1 - jitter), level.value * (1 + jitter))
                case .plus: (level.value, level.value + jitter)
                }
            let span = model.isFromAttempt ? wait.fromBegin : wait.fromEnd
            // The attempt lasted longer than the wait, so only an upper bound of the wait was measured.
            let isHidden = model.isFromAttempt && wait.fromEnd <= 0.15
            let late = max(0.15, span / 100)
            let seen = (isHidden ? 0 : max(0, span - late), span + 0.03)
            let width = isHidden ? seen.1 : late + 0.03
            let overlap = min(seen.1, drawn.1) - max(seen.0, drawn.0)
            if drawn.1 > drawn.0 { bits += Self.log2Of(min(1, min(overlap, width) / (drawn.1 - drawn.0))) }
        }
        let found = BackoffLikelihood(model: model, waits: waits).bound(point)
        // The program's logarithm is exact to a tenth of a bit.
        #expect((found - bits).magnitude < 0.1, "\(found) \(bits) \(model)")
    }

    /// Logarithm to base 2, by halving and squaring.
    static func log2Of(_ value: Double) -> Double {
        guard value > 0 else { return -.infinity }
        var (rest, result, part) = (value, 0.0, 1.0)
        while rest < 1 { (rest, result) = (rest * 2, result - 1) }
        for _ in 0..<40 {
            rest *= rest
            part /= 2
            if rest >= 2 { (rest, result) = (rest / 2, result + part) }
        }
        return result
    }

    /// Broken: the bound of a box is below the likelihood of a point inside, so the search discards the best point.
    @Test(arguments: 0..<150 as Range<UInt64>) func aBoxIsAtLeastAsLikelyAsItsPoints(seed: UInt64) {
        var draw = Draw(seed)
        var model = draw.model()
        if draw.index(6) == 0 { (model.jitter, model.growth) = (.decorrelated, .times) }
        let truth = draw.point(model, [])
        let waits = draw.waits(model, truth, timeout: draw.number(2, 6))
        let likelihood = BackoffLikelihood(model: model, waits: waits)
        var box = ParameterBox(model, waits)
        for _ in 0..<12 {
            var inside: ParameterBox = box
            for number in Parameter.allCases {
                let range = box[number]
                inside = inside.at(number, draw.number(range.lowerBound, range.upperBound))
            }
            #expect(box.contains(inside) && box.contains(box.centre))
            #expect(likelihood.bound(box) >= likelihood.bound(inside) - 0.1, "\(model)")
            let number = model.numbers[draw.index(model.numbers.count)]
            box = box.halves(number)[draw.index(2)]
        }
    }

    /// Broken: halving loses or repeats a part of a box, or a step leaves it.
    @Test(arguments: 0..<100 as Range<UInt64>) func boxesAreDividedAndWalkedInside(seed: UInt64) {
        var draw = Draw(seed)
        let model = draw.model()
        let box = ParameterBox(model, draw.waits(model, draw.point(model, []), timeout: 4))
        for number in model.numbers {
            let (range, halves) = (box[number], box.halves(number))
            #expect(halves.count == 2)
            #expect(
                halves[0][number].lowerBound == range.lowerBound && halves[1][number].upperBound == range.upperBound)
            #expect(halves[0][number].upperBound == halves[1][number].lowerBound)
            #expect(halves[0][number].upperBound == box.middle(number) && range.contains(box.middle(number)))
            for other in model.numbers where other != number { #expect(halves[0][other] == box[other]) }
            // A larger share of the range is further from its lower end.
            let parts = (0...20).map { box.part(number, Double($0) / 20.01) }
            #expect(parts == parts.sorted() && Set(parts).count == (box.width(number) > 0 ? 21 : 1))
            #expect(range.contains(parts[0]) && range.contains(parts[20]))
            #expect((parts[0] - range.lowerBound).magnitude <= 1e-9 + range.lowerBound)
            let value = draw.number(range.lowerBound, range.upperBound)
            let (down, up) = (box.moved(number, from: value, by: -0.3), box.moved(number, from: value, by: 0.3))
            #expect(range.contains(down) && range.contains(up) && down <= value && value <= up)
            if range.lowerBound > 0, range.contains(value * 1.3), range.contains(value / 1.3) {
                #expect((up / value - 1.3).magnitude < 1e-9 && (value / down - 1.3).magnitude < 1e-9)
            }
            let same = box.at(number, value)
            #expect(same[number] == value...value && same.width(number) == 0 && box.contains(same))
        }
        var wide = box.halves(model.numbers[0])[0]
        wide.widen(by: box.halves(model.numbers[0])[1])
        #expect(wide.low == box.low && wide.high == box.high)
        #expect(!box.halves(model.numbers[0])[0].contains(box))
    }

    /// Broken: the search misses settings that explain the waits, or the hull leaves out settings that do.
    @Test func theHullHoldsTheTruth() throws {
        var misses = 0
        for seed in 40..<52 as Range<UInt64> {
            var draw = Draw(seed)
            var model = draw.model()
            model.hasFirst = false
            let timeout = draw.number(2, 6)
            let truth = draw.point(model, []).at(.timeout, timeout)
            let waits = draw.waits(model, truth, timeout: timeout)
            let search = BackoffSearch(model, waits)
            let whole = ParameterBox(model, waits)
            let best = try #require(search.best(in: whole))
            let likelihood = BackoffLikelihood(model: model, waits: waits)
            #expect((likelihood.bound(best.point) - best.bits).magnitude < 1e-9 && whole.contains(best.point))
            #expect(search.best(in: whole, above: best.bits + 60) == nil)
            let own = likelihood.bound(truth)
            if best.bits < own - BackoffSearch.acceptedBits { misses += 1 }
            let floor = min(best.bits, own) - BackoffSearch.acceptedBits
            let hull = search.hull(in: whole, around: best.point, above: floor)
            #expect(hull.contains(best.point) && whole.contains(hull))
            // Parameters that the model does not use keep any value.
            var used = hull.centre
            for number in model.numbers { used[number] = truth[number] }
            #expect(hull.contains(used), "\(model) \(hull) \(truth)")
        }
        // The search is bounded: in one of these twelve series it ends at a point that is less likely than the truth.
        #expect(misses <= 1)
    }

    /// Broken: a model is missing or tried twice, or a complex one is preferred.
    @Test func everyModelIsTriedOnceSimpleOnesFirst() {
        func wait(_ cause: RetryWait.WaitCause) -> RetryWait {
            RetryWait(
                after: cause, at: .zero, failed: 0, lostBy: nil, fromBegin: 1, fromEnd: 1, limit: nil, stillTrying: 0,
                before: nil)
        }
        let plain = BackoffModel.all(for: [wait(.refusal)])
        let losing = BackoffModel.all(for: [wait(.refusal), wait(.loss)])
        // Two forms of growth, six of jitter, with and without a first wait; decorrelated jitter has one form.
        #expect(plain.count == (2 * 6 - 1 + 2 * 6 - 2) * 2 && losing.count == plain.count * 2)
        for models in [plain, losing] {
            #expect(Set(models).count == models.count)
            #expect(models.map(\.complexity) == models.map(\.complexity).sorted())
            #expect(models.first == BackoffModel())
            #expect(models.allSatisfy { $0.jitter != .decorrelated || ($0.growth == .times && !$0.hasFirst) })
        }
        #expect(plain.allSatisfy { !$0.countsLoss } && losing.contains(where: \.countsLoss))
        // Ends by the client and by the server, each before failed attempts, can count or not.
        func failed(_ side: Recording.RecordedConnection.EndedBy) -> RetryWait {
            RetryWait(
                after: .refusal, at: .zero, failed: 0, lostBy: side, fromBegin: 1, fromEnd: 1, limit: nil,
                stillTrying: 0, before: nil)
        }
        let both = BackoffModel.all(for: [wait(.loss), failed(.client), failed(.server)])
        #expect(both.count == plain.count * 3 && !both.contains { $0.countsLoss && $0.countsSilence })
        #expect(BackoffModel.all(for: [wait(.loss), failed(.client)]).count == losing.count)
        #expect(plain.contains(where: \.isFromAttempt) && plain.contains(where: \.hasFirst))
    }

    /// Broken: a proposed value has more digits than necessary, or lies outside of its range.
    @Test(
        arguments: [
            (0.95...1.2, 1.0), (1.9...2.2, 2.0), (0.0...5.0, 0.0), (0.42...0.48, 0.45), (19.0...23.0, 20.0),
            (1.234...1.2344, 1.234), (95.0...120.0, 100.0), (1_900.0...2_100.0, 2_000.0), (7.1...7.9, 7.5),
        ] as [(ClosedRange<Double>, Double)])
    func aRoundNumberHasFewDigits(range: ClosedRange<Double>, number: Double) {
        #expect(RoundNumber.number(in: range) == number)
    }
}
