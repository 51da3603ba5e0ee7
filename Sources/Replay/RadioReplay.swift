package import DeadzoneBase
package import DeadzoneCaptures
package import DeadzoneDevice

/// Replays the packets of a capture on a radio model to compute the energy, in constant memory.
///
///     var replay = try RadioReplay(profile, sheet, rules: .physical)
///     for packet in packets { replay.add(packet) }
///     let bill = replay.finish()
package struct RadioReplay: Sendable {
    /// Number of packets within which packets are sorted by time.
    package static let reorderBound = ReorderBuffer.bound

    package struct UnsupportedProfile: Error, Equatable { package let reason: String }

    private let profile: RadioProfile
    private let sheet: ProfileSource
    private let rules: ReplayRules
    private let stamps: TimestampMeaning
    private var window: ReplayWindow
    private let recordsTimeline: Bool
    private var excluded = TrafficKinds()
    /// The kinds of traffic that only the radio with neighbours receives.
    private var separate = TrafficKinds()
    /// Beginning of the radio time without the separate traffic, if no packet was added before it.
    private var ownFrom: ReplayMoment?
    private var hasBegun = false
    /// Outages that were not passed to the radio model yet.
    private var outages: [(from: Timestamp, until: Timestamp)] = []
    /// Radio call logs of a live run, by interface.
    private var remarks: [UInt32: [String]] = [:]
    private var radioModel = RadioModel.none
    /// The same radio with the separate traffic; `nil` if there is none.
    private var withNeighbours: NeighbourReplay?
    private var reorderBuffer = ReorderBuffer()
    private var tcpClassifier = TCPClassifier()
    private var habitCollector = HabitCollector()
    /// Cost of each packet, for the packets that are sorted at once.
    private var costs = [PacketCost](repeating: PacketCost(), count: ReorderBuffer.bound + ReorderBuffer.batch)
    /// Origin of the times in the radio models.
    private var origin = Timestamp.epoch
    private var until: Timestamp?
    private var first = Timestamp.epoch
    private var last = Timestamp.epoch

    private enum RadioModel: Sendable {
        case none
        case physical(PhysicalRadio)
        case reference(any ReferenceModel)
    }

    /// Bursts and cost attribution, under physical rules; valid after `finish`.
    package private(set) var habits = CaptureHabits()

    /// Radio power over time, if `recordsTimeline` is set.
    package private(set) var timeline: RadioTimeline?

    /// Throws if the rules do not support the profile's technology.
    package init(
        _ profile: RadioProfile, _ sheet: ProfileSource, rules: ReplayRules = .physical,
        stamps: TimestampMeaning = .flowed,
        window: ReplayWindow = ReplayWindow(), recordsTimeline: Bool = false
    ) throws(UnsupportedProfile) {
        if let reason = rules.refusal(of: profile.technology) { throw UnsupportedProfile(reason: reason) }
        self.profile = profile
        self.sheet = sheet
        self.rules = rules
        self.stamps = stamps
        self.window = window
        self.recordsTimeline = recordsTimeline
    }

    /// The time at which two replays stop counting radio time, so that they can be compared.
    package enum AccountingEnd: Sendable {
        case at(Timestamp)
        /// Duration after the beginning of the window.
        case lasting(TimeSpan)
    }

    /// Excludes neighbour traffic from here on.
    package mutating func excludeNeighbourTraffic() { excluded.add(where: \.isOfNeighbours) }

    /// Excludes loopback packets from here on.
    package mutating func excludeLoopback() { excluded.add { $0 == .loopback } }

    /// Begins the radio time here, if no packet was added and the window does not say otherwise. For a first packet
    /// that is excluded.
    package mutating func countTime(from first: Timestamp) {
        if !hasBegun, window.from == nil { window.from = .at(first) }
    }

    /// Forks a replay without neighbour traffic from the current state. Its time begins with the first packet, even if
    /// that packet is excluded.
    private func fork(at packet: CapturedPacket) -> Self {
        var other = self
        other.excludeNeighbourTraffic()
        if !other.isIncluded(packet) { other.countTime(from: packet.stamp) }
        return other
    }

    /// Computes the energy with and without neighbour traffic from here on: `finish` returns the energy without it,
    /// and `finishWithNeighbours` all energy.
    ///
    /// Under physical rules both radios are in this replay, because they read the same packets. Under other rules, the
    /// replay that is returned has the packets without neighbours, and this replay has all.
    /// - Parameter packet: The next packet. The time begins with the first packet, even if that is of a neighbour.
    mutating func separateNeighbours(at packet: CapturedPacket) -> Self? {
        guard rules == .physical else { return fork(at: packet) }
        separate = .ofNeighbours
        let isOwn = isIncluded(packet) && !separate.contains(packet.neighbourTraffic)
        ownFrom = isOwn ? nil : .at(packet.stamp)
        if case .physical(let radio) = radioModel { withNeighbours = NeighbourReplay(radio) }
        return nil
    }

    /// End of the radio time if the window ends with the last packet.
    var lastPacket: AccountingEnd? { window.until == .lastPacket ? .at(last) : nil }

    /// End of the radio time if the window ends with the last packet, and that packet was excluded.
    func end(afterExcluded packet: Timestamp) -> AccountingEnd? {
        hasBegun && window.until == .lastPacket && last < packet ? .at(packet) : nil
    }

    // MARK: Input

    /// Adds packets in file order; large spans are much faster.
    package mutating func add(_ packets: Span<CapturedPacket>) { add(packets, PacketSummary(packets)) }

    /// - Parameter summary: The summary of these packets, which several replays use.
    mutating func add(_ packets: Span<CapturedPacket>, _ summary: PacketSummary) {
        var (front, end) = (0, packets.count)
        // Packets at the ends that are left out do not extend the time.
        if excluded.overlaps(summary.kinds) {
            while front < end, !isIncluded(packets[front]) { front += 1 }
            while front < end, !isIncluded(packets[end - 1]) { end -= 1 }
            if front > 0 { countTime(from: packets[0].stamp) }
        }
        guard front < end else { return }
        if !hasBegun { begin(at: packets[front].stamp) }
        last = packets[end - 1].stamp
        if rules == .physical {
            reserve(flows: summary.flows)
            for start in stride(from: front, to: end, by: ReorderBuffer.batch) {
                fold(packets.extracting(start..<min(start + ReorderBuffer.batch, end)))
            }
        } else {
            feedReferenceModel(packets.extracting(front..<end))
        }
    }

    private mutating func feedReferenceModel(_ packets: Span<CapturedPacket>) {
        guard case .reference(var it) = radioModel else { return }
        radioModel = .none
        defer { radioModel = .reference(it) }
        for index in packets.indices {
            let packet = packets[index]
            guard isIncluded(packet), origin <= packet.stamp, until.map({ packet.stamp <= $0 }) ?? true else {
                continue
            }
            it.add(packet, from: origin)
        }
    }

    private func isIncluded(_ packet: CapturedPacket) -> Bool {
        !excluded.contains(packet.neighbourTraffic)
    }

    package mutating func add(_ packet: CapturedPacket) { add(CollectionOfOne(packet).span) }

    /// Adds a period without a network: no tail continues, no paging is received, and the next packet needs a
    /// promotion. Must be called before any later packet is added. Only physical rules use it.
    package mutating func addOutage(from: Timestamp, until: Timestamp) { outages.append((from, until)) }

    /// Adds the recorded inputs of an interface's radio; the capture contains one run only.
    ///
    /// If called before any packet is added, the log is used instead of the packets' timing. Only physical rules use
    /// it, and only with timestamps that mean the time of flow.
    package mutating func addCallLog(_ script: String, of interface: UInt32) {
        remarks[interface, default: []].append(script)
    }

    private var script: RadioCallLog? {
        guard rules == .physical, stamps == .flowed, remarks.count == 1 else { return nil }
        return remarks.values.first.flatMap(RadioCallLog.init)
    }

    /// Finishes the accounting.
    /// - Parameter ending: End of the radio time, whatever the window says. Only physical rules use it.
    package mutating func finish(_ ending: AccountingEnd? = nil) -> RadioBill {
        if !hasBegun { begin(at: .epoch, isEmpty: true) }
        if case .reference(var it) = radioModel {
            let end: Timestamp? = if case .tail = window.until { nil } else { until ?? last }
            return it.finish(from: origin, until: end)
        }
        flush()
        return close(ending)
    }

    /// Finishes the accounting of all packets, before `finish`. `nil` if neighbours were not separated.
    /// - Returns: The bill, and the energy of neighbours' packets by flow.
    mutating func finishWithNeighbours(_ ending: AccountingEnd?) -> (bill: RadioBill, joules: [Double])? {
        guard withNeighbours != nil else { return nil }
        flush()
        guard var both = withNeighbours else { return nil }
        var bill = both.finish(ending, window, since: origin, profile)
        bill.clamped = reorderBuffer.clamped
        return (bill, both.joules)
    }

    private mutating func flush() {
        forwardOutages()
        reorderBuffer.flush()
        foldReady()
    }

    // MARK: Beginning

    private mutating func begin(at stamp: Timestamp, isEmpty: Bool = false) {
        hasBegun = true
        last = stamp
        if let script { return begin(script, first: stamp) }
        origin =
            switch window.from {
            case .at(let from): from
            case .afterFirst(let span): stamp + span
            case nil: stamp
            }
        switch window.until {
        case .moment(.at(let end)): until = end
        case .moment(.afterFirst(let span)): until = stamp + span
        case .lastPacket, .tail: until = isEmpty ? origin : nil
        }
        guard rules == .physical else {
            radioModel = .reference(profile.referenceModel(sheet, rules))
            return
        }
        func radio(_ from: ReplayMoment?) -> PhysicalRadio {
            PhysicalRadio(
                profile, stamps: stamps,
                window: (from == nil && !isEmpty ? nil : 0, until?.nanoseconds(since: origin) ?? farthest))
        }
        begin(own: radio(window.from ?? ownFrom), all: radio(window.from))
    }

    private mutating func begin(own: PhysicalRadio, all: PhysicalRadio) {
        var radio = own
        if recordsTimeline { radio.ledger.timeline = RadioTimeline() }
        radioModel = .physical(radio)
        if separate.overlaps(.ofNeighbours) { withNeighbours = NeighbourReplay(all) }
    }

    /// Starts a replay from a call log. By default it begins and ends with the run.
    private mutating func begin(_ script: RadioCallLog, first: Timestamp) {
        func stamp(_ moment: ReplayMoment) -> Timestamp {
            switch moment {
            case .at(let stamp): stamp
            case .afterFirst(let span): first + span
            }
        }
        // The radio's DRX and paging follow the clock of the run.
        origin = .epoch
        if case .moment(let moment) = window.until { until = stamp(moment) }
        func radio(_ from: ReplayMoment?) -> PhysicalRadio {
            let window = (from.map { stamp($0).nanoseconds(since: origin) }, until?.nanoseconds(since: origin))
            return PhysicalRadio(profile, script, window: window)
        }
        begin(own: radio(window.from ?? ownFrom), all: radio(window.from))
    }

    // MARK: This program's radio model

    /// The only place that changes the radio: it is moved out meanwhile, so that its contents are not copied.
    private mutating func withRadio(_ body: (inout PhysicalRadio, inout [PacketCost]) -> Void) {
        guard case .physical(var radio) = radioModel else { return }
        radioModel = .none
        body(&radio, &costs)
        radioModel = .physical(radio)
    }

    private mutating func fold(_ packets: Span<CapturedPacket>) {
        forwardOutages()
        let place = reorderBuffer.makeRoom()
        let appended = tcpClassifier.read(
            packets, since: origin, excluding: excluded, separating: separate, into: &reorderBuffer.replayPackets,
            at: place)
        withNeighbours?.expect(appended.ofNeighbours)
        reorderBuffer.add(appended)
        foldReady()
    }

    private mutating func reserve(flows: Int) {
        habitCollector.reserve(flows: flows)
        tcpClassifier.reserve(flows)
        withNeighbours?.reserve(flows: flows)
    }

    private mutating func forwardOutages() {
        guard !outages.isEmpty else { return }
        let told = outages.map { ($0.from.nanoseconds(since: origin), $0.until.nanoseconds(since: origin)) }
        outages = []
        for (from, until) in told { withNeighbours?.addOutage(from: from, until: until) }
        withRadio { radio, _ in
            for (from, until) in told { radio.addOutage(from: from, until: until) }
        }
    }

    private mutating func foldReady() {
        let reorderBuffer = reorderBuffer
        let ready = reorderBuffer.replayPackets.span.extracting(reorderBuffer.ready)
        guard let count = withNeighbours?.fold(ready, &costs), let own = withNeighbours?.ownPackets else {
            return foldOwn(ready)
        }
        foldOwn(own.span.extracting(0..<count))
    }

    /// Processes packets that the reported radio receives.
    private mutating func foldOwn(_ replayPackets: Span<ReplayPacket>) {
        withRadio { radio, costs in radio.fold(replayPackets, &costs) }
        let costs = costs
        habitCollector.add(replayPackets, costs.span, since: origin)
    }

    private mutating func close(_ ending: AccountingEnd?) -> RadioBill {
        guard case .physical(var radio) = radioModel else { return RadioBill() }
        radio.finish(ending, window, since: origin)
        timeline = radio.ledger.timeline?.finished(since: origin)
        habits = habitCollector.finish(radio.ledger.takeCost().before, origin: origin)
        var bill = radio.ledger.bill(profile)
        bill.clamped = reorderBuffer.clamped
        return bill
    }
}
