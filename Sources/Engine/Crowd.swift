import DeadzoneClient
import DeadzonePrimitives
import DeadzoneQueue
import DeadzoneServer
import DeadzoneWorld

/// Phones that meet others at a server, as far as one worker runs them: side by side, each alone for as long as nobody asks
/// the server for what it shares. Whoever does stands still at the end of that round, until the server has decided.
struct Crowd: ~Copyable {
    /// An arrival, and what becomes of it.
    struct Decision {
        let arrival: Arrival
        let verdict: Cluster.Verdict
    }

    private let phones: Range<UInt32>
    private let lanes: UnsafeMutablePointer<Lane>
    private let rounds: Rounds
    private var stage: Stage
    private var due: DueQueue
    /// How many phones went on since that was last asked.
    private var turns = 0
    private var decisions: [Decision] = []

    init(_ simulation: Simulation, _ phones: Range<UInt32>, _ journal: consuming JournalBuffer) {
        self.phones = phones
        rounds = Rounds(simulation.world)
        lanes = .allocate(capacity: phones.count)
        due = DueQueue(lanes: phones.count)
        stage = Stage(
            world: simulation.world, seed: simulation.seed, strategy: simulation.strategy, phones: phones.count,
            journal: journal)
        for index in 0..<phones.count {
            let phone = PhoneID(phones.lowerBound + UInt32(index))
            stage.turn(to: phone, place: index)
            (lanes + index).initialize(to: Lane(phone: phone, stage: stage))
            lanes[index].start(&stage)
            due.schedule(UInt32(index), at: lanes[index].due(stage))
        }
    }

    deinit { lanes.deinitialize(count: phones.count).deallocate() }

    /// When the first of them is due.
    mutating func nextAt(before limit: Instant) -> Instant { due.first(before: limit)?.at ?? .never }

    /// Every phone that is due goes on until `end`, the end of a round.
    mutating func run(until end: Instant) {
        while let next = due.pop(before: end) {
            turn(to: Int(next.lane))
            goOn(Int(next.lane), from: next.at, until: end, having: stage.arrivals.count)
        }
    }

    /// What the server has decided of a round that is over; to be called in the total order.
    mutating func note(_ decision: Decision) { decisions.append(decision) }

    /// What was noted happens, and those phones go on until `end`.
    mutating func settle(roundEnd: Instant, until end: Instant) {
        // Those of one phone are all of one round, and stay in their order.
        decisions.sort {
            ($0.arrival.lane, $0.arrival.at, $0.arrival.sequence) < (
                $1.arrival.lane, $1.arrival.at, $1.arrival.sequence
            )
        }
        var next = 0
        while next < decisions.count {
            let lane = decisions[next].arrival.lane
            let index = Int(lane - phones.lowerBound)
            let known = stage.arrivals.count
            turn(to: index)
            while next < decisions.count, decisions[next].arrival.lane == lane {
                let decision = decisions[next]
                lanes[index].hear(decision.verdict, of: decision.arrival, roundEnd: roundEnd, &stage)
                next += 1
            }
            goOn(index, from: lanes[index].due(stage), until: end, having: known)
        }
        decisions.removeAll(keepingCapacity: decisions.count < 1_024)
    }

    /// What has come to the shared server and left it since this was last asked, and how many turns that took.
    mutating func takeArrivals(_ body: (Arrival) -> Void, leavings: (Leaving) -> Void) -> Int {
        for leaving in stage.leavings { leavings(leaving) }
        stage.leavings.removeAll(keepingCapacity: stage.leavings.count < 1_024)
        for arrival in stage.arrivals { body(arrival) }
        // A place for each of a herd, which comes once, is not kept.
        stage.arrivals.removeAll(keepingCapacity: stage.arrivals.count < 1_024)
        defer { turns = 0 }
        return turns
    }

    mutating func finish(at horizon: Instant) {
        for index in 0..<phones.count {
            turn(to: index)
            lanes[index].finish(at: horizon, &stage)
        }
    }

    mutating func flush() { stage.journal.flush() }

    private mutating func turn(to index: Int) { stage.turn(to: lanes[index].phone, place: index) }

    /// Round by round, so that a phone stands where the round of its arrival ends.
    private mutating func goOn(_ index: Int, from at: Instant, until end: Instant, having known: Int) {
        turns += 1
        var next = at
        while next < end, stage.arrivals.count == known {
            next = lanes[index].run(until: rounds.end(of: rounds.number(of: next)), &stage)
        }
        if stage.arrivals.count == known { due.schedule(UInt32(index), at: next) }
    }
}
