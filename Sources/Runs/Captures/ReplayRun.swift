import DeadzoneDevice
public import DeadzoneCaptures
import DeadzoneHost
public import DeadzonePrimitives
public import DeadzoneReplay

/// One pass over a capture, and what it comes to.
public struct ReplayRun {
    /// What is to be replayed, and how.
    public struct Wanted {
        /// Files and folders as they were named.
        public var paths: [String]
        public var device: [IPAddress] = []
        public var filter: CaptureFilter?
        /// A name or a file.
        public var profile: String?
        public var rules = ReplayRules.physical
        public var stamps = StampMeaning.flowed
        public var window = ReplayWindow()
        /// Only packets of this interface of the capture.
        public var interface: String?
        /// What makes this again beside the radio, files without their folders: a result is the same from any folder.
        public var flags: [String] = []

        public init(_ paths: [String]) { self.paths = paths }

        public var isInput: Bool { paths == [Expansion.standardInput] }
        public var shownPath: String {
            isInput ? "standard input" : paths.count == 1 ? paths[0] : "\(paths[0]) and \(paths.count - 1) more"
        }
    }

    /// Flows that a result lists.
    private static let listedFlows = 1_000
    /// Batches between the reader and the radio: enough that neither wakes the other for every one.
    private static let batchesUnderWay = 16

    private let reader: CaptureReader
    private let notesOfFiles: [String]
    private let wanted: Wanted
    private let radio: ReplayRadio
    private var pair: ReplayPair
    private var outcome: ReplayPair.Outcome?
    private var interfaces = InterfaceWatch()
    private var addresses = AddressWatch()
    public private(set) var isComplete = true

    /// - Parameter isCompared: strategies will be set beside what was captured.
    public init(_ opened: OpenedCapture, _ wanted: Wanted, _ radio: ReplayRadio, isCompared: Bool) {
        reader = opened.reader
        notesOfFiles = opened.notes
        self.wanted = wanted
        self.radio = radio
        pair = ReplayPair(
            radio.replay, hearsNeighbours: radio.technology == .wifi, comparable: isCompared ? radio.comparable : nil)
    }

    /// Reads on the calling thread; what the radio does with it goes on beside, where there is another one.
    public mutating func readAll(jobs: Int, isStopped: () -> Bool) {
        var isRead = false
        // Changed in place: as properties they would be copied around by every batch.
        var pair = pair
        var interfaces = interfaces
        var addresses = addresses
        let reader = reader
        // What a radio was told is of all packets.
        let isFiltered = wanted.filter != nil
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
            if !isFiltered { for remark in batch.remarks { pair.tell(remark.text, of: remark.interface) } }
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
        guard let name = wanted.interface else { return }
        let isWanted = reader.interfaces.map { $0.name == name }
        batch.keep { isWanted[Int($0)] }
    }

    /// What the phone itself spent, to be set beside strategies over the same time.
    public mutating func asCaptured(lasting length: TimeSpan) -> ReplayReport.Radio? {
        pair.finishComparable(lasting: length).map { radio.report($0, rules: .physical) }
    }

    public var fault: CaptureFault? { reader.fault }
    public var overlap: CaptureOverlap? { reader.overlap }

    /// The names of the capture's interfaces.
    public var interfaceNames: [String] { reader.interfaces.compactMap(\.name) }

    /// A header is something: a capture of nothing is a result.
    public var holdsAnything: Bool { reader.counts.packets > 0 || !reader.interfaces.isEmpty || reader.fault == nil }

    public var report: ReplayReport {
        var report = ReplayReport(file: wanted.shownPath, reader)
        report.flags = wanted.flags
        guard let outcome else { return report }
        report.radio = radio.report(outcome.bill)
        report.neighbours = neighbours(outcome)
        report.habits =
            HabitMaker(reader, outcome.habits, shares: outcome.shares, interfaces, addresses).report
        report.flows = flows(outcome.shares)
        report.picture = outcome.timeline
        report.notes =
            notesOfFiles + ReplayReport.notes(reader, radio.technology) + ReplayReport.notes(outcome.bill)
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
    public var world: CapturedWorld {
        CapturedWorld(
            reader, outcome?.habits ?? CaptureHabits(), interfaces, addresses, name: wanted.shownPath,
            profile: radio.profile,
            technology: radio.technology)
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
                first: flow.first, last: flow.last, up: (flow.up.packets, flow.up.bytes),
                down: (flow.down.packets, flow.down.bytes), joules: joules[index],
                talk: flow.talk == .none ? nil : flow.talk.name)
        }
    }
}
