import DeadzoneBase
import DeadzoneClient

/// Runs coupled phones, which share one server, by conservative parallel simulation.
///
/// Time is divided into sync windows no longer than the server's quickest answer. Within a window no phone can affect
/// another: phones affect each other only through the time that the server takes. Phones therefore run independently
/// for many windows (the lookahead). Only a phone that contacts the server waits for the end of its window and the
/// server's decision.
///
///     lookahead begins ──run all phones that are due──> for each window with arrivals, in order:
///         the server handles them in the total order ──run these phones on──> lookahead ends
extension Simulation {
    func runInSyncWindows<R: Recorder>(
        _ phones: Range<UInt32>, into recorders: UnsafeMutableBufferPointer<R>, by parallelFor: some ParallelFor,
        _ isCancelled: () -> Bool
    ) {
        let syncWindows = SyncWindows(world)
        precondition(syncWindows.length > .zero, "phones that meet need links with a delay floor")
        let partitions = CoupledPartitions(self, phones, into: recorders, by: parallelFor)
        var server = Cluster(world.server, events: world.instanceEvents)
        var lookahead = Lookahead(phones: phones.count, isShared: partitions.areSeveral)
        while true {
            let first = partitions.next(before: world.horizon)
            let number = first.map { syncWindows.number(of: $0) }
            let begin = number.map { syncWindows.begin(of: $0) } ?? world.horizon
            let cut = server.nextShutdown(knownAt: begin)
            let cutRound = cut.map { syncWindows.first(from: $0.at) }
            if let cut, let at = cutRound.map({ syncWindows.begin(of: $0) }), at <= begin, at < world.horizon {
                server.completeShutdown()
                partitions.each(by: parallelFor) { $0.terminateInstance(cut.instance, at: at) }
                _ = partitions.takeArrivals({ _ in }, departures: { server.releaseConnection($0.instance) })
                continue
            }
            guard let number else { break }
            lookahead.begin(number, before: cutRound, atMost: syncWindows.maxPerLookahead)
            let end = syncWindows.end(of: lookahead.last)
            for part in 0..<partitions.parts {
                // Cancelled phones stop in the middle of their simulated time.
                if isCancelled() { return partitions.each(by: parallelFor) { $0.flush() } }
                partitions.each(lookahead.turns, by: parallelFor) { $0.run(part, until: end) }
                lookahead.collect(from: partitions, syncWindows)
            }
            lookahead.recordTurns()
            while let number = lookahead.nextBusyWindow {
                if isCancelled() { return partitions.each(by: parallelFor) { $0.flush() } }
                let windowEnd = syncWindows.end(of: number)
                let arrivals = lookahead.arrivals(in: number)
                for arrival in arrivals {
                    partitions.add(
                        CoupledPhones.ArrivalDecision(
                            arrival: arrival, verdict: server.decide(arrival, windowEnd: windowEnd)))
                }
                partitions.each(arrivals.count, by: parallelFor) { $0.applyDecisions(windowEnd: windowEnd, until: end) }
                lookahead.collect(from: partitions, syncWindows)
                for departure in lookahead.departures(in: number) { server.releaseConnection(departure.instance) }
            }
            lookahead.adaptLength()
        }
        let horizon = world.horizon
        partitions.each(by: parallelFor) {
            $0.finish(at: horizon)
            $0.flush()
        }
    }
}
