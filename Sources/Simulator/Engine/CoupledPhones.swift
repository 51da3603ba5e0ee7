import DeadzoneBase
import DeadzoneClient

/// Runs the coupled phones of one worker. Coupled phones share a server, so that one can delay another.
///
/// Each phone runs independently until it sends the server a request that needs shared state. It then stops at the end
/// of that sync window (the barrier) until the server has decided.
struct CoupledPhones: ~Copyable {
    /// A request that arrived at the shared server, and the server's decision about it.
    struct ArrivalDecision {
        let arrival: ClusterRequest
        let verdict: Cluster.ServiceOutcome
    }

    private let phones: Range<UInt32>
    private let syncWindows: SyncWindows
    /// The phones of each population group.
    private let groups: UnsafeMutablePointer<ResidentSet>
    /// Index of the first phone of each group, among the phones of this worker.
    private let firsts: [Int]
    /// Instant at which each phone must run again; `.never` if it waits for the server or has finished.
    private let dueAt: UnsafeMutablePointer<Instant>
    /// The earliest instant at which any phone must run again: the minimum of `dueAt`.
    private var soonest = Instant.zero
    /// How many times a phone was given control since this counter was last read.
    private var turnCount = 0
    private var decisions: [ArrivalDecision] = []

    init(_ simulation: Simulation, _ phones: Range<UInt32>, _ record: @escaping (UnsafeBufferPointer<Record>) -> Void) {
        self.phones = phones
        syncWindows = SyncWindows(simulation.world)
        // Each phone is created at its first turn.
        dueAt = .allocate(capacity: phones.count)
        dueAt.initialize(repeating: .zero, count: phones.count)
        let parts = simulation.world.slices(of: phones)
        firsts = parts.map { Int($0.phones.lowerBound - phones.lowerBound) }
        groups = .allocate(capacity: parts.count)
        for (number, part) in parts.enumerated() {
            let context = WorkerContext(
                world: part.world, firstChange: part.firstChange, seed: simulation.seed,
                strategy: simulation.strategy(of: part), interleavedPhones: part.phones, syncWindows: syncWindows,
                journal: JournalBuffer(record))
            (groups + number).initialize(
                to: ResidentSet(context, phones: part.phones.count, memory: simulation.memory))
        }
    }

    deinit {
        groups.deinitialize(count: firsts.count).deallocate()
        dueAt.deallocate()
    }

    /// Earliest instant at which any phone must run again.
    var nextAt: Instant { soonest }

    /// Number of phones in one part. Cancellation is checked between two parts.
    private static let phonesPerPart = 1 << 14
    var parts: Int { (phones.count + Self.phonesPerPart - 1) / Self.phonesPerPart }

    /// Runs every phone of this part that has an event before `end`, the end of a sync window. Phones run in index
    /// order, because none can affect another before `end`.
    /// - Parameter part: Number of the part. Call with all parts, in order.
    mutating func run(_ part: Int = 0, until end: Instant) {
        if part == 0 { soonest = .never }
        for index in part * Self.phonesPerPart..<min((part + 1) * Self.phonesPerPart, phones.count) {
            if dueAt[index] < end { runPhone(index, until: end) }
            soonest = min(soonest, dueAt[index])
        }
    }

    private mutating func runPhone(_ index: Int, until end: Instant) {
        let group = group(of: index)
        guard groups[group].hasStarted(index - firsts[group]) else { return begin(index, group, until: end) }
        let simulation = activate(to: index, group)
        resume(index, simulation, group, from: dueAt[index], until: end, having: groups[group].context.arrivals.count)
    }

    /// Resets the connections of all phones with this server instance, which has shut down. Call it when no phone has
    /// run beyond this instant and none has an earlier event left.
    mutating func terminateInstance(_ instance: UInt8, at now: Instant) {
        soonest = .never
        for index in 0..<phones.count {
            let group = group(of: index)
            if groups[group].hasStarted(index - firsts[group]) {
                let simulation = activate(to: index, group)
                simulation.pointee.terminateInstance(instance, at: now, &groups[group].context)
                dueAt[index] = simulation.pointee.due(groups[group].context)
            }
            soonest = min(soonest, dueAt[index])
        }
    }

    /// Adds the server's decision about a request from a completed sync window. Call it in the total order of the
    /// requests.
    mutating func add(_ decision: ArrivalDecision) { decisions.append(decision) }

