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
        guard ledger.from <= last else { return start }
        let (up, down, until) = (ledger.price(isUp: true), ledger.price(isUp: false), ledger.until)
        let (longestGap, keepsDirection) = (UInt64(longestGap), keepsDirection)
        var (flowsUp, lastWasUp, largest, last) = (level == .activeUp, lastWasUp, largest, last)
        var (upBytes, downBytes) = (0, 0)
        var index = start
        while index < replayPackets.count {
            let replayPacket = replayPackets[index]
            let gap = replayPacket.at &- last
            // A packet before the latest one gives a negative gap, which is too large as an unsigned number.
            guard UInt64(bitPattern: gap) <= longestGap, replayPacket.at <= until else { break }
            if gap > 0 {
                let flowsUpNow = lastWasUp && (replayPacket.isUp || keepsDirection)
                if flowsUpNow != flowsUp {
                    ledger.addFlowing(flowsUp ? .activeUp : .activeDown, until: last)
                    flowsUp = flowsUpNow
                    hasUnreportedChange = true
                    reportedUntil = last
                }
            }
            if gap > 0 || !keepsDirection
                || (replayPacket.isUp ? replayPacket.bytes >= largest : replayPacket.bytes > largest)
            {
                lastWasUp = replayPacket.isUp
                largest = replayPacket.bytes
            }
            let bytes = Int(replayPacket.bytes)
            upBytes &+= replayPacket.isUp ? bytes : 0
            downBytes &+= replayPacket.isUp ? 0 : bytes
            costs[index] = PacketCost(
                before: Double(gap) * 1e-9 * (flowsUp ? up : down).watts,
                own: Double(replayPacket.bytes) * (replayPacket.isUp ? up : down).joulesOfByte)
            last = replayPacket.at
            index &+= 1
        }
        ledger.count(upBytes: upBytes, downBytes: downBytes, until: last)
        (self.lastWasUp, self.largest, self.last) = (lastWasUp, largest, last)
        flowing = flowsUp ? .activeUp : .activeDown
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
