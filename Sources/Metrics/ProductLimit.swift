/// Estimates the share of samples that take longer than a given time, although some samples still wait. It is the
/// product-limit estimate with censored samples (Kaplan and Meier, "Nonparametric estimation from incomplete
/// observations", 1958). A sample that still waits says nothing about spans beyond its age, so it is censored at its
/// age, after the samples that arrived at that span. Lost samples are never censored.
///
///     S(t) = Π (1 - arrived(s) / atRisk(s)) over all s up to t
///
/// Between two censoring steps, the product telescopes to a quotient of two counts. Without censored samples the result
/// is therefore exact. Each censoring step rounds down by 2^-62.
struct ProductLimit {
    private static var one: UInt128 { 1 << 62 }

    /// Value of S, and the number at risk, right after the last censoring step.
    private var share = Self.one
    private var base: Int64
    private var atRisk: Int64
    private let total: Int64

    init(of total: Int64) {
        self.total = total
        base = total
        atRisk = total
    }

    mutating func arrive(_ count: Int64) { atRisk -= count }

    mutating func censor(_ count: Int64) {
        guard count > 0 else { return }
        share = share * UInt128(atRisk) / UInt128(base)
        atRisk -= count
        base = atRisk
    }

    /// Number of samples that have arrived or been censored.
    var removedCount: Int64 { total - atRisk }

    /// Value of `removedCount` at which `hasReached` becomes true, if nothing more is censored.
    func removedCountToReach(_ q: Share) -> Int64 {
        guard share > 0 else { return removedCount }
        return total - Int64(clamping: Self.one * UInt128(base) * UInt128(1_000 - q.thousandths) / (share * 1_000))
    }

    /// `true` if at least this share of all samples has taken no longer. Valid right after an arrival.
    func hasReached(_ q: Share) -> Bool {
        share * UInt128(atRisk) * 1_000 <= Self.one * UInt128(base) * UInt128(1_000 - q.thousandths)
    }
}
