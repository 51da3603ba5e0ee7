import DeadzoneBase
import Testing

@testable import DeadzoneMetrics

/// Judgements about a change that need all replicas, or the other metrics of the comparison.
struct UnanimousChangeTests {
    private static func figure(_ value: Double) -> Figure { .value(Billionths(stored: value)) }

    private func metric(_ name: String) throws -> Metric { try #require(Catalogue.metric(named: name)) }

    private func change(_ name: String, new: [Double], old: [Double], adjusted: Double) throws -> MetricChange {
        let metric = try metric(name)
        func mean(_ values: [Double]) -> Figure { Self.figure(values.reduce(0, +) / Double(values.count)) }
        func samples(_ values: [Double]) -> [Int128?] { values.map { Billionths(stored: $0).count } }
        let contrast = Contrast(new: samples(new), old: samples(old)) { Permutations(pairs: $0, seed: 1) }
        return MetricChange(
            metric, MetricFamily.of(metric, among: Set(Catalogue.all.map(\.name))), new: mean(new), old: mean(old),
            contrast, adjusted: adjusted, level: 0.05, floor: Billionths(count: 10_000_000))
    }

    private func comparison(_ rows: [(String, MetricChange.Assessment)]) throws -> StrategyComparison {
        let changes = try rows.map { name, decision in
            let new: Double = decision == .better ? 50 : 200
            let adjusted = decision == .undecided ? 0.5 : 0.001
            let change = try change(name, new: [new, new], old: [100, 100], adjusted: adjusted)
            #expect(change.decision == decision, "\(name)")
            return change
        }
        return StrategyComparison(
            strategy: "ours", hash: "a", oldHash: "b", isPaired: true, unchangedReplicas: 0, replicas: 2,
            changes: changes, tests: rows.count, unmeasured: [])
    }

    @Test func everyReplicaMustBeWorse() throws {
        // Broken: a metric that is better or equal in one replica, a trifle, a gain or a decided change counts as worse
        // in every replica.
        let rows: [(String, [Double], Double, Bool)] = [
            ("zombie.max", [150, 130], 0.5, true), ("zombie.max", [150, 100], 0.5, false),
            ("zombie.max", [190, 90], 0.5, false), ("zombie.max", [100.5, 100.5], 0.5, false),
            ("zombie.max", [50, 60], 0.5, false), ("zombie.max", [150, 130], 0.01, false),
            ("detection.p95", [150, 130], 0.5, false),
        ]
        for (name, new, adjusted, isWorse) in rows {
            let change = try change(name, new: new, old: [100, 100], adjusted: adjusted)
            #expect(change.isWorseInEveryReplica == isWorse, "\(name) \(new)")
        }
        let metric = try metric("zombie.max")
        let apart = MetricChange(
            metric, .primary, new: Self.figure(3), old: Self.figure(1),
            Contrast(unpaired: [3_000_000_000], [1_000_000_000]) { Permutations(new: $0, old: $1, seed: 1) },
            adjusted: 1, level: 0.05, floor: .zero)
        #expect(apart.isOpenQuestion && !apart.isWorseInEveryReplica)
    }

    @Test func aCostBesideALossIsNoGain() throws {
        // Broken: a client that does less is praised for its energy, or a loss hides a gain that is no cost.
        let costs = ["battery.above_idle_joules", "keepalive.pings", "bytes.down"]
        let rows: [(loss: (String, MetricChange.Assessment), isFlattered: Bool)] = [
            (("delivery.up.lost", .worse), true), (("calls.failed", .worse), true),
            (("calls.failed", .undecided), false),
            (("calls.failed", .better), false), (("zombie.max", .worse), false),
        ]
        for (loss, isFlattered) in rows {
            let comparison = try comparison([loss] + (costs + ["recovery.p95"]).map { ($0, .better) })
            let marked = comparison.changes.filter(comparison.isFlattered).map(\.metric.name)
            #expect(marked == (isFlattered ? costs : []), "\(loss)")
        }
        let dear = try comparison([("delivery.up.lost", .worse), ("keepalive.pings", .worse)])
        #expect(!dear.changes.contains(where: dear.isFlattered))
    }
}
