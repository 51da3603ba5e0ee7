import DeadzoneMetrics

extension SpanHistogram.Quantile {
    /// Nil where there is no number.
    var span: Int64? { if case .span(let span) = self { span } else { nil } }
}
