import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@Suite struct CatalogueTests {
    @Test("Else a script that reads a metric by its documented name would find nothing")
    func theDocumentedNamesExist() {
        let names = """
            battery.joules battery.percent_per_hour battery.radio_active_ratio battery.promotions wifi.active wifi.tail \
            wifi.idle cellular.idle cellular.search cellular.promotion cellular.active cellular.tail cellular.short_drx \
            cellular.long_drx cellular.inactive cellular.handover cellular.dch cellular.fach latency.down.p50 \
            latency.down.p95 latency.down.p99 latency.down.max latency.up.p50 latency.up.p95 latency.up.p99 latency.up.max \
            latency.probe.p5 latency.probe.p25 latency.probe.p50 latency.probe.p75 latency.probe.p95 latency.probe.p99 \
            latency.probe.max delivery.down.sent delivery.down.delivered delivery.down.lost delivery.down.pending \
            delivery.down.duplicated delivery.up.sent delivery.up.delivered delivery.up.lost delivery.up.pending \
            delivery.up.duplicated connection.attempts connection.handshakes connection.drops connection.false_drops \
            availability.ratio zombie.max zombie.p95 zombie.total blocked.total detection.p50 detection.p95 detection.max \
            recovery.p50 recovery.p95 recovery.max keepalive.pings resume.count bytes.up bytes.down bytes.overhead_ratio \
            bytes.per_month
            """
        for name in names.split(separator: " ") { #expect(Catalogue.metric(named: String(name)) != nil, "\(name)") }
    }

    @Test("Else two metrics would share a name, or one would be explained by nothing")
    func everyEntryIsWhole() {
        #expect(Set(Catalogue.all.map(\.name)).count == Catalogue.all.count)
        for metric in Catalogue.all {
            #expect(metric.meaning.hasSuffix("."), "\(metric.name)")
            #expect(metric.explanation.hasSuffix(".") && !metric.explanation.contains("\n"), "\(metric.name)")
            #expect(!metric.label.isEmpty && metric.label.count <= 50, "\(metric.name): \(metric.label)")
            #expect(Catalogue.metric(named: metric.name)?.label == metric.label)
        }
    }
}
