import DeadzoneBase
import DeadzoneSamples
import Testing
@testable import DeadzoneMetrics

private typealias Expectation = DeadzoneMetrics.Expectation

/// Marks of the best strategies, the choice between energy and latency, and the rows of a run's tables.
struct RankingTests {
    private func metric(_ name: String) throws -> Metric { try #require(Catalogue.metric(named: name)) }

    private func marks(_ name: String, _ measurements: [Measurement]) throws -> [Ranking.RankMark] {
        Ranking(try metric(name), measurements).marks
    }

    private func measured(
        replicas: Int = 6, tail: Int64 = 300, pings: Int = 9, isZombie: Bool = false, delivered: Int = 20
    ) -> Measurement {
        Sample.measurement(replicas: replicas, tail: tail, pings: pings, isZombie: isZombie, delivered: delivered)
    }

    @Test func theBestIsMarkedAsFarAsItIsKnown() throws {
        // Broken: a tie has a winner, a close value beats the best, or a single replica decides.
        let (low, high) = (measured(pings: 9), measured(pings: 180))
        #expect(try marks("keepalive.pings", [high, low]) == [.none, .best])
        #expect(try marks("keepalive.pings", [low, high, high]) == [.best, .none, .none])
        #expect(try marks("keepalive.pings", [low, low]) == [.none, .none])
        #expect(try marks("keepalive.pings", [low]) == [.none] && marks("keepalive.pings", []) == [])
        // 100 and 101 pings differ by less than one percent of the larger, 100 and 102 by more.
        #expect(try marks("keepalive.pings", [measured(pings: 100), measured(pings: 101)]) == [.none, .none])
        #expect(try marks("keepalive.pings", [measured(pings: 99), measured(pings: 100)]) == [.best, .none])
        let single = [measured(replicas: 1, pings: 9), measured(replicas: 1, pings: 180)]
        #expect(try marks("keepalive.pings", single) == [.undecided, .undecided])
        #expect(try marks("delivery.down.sent", [low, high]) == [.none, .none], "no direction is better")
        // A ratio that should be one is compared by its missing part: 25 of 45 minutes against 44.
        #expect(try marks("availability.ratio", [measured(isZombie: true), low]) == [.none, .best])
        // Intervals of the energy overlap: the tails differ by a second, and the replicas by five.
        #expect(try marks("battery.joules", [measured(tail: 300), measured(tail: 304)]).allSatisfy { $0 != .best })
        #expect(try marks("battery.joules", [measured(tail: 300), measured(tail: 900)]) == [.best, .none])
    }

    @Test func closenessIsThatOfTheMissingPart() throws {
        // Broken: 99.3 % and 99.6 % of the time connected count as nearly equal, because both are close to 100 %. Or
        // ratios that should be low are compared by their distance from 100 %.
        func connected(_ more: TimeSpan) -> Measurement {
            Sample.measurement(
                replicas: 6, tail: 300, pings: 9, isZombie: false, extra: [Sample.record(.available, more)])
        }
        // 44 of 45 minutes and this many milliseconds.
        let rows: [(one: Int64, other: Int64, isDecided: Bool)] = [
            (40_000, 50_000, true), (0, 30_000, true), (0, 700, true), (0, 500, false), (59_000, 59_005, false),
            (59_999, 60_000, true), (60_000, 60_000, false),
        ]
        for row in rows {
            let both = [connected(.milliseconds(row.one)), connected(.milliseconds(row.other))]
            #expect(
                try marks("availability.ratio", both) == [.none, row.isDecided ? .best : .none],
                "\(row.one) \(row.other) ms")
        }
        // The radio is awake for 2,630 to 2,635 s of 2,700 s, and for 20 or 40 s more.
        let awake = [2_600, 2_620, 2_640].map { measured(tail: $0) }
        #expect(try marks("battery.radio_active_ratio", [awake[0], awake[1]]) == [.none, .none])
        #expect(try marks("battery.radio_active_ratio", [awake[2], awake[0]]) == [.none, .best])
    }

