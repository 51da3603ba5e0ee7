extension Metric {
    /// Explanation for a quantile without a number: which samples never arrived.
    package var neverReason: String {
        let words: [(family: String, what: String)] = [
            ("latency.probe.", "too many probes got no answer"),
            ("latency.call.", "too many calls were never answered"),
            ("latency.", "too many messages never arrived"), ("detection.", "too many deaths were never noticed"),
            ("recovery.", "too often the network came back and nothing was served"),
            ("freshness.", "too often the app was opened and never showed the new data"),
            ("herd.", "too many phones never came back"),
        ]
        return words.first { name.hasPrefix($0.family) }?.what ?? "too many never arrived"
    }
}
