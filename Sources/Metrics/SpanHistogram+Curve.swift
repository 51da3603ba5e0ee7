extension SpanHistogram {
    /// How many took at most so long.
    public struct Step: Hashable, Sendable {
        public let nanoseconds: Int64
        public let count: Int64
    }

    /// The cumulative counts, in at most about this many steps: one where the share has grown by its part, or the span by an
    /// eighth. The first and the last are exact.
    public func curve(steps: Int64 = 240) -> [Step] {
        guard count > 0 else { return [] }
        var curve = [Step(nanoseconds: least, count: 0)]
        var seen: Int64 = 0
        forEachBucket { bucket, count in
            seen += count
            let span = min(max(Self.middle(of: bucket), least), largest)
            let last = curve[curve.count - 1]
            if (seen - last.count) * steps >= self.count || span >= last.nanoseconds + last.nanoseconds / 8 {
                curve.append(Step(nanoseconds: span, count: seen))
            }
        }
        if curve[curve.count - 1].count < count || curve[curve.count - 1].nanoseconds < largest {
            curve.append(Step(nanoseconds: largest, count: count))
        }
        return curve
    }
}
