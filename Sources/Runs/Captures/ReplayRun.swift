package import DeadzoneBase
package import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneHost
package import DeadzoneReplay

/// Replays a packet capture through a radio model in one pass and collects the results, such as energy.
package struct ReplayRun {
    /// The options of one replay, such as capture files, packet filter, radio profile and time window.
    package struct ReplayRequest {
        /// Files and folders as given on the command line.
        package var paths: [String]
        package var device: [IPAddress] = []
        package var filter: CaptureFilter?
        /// Name of a shipped profile, or a profile file.
        package var profile: String?
        package var rules = ReplayRules.physical
        package var stamps = TimestampMeaning.flowed
        package var window = ReplayWindow()
        /// Name of the capture interface to replay; `nil` replays all interfaces.
        package var interface: String?
        /// Flags that repeat this replay, apart from the radio. They name files without folders, so that a result is
        /// the same from any folder.
        package var flags: [String] = []

        package init(_ paths: [String]) { self.paths = paths }

        package var isInput: Bool { paths == [PathExpansion.standardInput] }
        /// `false` for pipes, which can be read only once.
        var canBeReadAgain: Bool { paths.allSatisfy { [.file, .folder].contains(Files.kind(of: $0)) } }
        package var shownPath: String {
            isInput ? "standard input" : paths.count == 1 ? paths[0] : "\(paths[0]) and \(paths.count - 1) more"
        }
    }

    /// Maximum number of flows in a result.
    private static let listedFlows = 1_000
    /// Number of batches in flight between the reader and the radio. With 16, neither thread wakes the other for
    /// every batch.
    private static let batchesInFlight = 16

    private let reader: CaptureReader
    private let fileNotes: [String]
    private let request: ReplayRequest
    private let radio: ReplayRadio
    private var pair: ReplayPair
    private var outcome: ReplayPair.ReplayPairResult?
    /// Voice calls and similar streams of the capture; empty before all packets are read.
    package private(set) var calls: [RealtimeStream] = []
    private var interfaces = InterfaceChangeDetector()
    private var addresses = AddressChangeDetector()
    package private(set) var isComplete = true

    /// - Parameter isCompared: `true` if strategies will be compared with the captured traffic.
    package init(_ opened: OpenedCapture, _ request: ReplayRequest, _ radio: ReplayRadio, isCompared: Bool) {
        reader = opened.reader
        fileNotes = opened.notes
        self.request = request
        self.radio = radio
        pair = ReplayPair(
            radio.replay, includesNeighbours: radio.technology == .wifi, comparable: isCompared ? radio.comparable : nil
        )
    }

    /// Reads all packets on the calling thread. With more than one job, another thread computes the radio in
    /// parallel.
    package mutating func readAll(jobs: Int, isStopped: () -> Bool) {
        var isRead = false
        // Local copies are changed in place; as properties they would be copied for every batch.
        var pair = pair
        var interfaces = interfaces
        var addresses = addresses
        let (reader, interface) = (reader, request.interface)
        // Radio call logs in the capture describe all packets, so they are ignored if packets are filtered out.
        let isFiltered = request.filter != nil
        let batches = (0..<(jobs > 1 ? Self.batchesInFlight : 1)).map { _ in PacketBatch() }
        TwoStagePipeline.run(batches, state: &pair) { batch in
            guard !isStopped() else { return false }
            guard reader.next(batch) else {
                isRead = true
                return false
            }
            batch.read { interfaces.add($0, on: batch.summary.interface) }
            addresses.scanNewFlows(reader)
            Self.keep(interface, in: batch, of: reader)
            return true
        } take: { pair, batch in
            if !isFiltered { for remark in batch.remarks { pair.addCallLog(remark.text, of: remark.interface) } }
            for outage in batch.outages { pair.addOutage(from: outage.from, until: outage.until) }
            batch.read(into: &pair) { pair, packets in pair.add(packets, batch.summary) }
        }
        isComplete = isRead
        let outcome = pair.finish()
        calls = RealtimeStream.streams(reader, outcome.habits)
        self.outcome = outcome
        self.pair = pair
        self.interfaces = interfaces
        self.addresses = addresses
    }

    /// Drops packets of other interfaces than the requested one. Static, so that no caller copies a run for each batch.
    private static func keep(_ interface: String?, in batch: PacketBatch, of reader: CaptureReader) {
        guard let name = interface else { return }
        let isWanted = reader.interfaces.map { $0.name == name }
        batch.keep { isWanted[Int($0)] }
    }

    /// Energy of the phone as captured, over the given length, for comparison with simulated strategies.
    ///
    /// Calls are known only when all packets are read, so a capture with calls is read again without them. `nil` if
    /// nothing is compared.
    /// - Parameter reopened: opens the capture again.
    package mutating func asCaptured(
        lasting length: TimeSpan, isStopped: () -> Bool, reopened: () throws -> OpenedCapture
    ) throws -> (cost: ReplayReport.RadioCost, includesCalls: Bool)? {
        guard let whole = pair.finishComparable(lasting: length) else { return nil }
        guard !calls.isEmpty else { return (radio.report(whole, rules: .physical), false) }
        guard request.canBeReadAgain else { return (radio.report(whole, rules: .physical), true) }
        let bill = withoutCalls(try reopened().reader, lasting: length, isStopped: isStopped)
        return (radio.report(bill, rules: .physical), false)
    }

    /// The radio cost of the capture without the flows of calls. A second reading gives every flow the same number.
    private func withoutCalls(
        _ again: CaptureReader, lasting length: TimeSpan, isStopped: () -> Bool
    ) -> RadioBill {
        let excluded = calls.reduce(into: Set<FlowID>()) { $0.formUnion($1.flows) }
        var replay = radio.comparable
        if radio.technology != .wifi { replay.excludeNeighbourTraffic() }
        if outcome?.leavesOutLoopback == true { replay.excludeLoopback() }
        let batch = PacketBatch()
        while !isStopped(), again.next(batch) {
            Self.keep(request.interface, in: batch, of: again)
            for outage in batch.outages { replay.addOutage(from: outage.from, until: outage.until) }
            batch.read { packets in
                var kept: [CapturedPacket] = []
                for index in packets.indices where !excluded.contains(packets[index].flow) {
                    kept.append(packets[index])
                }
                if !packets.isEmpty, excluded.contains(packets[0].flow) { replay.countTime(from: packets[0].stamp) }
                replay.add(kept.span)
            }
        }
        return replay.finish(.lasting(length))
    }

    package var fault: CaptureFault? { reader.fault }
    package var overlap: CaptureOverlap? { reader.overlap }

    /// Names of the capture's interfaces.
    package var interfaceNames: [String] { reader.interfaces.compactMap(\.name) }

    /// `true` if the capture could be read at least up to its header. A valid capture without packets is still a
    /// result.
    package var isReadable: Bool { reader.counts.packets > 0 || !reader.interfaces.isEmpty || reader.fault == nil }

    package var report: ReplayReport {
        var report = ReplayReport(file: request.shownPath, reader)
        report.flags = request.flags
        guard let outcome else { return report }
        report.radio = radio.report(outcome.bill)
        report.neighbours = neighbours(outcome)
        report.habits =
            HabitReportBuilder(reader, outcome.habits, calls, interfaces, addresses).report
        report.flows = flows(outcome)
        report.picture = outcome.timeline
        report.notes =
            fileNotes + ReplayReport.notes(reader, radio.technology)
            + (request.interface == nil ? ReplayReport.notes(interfacesOf: reader) : [])
            + ReplayReport.notes(loopbackOf: reader, isLeftOut: outcome.leavesOutLoopback)
            + ReplayReport.notes(outcome.bill)
            + ReplayReport.notes(request.window, reader) + radio.notes
        report.isComplete = isComplete
        return report
    }

    /// Traffic that a cellular network would not have carried (neighbours in the local network), and the radio energy
    /// without it. `nil` if it was not separated.
    private func neighbours(_ outcome: ReplayPair.ReplayPairResult) -> ReplayReport.Neighbours? {
        guard let withoutNeighbours = outcome.withoutNeighbours else { return nil }
        let all = NeighbourTraffic.allCases.filter(\.isOfNeighbours)
        let kinds = all.compactMap { neighbourTraffic -> ReplayReport.Neighbours.KindTotals? in
            let (packets, bytes) = reader.counts.neighbourTraffic(neighbourTraffic)
            return packets == 0
                ? nil : .init(word: "\(neighbourTraffic)", name: neighbourTraffic.name, packets: packets, bytes: bytes)
        }
        return .init(joules: outcome.bill.joules, without: withoutNeighbours, kinds: kinds)
    }

    /// The capture as a scenario.
    package var capturedScenario: CapturedScenario {
        CapturedScenario(
            reader, outcome?.habits ?? CaptureHabits(), calls, interfaces, addresses, name: request.shownPath,
            profile: radio.profile,
            technology: radio.technology)
    }

    /// Flows in descending order of energy; of equal or unknown energy, the larger first. The phone's own flows cost what they
    /// cost without neighbour traffic; flows of neighbours cost their share of all traffic.
    private func flows(_ outcome: ReplayPair.ReplayPairResult) -> [ReplayReport.FlowRow] {
        let apps = reader.apps
        let ids = (0..<reader.describedFlows).map { FlowID(UInt32($0)) }
        let sizes = ids.map { id in
            let flow = reader.flow(id)
            return flow.up.bytes + flow.down.bytes
        }
        let joules = ids.map(outcome.joules)
        let dearest = ids.indices.sorted { (joules[$1], sizes[$1], $0) < (joules[$0], sizes[$0], $1) }
        return dearest.prefix(Self.listedFlows).map { index in
            let flow = reader.flow(ids[index])
            let kind = flow.neighbourTraffic
            let isSeparate = kind.isOfNeighbours || kind == .loopback && outcome.leavesOutLoopback
            let isNamed = flow.app != .none && Int(flow.app.index) < apps.count
            return ReplayReport.FlowRow(
                name: flow.text, transport: flow.transport == .tcp ? "tcp" : "udp", remote: flow.remote.text,
                remoteName: reader.remoteName(flow), app: isNamed ? apps[Int(flow.app.index)].name : nil,
                first: flow.first, last: flow.last, up: (flow.up.packets, flow.up.bytes),
                down: (flow.down.packets, flow.down.bytes), joules: request.rules == .physical ? joules[index] : nil,
                neighbourTraffic: isSeparate ? kind.name : nil)
        }
    }
}
