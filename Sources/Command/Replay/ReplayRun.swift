import DeadzoneCaptures
import DeadzoneCompare
import DeadzoneDevice
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneReplay

/// One pass over a capture, and what it comes to.
struct ReplayRun {
    /// Flows that a result lists.
    static let listedFlows = 1_000
    /// Batches between the reader and the radio: enough that neither wakes the other for every one.
    private static let batchesUnderWay = 16

    private let reader: CaptureReader
    private let notesOfFiles: [String]
    private let options: ReplayOptions
    private let radio: ReplayRadio
    private var pair: ReplayPair
    private var outcome: ReplayPair.Outcome?
    private var interfaces = InterfaceWatch()
    private var addresses = AddressWatch()
    private(set) var isComplete = true

    /// - Parameter isCompared: strategies will be set beside what was captured.
    init(_ opened: OpenedCapture, _ options: ReplayOptions, _ radio: ReplayRadio, isCompared: Bool) {
        reader = opened.reader
        notesOfFiles = opened.notes
        self.options = options
        self.radio = radio
        pair = ReplayPair(
            radio.replay, hearsNeighbours: radio.technology == .wifi, comparable: isCompared ? radio.comparable : nil)
    }

    /// Reads on the calling thread; what the radio does with it goes on beside, where there is another one.
    mutating func readAll(jobs: Int, isStopped: () -> Bool) {
        var isRead = false
        // Changed in place: as properties they would be copied around by every batch.
        var pair = pair
        var interfaces = interfaces
        var addresses = addresses
        let reader = reader
        let batches = (0..<(jobs > 1 ? Self.batchesUnderWay : 1)).map { _ in PacketBatch() }
        Relay.run(batches, state: &pair) { batch in
            guard !isStopped() else { return false }
            guard reader.next(batch) else {
                isRead = true
                return false
            }
            batch.read { interfaces.take($0) }
            addresses.look(reader)
            keepWanted(batch)
            return true
        } take: { pair, batch in
            for outage in batch.outages { pair.lose(from: outage.from, until: outage.until) }
            batch.read(into: &pair) { pair, packets in pair.take(packets) }
        }
        isComplete = isRead
        outcome = pair.finish()
        self.pair = pair
        self.interfaces = interfaces
        self.addresses = addresses
    }

    /// Only what the named interface has carried goes over the radio.
    private func keepWanted(_ batch: PacketBatch) {
        guard let name = options.interface else { return }
        let isWanted = reader.interfaces.map { $0.name == name }
        batch.keep { isWanted[Int($0)] }
    }

    /// What the phone itself spent, to be set beside strategies over the same time.
    mutating func asCaptured(lasting length: TimeSpan) -> ReplayReport.Radio? {
        pair.finishComparable(lasting: length).map { radio.report($0, rules: .physical) }
    }

    var fault: CaptureFault? { reader.fault }
    var overlap: CaptureOverlap? { reader.overlap }

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
        report.flags = options.flags
        guard let outcome else { return report }
        report.radio = radio.report(outcome.bill)
        report.neighbours = neighbours(outcome)
        report.habits =
            HabitMaker(
                reader: reader, habits: outcome.habits, shares: outcome.shares, interfaces: interfaces,
                addresses: addresses
            ).report
        report.flows = flows(outcome.shares)
        report.picture = outcome.timeline.flatMap(Self.picture)
        report.notes = notesOfFiles + Self.notes(reader, radio.technology) + Self.notes(outcome.bill)
        report.isComplete = isComplete
        return report
    }

    /// What a cellular network would not have carried, and what the radio had taken without it.
    private func neighbours(_ outcome: ReplayPair.Outcome) -> ReplayReport.Neighbours? {
        guard let onAir = outcome.onAir else { return nil }
        let kinds = NeighbourTalk.allCases.compactMap { talk -> ReplayReport.Neighbours.Kind? in
            let (packets, bytes) = reader.counts.talk(talk)
            return packets == 0
                ? nil : .init(word: "\(talk)", name: talk.name, packets: packets, bytes: bytes)
        }
        return .init(joules: outcome.bill.joules, joulesWithout: onAir.joules, kinds: kinds)
    }

    /// The capture as a scenario.
    var world: CapturedWorld {
        CapturedWorld(
            reader, outcome?.habits ?? CaptureHabits(), interfaces, addresses, name: options.shownPath,
            profile: radio.profile,
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
        capture.medium = reader.medium.rawValue
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

    /// The dearest first; where nobody pays, the largest.
    private func flows(_ shares: CaptureHabits) -> [ReplayReport.Flow] {
        let apps = reader.apps
        let ids = (0..<reader.describedFlows).map { FlowID(UInt32($0)) }
        let sizes = ids.map { id in
            let flow = reader.flow(id)
            return flow.up.bytes + flow.down.bytes
        }
        let joules = ids.map(shares.joules)
        let dearest = ids.indices.sorted { (joules[$1], sizes[$1], $0) < (joules[$0], sizes[$0], $1) }
        return dearest.prefix(Self.listedFlows).map { index in
            let flow = reader.flow(ids[index])
            let isNamed = flow.app != .none && Int(flow.app.index) < apps.count
            return ReplayReport.Flow(
                name: flow.text, transport: flow.transport == .tcp ? "tcp" : "udp", remote: flow.remote.text,
                remoteName: reader.remoteName(flow), app: isNamed ? apps[Int(flow.app.index)].name : nil,
                first: flow.first.seconds, last: flow.last.seconds, up: (flow.up.packets, flow.up.bytes),
                down: (flow.down.packets, flow.down.bytes), joules: joules[index],
                talk: flow.talk == .none ? nil : flow.talk.name)
        }
    }
}

extension Stamp {
    var seconds: Billionths { Billionths(count: nanoseconds) }
}
