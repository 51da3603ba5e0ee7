/// What the resamples are asked in one piece: work that one thread does alone.
enum Draw: Sendable {
    case ratio(Ratio)
    case samples(SampleBook, [Question])

    /// Of one strategy, the long ones first. Most metrics of most runs are the same in every replica; those need no thousand
    /// resamples.
    static func all(of replicas: Replicas) -> [Draw] {
        guard replicas.count > 1 else { return [] }
        let books = zip(replicas.books, Catalogue.questions).filter { !$0.0.isEmpty }
        return books.map { .samples($0, $1) }
            + Ratio.all(of: replicas).filter { !$0.isCertain }.map { .ratio($0) }
    }

    func intervals(_ bootstrap: Bootstrap) -> [(metric: Int, interval: Interval?)] {
        switch self {
        case .ratio(let ratio):
            return [(ratio.metric, ratio.ends(bootstrap)?.interval(ratio.figure))]
        case .samples(let book, let questions):
            let isLong = book.length > PooledSamples.few
            let intervals =
                (isLong ? Self.middles(PooledSamples(book, questions, laysTogether: true), bootstrap) : nil)
                ?? Self.middles(PooledSamples(book, questions, laysTogether: false), bootstrap)
            guard let intervals else { preconditionFailure("an answer among buckets that lie apart") }
            return zip(questions, intervals).map { ($0.metric, $1) }
        }
    }

    /// Of each question; nil if an answer lies among what is laid together.
    private static func middles(
        _ samples: PooledSamples, _ bootstrap: Bootstrap, isFenced: Bool = true
    ) -> [Interval?]? {
        let questions = samples.questions
        var results = questions.map { _ in [Int128?](repeating: nil, count: Bootstrap.resamples) }
        var answers = questions.map { _ in SpanHistogram.Quantile.nothing }
        var fences = questions.map { _ in Fence?.none }
        let counts = samples.counts(bootstrap)
        var isKnown = true
        bootstrap.forEach { draw, weights in
            if isFenced, draw == Fence.scouts {
                fences = results.map { Fence(around: $0.prefix(Fence.scouts), samples) }
            }
            isKnown = isKnown && samples.answer(weights, counts[draw], fences, &answers)
            guard isKnown else { return }
            for index in questions.indices { results[index][draw] = questions[index].result(answers[index]) }
        }
        guard isKnown else { return nil }
        let ends = results.map { Bootstrap.ends(of: $0) }
        guard zip(fences, ends).allSatisfy({ $0?.isBetween($1) ?? true }) else {
            return middles(samples, bootstrap, isFenced: false)
        }
        return zip(questions, ends).map { question, ends in ends?.interval(question.figure) }
    }
}
