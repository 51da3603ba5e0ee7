import DeadzoneBase
import DeadzoneDevice
import DeadzoneTransport

/// Changes the radios and links of a phone, and records the radios' state changes and the time spent at each power level
/// (residency).
extension PacketNetwork {
    // MARK: Time

    /// Earliest instant at which a radio changes its state without a packet; `.never` if none does.
    @inline(__always)
    var radioAt: Instant {
        let at = min(
            accessPaths[Interface.wifi.arrayIndex].radioAt, accessPaths[Interface.cellular.arrayIndex].radioAt)
        return hasFurtherInterfaces ? min(at, nextFurtherRadio.at) : at
    }

    /// The radio beyond the common interfaces that changes its state next, and when.
    private var nextFurtherRadio: (at: Instant, interface: Interface) {
        var next = (at: Instant.never, interface: Interface.wifi)
        for interface in interfaces.dropFirst(Interface.common.count) {
            let at = accessPaths[interface.arrayIndex].radioAt
            if at < next.at { next = (at, interface) }
        }
        return next
    }

    /// Carries out the change of a radio's state that is due now. Of several radios, the one with the lowest number is
    /// first.
    mutating func advanceRadio(at now: Instant, _ resources: inout PacketResources) {
        let (wifi, cellular) = (
            accessPaths[Interface.wifi.arrayIndex].radioAt, accessPaths[Interface.cellular.arrayIndex].radioAt
        )
        if hasFurtherInterfaces, case let further = nextFurtherRadio, further.at < min(wifi, cellular) {
            return advanceRadio(further.interface, at: now, &resources)
        }
        advanceRadio(cellular < wifi ? .cellular : .wifi, at: now, &resources)
    }

    private mutating func advanceRadio(_ interface: Interface, at now: Instant, _ resources: inout PacketResources) {
        guard let advanced = accessPaths[interface.arrayIndex].advance(profile(interface, resources)) else { return }
        recordRadio(advanced.spent, interface, at: now, &resources)
        if advanced.promoted { journal(.promotion, interface, at: now, &resources) }
    }

    /// Records the present period of every radio, at the horizon.
    mutating func closeRadioPeriods(at now: Instant, _ resources: inout PacketResources) {
        for interface in interfaces {
            changeRadio(of: interface, at: now, &resources) { $0.closePeriod(at: now, $1, $2) }
        }
    }

    // MARK: Changes

    /// The interface has joined a network.
    mutating func join(
        _ interface: Interface, hasCoverage: Bool, at now: Instant, _ resources: inout PacketResources
    ) {
        changeRadio(of: interface, at: now, &resources) { $0.join(hasCoverage: hasCoverage, at: now, $1, $2) }
    }

    /// The interface has left its network. The packets that wait for its radio are dropped.
    mutating func leave(_ interface: Interface, at now: Instant, _ resources: inout PacketResources) {
        dropHeld(interface, at: now, &resources)
        changeRadio(of: interface, at: now, &resources) { $0.leave(at: now, $1, $2) }
    }

    /// Signal is lost or found. The packets that wait for the radio are dropped if it is lost.
    mutating func setCoverage(
        _ interface: Interface, _ isThere: Bool, at now: Instant, _ resources: inout PacketResources
    ) {
        if !isThere { dropHeld(interface, at: now, &resources) }
        changeRadio(of: interface, at: now, &resources) { $0.setCoverage(isThere, at: now, $1, $2) }
    }

    /// Hands the cellular radio over to another cell. Returns `false` if the technology interrupts no data.
    mutating func changeCell(at now: Instant, _ resources: inout PacketResources) -> Bool {
        let phases = RadioPhases.draw(profile(.cellular, resources).pointee, seed: resources.seed, phone: phone)
        let isInterrupted = changeRadio(of: .cellular, at: now, &resources) { $0.changeCell(phases, at: now, $1, $2) }
        guard isInterrupted == true else { return false }
        rescheduleHeld(.cellular, at: now, &resources)
        return true
    }

    /// Switches the cellular technology. Between networks with an LTE leg the radio connection stays, with the packets
    /// it holds. Otherwise the radio is idle on the new technology, and packets that waited for the old one are
    /// dropped. The IP address stays. Returns `false` if nothing changed.
    mutating func changeTechnology(
        to index: UInt8, hasCoverage: Bool, at now: Instant, _ resources: inout PacketResources
    ) -> Bool {
        guard let number = resources.cellularProfile(index) else { return false }
        let (old, new) = (profile(.cellular, resources), resources.profile(.cellular, number))
        let phases = RadioPhases.draw(new.pointee, seed: resources.seed, phone: phone)
        let held = changeRadio(of: .cellular, at: now, &resources) {
            $0.changeTechnology(to: number, hasCoverage: hasCoverage, at: now, from: old, to: new, phases, $2)
        }
        switch held ?? nil {
        case .kept: rescheduleHeld(.cellular, at: now, &resources)
        case .dropped: dropHeld(.cellular, at: now, &resources)
        case nil: return false
        }
        return true
    }

