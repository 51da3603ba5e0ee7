import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@Suite struct CatalogueTests {
    @Test("Every documented name of a metric exists")
    func theDocumentedNamesExist() {
        let names = """
            battery.joules battery.joules_per_hour battery.joules_per_day battery.percent_per_hour battery.percent_per_day \
            battery.charge_per_hour battery.charge_per_day battery.radio_active_ratio battery.promotions wifi.active wifi.tail \
            wifi.idle cellular.idle cellular.search cellular.promotion cellular.active cellular.tail cellular.short_drx \
            cellular.long_drx cellular.inactive cellular.handover cellular.dch cellular.fach latency.down.p50 \
            latency.down.p95 latency.down.p99 latency.down.max latency.up.p50 latency.up.p95 latency.up.p99 latency.up.max \
            latency.probe.p5 latency.probe.p25 latency.probe.p50 latency.probe.p75 latency.probe.p95 latency.probe.p99 \
            latency.probe.max delivery.down.sent delivery.down.delivered delivery.down.lost delivery.down.pending \
            delivery.down.duplicated delivery.up.sent delivery.up.delivered delivery.up.lost delivery.up.pending \
            delivery.up.duplicated connection.attempts connection.handshakes connection.drops connection.false_drops \
            availability.ratio zombie.max zombie.p95 zombie.total zombie.frozen.max zombie.frozen.p95 zombie.frozen.total battery.above_idle_joules blocked.total detection.p50 detection.p95 detection.max \
            recovery.p50 recovery.p95 recovery.max keepalive.pings resume.count bytes.up bytes.down bytes.overhead_ratio \
            bytes.per_month cpu.wake cpu.wakes cpu.awake_s cpu.windows app.suspended_s app.kills app.crashes timer.late.p50 \
            timer.late.p95 timer.late.max push.woken push.latency.p50 push.latency.p95 push.latency.max network.told \
            calls.sent calls.ok calls.failed calls.pending calls.deadline_exceeded calls.unavailable calls.success_ratio \
            calls.failed_in_a_row.max outage.calls.max_s latency.call.p50 latency.call.p95 latency.call.p99 \
            latency.call.max connection.attempts_per_hour connection.handshakes_per_hour connection.goaways \
            middlebox.expired server.expired herd.peak_per_s herd.peak_per_100ms herd.all_connected_s herd.attempts server.connections_max \
            server.queue_peak_bytes server.queue_dropped server.cuts server.held_s server.held.max app.abandoned_consumers \
            flow.up.stalls flow.up.stall_s flow.saturations flow.saturated_s server.accepted server.rejected server.dedup_bytes server.requests_per_s dns.queries dns.cached dns.failed keepalive.rejected
            """
        for name in names.split(separator: " ") { #expect(Catalogue.metric(named: String(name)) != nil, "\(name)") }
    }

    @Test("Names of metrics are unique, and every metric is explained")
    func everyEntryIsComplete() {
        #expect(Set(Catalogue.all.map(\.name)).count == Catalogue.all.count)
        for metric in Catalogue.all {
            #expect(metric.meaning.hasSuffix("."), "\(metric.name)")
            #expect(metric.explanation.hasSuffix(".") && !metric.explanation.contains("\n"), "\(metric.name)")
            #expect(!metric.label.isEmpty && metric.label.count <= 50, "\(metric.name): \(metric.label)")
            #expect(Catalogue.metric(named: metric.name)?.label == metric.label)
        }
    }

    @Test("Every metric has its own words, and those of states and causes name them")
    func wordsAreDistinct() {
        // Broken: two metrics share their words, or a text is empty or that of another metric.
        #expect(Set(Catalogue.all.map(\.label)).count == Catalogue.all.count)
        for metric in Catalogue.all {
            #expect(metric.explanation.count >= 20 && !metric.explanation.hasPrefix(metric.name), "\(metric.name)")
            let ways = metric.name.split(separator: ".")
            if ways.contains("down") { #expect(!metric.label.contains("app to server"), "\(metric.name)") }
            if ways.contains("up"), ways[0] == "delivery" { #expect(!metric.label.contains("server to app")) }
            if metric.scope == .allPhones { #expect(!metric.explanation.contains("mean of one")) }
        }
    }

    @Test("The meaning is a short phrase, and the explanation follows it")
    func meaningsAreShort() throws {
        // Broken: `list metrics` shows the explanation of a metric in the place of its meaning.
        for metric in Catalogue.all {
            #expect(metric.meaning.count <= 160 && metric.meaning.count > 10, "\(metric.name)")
            #expect(!metric.meaning.contains("mean over replicas") && !metric.meaning.hasPrefix("A mean"))
            #expect(metric.meaning != metric.explanation && metric.meaning != metric.label, "\(metric.name)")
        }
        let rows = [
            ("down.sent", "Messages to send from server to app."), ("up.sent", "Messages to send from app to server."),
            ("down.delivered", "Messages that the app has seen."), ("up.delivered", "Messages that the server has."),
            ("down.lost", "Messages that can no longer arrive."),
            ("up.pending", "Messages still on their way at the horizon."),
            ("up.duplicated", "Messages that were accepted as new more than once."),
        ]
        for (name, meaning) in rows {
            let metric = try #require(Catalogue.metric(named: "delivery." + name))
            #expect(metric.meaning == meaning && metric.explanation.contains("A mean over replicas."), "\(name)")
        }
    }

    @Test("A title distinguishes a sum over all phones from a mean per phone")
    func titlesDistinguishSumsFromMeans() {
        let titles = ["keepalive.pings", "battery.joules", "zombie.total", "bytes.up", "latency.down.p95"].map { name in
            [1, 60].map { Catalogue.metric(named: name)?.title(phones: $0) }
        }
        #expect(
            titles == [
                ["Pings", "Pings, all 60 phones"], ["Energy", "Energy, a phone"],
                ["Time on dead connections", "Time on dead connections, a phone"],
                ["Bytes sent", "Bytes sent, all 60 phones"],
                ["Server to app, 95th percentile", "Server to app, 95th percentile"],
            ])
    }
}
