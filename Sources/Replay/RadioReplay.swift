public import DeadzoneCaptures
public import DeadzoneDevice
public import DeadzonePrimitives

/// Replays a capture on a radio, one packet at a time, in memory that does not grow with it.
///
///     var replay = try RadioReplay(profile, sheet, rules: .physical)
///     for packet in packets { replay.take(packet) }
///     let bill = replay.finish()
public struct RadioReplay: Sendable {
    /// Packets are put in the order of time as far back as this many packets.
    public static let reorderBound = TimeOrder.bound

    public struct Refusal: Error, Equatable { public let reason: String }

    private let profile: RadioProfile
    private let sheet: ProfileSheet
    private let rules: ReplayRules
    private let stamps: StampMeaning
    private var window: ReplayWindow
    private let isDrawn: Bool
    private var leavesOutTalk = false
    private var hasBegun = false
    /// Stretches without a network, until the machine takes them.
    private var outages: [(from: Stamp, until: Stamp)] = []
    /// What the radio of a live run was told, by the interface that it was of.
    private var remarks: [UInt32: [String]] = [:]
    private var machine = Machine.none
    private var order = TimeOrder()
    private var watch = TCPWatch()
    private var book = HabitBook()
    /// What each packet cost, of as many as are put in order at once.
    private var tolls = [Toll](repeating: Toll(), count: TimeOrder.bound + TimeOrder.batch)
    /// Times of the machines count from here.
    private var origin = Stamp.epoch
    private var until: Stamp?
    private var first = Stamp.epoch
    private var last = Stamp.epoch

    private enum Machine: Sendable {
        case none
        case physical(PhysicalRadio)
        case foreign(any ForeignMachine)
    }

    /// After the books are closed, by physical rules: bursts, and who paid.
    public private(set) var habits = CaptureHabits()

    /// The same over time, where `isDrawn` asked for it.
    public private(set) var timeline: RadioTimeline?

    /// Refused where the rules do not know the technology.
    public init(
        _ profile: RadioProfile, _ sheet: ProfileSheet, rules: ReplayRules = .physical, stamps: StampMeaning = .flowed,
        window: ReplayWindow = ReplayWindow(), isDrawn: Bool = false
    ) throws(Refusal) {
        if let reason = rules.refusal(of: profile.technology) { throw Refusal(reason: reason) }
        self.profile = profile
        self.sheet = sheet
        self.rules = rules
        self.stamps = stamps
        self.window = window
        self.isDrawn = isDrawn
    }

    /// Where radio time ends that is set beside another's.
    public enum Ending: Sendable {
        case at(Stamp)
        /// So long after its beginning.
        case lasting(TimeSpan)
    }

    /// From here on, what hosts of one link say to each other is left out.
    mutating func leaveOutTalk() { leavesOutTalk = true }

    /// The same so far, for what is no talk: its time begins with the first packet although that may not come to it. What the
    /// traffic does again and again is told by that one, and not by this one any more.
    mutating func part(at packet: Packet) -> Self {
        var other = self
        if !hasBegun, packet.talk != .none, window.from == nil { other.window.from = .at(packet.stamp) }
        other.leaveOutTalk()
        book.keepOnlyShares()
        return other
    }

    /// Where its time ends if it ends with the last packet.
    var lastPacket: Ending? { window.until == .lastPacket ? .at(last) : nil }

    // MARK: Verbs

    /// Packets in the order of the file; many at once are much faster.
    public mutating func take(_ packets: Span<Packet>) {
        var (front, end) = (0, packets.count)
        while front < end, !isMeant(packets[front]) { front += 1 }
        while front < end, !isMeant(packets[end - 1]) { end -= 1 }
        guard front < end else { return }
        if !hasBegun { begin(at: packets[front].stamp) }
        last = packets[end - 1].stamp
        if rules == .physical {
            for start in stride(from: front, to: end, by: TimeOrder.batch) {
                fold(packets.extracting(start..<min(start + TimeOrder.batch, end)))
            }
        } else {
            takeForeign(packets.extracting(front..<end))
        }
    }

    private mutating func takeForeign(_ packets: Span<Packet>) {
        guard case .foreign(var it) = machine else { return }
        machine = .none
        defer { machine = .foreign(it) }
        for index in packets.indices {
            let packet = packets[index]
            guard isMeant(packet), origin <= packet.stamp, until.map({ packet.stamp <= $0 }) ?? true else { continue }
            it.take(packet, from: origin)
        }
    }

    private func isMeant(_ packet: Packet) -> Bool { !leavesOutTalk || packet.talk == .none }

    public mutating func take(_ packet: Packet) { take(CollectionOfOne(packet).span) }

