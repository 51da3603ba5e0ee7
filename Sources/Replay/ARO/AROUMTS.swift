import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice

/// The 3G energy model of the tool ARO, including its defects, for comparison. It handles one packet at a time. Source:
/// `RrcStateRangeFactoryImpl.create3G` in attdevsupport/VideoOptimizer@d164529.
///
/// An uplink packet begins a promotion; a downlink packet ends it. The result for a packet depends on the gap to the
/// previous packet and on the state of that packet. The resulting time ranges are stored in `AROUMTSRanges`, where they
/// can still change. A DCH tail is recognised afterwards. If a downlink packet on FACH comes too soon for a promotion
/// before it, the promotion is inserted after an earlier uplink packet.
///
/// Its defects: the mean time from FACH to DCH is its maximum, 3 s, and the maximum is zero; a packet that is forced to
/// stay on FACH moves to DCH all the same.
struct AROUMTS: AROModel {
    enum State: Sendable { case promotionFromIdle, promotionFromFACH, dch, fach }

    var order = AROReorderBuffer()
    let settings: AROUMTSSettings
    var ranges: AROUMTSRanges
    var state = State.promotionFromIdle
    /// Duration of the promotion up to now, in seconds.
    var timer = 0.0
    /// Time of the previous packet.
    var before = 0.0
    var demotion: ARODemotionQueue
    var queue: AROFACHQueue
    /// Packets on FACH since FACH was entered: direction and time.
    var run: [(isUp: Bool, at: Double)] = []
    private var count = 0

    init(_ settings: AROUMTSSettings) {
        self.settings = settings
        ranges = AROUMTSRanges(settings)
        demotion = ARODemotionQueue(settings)
        queue = AROFACHQueue(settings)
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
        ranges.billFinalRanges(before: safeMoment(packet.at))
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
        let mean = idle ? settings.idleToDCH : settings.fachToDCH
        let least = idle ? AROUMTSSettings.leastIdleToDCH : AROUMTSSettings.leastFACHToDCH
        let most = idle ? AROUMTSSettings.mostIdleToDCH : AROUMTSSettings.mostFACHToDCH
        let level: AROUMTSRanges.State = idle ? .promotionFromIdle : .promotionFromFACH
        let gap = packet.at - before
        var now = before
        if timer + gap <= least, packet.direction != .unknown {
            now = ranges.add(from: now, .greatestFiniteMagnitude, level, until: packet.at)
            timer += gap
        } else if timer + gap <= most {
            now = ranges.add(from: now, .greatestFiniteMagnitude, level, until: packet.at)
            enterDCH(packet)
        } else if timer + gap <= mean + settings.dchTimer {
            now = ranges.add(from: now, mean - timer, level, until: packet.at)
            now = ranges.add(from: now, .greatestFiniteMagnitude, .dch, until: packet.at)
            enterDCH(packet)
        } else if timer + gap <= mean + settings.dchTimer + settings.fachTimer {
            queue.reset()
            fillTailThenFACH(packet, [(mean - timer, level), (settings.dchTimer, .tailDCH)], from: now)
        } else {
            fillTailThenIdle(
                packet, [(mean - timer, level), (settings.dchTimer, .tailDCH), (settings.fachTimer, .tailFACH)],
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
        // The time recorded as DCH since the last restart of the timer was its tail.
        if gap <= tail + settings.fachTimer {
            queue.reset()
            ranges.relabelLatest(settings.dchTimer - tail, to: .tailDCH)
            fillTailThenFACH(packet, [(tail, .tailDCH)], from: before)
        } else {
            ranges.relabelLatest(settings.dchTimer - tail, to: .tailDCH)
            fillTailThenIdle(packet, [(tail, .tailDCH), (settings.fachTimer, .tailFACH)], from: before)
        }
    }

    private mutating func onFACH(_ packet: AROPacket) {
        guard packet.at - before <= settings.fachTimer else {
            return fillTailThenIdle(packet, [(settings.fachTimer, .tailFACH)], from: before)
        }
        let isOver = queue.exceedsLimit(adding: packet)
        guard packet.direction != .up, isOver else {
            _ = ranges.add(from: before, .greatestFiniteMagnitude, .fach, until: packet.at)
            if isOver { beginPromotionFromFACH() }
            return
        }
        if !promoteFromFACH(packet, in: settings.fachToDCH, orIfInstant: true),
            !promoteFromFACH(packet, in: AROUMTSSettings.leastFACHToDCH, orIfInstant: false),
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

    /// Fills the time up to the packet with these ranges, then FACH; FACH may promote.
    private mutating func fillTailThenFACH(
        _ packet: AROPacket, _ steps: [(length: Double, state: AROUMTSRanges.State)], from begin: Double
    ) {
        let isOver = queue.exceedsLimit(adding: packet)
        let isDownlinkPromotion = packet.direction == .down && isOver
        let limit = isDownlinkPromotion ? packet.at - settings.fachToDCH : packet.at
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

    /// Fills the time up to the packet with these ranges, then idle, and promotes from idle.
    private mutating func fillTailThenIdle(
        _ packet: AROPacket, _ steps: [(length: Double, state: AROUMTSRanges.State)], from begin: Double
    ) {
        let isUp = packet.direction == .up
        let limit = isUp ? packet.at : packet.at - settings.idleToDCH
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

    /// Adds a promotion of that length that ends at the packet. Returns `false` if it does not fit after the previous
    /// packet.
    private mutating func promoteFromFACH(_ packet: AROPacket, in length: Double, orIfInstant: Bool) -> Bool {
        let begins = packet.at - length
        guard begins > before || (orIfInstant && length < 1e-6) else { return false }
        let now = ranges.add(from: before, .greatestFiniteMagnitude, .fach, until: begins)
        _ = ranges.add(from: now, .greatestFiniteMagnitude, .promotionFromFACH, until: packet.at)
        return true
    }

    /// Adds a promotion after the latest uplink packet on FACH that is far enough back.
    private mutating func promoteAfterEarlier(_ packet: AROPacket) -> Bool {
        let least = AROUMTSSettings.leastFACHToDCH
        guard let earlier = run.last(where: { $0.isUp && packet.at >= $0.at + least })?.at else { return false }
        guard ranges.cut(from: earlier) else { return true }
        let length = packet.at >= earlier + settings.fachToDCH ? settings.fachToDCH : least
        ranges.append(earlier, earlier + length, .promotionFromFACH)
        ranges.append(earlier + length, before, .dch)
        _ = ranges.add(from: before, .greatestFiniteMagnitude, .dch, until: packet.at)
        return true
    }

    // MARK: Bounds

    /// Above this number, FACH packets that can no longer matter are dropped.
    private static let longestRun = 4_096

    private mutating func forgetOldRun() {
        let limit = before - AROUMTSSettings.leastFACHToDCH
        if let last = run.lastIndex(where: { $0.isUp && $0.at <= limit }) {
            run.removeFirst(last)
        } else {
            run.removeAll { !$0.isUp }
        }
    }

    /// Ranges that end before this time can no longer change.
    private func safeMoment(_ now: Double) -> Double {
        switch state {
        case .dch: min(demotion.restartedAt, now)
        case .fach: run.last { $0.isUp && $0.at <= now - AROUMTSSettings.leastFACHToDCH }?.at ?? run.first?.at ?? now
        case .promotionFromIdle, .promotionFromFACH: now
        }
    }
}
