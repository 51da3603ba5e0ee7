package import DeadzoneBase
package import DeadzoneDevice
package import DeadzoneTransport

/// The path of packets over one interface of a phone: its radio, and its links in both directions.
/// The simulated phone and a live run hold the same value, so a rule about packets exists once.
///
///     up:    phone ─▶ offer ─(held until data flows)─▶ endHold ─▶ cross ─▶ network
///     down:  network ─▶ cross ─▶ offer ─(held)─▶ endHold ─▶ phone
///
/// The owner keeps the packets, asks `NetworkCondition` whether the network lets them through, and records what the
/// functions report.
package struct AccessPath: ~Copyable {
    package private(set) var radio: Radio?
    /// Next instant at which the radio changes its state without a packet; `.never` if there is none. Cached here
    /// because every event reads it.
    package private(set) var radioAt: Instant
    private var up: Link
    private var down: Link
    /// Number of packets in either direction that wait until the radio is ready.
    package private(set) var held: UInt32 = 0
    /// Index of the radio's current profile (such as LTE or NR) in the world's profiles of this interface.
    package private(set) var technology: UInt8
    /// Index of the current link condition in `World.conditions(of:)`; 0 is the usual one.
    package private(set) var condition: UInt8 = 0

    /// - Parameter radio: `nil` if the phone does not have the interface.
    package init(radio: Radio?, up: consuming Link, down: consuming Link, technology: UInt8 = 0) {
        self.radio = radio
        radioAt = radio?.nextTransition ?? .never
        self.up = up
        self.down = down
        self.technology = technology
    }

    package var exists: Bool { radio != nil }

    // MARK: Packets

    /// Hands a packet to the radio, which becomes active for it now even if the packet has to wait.
    @inline(__always)
    package mutating func offer(_ burst: Burst, at now: Instant, _ profile: UnsafePointer<RadioProfile>) -> RadioOffer {
        var offer = RadioOffer(flowsAt: now)
        if let carried = radio?.carry(burst, at: now, profile) {
            radioAt = radio?.nextTransition ?? .never
            offer = RadioOffer(
                flowsAt: carried.flowsAt, lag: max(carried.airtime - burst.airtime, .zero), spent: carried.spent,
                isPromoted: carried.promoted)
        }
        // Packets held before it may still have to go first, even if the radio becomes ready at this very instant.
        offer.isHeld = now < offer.flowsAt + offer.lag || held > 0
        return offer
    }

    /// `true` if a downlink packet has to wait until the device of a profile with PSM or eDRX listens.
    @inline(__always)
    package func rests(_ profile: UnsafePointer<RadioProfile>) -> Bool {
        profile.pointee.savesPower && (radio?.level.isAtRest ?? false)
    }

    /// `true` if the core network holds as many packets for a resting device as it can. It drops further ones.
    package func isCoreFull(_ profile: UnsafePointer<RadioProfile>) -> Bool {
        profile.pointee.powerSaving.map { $0.heldPackets <= held } ?? false
    }

    /// Notes that the owner holds one more packet for the radio.
    package mutating func hold() { held += 1 }

    /// Notes that a held packet goes on or is dropped. If data flows later than promised, because of a handover, the
    /// owner has already given its held packets the later instant.
    package mutating func endHold() { held -= 1 }

    /// Sends a packet through the link, which may lose it or parts of it.
    @inline(__always)
    package mutating func cross(
        _ direction: Direction, bytes: UInt32, parts: UInt32, mayBeLate: Bool = true, at sentAt: Instant,
        over link: UnsafePointer<LinkDirection>, packets: Dice, dwells: Dice
    ) -> Transit {
        switch direction {
        case .up:
            up.transmit(
                bytes: bytes, parts: parts, mayBeLate: mayBeLate, at: sentAt, over: link, packets: packets,
                dwells: dwells)
        case .down:
            down.transmit(
                bytes: bytes, parts: parts, mayBeLate: mayBeLate, at: sentAt, over: link, packets: packets,
                dwells: dwells)
        }
    }

    // MARK: The radio

    /// Carries out a change of the radio's state that is due now.
    @inline(__always)
    package mutating func advance(_ profile: UnsafePointer<RadioProfile>) -> (spent: Residency?, promoted: Bool)? {
        defer { radioAt = radio?.nextTransition ?? .never }
        return radio?.advance(profile)
    }

    /// Makes a call to the radio, and reports it.
    private mutating func call(
        _ operation: RadioCall.Operation, at now: Instant, _ profile: UnsafePointer<RadioProfile>, _ report: RadioReport
    ) {
        guard
            let outcome = radio?.apply(RadioCall(at: now, operation), for: .baseline, profile.pointee)
        else { return }
        radioAt = radio?.nextTransition ?? .never
        report(operation, outcome.spent)
    }

    /// Ends the period at the radio's current power level, so that it can be recorded.
    package mutating func closePeriod(at now: Instant, _ profile: UnsafePointer<RadioProfile>, _ report: RadioReport) {
        call(.end, at: now, profile, report)
    }

    // MARK: Changes

    /// The interface has joined a network.
    package mutating func join(
        hasCoverage: Bool, at now: Instant, _ profile: UnsafePointer<RadioProfile>, _ report: RadioReport
    ) {
        up.resetQueue()
        down.resetQueue()
        guard profile.pointee.technology.isLocal else { return }
        call(.association(true), at: now, profile, report)
        if !hasCoverage { call(.coverage(false), at: now, profile, report) }
    }

    /// The interface has left its network. The owner drops the packets that it holds.
    package mutating func leave(at now: Instant, _ profile: UnsafePointer<RadioProfile>, _ report: RadioReport) {
        if profile.pointee.technology.isLocal { call(.association(false), at: now, profile, report) }
    }

    /// Signal is lost or found. The owner drops the packets that it holds if it is lost.
    package mutating func setCoverage(
        _ isThere: Bool, at now: Instant, _ profile: UnsafePointer<RadioProfile>, _ report: RadioReport
    ) {
        call(.coverage(isThere), at: now, profile, report)
    }

    /// Hands the radio over to another cell, during which no data flows. Returns `false` if the technology interrupts
    /// no data: the soft handover of UMTS.
    package mutating func changeCell(
        _ phases: RadioPhases, at now: Instant, _ profile: UnsafePointer<RadioProfile>, _ report: RadioReport
    ) -> Bool {
        guard exists, !profile.pointee.handover.isNone else { return false }
        call(.handover(lasting: profile.pointee.handover.length(phases, at: now)), at: now, profile, report)
        return true
    }

    /// The fate of packets that wait for the radio when its technology changes.
    package enum HeldPackets { case kept, dropped }

    /// Switches the technology. Between networks with an LTE leg the radio connection stays, with the packets it holds.
    /// Otherwise the radio is idle on the new technology. The IP address stays. Returns `nil` if nothing changed.
    package mutating func changeTechnology(
        to number: UInt8, hasCoverage: Bool, at now: Instant,
        from old: UnsafePointer<RadioProfile>, to profile: UnsafePointer<RadioProfile>, _ phases: RadioPhases,
        _ report: RadioReport
    ) -> HeldPackets? {
        guard exists, technology != number else { return nil }
        closePeriod(at: now, old, report)
        technology = number
        if radio?.changeNetwork(from: old.pointee, to: profile.pointee, phases, at: now) == true {
            radioAt = radio?.nextTransition ?? .never
            return .kept
        }
        radio = Radio(profile: profile.pointee, phases: phases, at: now)
        radioAt = radio?.nextTransition ?? .never
        if !hasCoverage { call(.coverage(false), at: now, profile, report) }
        return .dropped
    }

    /// Switches to a profile with other energy costs. The radio keeps its state. Returns `false` if nothing changed.
    package mutating func changePowers(
        to number: UInt8, at now: Instant, _ profile: UnsafePointer<RadioProfile>, _ report: RadioReport
    ) -> Bool {
        guard exists, technology != number else { return false }
        closePeriod(at: now, profile, report)
        technology = number
        return true
    }

    /// Switches the link condition. Returns `false` if nothing changed.
    package mutating func setCondition(
        _ number: UInt8, up upLink: LinkDirection, down downLink: LinkDirection, dwells: (up: Dice, down: Dice)
    ) -> Bool {
        guard exists, condition != number else { return false }
        condition = number
        up.change(to: upLink, dwells: dwells.up)
        down.change(to: downLink, dwells: dwells.down)
        return true
    }
}

