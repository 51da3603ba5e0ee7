import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

@Suite struct MeasurementTests {
    private let profile = RadioProfile.priced { $0 == .tail ? .milliwatts(1_000) : .milliwatts(10) }

    /// One phone for 100 s: `tail` seconds in the tail, the rest idle, with the given pings, latencies and lost
    /// messages.
    private func replica(tail: Int64, pings: Int, latencies: [Int64] = [], lost: Int64 = 0) -> RunFold {
        func radio(_ level: PowerLevel, _ cause: Cause, _ seconds: Int64) -> Record {
            let tag = RadioTag(interface: .cellular, level: level, cause: cause)
            return Record(
                at: .zero, phone: 0, kind: .residency, tag: tag.bits, value: TimeSpan.seconds(seconds).nanoseconds)
        }
        var records = [radio(.tail, .keepalive, tail), radio(.idle, .baseline, 100 - tail)]
        records += (0..<pings).map { _ in Record(at: .zero, phone: 0, kind: .pinged) }
        records += latencies.map {
            Record(at: .zero, phone: 0, kind: .deliveredDown, value: TimeSpan.milliseconds($0).nanoseconds)
        }
        records.append(Record(at: .zero, phone: 0, kind: .lostDown, value: lost))
        records.append(Record(at: .zero, phone: 0, kind: .finished, value: TimeSpan.seconds(100).nanoseconds))
        return fold(records)
    }

    private func measure(_ replicas: [RunFold], battery: Battery? = nil, seed: UInt64 = 1) -> Measurement {
        Measurement(
            of: replicas, prices: Prices(radios: RadioProfiles(wifi: nil, cellular: profile), battery: battery),
            seed: seed)
    }

    @Test("The numbers of a report equal their definitions")
    func metricsEqualValuesComputedByHand() {
        let battery = Battery(milliwattHours: 15_400)
        let run = measure(
            [
                replica(tail: 20, pings: 3, latencies: [10, 20], lost: 1),
                replica(tail: 10, pings: 4, latencies: [40, 30]),
            ],
            battery: battery)
        let table: [(String, Double?)] = [
            // 20 s + 80 s · 0.01 and 10 s + 90 s · 0.01 joules.
            ("battery.joules", 15.85), ("cellular.tail", 15), ("cellular.idle", 0.85), ("cause.keepalive", 15),
            // 15.85 J in 100 s of 55,440 J, in percent of an hour.
            ("battery.percent_per_hour", 1.029220779), ("battery.radio_active_ratio", 0.15),
            ("battery.joules_per_hour", 570.6), ("battery.percent", 0.028589466),
            ("battery.milliampere_hours", 1.18993994),
            // 100 s are a 36th of an hour and an 864th of a day.
            ("battery.joules_per_day", 13_694.4), ("battery.percent_per_day", 24.701298701),
            ("battery.charge_per_hour", 42.837837838),
            ("battery.charge_per_day", 1_028.108108108),
            ("keepalive.pings", 3.5), ("delivery.down.delivered", 2), ("delivery.down.lost", 0.5),
            ("latency.down.p50", 30.01), ("latency.down.p95", nil), ("latency.down.max", nil), ("latency.up.p50", nil),
            ("zombie.max", 0), ("zombie.total", 0), ("detection.p95", nil), ("bytes.overhead_ratio", nil),
        ]
        for (name, wanted) in table {
            let figure = run.figure(name)
            #expect(figure != nil, "\(name) is no metric")
            guard let wanted else {
                #expect(figure?.double == nil, "\(name) is \(String(describing: figure))")
                continue
            }
            let tolerance = name.hasPrefix("latency") ? wanted * 0.0005 : 0
            #expect(abs((figure?.double ?? .nan) - wanted) <= tolerance, "\(name) is \(String(describing: figure))")
        }
        #expect(run.figure("latency.down.max") == .never)
        #expect(run.figure("latency.up.p50") == .nothing)
        #expect(run.figure("latency.sideways") == nil)
    }

