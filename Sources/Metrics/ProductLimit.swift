/// Which share takes longer than a span, where some are still waited for: the product-limit estimate (Kaplan and Meier,
/// "Nonparametric estimation from incomplete observations", 1958). What is waited for says nothing of what is longer than its
/// age and is taken out there, behind whatever arrived at that very span; what is lost is never taken out.
///
///     S(t) = Π (1 - arrived(s) / atRisk(s)) over all s up to t
///
/// Between two that are taken out the product telescopes to a quotient of two counts, so without any it is exact; with them
/// it is rounded down by 2^-62 at each.
struct ProductLimit {
    private static var one: UInt128 { 1 << 62 }

    /// S was `share` when `base` were at risk, right after the last that were taken out.
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

    mutating func takeOut(_ count: Int64) {
        guard count > 0 else { return }
        share = share * UInt128(atRisk) / UInt128(base)
        atRisk -= count
        base = atRisk
    }

    /// How many have arrived or been taken out.
    var passed: Int64 { total - atRisk }

    /// How many must have arrived or been taken out for `hasReached` to hold, if nothing more is taken out.
    func passing(_ q: Share) -> Int64 {
        guard share > 0 else { return passed }
        return total - Int64(clamping: Self.one * UInt128(base) * UInt128(1_000 - q.thousandths) / (share * 1_000))
    }

    /// This share of all takes no longer. To be asked right after something arrived.
    func hasReached(_ q: Share) -> Bool {
        share * UInt128(atRisk) * 1_000 <= Self.one * UInt128(base) * UInt128(1_000 - q.thousandths)
    }
}
