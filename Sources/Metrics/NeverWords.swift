extension Metric {
    /// Why a quantile of it is no number: what of so many never came.
    public var neverWords: String {
        let words: [(family: String, what: String)] = [
            ("latency.probe.", "so many probes never came back"),
            ("latency.call.", "so many calls were never answered"),
            ("latency.", "so many messages never arrived"), ("detection.", "so many deaths were never noticed"),
            ("recovery.", "the network came back so often and nothing was served"),
            ("freshness.", "the app was opened so often and never showed what was new"),
            ("herd.", "so many phones never came back"),
        ]
        return words.first { name.hasPrefix($0.family) }?.what ?? "so many never came"
    }
}
