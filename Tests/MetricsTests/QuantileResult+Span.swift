import DeadzoneMetrics

extension SpanHistogram.QuantileResult {
    /// The span, or `nil` if the quantile is not an exact number.
    var span: Int64? { if case .span(let span) = self { span } else { nil } }
}