/// Receives a call to a radio, for a recording, and the period at one power level that ended with it.
package typealias RadioReport = (RadioCall.Operation, Residency?) -> Void

/// The answer of a path to a packet for its radio.
package struct RadioOffer {
    /// Instant at which the packet's first bit can flow.
    package let flowsAt: Instant
    /// Time that the packet takes beyond the link's airtime. On a slow shared channel it can be long.
    package var lag = TimeSpan.zero
    /// The period at one power level that ended with the packet, if one did.
    package var spent: Residency?
    package var isPromoted = false
    /// `true` if the packet must wait for the radio, until `flowsAt + lag`.
    package fileprivate(set) var isHeld = false
}

/// The times of a packet that waits for the radio.
package struct HeldTimes: BitwiseCopyable, Sendable {
    /// Instant at which the packet can be sent: when its first bit flows, plus `lag`.
    package var at: Instant
    package var lag: TimeSpan

    package init(at: Instant, lag: TimeSpan) { (self.at, self.lag) = (at, lag) }

    /// Returns the packet's new times after the radio becomes ready earlier or later than promised; `nil` if they stay.
    /// Packets already being sent on a slow channel are not affected.
    @inline(__always)
    package func moved(to flowsAt: Instant, isSlow: Bool, at now: Instant) -> HeldTimes? {
        let own = at - lag
        guard now <= own, own != flowsAt || (!isSlow && lag > .zero) else { return nil }
        let lag = isSlow ? lag : .zero
        return HeldTimes(at: flowsAt + lag, lag: lag)
    }
}
