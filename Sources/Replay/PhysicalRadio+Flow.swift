import DeadzoneDevice
import DeadzonePrimitives

/// Most packets are of one burst with the packet before. What they cost is a length of time at one of two levels: it is added up
/// here, and the radio is told of the last change of direction alone, when the burst is over.
extension PhysicalRadio {
    /// Takes packets for as long as bits go on flowing; gives back the first that it leaves.
    mutating func goOn(_ level: PowerLevel, _ blips: Span<Blip>, from start: Int, _ tolls: inout MutableSpan<Toll>)
        -> Int
    {
        guard book.from <= last else { return start }
        let (up, down, until) = (book.price(isUp: true), book.price(isUp: false), book.until)
        let (longestGap, keepsDirection) = (UInt64(longestGap), keepsDirection)
        var (flowsUp, lastWasUp, largest, last) = (level == .activeUp, lastWasUp, largest, last)
        var (upBytes, downBytes) = (0, 0)
        var index = start
        while index < blips.count {
            let blip = blips[index]
            let gap = blip.at &- last
            // An unsigned number that is too large for what flowed before the one in front of it.
            guard UInt64(bitPattern: gap) <= longestGap, blip.at <= until else { break }
            if gap > 0 {
                let flowsUpNow = lastWasUp && (blip.isUp || keepsDirection)
                if flowsUpNow != flowsUp {
                    book.addFlowing(flowsUp ? .activeUp : .activeDown, until: last)
                    flowsUp = flowsUpNow
                    hasChanged = true
                    told = last
                }
            }
            if gap > 0 || !keepsDirection || (blip.isUp ? blip.bytes >= largest : blip.bytes > largest) {
                lastWasUp = blip.isUp
                largest = blip.bytes
            }
            let bytes = Int(blip.bytes)
            upBytes &+= blip.isUp ? bytes : 0
            downBytes &+= blip.isUp ? 0 : bytes
            tolls[index] = Toll(
                before: Double(gap) * 1e-9 * (flowsUp ? up : down).watts,
                own: Double(blip.bytes) * (blip.isUp ? up : down).joulesOfByte)
            last = blip.at
            index &+= 1
        }
        book.count(upBytes: upBytes, downBytes: downBytes, until: last)
        (self.lastWasUp, self.largest, self.last) = (lastWasUp, largest, last)
        flowing = flowsUp ? .activeUp : .activeDown
        return index
    }

    /// As if the radio had been told of every change: what flowed before the last one is in the books.
    mutating func tellChange() {
        guard hasChanged else { return }
        hasChanged = false
        let (direction, change) = (radio.level == .activeUp ? Direction.up : .down, Instant(nanoseconds: told))
        _ = radio.flowOn(direction, until: change, at: radio.nextTransition, profile)
        while radio.nextTransition < change { _ = radio.advance(profile) }
        _ = radio.settle(at: change)
    }
}
