public import DeadzoneCaptures
public import DeadzonePrimitives

/// One radio with everything that a capture holds, and beside it the same radio without what a cellular network would not
/// carry. The second begins as a copy of the first where they part: a capture without such packets costs nothing more.
public struct ReplayPair: Sendable {
    private var all: RadioReplay
    private var onAir: RadioReplay?
    /// From the first packet on, and without the neighbours' talk, to be set beside a simulation.
    private var comparable: RadioReplay?
    /// On Wi-Fi a phone hears its neighbours.
    private let hearsNeighbours: Bool

    /// - Parameter comparable: what is to be set beside a simulation, if anything is.
    public init(_ replay: RadioReplay, hearsNeighbours: Bool, comparable: RadioReplay? = nil) {
        all = replay
        self.hearsNeighbours = hearsNeighbours
        self.comparable = comparable
        if !hearsNeighbours { self.comparable?.leaveOutTalk() }
    }

    public mutating func lose(from: Stamp, until: Stamp) {
        all.lose(from: from, until: until)
        onAir?.lose(from: from, until: until)
        comparable?.lose(from: from, until: until)
    }

    /// What the radio of a live run was told. To be set beside a simulation, packets count as in any capture.
    public mutating func tell(_ script: String, of interface: UInt32) { all.tell(script, of: interface) }

    public mutating func take(_ packets: Span<Packet>) {
        if !hearsNeighbours, onAir == nil, Self.hasTalk(packets) {
            onAir = all.part(at: packets[packets.indices.lowerBound])
        }
        onAir?.take(packets)
        comparable?.take(packets)
        all.take(packets)
    }

    private static func hasTalk(_ packets: Span<Packet>) -> Bool {
        for index in packets.indices where packets[index].talk != .none { return true }
        return false
    }

    /// Closes the books.
    public mutating func finish() -> Outcome {
        let bill = all.finish()
        var outcome = Outcome(bill: bill, shares: all.habits, habits: all.habits, timeline: all.timeline)
        if onAir != nil {
            outcome.onAir = onAir!.finish(all.lastPacket)
            outcome.habits = onAir!.habits
        }
        return outcome
    }

    /// What the phone itself spent, from the first packet on for so long.
    public mutating func finishComparable(lasting length: TimeSpan) -> RadioBill? {
        comparable?.finish(.lasting(length))
    }

    public struct Outcome: Sendable {
        public let bill: RadioBill
        /// Without what a cellular network would not carry; nil where there is nothing of it.
        public fileprivate(set) var onAir: RadioBill?
        /// Who paid, of everything; what else there is to say is in `habits`.
        public let shares: CaptureHabits
        /// What the traffic does again and again, without the neighbours' talk.
        public fileprivate(set) var habits: CaptureHabits
        public let timeline: RadioTimeline?
    }
}
