import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

/// The unit, direction and scope of each metric, and the storage of samples beside plain lists.
struct MetricTableTests {
    // MARK: Catalogue

    /// A larger value is better.
    private static let higher = """
        delivery.down.delivered delivery.up.delivered calls.ok calls.success_ratio availability.ratio \
        queue.resumed_bytes path.direct_ratio server.goodput
        """
    /// The metric describes the run, not the strategy.
    private static let neither = """
        cpu.windows app.suspended_s app.kills push.woken push.collapsed network.told delivery.down.sent \
        delivery.up.sent delivery.down.suppressed delivery.up.suppressed calls.sent connection.handshakes \
        resume.count queue.retries streams.rejoins auth.refreshes presence.away_s tunnel.handshakes \
        connection.transport_changes server.retired dns.cached psm.asleep_ratio flow.up.pending_max \
        flow.up.callbacks flow.down.asked server.accepted
        """

    private static func names(_ list: String) -> Set<String> { Set(list.split(separator: " ").map { String($0) }) }

    /// Broken: a metric has another direction, so an improvement counts as a regression, or a description is gated.
    @Test func eachMetricHasItsDirection() {
        let (higher, neither) = (Self.names(Self.higher), Self.names(Self.neither))
        #expect(higher.union(neither).isSubset(of: Set(Catalogue.all.map(\.name))))
        for metric in Catalogue.all {
            let expected: Metric.Better =
                higher.contains(metric.name) ? .higher : neither.contains(metric.name) ? .neither : .lower
            #expect(metric.better == expected, "\(metric.name)")
        }
    }

    private static let batteryUnits: [String: Metric.Unit] = [
        "joules": .joules, "above_idle_joules": .joules, "joules_per_hour": .joulesPerHour,
        "joules_per_day": .joulesPerDay, "percent_per_hour": .percentPerHour, "percent_per_day": .percentPerDay,
        "percent": .percent, "milliampere_hours": .milliampereHours, "charge_per_hour": .milliampereHoursPerHour,
        "charge_per_day": .milliampereHoursPerDay, "radio_active_ratio": .ratio, "promotions": .count,
    ]

    /// The unit by the words of the name, as users read it.
    private static func unit(_ name: String) -> Metric.Unit {
        let words = name.split(separator: ".").map { String($0) }
        let (family, last) = (words[0], words[words.count - 1])
        if family == "battery" { return batteryUnits[last] ?? .count }
        let isRadio = Interface.allCases.contains { $0.name == family }
        if isRadio || family == "cause" || name == "cpu.wake" { return .joules }
        if ["latency", "freshness"].contains(family) { return .milliseconds }
        if ["timer.late", "push.latency"].contains(words.prefix(2).joined(separator: ".")) { return .milliseconds }
        if ["zombie", "detection", "recovery"].contains(family) { return .seconds }
        if ["silence.total", "blocked.total", "server.held.max"].contains(name) { return .seconds }
        if last == "ratio" || last.hasSuffix("_ratio") || last == "goodput" { return .ratio }
        if last.hasSuffix("_per_hour") { return .perHour }
        if family == "bytes" || last.hasSuffix("_bytes") { return .bytes }
        return last.hasSuffix("_s") && !last.hasSuffix("_per_s") ? .seconds : .count
    }

    /// Broken: a metric is printed in another unit than its name says.
    @Test func eachMetricHasItsUnit() {
        for metric in Catalogue.all { #expect(metric.unit == Self.unit(metric.name), "\(metric.name)") }
        #expect(Set(Self.batteryUnits.keys.map { "battery." + $0 }).isSubset(of: Set(Catalogue.all.map(\.name))))
    }

    /// Quantiles and maxima over the samples of all phones, beside those with a name that ends in one.
    private static let pooled = """
        outage.calls.max_s cursor.drift_max downlink.held_s buffer.max flow.up.pending_max memory.peak_bytes \
        herd.all_connected_s server.connections_max server.queue_peak_bytes
        """
    /// Times that belong to the connections or the server, not to a phone.
    private static let sums = "flow.stall_s flow.up.stall_s flow.saturated_s server.held_s"

    /// Broken: a mean of one phone is called a sum of all phones, or the reverse.
    @Test func eachMetricHasItsScope() {
        let (pooled, sums) = (Self.names(Self.pooled), Self.names(Self.sums))
        #expect(pooled.union(sums).isSubset(of: Set(Catalogue.all.map(\.name))))
        for metric in Catalogue.all {
            let last = metric.name.split(separator: ".").last.map { String($0) } ?? ""
            let isQuantile = last == "max" || last.first == "p" && Int(last.dropFirst()) != nil
            let expected: Metric.Scope? =
                if isQuantile || pooled.contains(metric.name) || metric.unit == .ratio {
                    nil
                } else if sums.contains(metric.name) {
                    .allPhones
                } else if metric.unit == .count || metric.unit == .bytes && metric.name != "bytes.per_month" {
                    .allPhones
                } else {
                    .onePhone
                }
            #expect(metric.scope == expected, "\(metric.name)")
        }
    }

    // MARK: Storage

    /// Broken: a stored replica loses a sample, such as one of 0 ns, or a coarse bucket has another middle.
    @Test func storedSamplesAreThoseOfTheHistogram() {
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let bits = Int(seed % 11)
            var (store, rows) = (SampleStore(), [[Int64]]())
            for replica in 0..<4 as Range<Int64> {
                var (histogram, expected) = (SpanHistogram(), [Int64: [Int64]]())
                func add(_ span: Int64, arrived: Int64, aged: Int64) {
                    var bucket = Int64(SpanHistogram.bucket(of: span))
                    // A coarse bucket is named by its middle, and no bucket leaves its power of two.
                    if bits > 0 { bucket = bucket - bucket % (1 << Int64(bits)) + (1 << Int64(bits - 1)) }
                    let known = expected[bucket] ?? [0, 0]
                    expected[bucket] = [known[0] + arrived, known[1] + aged]
                }
                for _ in 0..<dice.next() % 30 {
                    // Half of the spans are below 8 ns, so 0 is among them.
                    let span = Int64(dice.next() >> (dice.next() % 2 == 0 ? 61 : 4 + dice.next() % 58))
                    let times = [Int64(1), 127, 128, 20_000][Int(dice.next() % 4)]
                    if dice.next() % 4 == 0 {
                        histogram.recordWaiting(span)
                        add(span, arrived: 0, aged: 1)
                    } else {
                        histogram.record(span, times: times)
                        add(span, arrived: times, aged: 0)
                    }
                }
                store.add(histogram, SampleStore.code(histogram, coarseness: bits), coarseness: bits)
                rows += expected.sorted { $0.key < $1.key }.map { [replica, $0.key] + $0.value }
            }
            var found: [[Int64]] = []
            store.forEach { found.append([Int64($0), Int64($1), $2, $3]) }
            #expect(found == rows, "seed \(seed), \(bits) bits")
        }
        var zero = SpanHistogram()
        zero.record(0)
        #expect(SampleStore.code(zero, coarseness: 0) == [0, 1])
    }

