extension SpanHistogram {
    /// One point of a cumulative curve: the number of samples that took at most this long.
    package struct CurvePoint: Hashable, Sendable {
        package let nanoseconds: Int64
        package let count: Int64
    }

    /// Cumulative counts in about `steps` points. A point is added if the share has grown by 1 / `steps`, or the span
    /// by an eighth. The first and the last are exact.
    package func curve(steps: Int64 = 240) -> [CurvePoint] {
        guard count > 0 else { return [] }
        var curve = [CurvePoint(nanoseconds: least, count: 0)]
        var seen: Int64 = 0
        forEachBucket { bucket, count in
            seen += count
            let span = min(max(Self.middle(of: bucket), least), largest)
            let last = curve[curve.count - 1]
            if (seen - last.count) * steps >= self.count || span >= last.nanoseconds + last.nanoseconds / 8 {
                curve.append(CurvePoint(nanoseconds: span, count: seen))
            }
        }
        if curve[curve.count - 1].count < count || curve[curve.count - 1].nanoseconds < largest {
            curve.append(CurvePoint(nanoseconds: largest, count: count))
        }
        return curve
    }
}
