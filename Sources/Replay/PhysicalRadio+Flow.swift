import DeadzoneBase
import DeadzoneDevice

/// Fast path within a burst.
///
/// Most packets belong to the same burst as the previous packet. Their cost is time at one of two levels, which is
/// summed here. The radio gets only the last change of direction, when the burst ends.
extension PhysicalRadio {
    /// Processes packets while bits keep flowing. Returns the index of the first packet not processed.
    mutating func continueBurst(
        _ level: PowerLevel, _ replayPackets: Span<ReplayPacket>, from start: Int,
        _ costs: inout MutableSpan<PacketCost>
    )
        -> Int
    {
        // The packets are in time order: if the last one is within the window, all are.
        guard ledger.from <= last, replayPackets[replayPackets.count - 1].at <= ledger.until else { return start }
        return charge(level, replayPackets, from: start, &costs)
    }

    /// Charges the time before each packet and its bytes to it, up to the end of the burst. Returns the index of the
    /// first packet not charged.
    private mutating func charge(
        _ level: PowerLevel, _ replayPackets: Span<ReplayPacket>, from start: Int,
        _ costs: inout MutableSpan<PacketCost>
    )
        -> Int
    {
        let (up, down) = (ledger.price(isUp: true), ledger.price(isUp: false))
        let (longestGap, keepsDirection) = (UInt64(longestGap), keepsDirection)
        var (flowsUp, lastWasUp, largest, last) = (level == .activeUp, lastWasUp, largest, last)
        // The last change of direction, and the time for which bits flowed up before it.
        var (change, timeUp, hasChanged) = (ledger.bookedInWindow, Int64(0), false)
        var (bytes, upBytes) = (0, 0)
        var index = start
        while index < replayPackets.count {
            let replayPacket = replayPackets[index]
            let gap = replayPacket.at &- last
            // A packet before the latest one gives a negative gap, which is too large as an unsigned number.
            guard UInt64(bitPattern: gap) <= longestGap else { break }
            if gap > 0 {
                let flowsUpNow = lastWasUp && (replayPacket.isUp || keepsDirection)
                if flowsUpNow != flowsUp {
                    if flowsUp { timeUp &+= last &- change }
                    change = last
                    hasChanged = true
                    flowsUp = flowsUpNow
                }
                last = replayPacket.at
                lastWasUp = replayPacket.isUp
                largest = replayPacket.bytes
            } else if !keepsDirection
                || (replayPacket.isUp ? replayPacket.bytes >= largest : replayPacket.bytes > largest)
            {
                lastWasUp = replayPacket.isUp
                largest = replayPacket.bytes
            }
            bytes &+= Int(replayPacket.bytes)
            upBytes &+= replayPacket.isUp ? Int(replayPacket.bytes) : 0
            costs[index] = PacketCost(
                before: Double(gap) * 1e-9 * (flowsUp ? up.watts : down.watts),
                own: Double(replayPacket.bytes) * (replayPacket.isUp ? up.joulesOfByte : down.joulesOfByte))
            index &+= 1
        }
        if hasChanged {
            ledger.addFlowing(up: timeUp, until: change)
            hasUnreportedChange = true
            reportedUntil = change
        }
        (self.lastWasUp, self.largest, self.last) = (lastWasUp, largest, last)
        flowing = flowsUp ? .activeUp : .activeDown
        ledger.count(upBytes: upBytes, downBytes: bytes &- upBytes, until: last)
        return index
    }

    /// Brings the radio to the last change of direction. The time before that change is already in the ledger.
    mutating func reportDirectionChange() {
        guard hasUnreportedChange else { return }
        hasUnreportedChange = false
        let (direction, change) = (radio.level == .activeUp ? Direction.up : .down, Instant(nanoseconds: reportedUntil))
        _ = radio.extendFlow(direction, until: change, at: radio.nextTransition, profile)
        while radio.nextTransition < change { _ = radio.advance(profile) }
        _ = radio.closePeriod(at: change)
    }
}