    @Test("Metrics that are a multiple of the energy have the same multiple of its interval")
    func multiplesShareTheirIntervals() throws {
        // Broken: metrics that share resamples get the interval of another metric, or one that is not theirs.
        let replicas = (0..<12).map { replica(tail: 7 * Int64($0) + 3, pings: $0) }
        let run = measure(replicas, battery: Battery(milliwattHours: 15_400))
        func ends(_ name: String) throws -> [Double] {
            let interval = try #require(run.interval(name))
            return [interval.low, interval.high].map { $0.double ?? .nan }
        }
        let (joules, energy) = (try ends("battery.joules"), try #require(run.figure("battery.joules")?.double))
        #expect(joules[0] < energy && energy < joules[1])
        for name in [
            "joules_per_hour", "joules_per_day", "percent", "percent_per_hour", "percent_per_day", "milliampere_hours",
            "charge_per_hour", "charge_per_day",
        ] {
            let value = try #require(run.figure("battery." + name)?.double)
            for (own, base) in zip(try ends("battery." + name), joules) {
                #expect(abs(own / value - base / energy) < 1e-6, "\(name)")
            }
        }
        // The pings have another interval.
        let pings = try ends("keepalive.pings")
        #expect(abs(pings[0] / 5.5 - joules[0] / energy) > 1e-3)
    }

    @Test("The tables of energy add up to their total")
    func theTablesAddUpToTheMetric() {
        seedSweep(10) { seed in
            let end = [Record(at: .zero, phone: 0, kind: .finished, value: 1_000_000)]
            let replicas = (0..<3).map { fold(randomRecords(600, seed: seed &* 16 &+ UInt64($0)) + end) }
            let run = Measurement(of: replicas, prices: .unevenlyPriced, seed: seed)
            let total = run.figure("battery.joules")
            #expect(total == .value(Billionths(count: run.energyByState.reduce(0) { $0 + $1.joules.count })))
            #expect(total == .value(Billionths(count: run.energyByCause.reduce(0) { $0 + $1.joules.count })))
            #expect(run.energyByState.last?.name == "cpu.wake" && run.energyByState.last?.joules != .zero)
            #expect(run.figure("cpu.wake") == run.energyByState.last.map { .value($0.joules) })
        }
    }

    @Test("Radio times and timer delays are means per phone and replica")
    func timesAreMeans() throws {
        // Broken: the table of radio time has zeros, or the sum of all phones and replicas.
        let late = [3, 5].map {
            Record(at: .zero, phone: 0, kind: .timerLate, value: TimeSpan.seconds($0).nanoseconds)
        }
        var second = replica(tail: 10, pings: 4)
        second.merge(fold(late))
        let run = measure([replica(tail: 20, pings: 3), second])
        #expect(run.radioTime.map(\.radio) == ["cellular"])
        let states = try #require(run.radioTime.first?.states)
        #expect(states.map(\.name) == RadioState.allCases.map { "\($0.name)" })
        for state in states {
            let seconds: Int128 = ["tail": 15, "idle": 85][state.name] ?? 0
            #expect(state.seconds == Billionths(count: seconds * 1_000_000_000), "\(state)")
        }
        #expect(run.timerDelay == .seconds(4))
        // Two replicas of two phones each.
        let pairs = ([20, 10] as [Int64]).map { tail in
            var both = replica(tail: tail, pings: 0)
            both.merge(replica(tail: 2 * tail, pings: 0))
            both.merge(fold(late))
            return both
        }
        let more = measure(pairs)
        let tails = more.radioTime[0].states.filter { $0.name == "tail" }.map { $0.seconds }
        #expect(tails == [Billionths(count: 22_500_000_000)] && more.timerDelay == .seconds(4))
    }

    @Test("Several replicas have an interval, and a single one has none")
    func intervalsNeedReplicas() {
        #expect(measure([replica(tail: 20, pings: 3)]).interval("battery.joules") == nil)
        let tails: [Int64] = [20, 22, 25, 19, 30, 21]
        let run = measure(tails.map { replica(tail: $0, pings: 3, latencies: [$0]) })
        guard case .value(let mean) = run.figure("battery.joules"), let interval = run.interval("battery.joules") else {
            Issue.record("there is no interval")
            return
        }
        #expect(Figure.isLower(interval.low, .value(mean)) && Figure.isLower(.value(mean), interval.high))
        let same = run.interval("keepalive.pings")
        #expect(
            same
                == Interval(
                    low: .value(Billionths(count: 3_000_000_000)), high: .value(Billionths(count: 3_000_000_000))))
        #expect(run.interval("latency.up.p50") == nil)
    }

    @Test("The same seed gives the same intervals")
    func intervalsDependOnTheSeedAlone() {
        let replicas = (0..<8).map { replica(tail: 10 + Int64($0 * $0), pings: $0) }
        let first = measure(replicas, seed: 7).interval("battery.joules")
        #expect(first == measure(replicas, seed: 7).interval("battery.joules"))
        #expect((8..<20).contains { measure(replicas, seed: $0).interval("battery.joules") != first })
    }

    @Test("An interval can end in `never`")
    func anIntervalCanEndInNever() {
        let run = measure((0..<6).map { replica(tail: 1, pings: 0, latencies: [10, 20], lost: $0 == 0 ? 1 : 0) })
        #expect(run.figure("latency.down.max") == .never)
        #expect(run.interval("latency.down.max")?.high == .never)
        #expect(run.interval("latency.down.max")?.low.double == 20)
    }

    @Test("A figure names the replica that it came from")
    func figureNamesItsReplica() {
        let run = measure(
            [
                replica(tail: 20, pings: 3, latencies: [10, 20]), replica(tail: 20, pings: 3, latencies: [40, 30]),
                replica(tail: 20, pings: 3, latencies: [40]), replica(tail: 20, pings: 3, latencies: [5]),
            ])
        #expect(run.witness("latency.down.max") == 1 && run.witness("latency.down.p50") == 0)
        let lost = measure([replica(tail: 20, pings: 3, latencies: [10]), replica(tail: 1, pings: 0, lost: 1)])
        #expect(lost.witness("latency.down.max") == 1 && lost.witness("latency.down.p50") == 0)
        for name in ["latency.up.max", "zombie.max", "keepalive.pings", "battery.joules", "latency.sideways"] {
            #expect(run.witness(name) == nil, "\(name)")
        }
    }
}