    /// There was no network meanwhile: no tail goes on, nothing listens for pages, and the next packet needs a promotion. Said
    /// before any later packet is taken. Physical rules heed it.
    public mutating func lose(from: Stamp, until: Stamp) { outages.append((from, until)) }

    /// The capture says what the radio of this interface was told, of one run and of nothing else. Said before any packet is taken,
    /// it counts in the place of what packets tell; physical rules heed it, and stamps that mean what it means.
    public mutating func tell(_ script: String, of interface: UInt32) { remarks[interface, default: []].append(script) }

    private var script: RadioScript? {
        guard rules == .physical, stamps == .flowed, remarks.count == 1 else { return nil }
        return remarks.values.first.flatMap(RadioScript.init)
    }

    /// Closes the books.
    /// - Parameter ending: where radio time ends, whatever the window says; physical rules heed it.
    public mutating func finish(_ ending: Ending? = nil) -> RadioBill {
        if !hasBegun { begin(at: .epoch, isEmpty: true) }
        if case .foreign(var it) = machine {
            let end: Stamp? = if case .tail = window.until { nil } else { until ?? last }
            return it.finish(from: origin, until: end)
        }
        tellOutages()
        order.settleAll()
        foldSettled()
        return close(ending)
    }

    // MARK: Beginning

    private mutating func begin(at stamp: Stamp, isEmpty: Bool = false) {
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
            machine = .foreign(profile.foreignMachine(sheet, rules))
            return
        }
        let bounds = (
            from: window.from == nil && !isEmpty ? nil : Int64(0), until: until?.nanoseconds(since: origin) ?? farthest
        )
        var radio = PhysicalRadio(profile, stamps: stamps, window: bounds)
        if isDrawn { radio.book.timeline = RadioTimeline() }
        machine = .physical(radio)
    }

    /// Where nobody says otherwise, with the run and as long.
    private mutating func begin(_ script: RadioScript, first: Stamp) {
        func stamp(_ moment: ReplayMoment) -> Stamp {
            switch moment {
            case .at(let stamp): stamp
            case .afterFirst(let span): first + span
            }
        }
        // Its radio sleeps by the clock of the run.
        origin = .epoch
        let from = window.from.map { stamp($0).nanoseconds(since: origin) }
        if case .moment(let moment) = window.until { until = stamp(moment) }
        var radio = PhysicalRadio(
            profile, script, window: (from, until?.nanoseconds(since: origin)))
        if isDrawn { radio.book.timeline = RadioTimeline() }
        machine = .physical(radio)
    }

    // MARK: The radio of this program

    /// The one place that changes it: taken out meanwhile, so that what it holds is not copied.
    private mutating func withRadio(_ body: (inout PhysicalRadio, inout [Toll]) -> Void) {
        guard case .physical(var radio) = machine else { return }
        machine = .none
        body(&radio, &tolls)
        machine = .physical(radio)
    }

    private mutating func fold(_ packets: Span<Packet>) {
        var flows: UInt32 = 0
        for index in packets.indices {
            let flow = packets[index].flow.index &+ 1
            if flow <= UInt32(FlowShares.bound) { flows = max(flows, flow) }
        }
        tellOutages()
        book.hold(flows: Int(flows))
        let place = order.makeRoom()
        let newcomers: Newcomers
        if book.keepsAll {
            watch.hold(Int(flows))
            newcomers = watch.read(packets, since: origin, leavingOutTalk: leavesOutTalk, into: &order.blips, at: place)
        } else {
            newcomers = TCPWatch.readUntold(packets, since: origin, into: &order.blips, at: place)
        }
        order.add(newcomers)
        foldSettled()
    }

    private mutating func tellOutages() {
        guard !outages.isEmpty else { return }
        let (told, origin) = (outages, origin)
        outages = []
        withRadio { radio, _ in
            for outage in told {
                radio.lose(from: outage.from.nanoseconds(since: origin), until: outage.until.nanoseconds(since: origin))
            }
        }
    }

    private mutating func foldSettled() {
        let order = order
        withRadio { radio, tolls in radio.fold(order, &tolls) }
        book.add(order, tolls)
    }

    private mutating func close(_ ending: Ending?) -> RadioBill {
        guard case .physical(var radio) = machine else { return RadioBill() }
        if let ending { radio.book.end(ending, since: origin) }
        radio.finish(ending == nil ? window.until : .moment(.at(.epoch)))
        timeline = radio.book.timeline?.finished(since: origin)
        habits = book.finish(radio.book.takeToll().before, origin: origin)
        var bill = radio.book.bill(profile)
        bill.clamped = order.clamped
        return bill
    }
}