    /// Broken: buckets become coarser although the samples fit exactly, or a sample more is stored in full.
    @Test func bucketsBecomeCoarserOnlyIfNeeded() {
        // Each sample has its own bucket, which takes two bytes. The number of connections always is one such sample.
        let room = Int64(Replicas.maxBytesPerReplica / 2 - 1)
        for (samples, isExact) in [(room, true), (room + 1, false)] {
            let records = (0..<samples).map { Record(at: .zero, phone: 0, kind: .deliveredDown, value: $0) }
            var replicas = Replicas(prices: .unevenlyPriced, planned: 1_000_000)
            replicas.add(fold(records))
            #expect(replicas.stores.allSatisfy { ($0.coarseness[0] == 0) == isExact }, "\(samples) samples")
            #expect(replicas.stores.reduce(0) { $0 + $1.codedLength } <= Replicas.maxBytesPerReplica)
            var few = Replicas(prices: .unevenlyPriced, planned: 1)
            few.add(fold(records))
            #expect(few.stores.allSatisfy { $0.coarseness[0] == 0 })
        }
    }

    /// Broken: the ends of an interval are not the shares of Student's distribution by nearest rank. The thousandths are
    /// `scipy.stats.norm.cdf(-sqrt(n / (n - 1)) * scipy.stats.t.ppf(0.975, n - 1))`, rounded, and at least 1.
    @Test(arguments: [
        (2, 1), (5, 1), (6, 2), (7, 4), (8, 6), (9, 7), (10, 9), (11, 10), (12, 11), (13, 12), (20, 16), (30, 19),
        (100, 23), (200, 24), (391, 25), (5_000, 25),
    ])
    func intervalEndsAreRanks(replicas: Int, tail: Int) throws {
        let draws = try #require(Bootstrap(seed: 1, replicas: replicas, SerialMap()))
        seedSweep(40) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let count = 1 + Int(dice.next() % 200)
            let scale: Int128 = seed % 2 == 0 ? 1 : 1 << 70
            let numbers = (0..<count).map { _ in Int128(dice.next() % 50) * scale }
            let sorted = numbers.sorted()
            // The rank is the share of the number, rounded up.
            let (low, high) = (
                sorted[max(1, (count * tail + 999) / 1_000) - 1],
                sorted[(count * (1_000 - tail) + 999) / 1_000 - 1]
            )
            let gaps = numbers.flatMap { [$0, nil] as [Int128?] }
            for ends in [
                draws.percentileInterval(of: gaps), draws.percentileInterval(of: .wide(numbers)),
                seed % 2 == 0 ? draws.percentileInterval(of: .words(numbers.map { Int64($0) })) : nil,
            ] {
                guard let ends else {
                    #expect(seed % 2 == 1)
                    continue
                }
                #expect(ends.low == low && ends.high == high, "seed \(seed)")
            }
        }
        #expect(draws.percentileInterval(of: [nil, nil]) == nil)
        #expect(draws.percentileInterval(of: .wide([])) == nil)
        let constant = draws.percentileInterval(of: .constant(7))
        #expect(constant?.low == 7 && constant?.high == 7)
    }

    /// Broken: a record of the last change of a timeline makes the stored results unreadable.
    @Test func theLastChangeIsStored() {
        var whole = fold([Record(at: .zero, phone: 0, kind: .weather, tag: .max, value: 1)])
        #expect(whole.occurrences(ofChange: Int(UInt16.max)) == 1 && whole.occurrences(ofChange: 1 << 16) == 0)
        var coder = BinaryCoder()
        coder.code(&whole)
        var (reading, read) = (BinaryCoder(reading: coder.bytes), RunFold())
        reading.code(&read)
        #expect(reading.isFullyRead && read == whole)
    }
}
