public import DeadzoneClient
public import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneTransport

/// The horizon: every message has its end.
extension Delivery {
    /// Messages of the server.
    /// - Parameter unreachable: So many that nothing carries any more and that another connection would not bring.
    /// - Parameter inFlight: So many are in the air, where they are datagrams and wait for no one; nil: they are not.
    public mutating func finishDown(
        written: UInt32, unreachable: Int64, inFlight: Int64?, _ session: inout Session,
        _ out: inout Steps<DeliveryStep>
    ) {
        let leftOut = leftOut?.pointee
        let passed = finishConsumption(&session, &out) + finishLeftOut(&session, &out)
        let open = Int64(written - seen.index) - passed
        let had = max(received, seen.index)
        let unreachable = min(unreachable, open)
        var pending = open - unreachable
        // What is not in the air is gone.
        if let inFlight { pending = min(pending, inFlight) }
        if open > pending { out.note(.lostDown, value: open - pending) }
        guard pending > 0, let course = said.pointee.downCourse else { return }
        out.note(.pendingDown, value: pending)
        let missing = consumption?.pointee.holes
        let newest = inFlight == nil ? seen.index : written - UInt32(pending)
        out.wait(course, from: seen, before: written, .waitedDown, at: session.now) {
            $0 >= newest
                && (inFlight != nil
                    || missing?.end(over: $0) == nil && leftOut?.end(over: $0) == nil
                        && !(had..<had + UInt32(unreachable)).contains($0))
        }
    }

    /// Messages of the app.
    /// - Parameter arrived: The server has, or has passed, everything below it.
    /// - Parameter carried: So many are on their way.
    public mutating func finishUp(
        arrived: UInt32, carried: Int64, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        let open = Int64(wanted.index - arrived)
        let forgotten = Int64(max(session.forgotten.position, arrived) - arrived)
        let lost = max(forgotten - carried, 0) + min(Int64(refused), max(open - forgotten, 0))
        if lost > 0 { out.note(.lostUp, value: lost) }
        if open > lost { out.note(.pendingUp, value: open - lost) }
        guard let course = said.pointee.upCourse else { return }
        // What is lost lies before what is on its way; what has come waits for its acknowledgement as long as the app keeps it.
        let skipped = skippedUp
        let (kept, onItsWay) = (session.forgotten.position, wanted.index - UInt32(max(open - lost, 0)))
        out.wait(course, from: confirmed, before: wanted.index, .waitedUp, at: session.now) {
            $0 < arrived ? kept <= $0 && !skipped.contains($0) : onItsWay <= $0
        }
    }
}

extension Steps where Step: Noting {
    /// Says of each message of a stretch that somebody still waits for how long it has been waited for.
    public mutating func wait(
        _ course: Course, from start: TrafficWalker, before end: UInt32, _ kind: Kind,
        at now: Instant, where isAwaited: (UInt32) -> Bool
    ) {
        var walker = start
        while walker.index < end {
            if isAwaited(walker.index) { note(kind, value: (now - walker.at).nanoseconds) }
            walker.advance(course)
        }
    }
}
