package import DeadzoneBase
import DeadzoneDevice
package import DeadzoneMetrics

/// A run small enough to be computed by hand, with everything that a report can show.
package enum Sample {
    package static func report(replicas: Int = 6, name: String = "Elevator to the subway") -> RunReport {
        RunReport(
            tool: "0.1.0", seed: 1, replicas: replicas,
            scenario: ScenarioFacts(
                name: name, about: "Wi-Fi dies in the elevator, LTE in the street.", duration: .minutes(45), phones: 1,
                worldHash: "00c0ffee00c0ffee",
                settings: .map([
                    Node.MapEntry(key: "version", value: .text("1")),
                    Node.MapEntry(key: "name", value: .text("Elevator")),
                ])),
            model: ModelNotes(
                radios: [
                    RadioNote(
                        interface: .cellular,
                        profile: ModelNote(
                            name: "lte-verizon-2021", sources: ["Narayanan et al., SIGCOMM 2021"],
                            assumed: ["idle power 10 mW", "promotion power of lte-att-2012-aro"]))
                ], limits: ["The radio alone: no screen, no processor."]),
            strategies: [
                StrategyReport(
                    name: "naive", hash: "aaaa", digest: "1111111111111111",
                    measurement: measurement(replicas: replicas, tail: 900, pings: 180, isZombie: true)),
                StrategyReport(
                    name: "tuned", hash: "bbbb", digest: "2222222222222222",
                    measurement: measurement(replicas: replicas, tail: 300, pings: 9, isZombie: false)),
            ])
    }

    /// The replicas differ by a second of tail each.
    /// - Parameter extra: Records that every replica has besides the usual ones.
    package static func measurement(
        replicas: Int, tail: Int64, pings: Int, isZombie: Bool, delivered: Int = 20, extra: [Record] = [],
        hasBattery: Bool = true
    ) -> Measurement {
        let folds = (0..<replicas).map { replica in
            var records = [
                radio(.tail, .keepalive, tail + Int64(replica)), radio(.activeUp, .payload, 30),
                radio(.idle, .baseline, 2_670 - tail - Int64(replica)), bytes(.up, .payload, 60_000),
                bytes(.up, .keepalive, Int64(pings) * 100), record(.finished, .minutes(45)),
            ]
            records += extra
            records += (0..<pings).map { _ in record(.pinged) }
            records += [record(.connecting), record(.opened), record(.available, .minutes(isZombie ? 25 : 44))]
            records += (0..<delivered).map { record(.deliveredDown, .milliseconds(50 * Int64($0 + 1))) }
            records += (0..<21).map { record(.sentDown, .nanoseconds($0)) }
            records += (delivered..<21).map { _ in record(isZombie ? .lostDown : .pendingDown, .nanoseconds(1)) }
            if isZombie {
                records += [record(.zombie, .minutes(20)), record(.undetected, .minutes(20))]
            } else {
                records += [
                    record(.zombie, .seconds(9)), record(.detected, .seconds(9)), record(.recovered, .seconds(2)),
                ]
            }
            var fold = RunFold()
            records.withUnsafeBufferPointer { fold.record($0) }
            return fold
        }
        return Measurement(
            of: folds,
            prices: Prices(
                radios: RadioProfiles(wifi: nil, cellular: profile),
                battery: hasBattery ? Battery(milliwattHours: 15_400) : nil),
            seed: 1)
    }

    package static func record(_ kind: RecordKind, _ value: TimeSpan = .zero, tag: UInt16 = 0) -> Record {
        Record(at: .zero, phone: 0, kind: kind, tag: tag, value: value.nanoseconds)
    }

    /// A night of a phone with an operating system: two strategies with calls, one of which wakes the processor often.
    package static func night() -> RunReport {
        var report = report(name: "A night on the table")
        report.model.platform = ModelNote(
            name: "android-15", sources: ["AOSP DeviceIdleController.java", "Pixel 8 measurements"],
            assumed: ["wake-power 180mW", "wake-energy 60mJ", "linger 30s", "validation 1s"])
        for (index, wakes) in [480, 32].enumerated() {
            let folds = (0..<6).map { replica in
                var records = [
                    radio(.idle, .baseline, 28_800), record(.finished, .hours(8)), record(.connecting), record(.opened),
                    record(.suspended, .hours(6)), record(.timerLate, .minutes(9)), record(.window, .minutes(5)),
                    record(.callOutage, .seconds(60), tag: 3), record(.goAway, tag: GoAwayCode.tooManyPings.rawValue),
                ]
                for _ in 0..<wakes + replica {
                    records.append(record(.woke, tag: UInt16(Cause.wake.rawValue)))
                    records.append(record(.awake, .seconds(3), tag: UInt16(Cause.wake.rawValue)))
                }
                records += (1...40).flatMap { [record(.called), record(.answered, .milliseconds(20 * $0))] }
                if index == 0 {
                    records += [record(.called), record(.callFailed, .seconds(20), tag: CallCode.unavailable.rawValue)]
                    records += [record(.pushed, .milliseconds(400))]
                }
                var fold = RunFold()
                records.withUnsafeBufferPointer { fold.record($0) }
                return fold
            }
            report.strategies[index].measurement = Measurement(
                of: folds,
                prices: Prices(
                    radios: RadioProfiles(wifi: nil, cellular: profile),
                    processor: ProcessorPower(
                        wakePower: .milliwatts(180), wakeEnergy: Energy(femtojoules: 60_000_000_000_000)),
                    battery: Battery(milliwattHours: 15_400)), seed: 1)
        }
        report.scenario.duration = .hours(8)
        report.scenario.about = "Eight hours without the screen."
        report.model.limits = ["The radios, and waking the processor: no screen."]
        return report
    }

    package static func radio(_ level: PowerLevel, _ cause: Cause, _ seconds: Int64) -> Record {
        let tag = RadioTag(interface: .cellular, level: level, cause: cause)
        return record(.residency, .seconds(seconds), tag: tag.bits)
    }

    private static func bytes(_ direction: Direction, _ cause: Cause, _ count: Int64) -> Record {
        record(
            .bytes, .nanoseconds(count),
            tag: BytesTag(interface: .cellular, direction: direction, cause: cause).bits)
    }

    private static let profile: RadioProfile = {
        var powers = PowerTable()
        powers[.idle] = .milliwatts(10)
        powers[.tail] = .milliwatts(178)
        powers[.activeUp] = .milliwatts(536)
        return RadioProfile(
            technology: .lte, powers: powers, costUp: BitCost(femtojoules: 80_210_000), costDown: .zero,
            machine: .wifi(WiFiTimers(tail: .zero, beacon: .none)), handover: .none,
            search: SearchTimers(scan: .seconds(1), firstPause: .seconds(1), longestPause: .seconds(1)))
    }()

    package static func expectations() throws -> [Expectation] {
        try [
            ("naive", "zombie.max", "over 2m"), ("naive", "latency.down.max", "under 2s"),
            ("tuned", "delivery.down.lost", "0"), ("tuned", "zombie.max", "under 15s"),
            ("tuned", "battery.joules", "at most 60% of naive"), ("tuned", "latency.up.p50", "under 1s"),
            ("tuned", "keepalive.pings", "1 to 9"), ("tuned", "latency.down.p50", "within 1% of naive"),
            ("tuned", "battery.percent_per_hour", "over 2%"),
        ].map { strategy, metric, words in
            Expectation(
                strategy: strategy, metric: metric,
                threshold: try Threshold(words, in: Catalogue.metric(named: metric)!.unit))
        }
    }
}
