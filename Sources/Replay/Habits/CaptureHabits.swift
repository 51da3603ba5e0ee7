public import DeadzoneCaptures
import DeadzonePrimitives

/// What a capture's traffic does again and again, and what that costs: bursts with their causes, what each flow paid, what
/// comes round. Filled by a `RadioReplay` with physical rules.
public struct CaptureHabits: Sendable {
    /// In the order of time.
    public internal(set) var bursts: [Burst] = []
    /// Bursts beyond those that are kept.
    public internal(set) var unkeptBursts = 0
    public internal(set) var periodic: [PeriodicFlow] = []
    /// Moments at which everything was silent, and then data was sent again and connections were opened anew.
    public internal(set) var upheavals: [Upheaval] = []
    /// What the applications said to each other.
    public internal(set) var messages: [RecordedMessage] = []
    /// Messages beyond those that are kept.
    public internal(set) var unkeptMessages = 0
    var shares = FlowShares()
    /// Flows that are told apart.
    public static let describedFlows = FlowShares.bound

    public init() {}

    /// What a flow cost: its promotions, its bits, and the time after its packets with the tails that it started.
    public func joules(_ flow: FlowID) -> Double {
        Int(flow.index) < shares.flows.count ? shares.flows[Int(flow.index)].joules : 0
    }

    /// What flows beyond the bound cost, and packets that belong to none.
    public var joulesOfOthers: Double { shares.others }
}

public struct Upheaval: Sendable {
    public let silentFrom: Stamp
    public let at: Stamp
}

/// A flow that comes round.
public struct PeriodicFlow: Sendable {
    public let flow: FlowID
    public let interval: Double
    /// The standard deviation of the intervals.
    public let jitter: Double
    /// How many intervals.
    public let count: Int
    /// Of the groups of packets that end these intervals.
    public let joules: Double
}

/// Listens to a physical replay, packet by packet in the order of time.
struct HabitBook: Sendable {
    private var shares = FlowShares()
    private var bursts = BurstBook()
    private var messages = MessageBook()
    /// Not only who paid.
    private(set) var keepsAll = true

    /// From here on somebody else tells of bursts and messages.
    mutating func keepOnlyShares() {
        keepsAll = false
        (bursts, messages) = (BurstBook(), MessageBook())
    }

    /// Makes room for so many flows.
    mutating func hold(flows: Int) {
        shares.hold(flows)
        if keepsAll { messages.hold(flows) }
    }

    mutating func add(_ order: TimeOrder, _ tolls: [Toll]) {
        let blips = order.blips.span.extracting(order.settled)
        shares.add(blips, tolls.span)
        guard keepsAll else { return }
        bursts.add(blips, tolls.span)
        messages.add(blips)
    }

    mutating func finish(_ rest: Double, origin: Stamp) -> CaptureHabits {
        shares.finish(rest)
        bursts.finish(rest)
        var habits = CaptureHabits()
        habits.shares = shares
        var isPeriodic: Set<UInt32> = []
        for (index, share) in shares.flows.enumerated() {
            guard let period = share.period else { continue }
            isPeriodic.insert(UInt32(index))
            habits.periodic.append(
                PeriodicFlow(
                    flow: FlowID(UInt32(index)), interval: period.interval, jitter: period.jitter,
                    count: period.count, joules: period.joules))
        }
        habits.periodic.sort { ($1.joules, $0.flow.index) < ($0.joules, $1.flow.index) }
        var before: BurstBook.Entry?
        for entry in bursts.closed {
            if let before, entry.hasOpening, entry.hasRetransmission || before.hasRetransmission {
                habits.upheavals.append(
                    Upheaval(
                        silentFrom: origin + .nanoseconds(before.end), at: origin + .nanoseconds(entry.begin)))
            }
            habits.bursts.append(
                Burst(
                    begin: origin + .nanoseconds(entry.begin), seconds: Double(entry.end - entry.begin) / 1e9,
                    packets: entry.packets, bytes: entry.bytes, payload: entry.payload, flow: FlowID(entry.flow),
                    cause: entry.cause(isPeriodic: isPeriodic.contains(entry.flow)), joules: entry.joules))
            before = entry
        }
        habits.unkeptBursts = bursts.unkept
        (habits.messages, habits.unkeptMessages) = messages.finish(origin: origin)
        return habits
    }
}
