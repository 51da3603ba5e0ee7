import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice

/// Replays a capture on the radio model that simulated phones use, to compute its energy. The model is given the times
/// at which bits flowed, instead of being asked to carry them.
///
/// A capture does not contain the duration of transfers. Packets no further apart than `longestGap` form a burst, in
/// which bits flow without a pause: up if both packets went up, else down, because a phone that waits for an answer
/// listens. After the last packet of a burst there is silence. If silence before DRX keeps the base power of the last
/// direction, the time between two packets of a burst does too.
///
/// If only the mean power of a whole tail was measured, it applies from the last bit on, including the silence before
/// DRX. Then a burst consists of packets no further apart than `flowGap`. Otherwise every wait for an answer would be
/// charged as if bits flowed; replayed simulated packets would cost 2 to 5 % more than in the simulation. On Wi-Fi,
/// silence up to the tail time is active time, as in ARO. UMTS has buffers that depend on each packet, and no bursts.
///
/// A capture does not show on-durations and paging, handovers, and promotions without data. It also does not show
/// packets that waited together for a promotion but flowed at different times after it. A capture of a live run
/// contains all of this (`RadioCallLog`).
struct PhysicalRadio: Sendable {
    /// A full packet takes this long at 600 kbit/s; a round trip takes longer.
    static let flowGap = TimeSpan.milliseconds(20)

    /// Limit of packets with equal timestamps that are evaluated together.
    private static let simultaneousLimit = 64

    var ledger: StateTimeLedger
    let profile: RadioProfile
    var radio: Radio
    /// Remaining inputs of a recorded radio call log.
    var script: ArraySlice<RadioCall> = []
    var isScripted = false
    /// A burst ends after a silence strictly longer than this.
    let longestGap: Int64
    /// `true` if packet sizes affect the radio also within a burst.
    private let dependsOnPacketSize: Bool
    /// `true` if the tail does not depend on the amount of data: LTE and NR.
    private let hasSizeIndependentTail: Bool
    let keepsDirection: Bool
    /// Size of the packet that decided on the direction at the latest timestamp.
    var largest: UInt32 = 0
    private let stampsMarkEnqueue: Bool
    private let beginsAtFirst: Bool
    private var outages = PendingOutages()

    private var hasBegun = false
    var last: Int64 = -farthest
    var lastWasUp = false
    /// Time up to which the radio model is advanced. `flowing` is the level at which bits flow since then, up to the
    /// last packet.
    var reportedUntil: Int64 = -farthest
    var flowing: PowerLevel?
    /// `true` if direction changes can be merged until the flow ends: a connection without a second leg does nothing
    /// else meanwhile.
    let mergesDirectionChanges: Bool
    /// `true` if the direction changed and the radio model has not been advanced to the change.
    var hasUnreportedChange = false
    /// Up to this time a single packet only restarts the tail. `hasUnreportedTailPacket` is set if the last such packet
    /// was not passed to the radio.
    private var tailUntil: Int64 = -farthest
    private var hasUnreportedTailPacket = false

    init(_ profile: RadioProfile, stamps: TimestampMeaning, window: (from: Int64?, until: Int64)) {
        self.profile = profile
        // The state of a device with PSM before its first packet is not known: it is idle until then.
        radio = Radio(idle: profile, phases: RadioPhases(paging: 0, drx: 0), at: Instant(nanoseconds: -farthest))
        if profile.technology.isLocal { _ = radio.setAssociated(true, at: Instant(nanoseconds: -farthest)) }
        (longestGap, dependsOnPacketSize) = Self.rule(profile.machine)
        hasSizeIndependentTail = if case .cellular = profile.machine { true } else { false }
        keepsDirection =
            if case .cellular(let timers) = profile.machine {
                timers.tail.step(after: .zero).level == .activeDown
            } else { false }
        mergesDirectionChanges =
            switch profile.machine {
            case .cellular(let timers): timers.secondPromotion == .zero
            case .umts: false
            case .wifi: !dependsOnPacketSize
            }
        stampsMarkEnqueue = stamps == .enqueue
        beginsAtFirst = window.from == nil
        ledger = StateTimeLedger(profile)
        ledger.from = window.from ?? -farthest
        ledger.until = window.until
    }

    private static func rule(_ machine: RadioProfile.MachineTimers) -> (longestGap: Int64, dependsOnPacketSize: Bool) {
        switch machine {
        case .cellular(let timers):
            let hasInactivityPower = timers.tail.step(after: timers.drx.inactivity).level != .tail
            return ((hasInactivityPower ? timers.drx.inactivity : flowGap).nanoseconds, false)
        case .umts: return (-1, true)
        case .wifi(let timers): return (timers.tail.nanoseconds, timers.highBytes != nil)
        }
    }

    // MARK: Input