    /// Switches the cellular interface to a radio profile with other energy costs and to another link condition. The
    /// radio keeps its state. Returns `false` if the profile did not change.
    mutating func changeSignal(
        to index: UInt8, condition: UInt8, at now: Instant, _ resources: inout PacketResources
    ) -> Bool {
        guard let number = resources.cellularProfile(index),
            changeRadio(of: .cellular, at: now, &resources, { $0.changePowers(to: number, at: now, $1, $2) }) == true
        else { return false }
        _ = setLinkCondition(.cellular, condition: condition, resources)
        return true
    }

    /// Switches the link condition of an interface. Condition 0 is the usual one; the world's alternative conditions
    /// follow in their order. Returns `false` if nothing changed.
    mutating func setLinkCondition(
        _ interface: Interface, condition: UInt8, _ resources: borrowing PacketResources
    ) -> Bool {
        let purposes = interface.linkPurposes
        return accessPaths[interface.arrayIndex].setCondition(
            condition, up: resources.link(interface, .up, condition: condition).pointee,
            down: resources.link(interface, .down, condition: condition).pointee,
            dwells: (up: resources.dice(purposes.lossUp, phone), down: resources.dice(purposes.lossDown, phone)))
    }

    /// The current radio profile of an interface. The phone must have the interface.
    @inline(__always)
    func profile(_ interface: Interface, _ resources: borrowing PacketResources) -> UnsafePointer<RadioProfile> {
        resources.profile(interface, accessPaths[interface.arrayIndex].technology)
    }

    // MARK: Periods

    /// Changes the access path of an interface, and records the periods that end with the change. `change` receives the
    /// path, its current radio profile, and the receiver of the periods. Returns `nil` if the phone does not have the
    /// interface.
    @discardableResult
    private mutating func changeRadio<Result>(
        of interface: Interface, at now: Instant, _ resources: inout PacketResources,
        _ change: (inout AccessPath, UnsafePointer<RadioProfile>, RadioReport) -> Result
    ) -> Result? {
        guard accessPaths[interface.arrayIndex].exists else { return nil }
        let profile = profile(interface, resources)
        // A change of technology ends the period of the old one.
        let technology = accessPaths[interface.arrayIndex].technology
        return change(&accessPaths[interface.arrayIndex], profile) { _, spent in
            recordPeriod(spent, interface, technology, at: now, &resources)
        }
    }

    /// Records a period at one power level (a residency), if one ended.
    @inline(__always)
    func recordRadio(
        _ residency: Residency?, _ interface: Interface, at now: Instant, _ resources: inout PacketResources
    ) {
        recordPeriod(residency, interface, accessPaths[interface.arrayIndex].technology, at: now, &resources)
    }

    @inline(__always)
    private func recordPeriod(
        _ residency: Residency?, _ interface: Interface, _ technology: UInt8, at now: Instant,
        _ resources: inout PacketResources
    ) {
        guard let residency, residency.span > .zero else { return }
        // Equivalent to `Residency.forEachShare`.
        switch resources.tailAttribution {
        case .latest:
            recordShare(residency, residency.cause, residency.span, interface, technology, at: now, &resources)
        case .equalShares: recordShares(residency, interface, technology, at: now, &resources)
        }
    }

    /// Divides a residency equally among the causes that kept the radio awake, and records the shares. Rarely used;
    /// kept out of line to keep the hot path small.
    @inline(never)
    private func recordShares(
        _ residency: Residency, _ interface: Interface, _ technology: UInt8, at now: Instant,
        _ resources: inout PacketResources
    ) {
        residency.forEachShare(.equalShares) {
            recordShare(residency, $0, $1, interface, technology, at: now, &resources)
        }
    }

    @inline(__always)
    private func recordShare(
        _ residency: Residency, _ cause: Cause, _ span: TimeSpan, _ interface: Interface, _ technology: UInt8,
        at now: Instant, _ resources: inout PacketResources
    ) {
        let tag = RadioTag(
            interface: interface, technology: technology, level: residency.level, cause: cause,
            isSilent: residency.isSilent && residency.level.state == .active)
        journal(.residency, tag, value: span.nanoseconds, at: now, &resources)
    }
}
