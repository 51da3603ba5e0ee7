import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
@testable import DeadzoneCaptures
@testable import DeadzoneReplay

@testable import DeadzoneReports

/// Replayed captures with everything that a report can show, with numbers set by hand.
enum ReplaySample {
    static func stamp(_ milliseconds: Int64) -> Timestamp {
        Timestamp(seconds: 1_700_000_000) + .milliseconds(milliseconds)
    }

    static func bill(_ rows: [(RadioState, Int, Double, Double)], clamped: Int = 0) -> RadioBill {
        var bill = RadioBill()
        for row in rows { bill.add(row.0, count: row.1, seconds: row.2, joules: row.3) }
        bill.clamped = clamped
        // Idle power of 10 mW, the idle power of the sample's strategies.
        bill.idling = rows.reduce(0) { sum, row in
            sum + ([.idle, .search, .powerSaving].contains(row.0) ? row.3 : row.2 * 0.01)
        }
        bill.seconds = rows.reduce(0) { $0 + $1.2 }
        return bill
    }

    static func cost(_ bill: RadioBill, _ rules: ReplayRules = .physical) -> ReplayReport.RadioCost {
        .init(profile: "lte-verizon-2021", about: "LTE", rules: rules, stamps: .enqueue, bill: bill)
    }

    /// A report of an empty capture: every number is then set by hand.
    static func empty(_ file: String = "folder/day.pcap") throws -> ReplayReport {
        let bytes = PcapWriter().bytes
        var place = 0
        let reader = try CaptureReader { (buffer: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int in
            let count = min(buffer.count, bytes.count - place)
            buffer.copyBytes(from: bytes[place..<place + count])
            place += count
            return count
        }
        while reader.next({ _ in }) {}
        return ReplayReport(file: file, reader)
    }

    static func report() throws -> ReplayReport {
        var report = try empty()
        var counts = CaptureCounts()
        (counts.packets, counts.bytes, counts.capturedBytes, counts.clippedPackets) = (1_000, 12_345_678, 9_999, 3)
        (counts.ipv4TCP, counts.ipv6TCP, counts.ipv4UDP, counts.ipv6UDP, counts.laterFragments) = (500, 100, 300, 50, 4)
        (counts.upPackets, counts.downPackets, counts.upBytes, counts.downBytes) = (400, 590, 1_234, 12_300_000)
        (counts.timeReversals, counts.unstampedPackets) = (5, 6)
        (counts.first, counts.last, counts.earliest, counts.latest) = (
            stamp(10), stamp(60_400), stamp(0), stamp(60_500)
        )
        report.capture.counts = counts
        (report.capture.compression, report.capture.filteredOut, report.capture.tcpFlows, report.capture.udpFlows) = (
            "gzip", 7, 12, 1
        )
        (report.capture.linkTypes, report.capture.medium, report.capture.error) = ([1, 113], "local", "cut, at byte 9")
        report.direction = .init(by: "inferred", reason: "inferred: 10.0.0.2 is the phone", device: ["10.0.0.2"])
        report.radio = cost(
            bill(
                [(.idle, 2, 30, 0.3), (.promotion, 3, 1.5, 1.25), (.active, 4, 9, 5.5), (.tail, 3, 20, 4.125)],
                clamped: 8))
        report.interfaces = [
            CapturedInterface(linkType: 1, name: "wlan0"), CapturedInterface(linkType: 113),
            CapturedInterface(linkType: 1),
        ]
        (report.interfaces[0].packets, report.interfaces[0].dropped, report.interfaces[1].packets) = (900, 4, 100)
        report.flows = [
            flow("a:443", "tcp", name: "example.org", app: "browser", up: (3, 100), down: (5, 20_000), joules: 6.5),
            flow("b:53", "udp", name: nil, app: nil, up: (1, 40), down: (1, 80), joules: 0.75),
            flow("c:5353", "udp", name: nil, app: "dns", up: (7, 700), down: (9, 900), joules: 2, local: "mDNS"),
        ]
        report.neighbours = .init(
            joules: 11.175, without: bill([(.idle, 1, 40, 0.4), (.active, 2, 8, 5), (.tail, 2, 12.5, 2.5)]),
            kinds: [
                .init(word: "mdns", name: "mDNS", packets: 16, bytes: 1_600),
                .init(word: "dhcp", name: "DHCP", packets: 20, bytes: 900),
            ])
        report.notes = ["clocks differ", "a *second* note"]
        report.habits = habits()
        return report
    }

    static func flow(
        _ name: String, _ transport: String, name remote: String?, app: String?, up: (UInt64, UInt64),
        down: (UInt64, UInt64), joules: Double, local: String? = nil
    ) -> ReplayReport.FlowRow {
        .init(
            name: name, transport: transport, remote: "192.0.2.1", remoteName: remote, app: app, first: stamp(1),
            last: stamp(2_000), up: up, down: down,
            joules: joules, neighbourTraffic: local)
    }

    static func burst(_ milliseconds: Int64, _ joules: Double, flow: String? = "a:443", name: String? = "example.org")
        -> ReplayReport.BurstRow
    {
        .init(
            at: stamp(milliseconds), seconds: 0.5, packets: 3, bytes: 180, cause: "keepalive", flow: flow,
            remoteName: name, joules: joules)
    }

    static func habits() -> ReplayReport.Habits {
        var habits = ReplayReport.Habits()
        habits.bursts = [burst(0, 1.5), burst(30_000, 2, flow: nil, name: nil)]
        habits.unlistedBursts = 4
        habits.periodic = [
            .init(flow: "a:443", remoteName: "example.org", interval: 30.04, jitter: 0.25, count: 9, joules: 3.5)
        ]
        habits.transitions = [
            .init(at: stamp(1_500), kind: "interface", from: "wlan0", to: "rmnet0"),
            .init(at: stamp(2_500), kind: "upheaval", from: nil, to: nil),
            .init(at: stamp(3_500), kind: "address", from: nil, to: "10.0.0.3"),
            .init(at: stamp(4_500), kind: "address", from: nil, to: nil),
        ]
        var periodic = ReplayReport.Advice(
            .periodic(flow: "a:443", remoteName: "example.org", interval: 30.04, count: 9), joules: 3.5, saves: 2.25)
        periodic.occasions = [
            burst(0, 1), burst(1_000, 3), burst(2_000, 2), burst(3_000, 3, flow: nil), burst(4_000, 0.5),
        ]
        periodic.unlisted = 6
        habits.advice =
            [periodic]
            + [
                (.periodic(flow: "b:53", remoteName: nil, interval: 5, count: 1)), (.control(1)), (.control(2)),
                (.keepalives(1)), (.keepalives(3)),
                (.retransmissions(1)), (.retransmissions(4)), (.isolated(1)), (.isolated(5)),
            ].map { ReplayReport.Advice($0, joules: 1, saves: 0.5) }
        habits.remotes = [
            .init(name: "example.org", flows: 3, joules: 6.5), .init(name: "192.0.2.9", flows: 1, joules: 0.75),
        ]
        habits.apps = [.init(name: "browser", flows: 3, joules: 6.5)]
        habits.calls = [
            .init(flow: "d:9000", remoteName: "turn", at: stamp(5_000), seconds: 12.34, packets: 700, joules: 9.875)
        ]
        return habits
    }

    static func whatIf() -> ReplayResult.WhatIf {
        var run = Sample.report(replicas: 2)
        run.strategies[1].name = "tuned, one"
        return .init(
            run: run,
            captured: cost(
                bill([
                    (.idle, 1, 2_000, 20), (.search, 1, 10, 3), (.promotion, 5, 2, 2.5), (.active, 5, 188, 60),
                    (.tail, 5, 500, 89),
                ])),
            content: "3 messages up and 4 down in 60.5 s", includesCalls: false)
    }
}
