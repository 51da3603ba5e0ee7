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
        residency.forEachShare(stage.world.tailAttribution) { cause, span in
            let tag = RadioTag(
                interface: interface, technology: ports[interface.port].technology, level: residency.level,
                cause: cause, isSilent: residency.isSilent && residency.level.state == .active)
            journal(.residency, tag, value: span.nanoseconds, &stage)
        }
    }
}
