extension Measurement {
    /// The first replica, from 0, that contains the sample behind a maximum or quantile. Run this replica again to see
    /// where the number comes from. `nil` for sums and means, which no single replica explains, and if there was no
    /// sample.
    package func witness(_ name: String) -> Int? { Catalogue.index[name].flatMap { witnesses[$0] } }

    /// The first of these folds that contains the sample behind the metric. The caller has split the records of the
    /// replica into the folds, for example by phone.
    package func witness(_ name: String, among folds: [RunFold]) -> Int? {
        guard let index = Catalogue.index[name], let answer = answers[index],
            case .quantile(let samples, _, _, _) = Catalogue.all[index].formula
        else { return nil }
        let histograms = folds.map { $0[samples] }
        return switch answer {
        case .nothing: nil
        case .never: histograms.firstIndex { $0.lost > 0 }
        case .span(let span), .atLeast(let span):
            histograms.firstIndex { $0.isExactExtreme(span) } ?? histograms.firstIndex { $0.hasBucket(span) }
        }
    }
}

extension SpanHistogram {
    /// `true` if the span is one of the extremes. The least, the largest and the oldest are known exactly.
    fileprivate func isExactExtreme(_ span: Int64) -> Bool { [least, largest, oldest].contains(span) }

    fileprivate func hasBucket(_ span: Int64) -> Bool {
        var isThere = false
        forEachBucket { bucket, _, _ in isThere = isThere || bucket == Self.bucket(of: span) }
        return isThere
    }
}

extension SampleStore {
    /// The first replica that contains the sample behind the pooled quantile.
    func witness(_ answer: SpanHistogram.QuantileResult) -> Int? {
        switch answer {
        case .nothing: nil
        case .never: (0..<count).first { lost[$0] > 0 }
        case .span(let span), .atLeast(let span): first(holding: span)
        }
    }

    /// The least, largest and oldest samples are known exactly, and the others by their bucket. A replica with coarser
    /// buckets is the last resort.
    private func first(holding span: Int64) -> Int? {
        let exact = (0..<count).first { replica in
            arrived[replica] > 0 && (least[replica] == span || largest[replica] == span)
                || waiting[replica] > 0 && oldest[replica] == span
        }
        if let exact { return exact }
        let wanted = SpanHistogram.bucket(of: span)
        var (first, coarse) = (Int?.none, Int?.none)
        forEach { replica, bucket, _, _ in
            let bits = Int(coarseness[replica])
            if first == nil, bits == 0, bucket == wanted { first = replica }
            if coarse == nil, bits > 0, bucket >> bits == wanted >> bits { coarse = replica }
        }
        return first ?? coarse
    }
}
