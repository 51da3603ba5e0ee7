import DeadzoneClient
import DeadzoneJournal
import DeadzoneLane
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneWorld

/// Phones that meet at one server. Time is cut into rounds no longer than the quickest answer of the server: within a round no
/// phone can notice another. What two of them can notice of each other is only how long the server takes; so phones go on
/// alone for many rounds, a lap, and only who has come to the server waits for the round's end and its decision.
///
///     a lap begins ──all who are due go on──> rounds in which somebody came, in order:
///         the server takes their arrivals in the total order ──these go on──> a lap ends
extension Simulation {
    func runInRounds<R: Recorder>(
        _ phones: Range<UInt32>, into recorders: UnsafeMutableBufferPointer<R>, by helpers: some Helpers,
        _ isCancelled: () -> Bool
    ) {
        let rounds = Rounds(world)
        precondition(rounds.length > .zero, "phones that meet need links with a delay floor")
        let crowds = Crowds(self, phones, into: recorders, by: helpers)
        var server = Cluster(world.server, events: world.instanceEvents)
        var lap = Lap(phones: phones.count, isShared: crowds.areShared)
        while true {
            let first = crowds.next(before: world.horizon)
            let number = first.map { rounds.number(of: $0) }
            let begin = number.map { rounds.begin(of: $0) } ?? world.horizon
            let cut = server.nextCut(knownAt: begin)
            let cutRound = cut.map { rounds.first(from: $0.at) }
            if let cut, let at = cutRound.map({ rounds.begin(of: $0) }), at <= begin, at < world.horizon {
                server.noteCut()
                crowds.each(by: helpers) { $0.cut(cut.instance, at: at) }
                _ = crowds.takeArrivals({ _ in }, leavings: { server.leave($0.instance) })
                continue
            }
            guard let number else { break }
            lap.begin(number, before: cutRound, atMost: rounds.most)
            let end = rounds.end(of: lap.last)
            for part in 0..<crowds.parts {
                // Phones in the middle of their day.
                if isCancelled() { return crowds.each(by: helpers) { $0.flush() } }
                crowds.each(lap.turns, by: helpers) { $0.run(part, until: end) }
                lap.take(from: crowds, rounds)
            }
            lap.noteTurns()
            while let number = lap.nextRound {
                if isCancelled() { return crowds.each(by: helpers) { $0.flush() } }
                let roundEnd = rounds.end(of: number)
                let arrivals = lap.arrivals(in: number)
                for arrival in arrivals {
                    crowds.note(Crowd.Decision(arrival: arrival, verdict: server.decide(arrival, roundEnd: roundEnd)))
                }
                crowds.each(arrivals.count, by: helpers) { $0.settle(roundEnd: roundEnd, until: end) }
                lap.take(from: crowds, rounds)
                for leaving in lap.leavings(in: number) { server.leave(leaving.instance) }
            }
            lap.adapt()
        }
        let horizon = world.horizon
        crowds.each(by: helpers) {
            $0.finish(at: horizon)
            $0.flush()
        }
    }
}
