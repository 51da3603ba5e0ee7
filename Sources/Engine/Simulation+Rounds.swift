import DeadzoneClient
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneWorld

/// Phones that meet at one server. Time goes on in rounds no longer than the quickest answer of the server: within a round no
/// phone can notice another, so each runs alone; at its end the server takes the arrivals of all in the total order.
extension Simulation {
    func runInRounds(
        _ phones: Range<UInt32>, _ journal: consuming JournalBuffer, _ isCancelled: () -> Bool
    ) {
        let round = world.roundLength
        precondition(round > .zero, "phones that meet need links with a delay floor")
        let states = StateTable(strategy, count: phones.count)
        var stage = Stage(
            world: world, seed: seed, strategy: strategy, state: states.place(0), journal: journal)
        let lanes = UnsafeMutablePointer<Lane>.allocate(capacity: phones.count)
        defer { lanes.deinitialize(count: phones.count).deallocate() }
        var due = DueQueue(lanes: phones.count)
        var door = world.server.acceptsPerSecond.map { AdmissionQueue(acceptsPerSecond: $0) }
        let troubles = world.server.troubles
        var work = troubles.requestsPerSecond.map { WorkQueue(requestsPerSecond: $0, places: troubles.queue) }

        for index in 0..<phones.count {
            let phone = PhoneID(phones.lowerBound + UInt32(index))
            strategy.initialize(states.place(index))
            stage.turn(to: phone, state: states.place(index))
            (lanes + index).initialize(to: Lane(phone: phone, stage: stage))
            lanes[index].start(&stage)
            due.schedule(UInt32(index), at: lanes[index].due(stage))
        }

        while let next = due.first(before: world.horizon) {
            // Phones in the middle of their day.
            if isCancelled() { return stage.journal.flush() }
            let number = next.at.nanoseconds / round.nanoseconds
            let end = min(.zero + round * (number + 1), world.horizon)
            while let next = due.pop(before: end) {
                let lane = Int(next.lane)
                stage.turn(to: lanes[lane].phone, state: states.place(lane))
                due.schedule(next.lane, at: lanes[lane].run(until: end, &stage))
            }
            stage.arrivals.sort { ($0.at, $0.lane, $0.sequence) < ($1.at, $1.lane, $1.sequence) }
            for arrival in stage.arrivals {
                let lane = Int(arrival.lane - phones.lowerBound)
                stage.turn(to: lanes[lane].phone, state: states.place(lane))
                let decided =
                    arrival.call == nil
                    ? door?.admit(at: arrival.at, beside: arrival.handshake) ?? arrival.at
                    : work?.offer(at: arrival.at)
                lanes[lane].admit(arrival, at: decided, roundEnd: end, &stage)
                due.schedule(UInt32(lane), at: lanes[lane].due(stage))
            }
            stage.arrivals.removeAll(keepingCapacity: true)
        }

        for index in 0..<phones.count {
            stage.turn(to: lanes[index].phone, state: states.place(index))
            lanes[index].finish(at: world.horizon, &stage)
        }
        stage.journal.flush()
    }
}