    @Test func doingLessIsNoWin() throws {
        // Broken: a strategy that leaves a tenth of the messages undone wins by its costs.
        let full = measured(tail: 900, delivered: 21)
        #expect(Ranking.undoneShare(full) == 0)
        for (delivered, mark) in [(19, Ranking.RankMark.best), (18, .flattered), (10, .flattered)] {
            let lazy = measured(tail: 300, delivered: delivered)
            #expect(abs(Ranking.undoneShare(lazy) - Double(21 - delivered) / 21) < 1e-12)
            #expect(try marks("battery.joules", [lazy, full]) == [mark, .none], "\(delivered)")
            #expect(try marks("battery.joules", [full, lazy]) == [.none, mark], "\(delivered)")
        }
        // Pending messages flatter a latency; lost ones do not.
        let slow = measured(delivered: 21)
        #expect(try marks("latency.down.p95", [measured(delivered: 10), slow])[0] == .flattered)
        #expect(
            try marks("latency.down.p95", [measured(isZombie: true, delivered: 20), slow]).allSatisfy {
                $0 != .flattered
            })
    }

    // MARK: The choice

    private func report(_ measurements: [Measurement]) -> RunReport {
        var report = Sample.report()
        report.strategies = measurements.enumerated().map {
            StrategyReport(name: "s\($0)", hash: "\($0)", digest: "\($0)", measurement: $1)
        }
        return report
    }

    @Test func aTradeNeedsTwoSides() throws {
        // Broken: a strategy that is worse in both is a choice, or a trivial difference is.
        // Fewer deliveries have a lower 95th percentile: 50 ms each.
        let (cheap, fast) = (measured(tail: 300, delivered: 20), measured(tail: 900, delivered: 10))
        let report = report([fast, cheap])
        let trade = try #require(EnergyLatencyTrade.all(report, among: [0, 1]).first)
        #expect(
            trade.latency.name == "latency.down.p95" && trade.front == [1, 0] && trade.cheapest == 1
                && trade.fastest == 0)
        let energy = [0, 1].map { report.strategies[$0].measurement.figure("battery.joules")!.double! }
        #expect(abs(trade.joules.double - (energy[0] - energy[1])) < 1e-6)
        let waits = [0, 1].map { report.strategies[$0].measurement.figure("latency.down.p95")!.double! }
        #expect(abs((trade.milliseconds?.double ?? 0) - (waits[1] - waits[0])) < 1e-6)
        #expect(trade.bound >= Int(2 * waits[0]) && Double(trade.bound) < 2 * waits[0] * 2.5)
        #expect(EnergyLatencyTrade.all(report, among: [0]).isEmpty && EnergyLatencyTrade.all(report, among: []).isEmpty)
        // The cheapest is the fastest, too.
        #expect(
            EnergyLatencyTrade.all(
                self.report([measured(tail: 300, delivered: 10), measured(tail: 900)]), among: [0, 1]
            ).isEmpty)
        // The latency is within ten percent, or the gain below 100 ms.
        for other in [measured(tail: 900, delivered: 19), measured(tail: 302, delivered: 10)] {
            #expect(EnergyLatencyTrade.all(self.report([other, cheap]), among: [0, 1]).isEmpty)
        }
        var bounded = report
        try bounded.judge([
            Expectation(strategy: "s0", metric: "latency.down.p50", threshold: Threshold("under 9s", in: .milliseconds))
        ])
        #expect(EnergyLatencyTrade.all(bounded, among: [0, 1]).isEmpty)
    }

    @Test(arguments: [1, 500, 1_024, 2_048, 5_000])
    func aBaselineHasABoundedNumberOfMinutes(_ length: Int) {
        // Broken: the baseline of a long scenario contains the minutes of all replicas, or not those of the first one.
        let hashes = [UInt64](repeating: 65, count: length)
        let stored = BaselineStrategy(
            name: "ours", hash: "a", digests: [], minutes: [[UInt64]](repeating: hashes, count: 9),
            whole: Sample.measurement(replicas: 1, tail: 9, pings: 9, isZombie: false), replicas: []
        ).minutes
        #expect(stored.count == max(1, min(9, 2_048 / length)))
        #expect(stored.allSatisfy { $0 == String(repeating: "BB", count: length) })
    }

    @Test(arguments: [nil, "old"] as [String?], Uncompared.UncomparedReason.allCases)
    func whatIsNotComparedKeepsItsName(_ group: String?, _ reason: Uncompared.UncomparedReason) {
        // Broken: a group that only one side has is reported as its strategy.
        let entry = Uncompared(scenario: "lift", strategy: "ours", group: group, reason: reason, undecidedGates: 3)
        #expect(entry.scenario == "lift" && entry.strategy == "ours" && entry.group == group)
        #expect(entry.reason == reason && entry.undecidedGates == 3)
    }

    /// A strategy with messages to the server that take this long.
    private func sending(_ seconds: Int64, tail: Int64, delivered: Int = 20) -> Measurement {
        Sample.measurement(
            replicas: 6, tail: tail, pings: 9, isZombie: false, delivered: delivered,
            extra: (0..<6).flatMap { _ in [Sample.record(.sentUp), Sample.record(.acknowledgedUp, .seconds(seconds))] })
    }

    @Test func aTradeInAnyDirectionIsNamed() throws {
        // Broken: a client that saves energy by sending late is recommended, because its messages to the app are quick.
        let up = report([sending(28, tail: 900), sending(215, tail: 300)])
        let trades = EnergyLatencyTrade.all(up, among: [0, 1])
        #expect(trades.map(\.latency.name) == ["latency.up.p95"] && trades.first?.front == [1, 0])
        #expect(abs((trades.first?.milliseconds?.double ?? 0) - 187_000) < 200)
        let both = report([sending(28, tail: 900, delivered: 10), sending(215, tail: 300)])
        #expect(
            EnergyLatencyTrade.all(both, among: [0, 1]).map(\.latency.name) == ["latency.down.p95", "latency.up.p95"])
        // A bound on one direction decides nothing about the other.
        var bounded = both
        try bounded.judge([
            Expectation(strategy: "s0", metric: "latency.up.p50", threshold: Threshold("under 9m", in: .milliseconds))
        ])
        #expect(EnergyLatencyTrade.all(bounded, among: [0, 1]).map(\.latency.name) == ["latency.down.p95"])
    }

    @Test func equalEnergyIsDecidedByTheLatency() throws {
        // Broken: a strategy that is slower for the same energy is a choice beside the quicker one.
        let report = report([
            sending(100, tail: 900), sending(28, tail: 900), sending(215, tail: 300), sending(28, tail: 900),
        ])
        let trades = EnergyLatencyTrade.all(report, among: [0, 1, 2, 3])
        #expect(trades.map(\.latency.name) == ["latency.up.p95"])
        #expect(trades.first?.front == [2, 1, 3], "equal strategies are both choices")
        #expect(EnergyLatencyTrade.all(report, among: [0, 1, 2]).first?.front == [2, 1])
        #expect(EnergyLatencyTrade.all(report, among: [0, 1]).isEmpty)
    }

    @Test func onlySoundStrategiesAreShipped() throws {
        // Broken: a strategy that fails an expectation, stops, or leaves messages undone is recommended.
        var report = report([
            measured(delivered: 21), measured(delivered: 21), measured(delivered: 21), measured(delivered: 20),
        ])
        #expect(report.shippable == [0, 1, 2])
        report.strategies[1].stops = ["stopped"]
        try report.judge([
            Expectation(strategy: "s2", metric: "keepalive.pings", threshold: Threshold("over 99", in: .count))
        ])
        #expect(report.shippable == [0] && report.verdict == .fail)
        #expect(self.report([measured(delivered: 20), measured(delivered: 20)]).shippable == [0, 1])
    }

    // MARK: Reports

    @Test func aRunPassesOnlyIfItIsSound() throws {
        // Broken: a run with a stop, an expectation that fails, or a condition without effect passes.
        let sound = report([measured()])
        #expect(sound.verdict == .pass && sound.troubles.isEmpty && sound.shownPhones == 1)
        var (stopped, empty, partial, failed) = (sound, sound, sound, sound)
        stopped.strategies[0].stops = ["phone 3 stopped"]
        empty.vacuous = ["the tunnel is never entered"]
        partial.isComplete = false
        try failed.judge([
            Expectation(strategy: "s0", metric: "keepalive.pings", threshold: Threshold("over 99", in: .count))
        ])
        #expect([stopped, empty, partial, failed].allSatisfy { $0.verdict == .fail })
        #expect(stopped.troubles == ["s0: phone 3 stopped"] && empty.troubles == ["the tunnel is never entered"])
        #expect(partial.troubles.count == 1 && failed.troubles.isEmpty)
        var several = sound
        several.scenario.phones = 40
        #expect(several.shownPhones == 40)
        several.focus = Focus(phone: 3)
        #expect(several.shownPhones == 1 && !several.focus.isEverything && several.focus.flags == " --phone 3")
        #expect(
            Focus(replica: 2, phone: 0).flags == " --replica 2 --phone 0" && Focus().flags.isEmpty
                && Focus().isEverything)
        #expect(Witness(replica: 4, phone: 7).flags == "--replica 4 --phone 7")
        #expect(GroupReport(name: "old", phones: 1, measurement: measured()).title == "old: 1 phone")
        #expect(
            GroupReport(name: "old", phones: 18, strategy: "ably", measurement: measured()).title
                == "old, always ably: 18 phones")
    }

    @Test func tablesShowWhatWasMeasured() throws {
        // Broken: a group without traffic is shown, a detail is in the short table, or an expected metric is missing.
        var report = report([measured(), measured(pings: 180, isZombie: true)])
        func names(isFull: Bool) -> [String] { report.groups(isFull: isFull).flatMap { $0.metrics.map(\.name) } }
        let (short, full) = (names(isFull: false), names(isFull: true))
        #expect(short.allSatisfy(full.contains) && short.count < full.count && Set(full).count == full.count)
        for group in Headlines.groups {
            for name in group.metrics + group.rare {
                let figures = report.strategies.map { $0.measurement.figure(name) ?? .nothing }
                let isMeasured = figures.contains { $0 != .nothing }
                let isNonzero = figures.contains { $0 != .nothing && $0 != .value(.zero) }
                let holds = group.condition.holds(report.strategies.map(\.measurement))
                let isRare = group.rare.contains(name)
                #expect(full.contains(name) == (holds && (isRare ? isNonzero : isMeasured)), "\(name)")
                let isQuiet = group.quiet.contains(name)
                let isShort = holds && (isRare || isQuiet ? isNonzero : isMeasured) && !group.details.contains(name)
                #expect(short.contains(name) == isShort, "\(name)")
                #expect(Catalogue.metric(named: name) != nil && Headlines.names.contains(name))
            }
        }
        #expect(
            report.groups(isFull: true).allSatisfy { !$0.metrics.isEmpty }
                && !report.groups.contains { $0.title == "Calls" })
        report.scenario.columns = ["bytes.down", "keepalive.pings", "bytes.down"]
        try report.judge([Expectation(strategy: "s0", metric: "bytes.up", threshold: Threshold("over 1B", in: .bytes))])
        let rest = report.groups(isFull: false).last
        #expect(rest?.title == "Expected by the scenario" && rest?.metrics.map(\.name) == ["bytes.down", "bytes.up"])
        #expect(
            Figure.never.isNonzero && Figure.atLeast(.zero).isNonzero && !Figure.nothing.isNonzero
                && !Figure.value(.zero).isNonzero)
        let always = Headlines.RowCondition.always.holds([])
        #expect(always && !Headlines.RowCondition.isMeasured("zombie.max").holds([]))
        #expect(Headlines.RowCondition.isMeasured("connection.false_drops").holds([measured()]))
        #expect(!Headlines.RowCondition.isNonzero("connection.false_drops").holds([measured()]))
    }

    @Test func aSubstituteIsShownIfItsRowIsZero() {
        // Broken: the short table hides the time cut off although no connection was a zombie, or shows it beside
        // zombies.
        func counted(_ records: [Record]) -> Measurement {
            var fold = RunFold()
            let all = records + [Sample.record(.finished, .minutes(45)), Sample.record(.connecting)]
            all.withUnsafeBufferPointer { fold.record($0) }
            return Measurement(of: [fold], prices: Prices(radios: RadioProfiles(wifi: nil, cellular: nil)), seed: 1)
        }
        let plain = counted([])
        let blocked = counted([Sample.record(.blocked, .seconds(30))])
        let zombie = counted([Sample.record(.zombie, .seconds(9))])
        let both = counted([Sample.record(.blocked, .seconds(30)), Sample.record(.zombie, .seconds(9))])
        // The second number is that of the full table.
        let rows: [(measurements: [Measurement], isShort: Bool, isFull: Bool)] = [
            ([plain], false, false), ([blocked], true, true), ([zombie], false, false), ([both], false, true),
            ([plain, blocked], true, true), ([blocked, zombie], false, true), ([zombie, both], false, true),
        ]
        for (index, row) in rows.enumerated() {
            for isFull in [false, true] {
                let shown = report(row.measurements).groups(isFull: isFull).flatMap { $0.metrics.map(\.name) }
                #expect(shown.contains("zombie.max"), "row \(index)")
                #expect(shown.contains("blocked.total") == (isFull ? row.isFull : row.isShort), "row \(index)")
            }
        }
        for group in Headlines.groups {
            for (name, other) in group.substitutes {
                #expect(group.details.contains(name) && group.metrics.contains(other), "\(name)")
            }
        }
    }

    @Test func groupTablesShowTheirMetrics() throws {
        // Broken: a metric that the scenario names is missing from the table of groups, or one without a value is shown.
        var report = report([measured()])
        #expect(report.metricsOfGroups(isFull: true).isEmpty)
        report.strategies[0].groups = [GroupReport(name: "old", phones: 2, measurement: measured())]
        let short = report.metricsOfGroups(isFull: false).map(\.name)
        #expect(
            short.contains("battery.joules") && short.contains("latency.down.p95") && !short.contains("keepalive.pings")
        )
        #expect(report.metricsOfGroups(isFull: true).map(\.name).contains("keepalive.pings"))
        report.scenario.columns = ["keepalive.pings"]
        #expect(report.metricsOfGroups(isFull: false).map(\.name).contains("keepalive.pings"))
        report.scenario.columns = []
        try report.judge([
            Expectation(strategy: "s0", metric: "zombie.max", threshold: Threshold("over 1s", in: .seconds))
        ])
        #expect(report.metricsOfGroups(isFull: false).map(\.name).contains("zombie.max"))
    }
}