    mutating func addOutage(from: Int64, until: Int64) { outages.add(from, until, now: last) }

    /// Processes packets in time order and stores the cost of each.
    mutating func fold(_ replayPackets: Span<ReplayPacket>, _ costs: inout [PacketCost]) {
        if isScripted { return foldScripted(replayPackets, &costs) }
        var costs = costs.mutableSpan
        var index = 0
        while index < replayPackets.count {
            if let level = flowing, mergesDirectionChanges, ledger.hasNoTimeline {
                index = continueBurst(level, replayPackets, from: index, &costs)
                guard index < replayPackets.count else { return }
            }
            fold(
                replayPackets[index],
                weight: longestGap < 0 ? Self.weight(replayPackets, index) : replayPackets[index].bytes)
            costs[index] = ledger.takeCost()
            index &+= 1
        }
    }

    /// Size that a packet counts with.
    ///
    /// Packets that waited for a promotion together flowed at one time, and the network decided on all of them. The
    /// first packet of a direction counts with the bytes of all, and the others with none.
    private static func weight(_ replayPackets: Span<ReplayPacket>, _ index: Int) -> UInt32 {
        let replayPacket = replayPackets[index]
        var bytes = replayPacket.bytes
        var other = index - 1
        while other >= 0, index - other < simultaneousLimit, replayPackets[other].at == replayPacket.at {
            if replayPackets[other].isUp == replayPacket.isUp { return 0 }
            other -= 1
        }
        other = index + 1
        while other < replayPackets.count, other - index < simultaneousLimit, replayPackets[other].at == replayPacket.at
        {
            if replayPackets[other].isUp == replayPacket.isUp { bytes &+= replayPackets[other].bytes }
            other += 1
        }
        return bytes
    }

    @inline(__always)
    private mutating func fold(_ replayPacket: ReplayPacket, weight: UInt32) {
        // A packet before the latest one was queued behind data that waited for the same promotion.
        let now = max(replayPacket.at, last)
        let isTogether = hasBegun && now == last
        if hasBegun, now &- last <= longestGap {
            let level: PowerLevel = lastWasUp && (replayPacket.isUp || keepsDirection) ? .activeUp : .activeDown
            if flowing == level {
                ledger.accrue(level, until: now)
            } else if last < now {
                flow(level, until: now)
            }
            last = now
            if dependsOnPacketSize { report(replayPacket, weight, at: now) }
        } else if now <= tailUntil, outages.isEmpty {
            ledger.accrue(.tail, until: now)
            ledger.beginBurst(at: now, after: .tail)
            hasUnreportedTailPacket = true
            last = now
        } else {
            last = begin(replayPacket, weight, at: now)
        }
        rememberDirection(replayPacket, isTogether: isTogether)
        // If no bits keep flowing at their level, an NR leg is being added, or all packets have one timestamp.
        if keepsDirection, flowing == nil, !hasUnreportedTailPacket, reportedUntil == last {
            flowOn(lastWasUp ? .activeUp : .activeDown, until: last)
        }
        ledger.count(replayPacket, at: last)
    }

    /// Remembers the last direction if it decides on a price. Among packets with one timestamp the larger packet
    /// decides, as for bursts of a simulated radio.
    @inline(__always)
    private mutating func rememberDirection(_ replayPacket: ReplayPacket, isTogether: Bool) {
        if keepsDirection && isTogether
            && (replayPacket.isUp ? replayPacket.bytes < largest : replayPacket.bytes <= largest)
        {
            return
        }
        lastWasUp = replayPacket.isUp
        largest = replayPacket.bytes
    }

    /// Adds the rest of the radio time.
    /// - Parameter ending: End of the radio time, whatever the window says.
    mutating func finish(_ ending: RadioReplay.AccountingEnd?, _ window: ReplayWindow, since origin: Timestamp) {
        guard let ending else { return finish(window.until) }
        ledger.end(ending, since: origin)
        finish(.moment(.at(.epoch)))
    }

    private mutating func finish(_ end: ReplayWindow.WindowEnd) {
        if isScripted { return finishScript(end) }
        reportLastPackets()
        switch end {
        case .moment: break
        case .lastPacket: ledger.until = hasBegun ? last : ledger.from
        case .tail: ledger.until = hasBegun ? endOfTail() : ledger.from
        }
        let end = max(reportedUntil, ledger.until)
        applyOutages(before: end)
        runTransitions(before: end)
        ledger.add(radio.closePeriod(at: Instant(nanoseconds: end)))
    }

    /// Time at which the radio is idle, or loses its network.
    mutating func endOfTail() -> Int64 {
        let lost = outages.next(from: reportedUntil, before: farthest)?.from ?? farthest
        while radio.level != .idle, radio.level != .inactive, radio.nextTransition.nanoseconds < lost { advance() }
        return radio.level == .idle || radio.level == .inactive ? reportedUntil : lost
    }

