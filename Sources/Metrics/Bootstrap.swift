import DeadzonePrimitives

/// The percentile bootstrap over replicas (Efron, "Bootstrap methods: another look at the jackknife", 1979): replicas are drawn
/// with replacement, the statistic is computed of each such draw, and the middle 95 % of the results are the interval. The
/// draws are a function of the seed alone, so every metric and every strategy of a run meets the same ones.
struct Bootstrap: Sendable {
    static let resamples = 1_000
    /// Parts that the resamples are handed out in.
    static let parts = 40

    /// How often each replica was drawn, one row for each resample. That one is drawn more than 255 times has, of so many
    /// replicas that it could be, a probability below 1 / 256!.
    private let weights: [[UInt8]]

    /// Nil where the hands are stopped.
    init?(seed: UInt64, replicas: Int, _ hands: some Hands) {
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        let drawn = Self.spread(hands) { resample -> [UInt8] in
            var row = [UInt8](repeating: 0, count: replicas)
            for draw in 0..<replicas {
                row[Int(dice.at(UInt64(resample * replicas + draw)).scaled(below: UInt64(replicas)))] += 1
            }
            return row
        }
        guard let drawn else { return nil }
        weights = drawn
    }

    /// What the body makes of each resample; nil if it makes nothing of one, or the hands are stopped.
    func results<Result: Sendable>(_ hands: some Hands, _ body: @Sendable ([UInt8]) -> Result?) -> [Result]? {
        Self.spread(hands) { body(weights[$0]) }
    }

    private static func spread<Result: Sendable>(
        _ hands: some Hands, _ body: @Sendable (_ resample: Int) -> Result?
    ) -> [Result]? {
        let size = resamples / parts
        let done = hands.each(parts) { part -> [Result]? in
            var results: [Result] = []
            for resample in part * size..<(part + 1) * size {
                guard let result = body(resample) else { return nil }
                results.append(result)
            }
            return results
        }
        var all: [Result] = []
        for part in done {
            guard let part, let results = part else { return nil }
            all += results
        }
        return all
    }

    /// The middle 95 % of what the resamples came to. Those in which there was nothing to measure are left out; nil if all are.
    static func middle(of results: [Int128?], _ figure: (Int128?) -> Figure) -> Interval? {
        let sorted = results.compactMap(\.self).sorted()
        guard !sorted.isEmpty else { return nil }
        func place(_ thousandths: Int64) -> Figure {
            figure(sorted[Int(Share(thousandths: thousandths).rank(among: Int64(sorted.count))) - 1])
        }
        return Interval(low: place(25), high: place(975))
    }
}
