extension Measurement {
    /// The first replica, from 0, that holds the sample which a largest or a quantile names: the one to run again to see where
    /// the number comes from. Nil for sums and means, which no single replica explains, and where there was no sample.
    public func witness(_ name: String) -> Int? { Catalogue.index[name].flatMap { witnesses[$0] } }
}

extension Statistic {
    /// The first replica that holds what the result of all replicas together names.
    func witness(_ result: Int128?) -> Int? {
        guard case .quantile(let samples, _, _, _) = self, let result else { return nil }
        return result == Self.never ? samples.firstLost : samples.first(holding: Int64(result % Self.atLeast))
    }
}

extension PooledSamples {
    var firstLost: Int? { replicas.firstIndex { $0.lost > 0 } }

    /// The least and the largest are known exactly, the others by their bucket.
    func first(holding span: Int64) -> Int? {
        replicas.firstIndex { [$0.least, $0.largest, $0.oldest].contains(span) }
            ?? entries.first { $0.bucket == SpanHistogram.bucket(of: span) }?.replica
    }
}