    /// Applies all decisions from `add` to the phones that sent the requests, and runs these phones until `end`.
    mutating func applyDecisions(windowEnd: Instant, until end: Instant) {
        // All decisions of one phone belong to one sync window and keep their order.
        decisions.sort {
            ($0.arrival.phoneIndex, $0.arrival.at, $0.arrival.sequence) < (
                $1.arrival.phoneIndex, $1.arrival.at, $1.arrival.sequence
            )
        }
        var next = 0
        while next < decisions.count {
            let phone = decisions[next].arrival.phoneIndex
            let index = Int(phone - phones.lowerBound)
            let group = group(of: index)
            let simulation = activate(to: index, group)
            let known = groups[group].context.arrivals.count
            while next < decisions.count, decisions[next].arrival.phoneIndex == phone {
                let decision = decisions[next]
                simulation.pointee.applyDecision(
                    decision.verdict, of: decision.arrival, windowEnd: windowEnd, &groups[group].context)
                next += 1
            }
            resume(
                index, simulation, group, from: simulation.pointee.due(groups[group].context), until: end, having: known
            )
            soonest = min(soonest, dueAt[index])
        }
        decisions.removeAll(keepingCapacity: decisions.count < 1_024)
    }

    /// Takes the arrivals (requests to the shared server) and departures (connections that it released) since the last
    /// call, and passes them to the closures. Returns how many times a phone was given control in that time.
    mutating func takeArrivals(_ body: (ClusterRequest) -> Void, departures: (Departure) -> Void) -> Int {
        for group in firsts.indices {
            for departure in groups[group].context.departures { departures(departure) }
            groups[group].context.departures.removeAll(keepingCapacity: groups[group].context.departures.count < 1_024)
            for arrival in groups[group].context.arrivals { body(arrival) }
            // Capacity for a whole herd, which arrives once, is not kept.
            groups[group].context.arrivals.removeAll(keepingCapacity: groups[group].context.arrivals.count < 1_024)
        }
        defer { turnCount = 0 }
        return turnCount
    }

    mutating func finish(at horizon: Instant) {
        for index in 0..<phones.count {
            let group = group(of: index)
            guard groups[group].hasStarted(index - firsts[group]) else { continue }
            finish(activate(to: index, group), group, at: horizon)
        }
    }

    /// Ends the simulation of the active phone, which has no further events, and frees its memory.
    private func finish(_ simulation: UnsafeMutablePointer<PhoneSimulation>, _ group: Int, at horizon: Instant) {
        simulation.pointee.finish(at: horizon, &groups[group].context)
        simulation.pointee.releasePackets(&groups[group].context)
        groups[group].removeActive()
    }

    /// Bytes that each waiting phone occupies in the delta store; 0 for a phone with a memory block of its own.
    var storedBytes: [Int] {
        mutating get { (0..<phones.count).map { index in bytes(index) } }
    }

    private mutating func bytes(_ index: Int) -> Int {
        let group = group(of: index)
        return groups[group].bytes(index - firsts[group])
    }

    mutating func flush() { for group in firsts.indices { groups[group].context.journal.flush() } }

    private func phone(_ index: Int) -> PhoneID { PhoneID(phones.lowerBound + UInt32(index)) }

    /// Makes the phone active (loads it if necessary) and returns it.
    private func activate(to index: Int, _ group: Int) -> UnsafeMutablePointer<PhoneSimulation> {
        groups[group].activate(to: phone(index), place: index - firsts[group])
    }

    /// Creates the phone, starts its app and runs it until `end`.
    private mutating func begin(_ index: Int, _ group: Int, until end: Instant) {
        let known = groups[group].context.arrivals.count
        let simulation = groups[group].begin(phone(index), place: index - firsts[group])
        simulation.pointee.start(&groups[group].context)
        resume(index, simulation, group, from: simulation.pointee.due(groups[group].context), until: end, having: known)
    }

    private func group(of index: Int) -> Int {
        var group = firsts.count - 1
        while index < firsts[group] { group -= 1 }
        return group
    }

    /// Runs a phone until `end`. A phone that sends a request to the shared server stops earlier, at the end of that
    /// sync window.
    private mutating func resume(
        _ index: Int, _ simulation: UnsafeMutablePointer<PhoneSimulation>, _ group: Int, from at: Instant,
        until end: Instant,
        having known: Int
    ) {
        turnCount += 1
        var next = at
        if next < end, groups[group].context.arrivals.count == known {
            groups[group].context.barrier = .never
            next = simulation.pointee.run(until: end, &groups[group].context)
        }
        let waits = groups[group].context.arrivals.count > known
        dueAt[index] = waits ? .never : next
        // Finish it while it is active, to avoid loading it once more.
        if !waits && syncWindows.endsEarly && syncWindows.isOver(next) {
            finish(simulation, group, at: syncWindows.horizon)
        }
    }
}
