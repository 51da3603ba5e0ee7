import DeadzoneCaptures
import DeadzoneDevice
import DeadzonePrimitives

/// ARO's 3G machine, packet by packet (`RrcStateRangeFactoryImpl.create3G` in attdevsupport/VideoOptimizer@d164529).
///
/// An uplink packet begins a promotion, a downlink one ends it. What a packet finds depends on how long ago the one before
/// it was, and on the state that one was in; the state of the packet is what the next one finds. The ranges that follow from
/// it are written down in `AROUMTSRanges`, which can still be changed: a DCH tail is recognised afterwards, and a downlink
/// packet that comes too soon after others on FACH for a promotion before it has the promotion put in after an earlier
/// uplink packet.
///
/// Its defects: the mean time from FACH to DCH is its maximum, 3 s, and the maximum zero; a packet that is forced to stay
/// on FACH is on DCH after all.
struct AROUMTS: AROModel {
    enum State: Sendable { case promotionFromIdle, promotionFromFACH, dch, fach }

    var order = AROOrder()
    let numbers: AROUMTSNumbers
    var ranges: AROUMTSRanges
    var state = State.promotionFromIdle
    /// How long the promotion has been going on.
    var timer = 0.0
    /// The packet before.
    var before = 0.0
    var demotion: ARODemotionQueue
    var queue: AROFACHQueue
    /// Packets on FACH since it was entered: up and when.
    var run: [(isUp: Bool, at: Double)] = []
    private var count = 0

    init(_ numbers: AROUMTSNumbers) {
        self.numbers = numbers
        ranges = AROUMTSRanges(numbers)
        demotion = ARODemotionQueue(numbers)
        queue = AROFACHQueue(numbers)
    }

    mutating func fold(_ packet: AROPacket) {
        defer {
            before = packet.at
            count += 1
        }
        guard count > 0 else {
            _ = ranges.add(from: 0, .greatestFiniteMagnitude, .idle, until: packet.at)
            return
        }
        let wasOnFACH = state == .fach
        step(packet)
        if state == .fach {
            if !wasOnFACH { run.removeAll(keepingCapacity: true) }
            run.append((packet.direction == .up, packet.at))
            if run.count > Self.longestRun { forgetOldRun() }
        }
        ranges.settle(before: safeMoment(packet.at))
    }

    var bill: RadioBill { ranges.result }

    mutating func finish(until end: Double?) -> Double {
        if count > 0 { step(AROPacket(at: .greatestFiniteMagnitude, bytes: 0, direction: .up)) }
        return ranges.finish(until: end)
    }

    private mutating func step(_ packet: AROPacket) {
        switch state {
        case .promotionFromIdle, .promotionFromFACH: duringPromotion(packet)
        case .dch: onDCH(packet)
        case .fach: onFACH(packet)
        }
    }

    // MARK: States

    private mutating func duringPromotion(_ packet: AROPacket) {
        let idle = state == .promotionFromIdle
        let mean = idle ? numbers.idleToDCH : numbers.fachToDCH
        let least = idle ? AROUMTSNumbers.leastIdleToDCH : AROUMTSNumbers.leastFACHToDCH
        let most = idle ? AROUMTSNumbers.mostIdleToDCH : AROUMTSNumbers.mostFACHToDCH
        let level: AROUMTSRanges.State = idle ? .promotionFromIdle : .promotionFromFACH
        let gap = packet.at - before
        var now = before
        if timer + gap <= least, packet.direction != .unknown {
            now = ranges.add(from: now, .greatestFiniteMagnitude, level, until: packet.at)
            timer += gap
        } else if timer + gap <= most {
            now = ranges.add(from: now, .greatestFiniteMagnitude, level, until: packet.at)
            enterDCH(packet)
        } else if timer + gap <= mean + numbers.dchTimer {
            now = ranges.add(from: now, mean - timer, level, until: packet.at)
            now = ranges.add(from: now, .greatestFiniteMagnitude, .dch, until: packet.at)
            enterDCH(packet)
        } else if timer + gap <= mean + numbers.dchTimer + numbers.fachTimer {
            queue.reset()
            leaveTail(packet, [(mean - timer, level), (numbers.dchTimer, .tailDCH)], from: now)
        } else {
            leaveIdle(
                packet, [(mean - timer, level), (numbers.dchTimer, .tailDCH), (numbers.fachTimer, .tailFACH)],
                from: now)
        }
    }

    private mutating func onDCH(_ packet: AROPacket) {
        let tail = demotion.tail
        let gap = packet.at - before
        if gap <= tail + 1e-5 {
            _ = ranges.add(from: before, .greatestFiniteMagnitude, .dch, until: packet.at)
            demotion.update(packet)
            return
        }
        // What was booked as DCH since the timer was last restarted was its tail.
        if gap <= tail + numbers.fachTimer {
            queue.reset()
            ranges.changeBack(numbers.dchTimer - tail, to: .tailDCH)
            leaveTail(packet, [(tail, .tailDCH)], from: before)
        } else {
            ranges.changeBack(numbers.dchTimer - tail, to: .tailDCH)
            leaveIdle(packet, [(tail, .tailDCH), (numbers.fachTimer, .tailFACH)], from: before)
        }
    }

