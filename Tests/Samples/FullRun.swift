package import DeadzoneBase
package import DeadzoneMetrics

/// Runs with everything that a report can show: causes of losses, costs of timeline entries, groups and witnesses.
package enum FullRun {
    package static let command = "deadzone run lift.yaml"

    package static func report() -> RunReport {
        var report = Sample.report(name: "Lift [radio=lte, every=5s]")
        report.scenario.cell = [CellAxis(key: "radio", value: "lte"), CellAxis(key: "every", value: "5s")]
        report.scenario.phones = 4
        report.scenario.columns = ["bytes.down"]
        report.model.population = ["old: 3 phones", "new: 1 phone"]
        let naive = Sample.measurement(replicas: 6, tail: 900, pings: 180, isZombie: true, extra: naiveLosses)
        let tuned = Sample.measurement(
            replicas: 6, tail: 300, pings: 9, isZombie: false, extra: [silent(.noPath, .seconds(2), change: 1)])
        for (index, measurement) in [naive, tuned].enumerated() {
            report.strategies[index].measurement = measurement
            report.strategies[index].entries = entries(measurement)
            report.strategies[index].groups = [
                GroupReport(name: "old", phones: 3, strategy: "polling", measurement: [naive, tuned][1 - index]),
                GroupReport(name: "new", phones: 1, measurement: measurement),
            ]
        }
        report.strategies[0].entries[0].joules = SignedBillionths(Billionths(count: 2_500_000_000), minus: .zero)
        report.strategies[0].entries[1].joules = SignedBillionths(.zero, minus: Billionths(count: 250_000_000))
        report.strategies[0].witnesses = [
            "zombie.max": Witness(replica: 2, phone: 0), "latency.down.max": Witness(replica: 1, phone: 3),
        ]
        report.strategies[1].witnesses = ["zombie.max": Witness(replica: 5, phone: 1)]
        return report
    }

    private static let naiveLosses: [Record] =
        [
            lost(.down, .deadConnection, .connection, 3, change: 0), lost(.down, .noPath, .sessionStart, 1),
            lost(.down, .packetLost, .path, 400, change: 0),
            lost(.up, .appQueueFull, .appQueue, 1, change: 1), silent(.deadConnection, .seconds(90), change: 0),
            silent(.noPath, .seconds(30)),
        ] + (0..<600).map { _ in Sample.record(.sentDown) }

    private static func entries(_ measurement: Measurement) -> [EntryCost] {
        let shares = measurement.losses.shares(of: [[0], [1], [2]])
        let names = [
            EntryCost.TimelineEntryName(
                index: 0, at: .minutes(12), title: "Wi-Fi left", line: 7, text: "{at: 12m, wifi: off}"),
            EntryCost.TimelineEntryName(
                index: 1, at: .seconds(1_500), title: "dead zone", line: 8, text: "{at: 25m, dead-zone: 3m}"),
            EntryCost.TimelineEntryName(index: 2, at: .minutes(40), title: "portal", line: 9, text: "{at: 40m}"),
        ]
        return names.indices.map { EntryCost(.entry(names[$0]), shares[$0]) }
            + [EntryCost(.unwritten, shares[3]), EntryCost(.none, shares[4])]
    }

    package static func lost(
        _ direction: Direction, _ cause: LossCause, _ place: LossPlace, _ count: UInt32, change: UInt16? = nil
    ) -> Record {
        let entry = JournalEntry(MessageLoss(cause, place, first: 0, count: count, change: change), direction)
        return Record(at: .zero, phone: 0, kind: entry.kind, tag: entry.tag, value: entry.value)
    }

    package static func silent(_ cause: LossCause, _ span: TimeSpan, change: UInt16? = nil) -> Record {
        Sample.record(.silent, span, tag: SilenceTag(cause, change: change).bits)
    }

    /// Nine strategies: their tails differ, and one lost most of its messages.
    package static func many() -> RunReport {
        var report = Sample.report(name: "Many")
        report.strategies = (0..<9).map { index in
            StrategyReport(
                name: "s\(index)", hash: "h\(index)", digest: "d\(index)",
                measurement: Sample.measurement(
                    replicas: 6, tail: 900 - 60 * Int64(index), pings: 180 - 20 * index, isZombie: index > 6,
                    delivered: index == 8 ? 4 : 20,
                    extra: index == 3 ? [Sample.radio(.activeUp, .connect, 2), Sample.radio(.tail, .poll, 9)] : []))
        }
        return report
    }

    /// A run of strategies with these tails, in seconds, and these numbers of lost messages among 21.
    /// - Parameter idle: more seconds in which the radio of each strategy idles.
    package static func side(
        _ sides: [(name: String, tail: Int64, lost: Int)], replicas: Int = 6, idle: Int64 = 0
    ) -> RunReport {
        var report = Sample.report(replicas: replicas, name: "Sides")
        report.strategies = sides.map { side in
            StrategyReport(
                name: side.name, hash: "", digest: "",
                measurement: Sample.measurement(
                    replicas: replicas, tail: side.tail, pings: 9, isZombie: side.lost > 0, delivered: 21 - side.lost,
                    extra: idle > 0 ? [Sample.radio(.idle, .baseline, idle)] : []))
        }
        return report
    }
}