    // MARK: Bursts

    /// Lets bits flow from the last packet to this one.
    @inline(never)
    private mutating func flow(_ level: PowerLevel, until now: Int64) {
        reportLastPackets()
        tailUntil = -farthest
        flowOn(level, until: now)
        runTransitions(before: now)
        if radio.level == level, !dependsOnPacketSize { flowing = level } else { reportedUntil = now }
        ledger.accrue(radio.level, until: now)
    }

    /// Brings the radio model up to the last packet: the flow of the burst, or a single packet in the tail.
    private mutating func reportLastPackets() {
        if hasUnreportedTailPacket {
            hasUnreportedTailPacket = false
            let burst = DeadzoneDevice.Burst(direction: .up, bytes: 0, airtime: .zero, cause: .payload)
            ledger.add(reportFlowed(burst, at: last).spent)
            ledger.addCounted(radio.closePeriod(at: Instant(nanoseconds: last)))
        } else if let level = flowing {
            flowing = nil
            reportDirectionChange()
            flowOn(level, until: last)
        } else {
            return
        }
        // Signalling may have occurred meanwhile.
        runTransitions(before: last)
        reportedUntil = last
        guard keepsDirection else { return }
        flowOn(lastWasUp ? .activeUp : .activeDown, until: last)
    }

    private mutating func flowOn(_ level: PowerLevel, until end: Int64) {
        ledger.add(
            radio.extendFlow(
                level == .activeUp ? .up : .down, until: Instant(nanoseconds: end),
                at: Instant(nanoseconds: reportedUntil),
                profile))
    }

    /// Processes a packet after a silence. Returns the time at which it flowed.
    @inline(never)
    private mutating func begin(_ replayPacket: ReplayPacket, _ weight: UInt32, at now: Int64) -> Int64 {
        reportLastPackets()
        applyOutages(before: now)
        report(replayPacket, weight, at: now)
        if longestGap >= 0 {
            ledger.add(radio.closePeriod(at: Instant(nanoseconds: reportedUntil)))
            ledger.beginBurst(at: reportedUntil)
        }
        return reportedUntil
    }

    // MARK: The radio

    private mutating func report(_ replayPacket: ReplayPacket, _ weight: UInt32, at now: Int64) {
        let burst = DeadzoneDevice.Burst(
            direction: replayPacket.isUp ? .up : .down, bytes: weight, airtime: .zero, cause: .payload)
        let carried: BurstOutcome
        if stampsMarkEnqueue, replayPacket.isUp {
            runTransitions(before: now)
            carried = radio.carry(burst, at: Instant(nanoseconds: now), profile)
            reportedUntil = carried.flowsAt.nanoseconds
        } else {
            carried = reportFlowed(burst, at: now)
            reportedUntil = now
        }
        if !hasBegun, beginsAtFirst {
            ledger.begin(after: carried.spent)
        } else {
            ledger.add(carried.spent)
        }
        hasBegun = true
        let flowed = reportedUntil
        while radio.nextTransition.nanoseconds <= flowed { advance() }
        reportedUntil = flowed
        ledger.accrue(radio.level, until: flowed)
        tailUntil = hasSizeIndependentTail && radio.level == .tail ? radio.nextTransition.nanoseconds : -farthest
    }

    private mutating func reportFlowed(_ burst: DeadzoneDevice.Burst, at now: Int64) -> BurstOutcome {
        while true {
            let since = Instant(nanoseconds: reportedUntil)
            if let carried = radio.observeFlow(burst, at: Instant(nanoseconds: now), since: since, profile) {
                return carried
            }
            advance()
        }
    }

    private mutating func advance() {
        reportedUntil = radio.nextTransition.nanoseconds
        ledger.add(radio.advance(profile).spent)
    }

    /// Runs all transitions before that time.
    private mutating func runTransitions(before end: Int64) {
        while radio.nextTransition.nanoseconds < end { advance() }
    }

    /// Applies outages before `end`. A packet proves that the network is back.
    private mutating func applyOutages(before end: Int64) {
        while let outage = outages.next(from: reportedUntil, before: end) {
            setNetwork(false, at: outage.from)
            setNetwork(true, at: min(outage.until, end))
        }
    }

    private mutating func setNetwork(_ isThere: Bool, at now: Int64) {
        runTransitions(before: now)
        reportedUntil = now
        ledger.add(radio.setCoverage(isThere, at: Instant(nanoseconds: now), profile))
    }
}

/// The energy that one packet costs, in joules. It has two parts: the radio time since the previous packet (idle
/// excluded), and what the packet itself caused.
struct PacketCost: Sendable, BitwiseCopyable {
    var before = 0.0
    var own = 0.0
}