    private mutating func onFACH(_ packet: AROPacket) {
        guard packet.at - before <= numbers.fachTimer else {
            return leaveIdle(packet, [(numbers.fachTimer, .tailFACH)], from: before)
        }
        let isOver = queue.isOver(adding: packet)
        guard packet.direction != .up, isOver else {
            _ = ranges.add(from: before, .greatestFiniteMagnitude, .fach, until: packet.at)
            if isOver { beginPromotionFromFACH() }
            return
        }
        if !promoteFromFACH(packet, in: numbers.fachToDCH, orIfInstant: true),
            !promoteFromFACH(packet, in: AROUMTSNumbers.leastFACHToDCH, orIfInstant: false),
            !promoteAfterEarlier(packet)
        {
            _ = ranges.add(from: before, .greatestFiniteMagnitude, .fach, until: packet.at)
            queue.reset()
        }
        enterDCH(packet)
    }

    // MARK: Transitions

    private mutating func enterDCH(_ packet: AROPacket) {
        state = .dch
        demotion.begin(packet)
    }

    private mutating func beginPromotionFromFACH() {
        state = .promotionFromFACH
        timer = 0
    }

    /// Fills the time to the packet with these ranges and then FACH, from where it may promote.
    private mutating func leaveTail(
        _ packet: AROPacket, _ steps: [(length: Double, state: AROUMTSRanges.State)], from begin: Double
    ) {
        let isOver = queue.isOver(adding: packet)
        let isDownlinkPromotion = packet.direction == .down && isOver
        let limit = isDownlinkPromotion ? packet.at - numbers.fachToDCH : packet.at
        var now = begin
        for step in steps { now = ranges.add(from: now, step.length, step.state, until: limit) }
        now = ranges.add(from: now, .greatestFiniteMagnitude, .fach, until: limit)
        if isDownlinkPromotion {
            _ = ranges.add(from: now, .greatestFiniteMagnitude, .promotionFromFACH, until: packet.at)
            enterDCH(packet)
        } else if isOver {
            beginPromotionFromFACH()
        } else {
            state = .fach
        }
    }

    /// Fills the time to the packet with these ranges and then idle, from where it promotes.
    private mutating func leaveIdle(
        _ packet: AROPacket, _ steps: [(length: Double, state: AROUMTSRanges.State)], from begin: Double
    ) {
        let isUp = packet.direction == .up
        let limit = isUp ? packet.at : packet.at - numbers.idleToDCH
        var now = begin
        for step in steps { now = ranges.add(from: now, step.length, step.state, until: limit) }
        now = ranges.add(from: now, .greatestFiniteMagnitude, .idle, until: limit)
        if isUp {
            state = .promotionFromIdle
            timer = 0
        } else {
            _ = ranges.add(from: now, .greatestFiniteMagnitude, .promotionFromIdle, until: packet.at)
            enterDCH(packet)
        }
    }

    /// A promotion of that length that ends at the packet, if there is room for it after the packet before.
    private mutating func promoteFromFACH(_ packet: AROPacket, in length: Double, orIfInstant: Bool) -> Bool {
        let begins = packet.at - length
        guard begins > before || (orIfInstant && length < 1e-6) else { return false }
        let now = ranges.add(from: before, .greatestFiniteMagnitude, .fach, until: begins)
        _ = ranges.add(from: now, .greatestFiniteMagnitude, .promotionFromFACH, until: packet.at)
        return true
    }

    /// A promotion after the latest uplink packet on FACH that is long enough ago.
    private mutating func promoteAfterEarlier(_ packet: AROPacket) -> Bool {
        let least = AROUMTSNumbers.leastFACHToDCH
        guard let earlier = run.last(where: { $0.isUp && packet.at >= $0.at + least })?.at else { return false }
        guard ranges.cut(from: earlier) else { return true }
        let length = packet.at >= earlier + numbers.fachToDCH ? numbers.fachToDCH : least
        ranges.append(earlier, earlier + length, .promotionFromFACH)
        ranges.append(earlier + length, before, .dch)
        _ = ranges.add(from: before, .greatestFiniteMagnitude, .dch, until: packet.at)
        return true
    }

    // MARK: Bounds

    /// More packets than this on FACH are forgotten down to those that can still matter.
    private static let longestRun = 4_096

    private mutating func forgetOldRun() {
        let limit = before - AROUMTSNumbers.leastFACHToDCH
        if let last = run.lastIndex(where: { $0.isUp && $0.at <= limit }) {
            run.removeFirst(last)
        } else {
            run.removeAll { !$0.isUp }
        }
    }

    /// Ranges that end by then can no longer change.
    private func safeMoment(_ now: Double) -> Double {
        switch state {
        case .dch: min(demotion.restartedAt, now)
        case .fach: run.last { $0.isUp && $0.at <= now - AROUMTSNumbers.leastFACHToDCH }?.at ?? run.first?.at ?? now
        case .promotionFromIdle, .promotionFromFACH: now
        }
    }
}
