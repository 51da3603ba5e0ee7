import DeadzoneDevice
import DeadzonePrimitives

/// The radio of a capture: the one that simulated phones have, told when bits flowed instead of asked to carry them.
///
/// A capture does not say for how long they did. Packets no further apart than `longestGap` are a burst, in which bits flow
/// without a pause: up if both packets went up, else down, for whoever waits for an answer listens. What follows the last
/// packet of a burst is silence. Where silence before DRX keeps the base power of the direction that flowed last, so does a
/// burst between two packets.
///
/// Where only the mean power of a whole tail was measured, it holds from the last bit on, silence before DRX included. Then
/// a burst is what flows: packets no further apart than `flowGap`. Otherwise every wait for an answer would be charged as
/// if bits flowed, and simulated packets would come back 2 to 5 % dearer than they were. On Wi-Fi silence up to the tail
/// time is active time, as in ARO; UMTS has buffers that know each packet, and no bursts.
///
/// What cannot be seen: on-durations and paging, handovers, promotions that brought nothing, and what waited for a promotion
/// together but flowed after it at several moments. A capture of a live run says all of it (`RadioScript`).
struct PhysicalRadio: Sendable {
    /// A full packet takes so long at 600 kbit/s; a round trip takes longer.
    static let flowGap = TimeSpan.milliseconds(20)

    /// As many packets of one moment are weighed together.
    private static let heldTogether = 64

    var book: LevelBook
    let profile: RadioProfile
    var radio: Radio
    /// What it is still to be told, where the capture says what the radio of the run was.
    var script: ArraySlice<RadioCue> = []
    var isScripted = false
    /// Silence that is longer ends a burst. It must be exceeded, not met.
    let longestGap: Int64
    /// How many bytes a packet has matters to the radio also within a burst.
    private let weighsPackets: Bool
    /// In the tails of LTE and NR it does not matter how much flows.
    private let hasPatientTail: Bool
    let keepsDirection: Bool
    /// Bytes of the packet of the latest moment that decided on the direction.
    var largest: UInt32 = 0
    private let stampsAreOfQueue: Bool
    private let beginsAtFirst: Bool
    private var outages = Outages()

    private var hasBegun = false
    var last: Int64 = -farthest
    var lastWasUp = false
    /// So far the radio has been told everything; `flowing`: since then bits flow on at its level, up to the last packet.
    var told: Int64 = -farthest
    var flowing: PowerLevel?
    /// The radio need not be told that bits change their direction before they cease: a connection without a second leg does
    /// nothing else meanwhile.
    let changesFreely: Bool
    /// They have, and the radio knows nothing of it.
    var hasChanged = false
    /// Up to then a lone packet changes nothing but that the tail begins anew, and the last one has not been told.
    private var quietUntil: Int64 = -farthest
    private var isLate = false

    init(_ profile: RadioProfile, stamps: StampMeaning, window: (from: Int64?, until: Int64)) {
        self.profile = profile
        radio = Radio(profile: profile, phases: RadioPhases(paging: 0, drx: 0), at: Instant(nanoseconds: -farthest))
        if profile.technology == .wifi { _ = radio.setAssociated(true, at: Instant(nanoseconds: -farthest)) }
        (longestGap, weighsPackets) = Self.rule(profile.machine)
        hasPatientTail = if case .cellular = profile.machine { true } else { false }
        keepsDirection =
            if case .cellular(let timers) = profile.machine {
                timers.tail.step(after: .zero).level == .activeDown
            } else { false }
        changesFreely =
            switch profile.machine {
            case .cellular(let timers): timers.secondPromotion == .zero
            case .umts: false
            case .wifi: !weighsPackets
            }
        stampsAreOfQueue = stamps == .enqueue
        beginsAtFirst = window.from == nil
        book = LevelBook(profile)
        book.from = window.from ?? -farthest
        book.until = window.until
    }

