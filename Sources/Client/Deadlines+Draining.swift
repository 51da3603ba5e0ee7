/// Calls on a connection that drains (finishes its calls) while a newer connection takes the new calls. The call index
/// tells on which connection a call is.
extension CallTable {
    /// `true` if a call with an index below `end` was sent and has no answer yet.
    public func isSent(below end: UInt32) -> Bool {
        occupied.contains { isSent[$0] && index($0) < end }
    }
}

extension Deadlines {
    /// Called when the older connection has ended. Its calls, with an index below `end`, are sent again, or fail.
    public func closed(
        below end: UInt32, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        for place in calls.occupied where calls.isSent[place] && calls.index(place) < end {
            calls.isSent[place] = false
            if !retriesAfterReconnect {
                out.append(.abandon(call: calls.index(place), .unavailable))
                calls.release(place)
            }
        }
        rearm(&calls, &session)
    }
}
