import DeadzoneClient
import DeadzoneJournal
import DeadzoneLane
import DeadzonePrimitives
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
    private let rounds: Rounds
    /// The phones of each group of the population, and the first of each.
    private let groups: UnsafeMutablePointer<Seats>
    private let firsts: [Int]
    /// When each of them is due; `.never`: it waits for the server, or its day is over.
    private let due: UnsafeMutablePointer<Instant>
    /// The first of those.
    private var soonest = Instant.zero
    /// How many phones went on since that was last asked.
    private var turns = 0
    private var decisions: [Decision] = []

    init(_ simulation: Simulation, _ phones: Range<UInt32>, _ record: @escaping (UnsafeBufferPointer<Record>) -> Void) {
        self.phones = phones
        rounds = Rounds(simulation.world)
        // Each begins with its first turn.
        due = .allocate(capacity: phones.count)
        due.initialize(repeating: .zero, count: phones.count)
        let parts = simulation.world.parts(of: phones)
        firsts = parts.map { Int($0.phones.lowerBound - phones.lowerBound) }
        groups = .allocate(capacity: parts.count)
        for (number, part) in parts.enumerated() {
            let stage = Stage(
                world: part.world, firstChange: part.firstChange, seed: simulation.seed,
                strategy: simulation.strategy(of: part), abreast: part.phones, rounds: rounds,
                journal: JournalBuffer(record))
            (groups + number).initialize(to: Seats(stage, phones: part.phones.count))
        }
    }

    deinit {
        groups.deinitialize(count: firsts.count).deallocate()
        due.deallocate()
    }

    /// When the first of them is due.
    var nextAt: Instant { soonest }

    /// Between two looks at whether somebody wants no more, no more phones of a crowd go on.
    private static let atOnce = 1 << 14
    var parts: Int { (phones.count + Self.atOnce - 1) / Self.atOnce }

    /// Every phone of this part that is due goes on until `end`, the end of a round: one after the other as they lie, since none of
    /// them can notice another before that.
    /// - Parameter part: To be called with each, in their order.
    mutating func run(_ part: Int = 0, until end: Instant) {
        if part == 0 { soonest = .never }
        for index in part * Self.atOnce..<min((part + 1) * Self.atOnce, phones.count) {
            if due[index] < end { wake(index, until: end) }
            soonest = min(soonest, due[index])
        }
    }

    private mutating func wake(_ index: Int, until end: Instant) {
        let group = group(of: index)
        guard groups[group].isThere(index - firsts[group]) else { return begin(index, group, until: end) }
        let lane = turn(to: index, group)
        goOn(index, lane, group, from: due[index], until: end, having: groups[group].stage.arrivals.count)
    }

    /// What each phone still has of that instance is reset. None has gone on beyond then, and none has anything to do before.
    mutating func cut(_ instance: UInt8, at now: Instant) {
        soonest = .never
        for index in 0..<phones.count {
            let group = group(of: index)
            if groups[group].isThere(index - firsts[group]) {
                let lane = turn(to: index, group)
                lane.pointee.lose(instance, at: now, &groups[group].stage)
                due[index] = lane.pointee.due(groups[group].stage)
            }
            soonest = min(soonest, due[index])
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
            let phone = decisions[next].arrival.lane
            let index = Int(phone - phones.lowerBound)
            let group = group(of: index)
            let lane = turn(to: index, group)
            let known = groups[group].stage.arrivals.count
            while next < decisions.count, decisions[next].arrival.lane == phone {
                let decision = decisions[next]
                lane.pointee.hear(decision.verdict, of: decision.arrival, roundEnd: roundEnd, &groups[group].stage)
                next += 1
            }
            goOn(index, lane, group, from: lane.pointee.due(groups[group].stage), until: end, having: known)
            soonest = min(soonest, due[index])
        }
        decisions.removeAll(keepingCapacity: decisions.count < 1_024)
    }

    /// What has come to the shared server and left it since this was last asked, and how many turns that took.
    mutating func takeArrivals(_ body: (Arrival) -> Void, leavings: (Leaving) -> Void) -> Int {
        for group in firsts.indices {
            for leaving in groups[group].stage.leavings { leavings(leaving) }
            groups[group].stage.leavings.removeAll(keepingCapacity: groups[group].stage.leavings.count < 1_024)
            for arrival in groups[group].stage.arrivals { body(arrival) }
            // A place for each of a herd, which comes once, is not kept.
            groups[group].stage.arrivals.removeAll(keepingCapacity: groups[group].stage.arrivals.count < 1_024)
        }
        defer { turns = 0 }
        return turns
    }

    mutating func finish(at horizon: Instant) {
        for index in 0..<phones.count {
            let group = group(of: index)
            guard groups[group].isThere(index - firsts[group]) else { continue }
            finish(turn(to: index, group), group, at: horizon)
        }
    }

    /// Nothing more can happen to the phone that sits.
    private func finish(_ lane: UnsafeMutablePointer<Lane>, _ group: Int, at horizon: Instant) {
        lane.pointee.finish(at: horizon, &groups[group].stage)
        lane.pointee.landAll(&groups[group].stage)
        groups[group].end()
    }

    /// Of every phone, while it rests.
    var restingBytes: [Int] {
        mutating get { (0..<phones.count).map { index in bytes(index) } }
    }

    private mutating func bytes(_ index: Int) -> Int {
        let group = group(of: index)
        return groups[group].bytes(index - firsts[group])
    }

    mutating func flush() { for group in firsts.indices { groups[group].stage.journal.flush() } }

    private func phone(_ index: Int) -> PhoneID { PhoneID(phones.lowerBound + UInt32(index)) }

    /// Returns where it sits.
    private func turn(to index: Int, _ group: Int) -> UnsafeMutablePointer<Lane> {
        groups[group].turn(to: phone(index), place: index - firsts[group])
    }

    /// Its first turn.
    private mutating func begin(_ index: Int, _ group: Int, until end: Instant) {
        let known = groups[group].stage.arrivals.count
        let lane = groups[group].begin(phone(index), place: index - firsts[group])
        lane.pointee.start(&groups[group].stage)
        goOn(index, lane, group, from: lane.pointee.due(groups[group].stage), until: end, having: known)
    }

    private func group(of index: Int) -> Int {
        var group = firsts.count - 1
        while index < firsts[group] { group -= 1 }
        return group
    }

    /// Until it comes to the server, where it stands at the end of that round.
    private mutating func goOn(
        _ index: Int, _ lane: UnsafeMutablePointer<Lane>, _ group: Int, from at: Instant, until end: Instant,
        having known: Int
    ) {
        turns += 1
        var next = at
        if next < end, groups[group].stage.arrivals.count == known {
            groups[group].stage.standstill = .never
            next = lane.pointee.run(until: end, &groups[group].stage)
        }
        let waits = groups[group].stage.arrivals.count > known
        due[index] = waits ? .never : next
        // Whoever stood up would only have to sit down once more.
        if !waits && rounds.endsEarly && rounds.isOver(next) { finish(lane, group, at: rounds.horizon) }
    }
}
