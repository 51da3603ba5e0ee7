package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// Accounts for every message that is still open at the horizon (the end of the run).
extension Delivery {
    /// Accounts for the server's messages at the horizon: each is lost or pending if the app has not shown it.
    /// - Parameters:
    ///   - unreachable: Number of messages that no connection carries and that a new one would not deliver.
    ///   - place: The place at which these are lost.
    ///   - inFlight: Number of messages in flight as datagrams, which are not retransmitted; `nil` without datagrams.
    package mutating func finishDown(
        written: UInt32, unreachable: Int64, at place: LossPlace = .sessionStart, inFlight: Int64?,
        _ session: inout Session,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        let leftOut = leftOut?.pointee
        let passed = finishConsumption(&session, &out) + finishLeftOut(&out)
        let open = Int64(written - seen.index) - passed
        let had = max(received, seen.index)
        let unreachable = min(unreachable, open)
        var pending = open - unreachable
        // Messages that are not in flight are lost.
        if let inFlight { pending = min(pending, inFlight) }
        if unreachable > 0 { noteLost(down: had..<had + UInt32(unreachable), at: place, &out) }
        let counted = had..<had + UInt32(unreachable)
        loseDatagrams(open - unreachable - pending, besides: leftOut, counted, &out)
        guard pending > 0, let course = traffic.pointee.downSchedule else { return }
        out.note(.pendingDown, value: pending)
        let missing = consumption?.pointee.missing
        let newest = inFlight == nil ? seen.index : written - UInt32(pending)
        out.noteWaits(course, from: seen, before: written, .waitedDown, at: session.now) {
            $0 >= newest
                && (inFlight != nil
                    || missing?.end(over: $0) == nil && leftOut?.end(over: $0) == nil
                        && !counted.contains($0))
        }
    }

    /// Records this number of messages as lost that were sent as datagrams and are not in flight: the first ones that
    /// the app has not shown and that were recorded neither as missing nor as unreachable.
    private func loseDatagrams(
        _ count: Int64, besides leftOut: MissingRanges?, _ unreachable: Range<UInt32>,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        func countedEnd(over message: UInt32) -> UInt32? {
            if unreachable.contains(message) { return unreachable.upperBound }
            return missingEnd(over: message) ?? leftOut?.end(over: message)
        }
        var (rest, message) = (count, seen.index)
        while rest > 0 {
            if let end = countedEnd(over: message) {
                message = end
                continue
            }
            let first = message
            while rest > 0, countedEnd(over: message) == nil {
                message += 1
                rest -= 1
            }
            noteLost(down: first..<message, at: .path, &out)
        }
    }

    /// Accounts for the app's own messages at the horizon: each is lost or pending if the server has not received it.
    /// - Parameters:
    ///   - arrived: The server has received, or has passed, all messages below this index.
    ///   - carried: Number of messages in flight.
    ///   - isDatagram: `true` if the connection sends datagrams.
    package mutating func finishUp(
        arrived: UInt32, carried: Int64, isDatagram: Bool = false, _ session: inout Session,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        let open = Int64(wanted.index - arrived)
        let forgotten = Int64(max(session.forgotten.position, arrived) - arrived)
        let (gone, dropped) = (max(forgotten - carried, 0), min(Int64(refused), max(open - forgotten, 0)))
        let lost = gone + dropped
        loseUp(arrived, arrived + UInt32(gone), isDatagram: isDatagram, &out)
        noteRefused(dropped, session, &out)
        if open > lost { out.note(.pendingUp, value: open - lost) }
        guard let course = traffic.pointee.upSchedule else { return }
        // Lost messages precede those in flight. Messages that arrived wait for their acknowledgement as long as the
        // app keeps them.
        let skipped = skippedUp
        let (kept, onItsWay) = (session.forgotten.position, wanted.index - UInt32(max(open - lost, 0)))
        out.noteWaits(course, from: confirmed, before: wanted.index, .waitedUp, at: session.now) {
            $0 < arrived ? kept <= $0 && !skipped.contains($0) : onItsWay <= $0
        }
    }
}

extension EffectQueue where Effect: JournalingEffect {
    /// Records how long each message of a range has waited, if `isAwaited` returns `true` for it.
    package mutating func noteWaits(
        _ course: MessageSchedule, from start: TrafficWalker, before end: UInt32, _ kind: RecordKind,
        at now: Instant, where isAwaited: (UInt32) -> Bool
    ) {
        var walker = start
        while walker.index < end {
            if isAwaited(walker.index) { note(kind, value: (now - walker.time).nanoseconds) }
            walker.advance(course)
        }
    }
}
