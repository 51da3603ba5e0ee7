import DeadzoneBase
import DeadzoneDevice

/// Records the radios' state changes in the journal, and the time spent at each power level (residency).
extension PhoneSimulation {
    mutating func advanceRadio(_ interface: Interface, _ context: inout WorkerContext) {
        guard let advanced = accessPaths[interface.arrayIndex].advance(profile(interface, context)) else { return }
        recordRadio(advanced.spent, interface, &context)
        if advanced.promoted { journal(.promotion, interface, &context) }
    }

    mutating func flushRadio(_ interface: Interface, _ context: inout WorkerContext) {
        changeRadio(of: interface, &context) { $0.closePeriod(at: $1, $2, $3) }
    }

    /// Changes the access path of an interface, and records the periods that end with the change. `change` receives the
    /// path, the time, the current radio profile, and the receiver of the periods.
    @discardableResult
    mutating func changeRadio<Result>(
        of interface: Interface, _ context: inout WorkerContext,
        _ change: (inout AccessPath, Instant, UnsafePointer<RadioProfile>, RadioReport) -> Result
    ) -> Result? {
        guard accessPaths[interface.arrayIndex].exists else { return nil }
        let profile = profile(interface, context)
        // A change of technology ends the period of the old one.
        let technology = accessPaths[interface.arrayIndex].technology
        return change(&accessPaths[interface.arrayIndex], now, profile) { _, spent in
            recordPeriod(spent, interface, technology, &context)
        }
    }

    /// Records a period at one power level (a residency), if one ended.
    @inline(__always)
    func recordRadio(_ residency: Residency?, _ interface: Interface, _ context: inout WorkerContext) {
        recordPeriod(residency, interface, accessPaths[interface.arrayIndex].technology, &context)
    }

    @inline(__always)
    private func recordPeriod(
        _ residency: Residency?, _ interface: Interface, _ technology: UInt8, _ context: inout WorkerContext
    ) {
        guard let residency, residency.span > .zero else { return }
        // Equivalent to `Residency.forEachShare`.
        switch context.world.tailAttribution {
        case .latest: recordShare(residency, residency.cause, residency.span, interface, technology, &context)
        case .equalShares: recordShares(residency, interface, technology, &context)
        }
    }

    /// Divides a residency equally among the causes that kept the radio awake, and records the shares. Rarely used;
    /// kept out of line to keep the hot path small.
    @inline(never)
    private func recordShares(
        _ residency: Residency, _ interface: Interface, _ technology: UInt8, _ context: inout WorkerContext
    ) {
        residency.forEachShare(.equalShares) { recordShare(residency, $0, $1, interface, technology, &context) }
    }

    @inline(__always)
    private func recordShare(
        _ residency: Residency, _ cause: Cause, _ span: TimeSpan, _ interface: Interface, _ technology: UInt8,
        _ context: inout WorkerContext
    ) {
        let tag = RadioTag(
            interface: interface, technology: technology, level: residency.level, cause: cause,
            isSilent: residency.isSilent && residency.level.state == .active)
        journal(.residency, tag, value: span.nanoseconds, &context)
    }
}
