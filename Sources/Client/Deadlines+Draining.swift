/// Calls on a connection that finishes what was begun, while a newer one takes what is new. Which is which their index says.
extension CallTable {
    /// A call before this one was asked and has no answer yet.
    public func isAsked(below end: UInt32) -> Bool {
        isTaken.contains { isAsked[$0] && index($0) < end }
    }
}

extension Deadlines {
    /// The older connection is gone: what was asked on it is asked again, or fails.
    public func closed(
        below end: UInt32, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        for place in calls.isTaken where calls.isAsked[place] && calls.index(place) < end {
            calls.isAsked[place] = false
            if !asksAgain {
                out.append(.abandon(call: calls.index(place), .unavailable))
                calls.vacate(place)
            }
        }
        rearm(&calls, &session)
    }
}
