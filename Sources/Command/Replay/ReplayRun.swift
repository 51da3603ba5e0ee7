import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReplay
import DeadzoneReporting

/// One pass over a capture, and what it comes to.
struct ReplayRun {
    /// Flows that a result lists; the largest come first.
    static let listedFlows = 1_000
    /// Batches between the reader and the radio: enough that neither wakes the other for every one.
    private static let batchesUnderWay = 16

    private let reader: CaptureReader
    private let options: ReplayOptions
    private let radio: ReplayRadio
    private var replay: RadioReplay
    private var bill: RadioBill?
    private var interfaces = InterfaceWatch()
    private var addresses = AddressWatch()
    private var isComplete = true

    init(_ reader: CaptureReader, _ options: ReplayOptions, _ radio: ReplayRadio) {
        self.reader = reader
        self.options = options
        self.radio = radio
        replay = radio.replay
    }

    /// Reads on the calling thread; what the radio does with it goes on beside, where there is another one.
    mutating func readAll(jobs: Int, isStopped: () -> Bool) {
        var isRead = false
        // Changed in place: as properties they would be copied around by every batch.
        var replay = replay
        var interfaces = interfaces
        var addresses = addresses
        let reader = reader
        let batches = (0..<(jobs > 1 ? Self.batchesUnderWay : 1)).map { _ in PacketBatch() }
        Relay.run(batches, state: &replay) { batch in
            guard !isStopped() else { return false }
            guard reader.next(batch) else {
                isRead = true
                return false
            }
            batch.read { interfaces.take($0) }
            addresses.look(reader)
            keepWanted(batch)
            return true
        } take: { replay, batch in
            for outage in batch.outages { replay.lose(from: outage.from, until: outage.until) }
            batch.read { replay.take($0) }
        }
        isComplete = isRead
        bill = replay.finish()
        self.replay = replay
        self.interfaces = interfaces
        self.addresses = addresses
    }

    /// Only what the named interface has carried goes over the radio.
    private func keepWanted(_ batch: PacketBatch) {
        guard let name = options.interface else { return }
        let isWanted = reader.interfaces.map { $0.name == name }
        batch.keep { isWanted[Int($0)] }
    }

    var fault: CaptureFault? { reader.fault }

    /// The names of the capture's interfaces.
    var interfaceNames: [String] { reader.interfaces.compactMap(\.name) }

    /// A header is something: a capture of nothing is a result.
    var holdsAnything: Bool { reader.counts.packets > 0 || !reader.interfaces.isEmpty || reader.fault == nil }

    var report: ReplayReport {
        var report = ReplayReport(
            file: options.shownPath, capture: capture,
            direction: Self.direction(reader.directions, packets: reader.counts.packets))
        report.interfaces = reader.interfaces.map {
            ReplayReport.Interface(
                name: $0.name, linkType: $0.linkTypeName, packets: $0.packets, dropped: $0.dropped)
        }
        report.radio = bill.map(radio.report)
        report.habits =
            HabitMaker(reader: reader, habits: replay.habits, interfaces: interfaces, addresses: addresses).report
        report.flows = flows
        report.picture = replay.timeline.flatMap(Self.picture)
        report.notes = Self.notes(reader) + Self.notes(bill)
        report.isComplete = isComplete
        return report
    }

    /// The capture as a scenario.
    var world: CapturedWorld {
        CapturedWorld(
            reader, replay.habits, interfaces, addresses, name: options.shownPath, profile: radio.profile,
            technology: radio.technology)
    }

    private var capture: ReplayReport.Capture {
        let counts = reader.counts
        var capture = ReplayReport.Capture(format: reader.format.rawValue)
        capture.compression = reader.isCompressed ? "gzip" : nil
        capture.packets = counts.packets
        capture.bytes = counts.bytes
        capture.capturedBytes = counts.capturedBytes
        capture.clippedPackets = counts.clippedPackets
        capture.timeReversals = counts.timeReversals
        capture.unstampedPackets = counts.unstampedPackets
        capture.filteredOut = reader.filteredOut
        capture.linkTypes = reader.linkTypes
        capture.first = counts.first.map(\.seconds)
        capture.last = counts.last.map(\.seconds)
        if let earliest = counts.earliest, let latest = counts.latest {
            capture.duration = Billionths(count: latest.nanoseconds - earliest.nanoseconds)
        }
        (capture.ipv4TCP, capture.ipv6TCP) = (counts.ipv4TCP, counts.ipv6TCP)
        (capture.ipv4UDP, capture.ipv6UDP) = (counts.ipv4UDP, counts.ipv6UDP)
        capture.laterFragments = counts.laterFragments
        (capture.tcpFlows, capture.udpFlows) = (reader.flowCounts.tcp, reader.flowCounts.udp)
        (capture.upPackets, capture.upBytes) = (counts.upPackets, counts.upBytes)
        (capture.downPackets, capture.downBytes) = (counts.downPackets, counts.downBytes)
        capture.error = reader.fault?.text
        return capture
    }

    private static func picture(_ timeline: RadioTimeline) -> ReplayPicture? {
        timeline.begin.map { begin in
            ReplayPicture(
                begin: begin.seconds, length: timeline.length,
                columns: timeline.cells.map { cell in
                    ReplayPicture.Column(
                        joules: Dictionary(
                            uniqueKeysWithValues: RadioState.allCases.map { ($0, cell.joules[Int($0.rawValue)]) }),
                        up: (cell.up.packets, cell.up.bytes), down: (cell.down.packets, cell.down.bytes))
                })
        }
    }

    private var flows: [ReplayReport.Flow] {
        let apps = reader.apps
        let ids = (0..<reader.describedFlows).map { FlowID(UInt32($0)) }
        let sizes = ids.map { id in
            let flow = reader.flow(id)
            return flow.up.bytes + flow.down.bytes
        }
        let largest = ids.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.prefix(Self.listedFlows)
        return largest.map { index in
            let flow = reader.flow(ids[index])
            let isNamed = flow.app != .none && Int(flow.app.index) < apps.count
            return ReplayReport.Flow(
                name: flow.text, transport: flow.transport == .tcp ? "tcp" : "udp", remote: flow.remote.text,
                remoteName: reader.remoteName(flow), app: isNamed ? apps[Int(flow.app.index)].name : nil,
                first: flow.first.seconds, last: flow.last.seconds, up: (flow.up.packets, flow.up.bytes),
                down: (flow.down.packets, flow.down.bytes), joules: replay.habits.joules(ids[index]))
        }
    }
}

extension Stamp {
    var seconds: Billionths { Billionths(count: nanoseconds) }
}
