package import DeadzoneBase

/// Lost messages and silence of one strategy as means over its replicas. The rows of each table add up to its total to
/// the billionth, because sums are rounded instead of rows.
package struct LossTables: Sendable {
    /// One row of a table.
    package struct LossRow: Hashable, Sendable {
        /// Name in JSON.
        package let name: String
        /// A few plain words.
        package let title: String
        /// Messages of one replica, or seconds of one phone.
        package let value: Billionths
    }

    /// The losses and the silence that one entry of the timeline led to.
    package struct EntryShare: Hashable, Sendable {
        package let lostDown: Billionths
        package let lostUp: Billionths
        /// Seconds of one phone.
        package let silence: Billionths

        package var lost: Billionths { Billionths(count: lostDown.count + lostUp.count) }
        package var isZero: Bool { lost == .zero && silence == .zero }
    }

    private let totals: LossTotals
    private let replicas: Int128
    /// Number of phones in all replicas.
    private let phones: Int128

    /// - Parameters:
    ///   - totals: The sums of all replicas.
    ///   - phones: Number of phones in all replicas.
    init(_ totals: LossTotals, replicas: Int, phones: Int128) {
        self.totals = totals
        self.replicas = Int128(replicas)
        self.phones = phones
    }

    /// Lost messages by cause, in the order of the causes.
    package func byCause(_ direction: Direction) -> [LossRow] {
        rows(LossCause.allCases.map { ($0.name, $0.title, Int128(totals.count(direction, $0))) }, over: replicas)
    }

    /// Lost messages by place, in the order of the places.
    package func byPlace(_ direction: Direction) -> [LossRow] {
        rows(LossPlace.allCases.map { ($0.name, $0.title, Int128(totals.count(direction, at: $0))) }, over: replicas)
    }

    /// Seconds without a working connection by cause.
    package var silenceByCause: [LossRow] {
        rows(
            LossCause.silenceCauses.map { ($0.name, $0.title, totals.silence($0)) }, over: phones * 1_000_000_000)
    }

    /// The shares of timeline entries. Two more rows follow: changes that belong to no entry, and losses without a
    /// change.
    /// - Parameter entries: The changes of each entry, as indices into the timeline of all phones.
    package func shares(of entries: [[Int]]) -> [EntryShare] {
        let known = Set(entries.flatMap(\.self))
        let others = (0..<totals.changes).filter { !known.contains($0) }
        let groups = (entries + [others]).map { $0.map(Int?.some) } + [[nil]]
        func lost(_ direction: Direction) -> [Billionths] {
            rounded(groups.map { $0.reduce(0) { $0 + Int128(totals.count(direction, change: $1)) } }, over: replicas)
        }
        let silence = rounded(
            groups.map { $0.reduce(0) { $0 + totals.silence(change: $1) } }, over: phones * 1_000_000_000)
        return zip(zip(lost(.down), lost(.up)), silence).map {
            EntryShare(lostDown: $0.0, lostUp: $0.1, silence: $1)
        }
    }

    private func rows(_ numbers: [(name: String, title: String, count: Int128)], over denominator: Int128) -> [LossRow]
    {
        zip(numbers, rounded(numbers.map(\.count), over: denominator)).map {
            LossRow(name: $0.name, title: $0.title, value: $1)
        }
    }

    /// Rounds the partial sums, so that the rounded numbers add up to the rounded total.
    private func rounded(_ numbers: [Int128], over denominator: Int128) -> [Billionths] {
        var (sum, before) = (Int128(0), Int128(0))
        return numbers.map { number in
            sum += number
            let total = Billionths(sum, over: denominator)?.count ?? before
            defer { before = total }
            return Billionths(count: total - before)
        }
    }
}
