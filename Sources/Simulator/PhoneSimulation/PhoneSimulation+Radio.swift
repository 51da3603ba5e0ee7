import DeadzoneBase
import DeadzoneDevice

/// Records the radios' state changes in the journal, and the time spent at each power level (residency).
extension PhoneSimulation {
    mutating func advanceRadio(_ interface: Interface, _ context: inout WorkerContext) {
        guard let advanced = accessInterfaces[interface.arrayIndex].radio?.advance(profile(interface, context)) else {
            return
        }
        recordRadio(advanced.spent, interface, &context)
        if advanced.promoted { journal(.promotion, interface, &context) }
    }

    mutating func flushRadio(_ interface: Interface, _ context: inout WorkerContext) {
        recordRadio(accessInterfaces[interface.arrayIndex].radio?.closePeriod(at: now), interface, &context)
    }

    /// Records a residency (a period at one power level), if one ended, and updates the cached instant of the radio's
    /// next change. Call it after every radio call.
    @inline(__always)
    func recordRadio(_ residency: Residency?, _ interface: Interface, _ context: inout WorkerContext) {
        accessInterfaces[interface.arrayIndex].radioAt =
            accessInterfaces[interface.arrayIndex].radio?.nextTransition ?? .never
        guard let residency, residency.span > .zero else { return }
        // Equivalent to `Residency.forEachShare`.
        switch context.world.tailAttribution {
        case .latest: recordResidency(residency, residency.cause, residency.span, interface, &context)
        case .equalShares: recordShares(residency, interface, &context)
        }
    }

    /// Divides a residency equally among the causes that kept the radio awake, and records the shares. Rarely used;
    /// kept out of line to keep the hot path small.
    @inline(never)
    private func recordShares(_ residency: Residency, _ interface: Interface, _ context: inout WorkerContext) {
        residency.forEachShare(.equalShares) { recordResidency(residency, $0, $1, interface, &context) }
    }

    @inline(__always)
    private func recordResidency(
        _ residency: Residency, _ cause: Cause, _ span: TimeSpan, _ interface: Interface, _ context: inout WorkerContext
    ) {
        let tag = RadioTag(
            interface: interface, technology: accessInterfaces[interface.arrayIndex].technology, level: residency.level,
            cause: cause,
            isSilent: residency.isSilent && residency.level.state == .active)
        journal(.residency, tag, value: span.nanoseconds, &context)
    }
}
