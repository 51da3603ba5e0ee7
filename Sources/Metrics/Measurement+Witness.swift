extension Measurement {
    /// The first replica, from 0, that holds the sample which a largest or a quantile names: the one to run again to see where
    /// the number comes from. Nil for sums and means, which no single replica explains, and where there was no sample.
    public func witness(_ name: String) -> Int? { Catalogue.index[name].flatMap { witnesses[$0] } }

    /// The first of these folds, into which somebody has sorted what its replica recorded, that holds the sample.
    public func witness(_ name: String, among folds: [RunFold]) -> Int? {
        guard let index = Catalogue.index[name], let answer = answers[index],
            case .quantile(let samples, _, _, _) = Catalogue.all[index].formula
        else { return nil }
        let histograms = folds.map { $0[samples] }
        return switch answer {
        case .nothing: nil
        case .never: histograms.firstIndex { $0.lost > 0 }
        case .span(let span), .atLeast(let span):
            histograms.firstIndex { $0.hasAtItsEnds(span) } ?? histograms.firstIndex { $0.hasInABucket(span) }
        }
    }
}

extension SpanHistogram {
    /// The least, the largest and the oldest are known exactly.
    fileprivate func hasAtItsEnds(_ span: Int64) -> Bool { [least, largest, oldest].contains(span) }

    fileprivate func hasInABucket(_ span: Int64) -> Bool {
        var isThere = false
        forEachBucket { bucket, _, _ in isThere = isThere || bucket == Self.bucket(of: span) }
        return isThere
    }
}

extension SampleBook {
    /// The first replica that holds what the answer of all replicas together names.
    func witness(_ answer: SpanHistogram.Quantile) -> Int? {
        switch answer {
        case .nothing: nil
        case .never: (0..<count).first { lost[$0] > 0 }
        case .span(let span), .atLeast(let span): first(holding: span)
        }
    }

    /// The least, the largest and the oldest are known exactly, the others by their bucket; a coarser one is the last resort.
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
