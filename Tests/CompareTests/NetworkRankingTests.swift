import DeadzoneBase
import DeadzoneSamples
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

/// Rankings of strategies on several networks.
struct NetworkRankingTests {
    private typealias Order = NetworkRanking.PairOrder
    private typealias Pair = NetworkRanking.RankedPair

    private func metric() throws -> Metric { try #require(Catalogue.metric(named: "battery.above_idle_joules")) }

    @Test func countsAreThoseOfANaiveCount() throws {
        // Broken: a network is counted with the common ranking although one pair deviates there, or the pairs are
        // turned without their orders.
        var dice = Dice(seed: 42, phone: PhoneID(0), purpose: .test)
        var seen: Set<NetworkRanking.RankingStability> = []
        for _ in 0..<2_000 {
            let (strategies, networks) = (2 + Int(dice.next() % 3), 2 + Int(dice.next() % 5))
            // Some rounds have no ties, so that every stability occurs.
            let choices = dice.next() % 2 == 0 ? Order.allCases : [.before, .tie]
            var pairs: [Pair] = []
            for second in 0..<strategies {
                for first in 0..<second {
                    let orders = (0..<networks).map { _ in choices[Int(dice.next() % UInt64(choices.count))] }
                    pairs.append(Pair(first: first, second: second, orders: orders))
                }
            }
            let ranking = NetworkRanking(try metric(), strategies: strategies, pairs)
            /// The order of two strategies on a network, from the pairs as they were given.
            func order(_ one: Int, _ other: Int, _ network: Int) -> Order {
                if let pair = pairs.first(where: { $0.first == one && $0.second == other }) {
                    return pair.orders[network]
                }
                return order(other, one, network).reversed
            }
            #expect(ranking.order.sorted() == Array(0..<strategies) && ranking.pairs.count == pairs.count)
            for pair in ranking.pairs {
                #expect(pair.orders == (0..<networks).map { order(pair.first, pair.second, $0) })
                #expect(ranking.order.firstIndex(of: pair.first)! < ranking.order.firstIndex(of: pair.second)!)
                let counts = Order.allCases.map { word in pair.orders.count { $0 == word } }
                #expect(counts[Order.allCases.firstIndex(of: pair.common)!] == counts.max())
            }
            var like: [Int] = []
            for network in 0..<networks {
                var isLike = true
                for pair in ranking.pairs where order(pair.first, pair.second, network) != pair.common {
                    isLike = false
                }
                if isLike { like.append(network) }
                let best = (0..<strategies).filter { one in
                    (0..<strategies).allSatisfy { $0 == one || order(one, $0, network) == .before }
                }
                #expect(ranking.best(on: network) == best.first && best.count < 2)
            }
            #expect(ranking.networksLikeMost(of: networks) == like)
            seen.insert(ranking.stability)
            let isTurned = pairs.contains { $0.orders.contains(.before) && $0.orders.contains(.after) }
            #expect((ranking.stability == .turns) == isTurned)
            #expect((ranking.stability == .alike) == pairs.allSatisfy { Set($0.orders) == [.tie] })
            #expect(ranking.stability != .holds || like.count == networks)
        }
        #expect(seen.count == NetworkRanking.RankingStability.allCases.count, "\(seen)")
    }

    @Test func equalCountsPreferADecidedOrder() throws {
        // Broken: as many ties as decided orders are called a tie, or the order depends on the pair's direction.
        let pair = Pair(first: 0, second: 1, orders: [.tie, .after, .after, .tie])
        #expect(pair.common == .after && !pair.turns)
        let ranking = NetworkRanking(try metric(), strategies: 2, [pair])
        #expect(ranking.order == [1, 0] && ranking.pairs[0].orders == [.tie, .before, .before, .tie])
        #expect(ranking.stability == .ties && ranking.networksLikeMost(of: 4) == [1, 2])
        #expect(ranking.best(on: 0) == nil && ranking.best(on: 1) == 1)
    }

    @Test func aCycleIsNoCommonOrder() throws {
        // Broken: three strategies of which each leads another are printed as one chain.
        let cycle = [(0, 1, Order.before), (1, 2, .before), (0, 2, .after)].map {
            Pair(first: $0, second: $1, orders: [$2, $2])
        }
        let ranking = NetworkRanking(try metric(), strategies: 3, cycle)
        #expect(!ranking.hasCommonOrder && ranking.stability == .holds && ranking.best(on: 0) == nil)
    }

    @Test func aDefeatOutweighsAVictory() throws {
        // Broken: a strategy that leads one and follows one is before or behind a strategy that ties with all.
        withEvery { choices in
            var left = [0, 1, 2, 3]
            let (winner, middle, loser) = (
                left.remove(at: choices.number(below: 4)), left.remove(at: choices.number(below: 3)),
                left.remove(at: choices.number(below: 2))
            )
            let pairs = (0..<4).flatMap { second in
                (0..<second).map { first in
                    let isForward = (first, second) == (winner, middle) || (first, second) == (middle, loser)
                    let isBackward = (second, first) == (winner, middle) || (second, first) == (middle, loser)
                    return Pair(
                        first: first, second: second, orders: [isForward ? .before : isBackward ? .after : .tie])
                }
            }
            let ranking = try NetworkRanking(metric(), strategies: 4, pairs)
            #expect(ranking.order == [winner] + [middle, left[0]].sorted() + [loser])
        }
    }

    // MARK: Reports

    /// A run on a network: the energy of each strategy in each replica.
    private func run(_ network: String, _ energy: [String: [Double]], at index: Int) -> NetworkRun {
        func figure(_ value: Double) -> Figure { .value(Billionths(count: Int128((value * 1e9).rounded()))) }
        let names = energy.keys.sorted()
        let replicas = energy.values.map(\.count).max() ?? 0
        var report = Sample.report(replicas: replicas, name: "Lift [phone.radios.cellular=\(network)]")
        report.scenario.cell = [CellAxis(key: "phone.radios.cellular", value: network)]
        let measurement = report.strategies[0].measurement
        report.strategies = names.map {
            StrategyReport(name: $0, hash: "aa", digest: "11", measurement: measurement)
        }
        let strategies = names.map { name in
            let each = energy[name] ?? []
            let series = BaselineStrategy.MetricSeries(
                whole: figure(each.reduce(0, +) / Double(max(1, each.count))), each: FigureColumn(each.map(figure)))
            return BaselineStrategy(
                name: name, hash: "aa", digests: each.indices.map { "\(name) \($0)" }, minutes: [],
                series: ["battery.above_idle_joules": series])
        }
        let series = BaselineRun(
            name: report.scenario.name, worldHash: "00", seed: 1, replicas: replicas, minute: .minutes(1),
            strategies: strategies)
        return NetworkRun(report, run: index, series: names.count > 1 ? series : nil)
    }

    private func report(_ networks: [(String, [String: [Double]])]) -> AcrossReport {
        AcrossReport(
            networks.enumerated().map { run($1.0, $1.1, at: $0) }, share: nil,
            floor: Billionths(count: 10_000_000), isNetwork: { $0.hasPrefix("phone.radios.") })
    }

    private func energy(_ report: AcrossReport) throws -> NetworkRanking {
        try #require(report.rankings.first { $0.metric.name == "battery.above_idle_joules" })
    }

    private let ten = (0..<10).map { Double($0) * 0.5 }

    @Test func ordersAreDecidedByThePairedTest() throws {
        // Broken: a difference in every replica is no order, or one that could be chance is one.
        let (low, high) = (ten.map { 100 + $0 }, ten.map { 130 + $0 })
        let mixed = high.enumerated().map { $0.offset % 2 == 0 ? $0.element : $0.element - 60 }
        let report = report([
            ("lte", ["eager": high, "patient": low]), ("nr", ["eager": low, "patient": high]),
            ("umts", ["eager": low, "patient": mixed]),
        ])
        let ranking = try energy(report)
        #expect(report.strategies == ["eager", "patient"] && report.networks.map(\.name) == ["lte", "nr", "umts"])
        #expect(ranking.pairs[0].orders.sorted { $0.rawValue < $1.rawValue } == [.after, .before, .tie])
        #expect(ranking.stability == .turns && !report.hasTooFewReplicas)
        #expect(report.scenario == "Lift" && report.axes == ["phone.radios.cellular"])
    }

    @Test func equalStrategiesTieEverywhere() throws {
        // Broken: equal values, or differences below one percent, are called an order.
        let same = ten.map { 100 + $0 }
        for other in [same, same.map { $0 + 0.5 }] {
            let ranking = try energy(
                report([
                    ("lte", ["eager": same, "patient": other]), ("nr", ["eager": other, "patient": same]),
                ]))
            #expect(ranking.stability == .alike && ranking.pairs[0].orders == [.tie, .tie])
        }
        // Two percent are an order.
        let ranking = try energy(
            report([
                ("lte", ["eager": same, "patient": same.map { $0 * 1.02 }]), ("nr", ["eager": same, "patient": same]),
            ]))
        #expect(ranking.stability == .ties && ranking.pairs[0].orders == [.before, .tie])
    }

    @Test func fewReplicasDecideNothingAndAreNamed() throws {
        // Broken: three replicas decide, or the report does not say that they are too few.
        let networks = ["lte", "nr"].map { ($0, ["eager": [130.0, 131, 132], "patient": [100.0, 101, 102]]) }
        let report = report(networks)
        #expect(try energy(report).stability == .alike && report.hasTooFewReplicas)
        let needed = try #require(report.neededReplicas)
        #expect(needed > 3 && needed <= PrimaryMetric.neededReplicas)
        let enough = self.report(
            ["lte", "nr"].map { name in
                let values = (0..<needed).map(Double.init)
                return (name, ["eager": values.map { 130 + $0 }, "patient": values.map { 100 + $0 }])
            })
        #expect(try energy(enough).stability == .holds && !enough.hasTooFewReplicas)
    }

    @Test func oneStrategyHasNoRanking() {
        // Broken: a scenario with one strategy traps, or is called the same on all networks.
        let report = report([("lte", ["eager": ten]), ("nr", ["eager": ten])])
        #expect(report.rankings.isEmpty && report.neededReplicas == nil && report.expectations == nil)
    }

    @Test func theReplicasAreThoseOfTheShortestRun() {
        // Broken: a report names more replicas than one of its networks has.
        let few = Array(ten.prefix(6))
        for networks in [[ten, few], [few, ten], [ten, few, ten]] {
            let report = report(networks.enumerated().map { ("n\($0)", ["eager": $1, "patient": $1]) })
            #expect(report.replicas == 6 && report.networks.map(\.name) == networks.indices.map { "n\($0)" })
        }
    }

    @Test func aFirstLossByChanceIsNoOrder() throws {
        // Broken: the order of two strategies depends on which of them is compared with the other.
        var comparer = Comparer(floor: Billionths(count: 10_000_000), seed: 1)
        let zeros = [Double](repeating: 0, count: 10)
        var one = zeros
        one[3] = 1
        func order(_ first: [Double], _ second: [Double]) throws -> Order {
            var run = try #require(run("lte", ["a": first, "b": second], at: 0).series)
            for index in run.strategies.indices {
                let series = run.strategies[index].series["battery.above_idle_joules"]
                run.strategies[index].series = ["delivery.down.lost": try #require(series)]
            }
            let compared = comparer.primaryChanges(of: "a", against: "b", in: run)
            let change = compared?.changes.first { $0.metric.name == "delivery.down.lost" }
            return Order(try #require(change))
        }
        #expect(try order(one, zeros) == .tie && order(zeros, one) == .tie)
        let many = ten.map { $0 + 1 }
        #expect(try order(many, zeros) == .after && order(zeros, many) == .before)
    }

    @Test func theDemandedShareIsIncluded() {
        // Broken: 9 of 10 networks do not meet a demand of 90 %, or 8 do.
        func verdict(_ kept: Int, _ total: Int, _ percent: Int128) -> Verdict {
            AcrossReport.ExpectationShare(
                kept: kept, total: total, needed: Billionths(count: percent * 10_000_000)
            ).verdict
        }
        #expect(verdict(9, 10, 90) == .pass && verdict(8, 10, 90) == .fail)
        #expect(verdict(2, 3, 67) == .fail && verdict(2, 3, 66) == .pass && verdict(3, 3, 100) == .pass)
    }
}