    private static func rule(_ machine: RadioProfile.Machine) -> (longestGap: Int64, weighsPackets: Bool) {
        switch machine {
        case .cellular(let timers):
            let hasInactivityPower = timers.tail.step(after: timers.drx.inactivity).level != .tail
            return ((hasInactivityPower ? timers.drx.inactivity : flowGap).nanoseconds, false)
        case .umts: return (-1, true)
        case .wifi(let timers): return (timers.tail.nanoseconds, timers.highBytes != nil)
        }
    }

    // MARK: Verbs

    mutating func lose(from: Int64, until: Int64) { outages.add(from, until, now: last) }

    /// Takes packets in the order of time, and says of each what it cost.
    mutating func fold(_ order: TimeOrder, _ tolls: inout [Toll]) {
        if isScripted { return foldScripted(order, &tolls) }
        let blips = order.blips.span.extracting(order.settled)
        var tolls = tolls.mutableSpan
        var index = 0
        while index < blips.count {
            if let level = flowing, changesFreely, book.isPlain {
                index = goOn(level, blips, from: index, &tolls)
                guard index < blips.count else { return }
            }
            fold(blips[index], weight: longestGap < 0 ? Self.weight(blips, index) : blips[index].bytes)
            tolls[index] = book.takeToll()
            index &+= 1
        }
    }

    /// What waited for a promotion together flowed at one moment, and the network decided on all of it: the first packet of
    /// a direction has the bytes of those that flowed with it, and they none.
    private static func weight(_ blips: Span<Blip>, _ index: Int) -> UInt32 {
        let blip = blips[index]
        var bytes = blip.bytes
        var other = index - 1
        while other >= 0, index - other < heldTogether, blips[other].at == blip.at {
            if blips[other].isUp == blip.isUp { return 0 }
            other -= 1
        }
        other = index + 1
        while other < blips.count, other - index < heldTogether, blips[other].at == blip.at {
            if blips[other].isUp == blip.isUp { bytes &+= blips[other].bytes }
            other += 1
        }
        return bytes
    }

    @inline(__always)
    private mutating func fold(_ blip: Blip, weight: UInt32) {
        // Queued behind data that waits for the same promotion.
        let now = max(blip.at, last)
        let isTogether = hasBegun && now == last
        if hasBegun, now &- last <= longestGap {
            let level: PowerLevel = lastWasUp && (blip.isUp || keepsDirection) ? .activeUp : .activeDown
            if flowing == level {
                book.share(level, until: now)
            } else if last < now {
                flow(level, until: now)
            }
            last = now
            if weighsPackets { tell(blip, weight, at: now) }
        } else if now <= quietUntil, outages.isEmpty {
            book.share(.tail, until: now)
            book.beginBurst(at: now, after: .tail)
            isLate = true
            last = now
        } else {
            last = begin(blip, weight, at: now)
        }
        noteLast(blip, isTogether: isTogether)
        // Where no bits flow on at their level, an NR leg is being added or all of this is of one moment.
        if keepsDirection, flowing == nil, !isLate, told == last {
            flowOn(lastWasUp ? .activeUp : .activeDown, until: last)
        }
        book.count(blip, at: last)
    }

    /// Which way bits flowed last, where that decides on a price: of packets at one moment the larger says, as for bursts of a
    /// simulated radio.
    @inline(__always)
    private mutating func noteLast(_ blip: Blip, isTogether: Bool) {
        if keepsDirection && isTogether && (blip.isUp ? blip.bytes < largest : blip.bytes <= largest) { return }
        lastWasUp = blip.isUp
        largest = blip.bytes
    }

    mutating func finish(_ end: ReplayWindow.End) {
        if isScripted { return finishScript(end) }
        tellLast()
        switch end {
        case .moment: break
        case .lastPacket: book.until = hasBegun ? last : book.from
        case .tail: book.until = hasBegun ? endOfTail() : book.from
        }
        let end = max(told, book.until)
        loseNetworks(before: end)
        run(before: end)
        book.add(radio.settle(at: Instant(nanoseconds: end)))
    }

    /// When the radio comes to rest, or loses its network.
    mutating func endOfTail() -> Int64 {
        let lost = outages.next(from: told, before: farthest)?.from ?? farthest
        while radio.level != .idle, radio.level != .inactive, radio.nextTransition.nanoseconds < lost { advance() }
        return radio.level == .idle || radio.level == .inactive ? told : lost
    }

