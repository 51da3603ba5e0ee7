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
            return [(ratio.metric, Bootstrap.middle(of: ratio.results(bootstrap), ratio.figure))]
        case .samples(let book, let questions):
            let isLong = book.length > PooledSamples.few
            let results =
                (isLong ? Self.results(PooledSamples(book, questions, laysTogether: true), bootstrap) : nil)
                ?? Self.results(PooledSamples(book, questions, laysTogether: false), bootstrap)
            guard let results else { preconditionFailure("an answer among buckets that lie apart") }
            return zip(questions, results).map { ($0.metric, Bootstrap.middle(of: $1, $0.figure)) }
        }
    }

    /// Of each question; nil if an answer lies among what is laid together.
    private static func results(_ samples: PooledSamples, _ bootstrap: Bootstrap) -> [[Int128?]]? {
        var results = samples.questions.map { _ in [Int128?]() }
        for index in results.indices { results[index].reserveCapacity(Bootstrap.resamples) }
        var answers = samples.questions.map { _ in SpanHistogram.Quantile.nothing }
        let counts = samples.counts(bootstrap)
        var isKnown = true
        bootstrap.forEach { draw, weights in
            isKnown = isKnown && samples.answer(weights, counts[draw], &answers)
            guard isKnown else { return }
            for index in results.indices { results[index].append(samples.questions[index].result(answers[index])) }
        }
        return isKnown ? results : nil
    }
}
