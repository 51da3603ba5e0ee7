import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneWorld

/// What the radios spend, as it goes to the journal.
extension Lane {
    mutating func advanceRadio(_ interface: Interface, _ stage: inout Stage) {
        guard let advanced = ports[interface.port].radio?.advance(profile(interface, stage)) else { return }
        spend(advanced.spent, interface, &stage)
        if advanced.promoted { journal(.promotion, interface, &stage) }
    }

    mutating func settleRadio(_ interface: Interface, _ stage: inout Stage) {
        spend(ports[interface.port].radio?.settle(at: now), interface, &stage)
    }

    /// Follows every verb of a radio, whether or not a period ended with it.
    @inline(__always)
    func spend(_ residency: Residency?, _ interface: Interface, _ stage: inout Stage) {
        ports[interface.port].radioAt = ports[interface.port].radio?.nextTransition ?? .never
        guard let residency, residency.span > .zero else { return }
        // As `Residency.forEachShare` has it.
        switch stage.world.tailAttribution {
        case .latest: note(residency, residency.cause, residency.span, interface, &stage)
        case .equalShares: share(residency, interface, &stage)
        }
    }

    /// Few worlds want that: aside, it is in nobody's way.
    @inline(never)
    private func share(_ residency: Residency, _ interface: Interface, _ stage: inout Stage) {
        residency.forEachShare(.equalShares) { note(residency, $0, $1, interface, &stage) }
    }

    @inline(__always)
    private func note(
        _ residency: Residency, _ cause: Cause, _ span: TimeSpan, _ interface: Interface, _ stage: inout Stage
    ) {
        let tag = RadioTag(
            interface: interface, technology: ports[interface.port].technology, level: residency.level, cause: cause,
            isSilent: residency.isSilent && residency.level.state == .active)
        journal(.residency, tag, value: span.nanoseconds, &stage)
    }
}