    // MARK: Bursts

    /// Bits go on flowing from the last packet to this one.
    @inline(never)
    private mutating func flow(_ level: PowerLevel, until now: Int64) {
        tellLast()
        quietUntil = -farthest
        flowOn(level, until: now)
        run(before: now)
        if radio.level == level, !weighsPackets { flowing = level } else { told = now }
        book.share(radio.level, until: now)
    }

    /// Tells the radio for how long bits flowed, or of the last packet in its tail.
    private mutating func tellLast() {
        if isLate {
            isLate = false
            let burst = DeadzoneDevice.Burst(direction: .up, bytes: 0, airtime: .zero, cause: .payload)
            book.add(recall(burst, at: last).spent)
            book.addCounted(radio.settle(at: Instant(nanoseconds: last)))
        } else if let level = flowing {
            flowing = nil
            tellChange()
            flowOn(level, until: last)
        } else {
            return
        }
        // Signalling may have come meanwhile.
        run(before: last)
        told = last
        guard keepsDirection else { return }
        flowOn(lastWasUp ? .activeUp : .activeDown, until: last)
    }

    private mutating func flowOn(_ level: PowerLevel, until end: Int64) {
        book.add(
            radio.flowOn(
                level == .activeUp ? .up : .down, until: Instant(nanoseconds: end), at: Instant(nanoseconds: told),
                profile))
    }

    /// A packet after a silence; gives back when it flowed.
    @inline(never)
    private mutating func begin(_ blip: Blip, _ weight: UInt32, at now: Int64) -> Int64 {
        tellLast()
        loseNetworks(before: now)
        tell(blip, weight, at: now)
        if longestGap >= 0 {
            book.add(radio.settle(at: Instant(nanoseconds: told)))
            book.beginBurst(at: told)
        }
        return told
    }

    // MARK: The radio

    private mutating func tell(_ blip: Blip, _ weight: UInt32, at now: Int64) {
        let burst = DeadzoneDevice.Burst(
            direction: blip.isUp ? .up : .down, bytes: weight, airtime: .zero, cause: .payload)
        let carried: Carried
        if stampsAreOfQueue, blip.isUp {
            run(before: now)
            carried = radio.carry(burst, at: Instant(nanoseconds: now), profile)
            told = carried.flowsAt.nanoseconds
        } else {
            carried = recall(burst, at: now)
            told = now
        }
        if !hasBegun, beginsAtFirst {
            book.begin(after: carried.spent)
        } else {
            book.add(carried.spent)
        }
        hasBegun = true
        let flowed = told
        while radio.nextTransition.nanoseconds <= flowed { advance() }
        told = flowed
        book.share(radio.level, until: flowed)
        quietUntil = hasPatientTail && radio.level == .tail ? radio.nextTransition.nanoseconds : -farthest
    }

    private mutating func recall(_ burst: DeadzoneDevice.Burst, at now: Int64) -> Carried {
        while true {
            let since = Instant(nanoseconds: told)
            if let carried = radio.flowed(burst, at: Instant(nanoseconds: now), since: since, profile) {
                return carried
            }
            advance()
        }
    }

    private mutating func advance() {
        told = radio.nextTransition.nanoseconds
        book.add(radio.advance(profile).spent)
    }

    /// Every transition before then.
    private mutating func run(before end: Int64) {
        while radio.nextTransition.nanoseconds < end { advance() }
    }

    /// A packet says that there is a network again.
    private mutating func loseNetworks(before end: Int64) {
        while let outage = outages.next(from: told, before: end) {
            setNetwork(false, at: outage.from)
            setNetwork(true, at: min(outage.until, end))
        }
    }

    private mutating func setNetwork(_ isThere: Bool, at now: Int64) {
        run(before: now)
        told = now
        book.add(radio.setCoverage(isThere, at: Instant(nanoseconds: now), profile))
    }
}

/// What a packet cost: the radio time since the packet before it, idle apart, and what it caused itself.
struct Toll: Sendable, BitwiseCopyable {
    var before = 0.0
    var own = 0.0
}
