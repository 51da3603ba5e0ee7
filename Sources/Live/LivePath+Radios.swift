import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator

/// Calls to the phone's radios.
extension LivePath {
    /// The calls that the used radios received in a finished run. Empty if they are incomplete.
    var radioCalls: [(interface: Interface, script: RadioCallLog)] {
        let used = interfaces.filter { liveInterface in
            observer.packets.contains { $0.interface == liveInterface.interface }
        }
        let scripts = used.compactMap { liveInterface in liveInterface.callLog.map { (liveInterface.interface, $0) } }
        return observer.discardedPackets == 0 && scripts.count == used.count ? scripts : []
    }

    /// Calls the radio. Transitions that are due now come first. Returns `nil` if the interface has no radio.
    @discardableResult
    mutating func callRadio(_ place: Int, _ operation: RadioCall.Operation, for cause: Cause = .baseline)
        -> BurstOutcome?
    {
        while let due = interfaces[place].radio?.nextTransition, due <= now { advanceRadio(place) }
        guard var radio = interfaces[place].radio else { return nil }
        let call = RadioCall(at: now, operation)
        let carried = radio.apply(call, for: cause, profile(place))
        interfaces[place].radio = radio
        interfaces[place].recordCall(call)
        recordResidency(carried.spent, place)
        return carried
    }

    mutating func advanceRadio(_ place: Int) {
        let profile = profile(place)
        guard let advanced = interfaces[place].radio?.advance(profile) else { return }
        recordResidency(advanced.spent, place)
        if advanced.promoted { observer.recordPromotion(interfaces[place].interface, at: now) }
    }

    mutating func recordResidency(_ residency: Residency?, _ place: Int) {
        guard let residency, residency.span > .zero else { return }
        let liveInterface = interfaces[place]
        residency.forEachShare(world.tailAttribution) { cause, span in
            observer.recordResidency(
                span, at: residency.level, for: cause, on: liveInterface.interface,
                technology: liveInterface.technology, now)
        }
    }

    func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }

    /// The radio profile in use. The phone must have the interface.
    func profile(_ place: Int) -> RadioProfile {
        let technology = Int(interfaces[place].technology)
        let profile =
            interfaces[place].interface == .wifi
            ? world.wifi : technology == 0 ? world.cellular : world.cellularAlternates[technology - 1]
        guard let profile else { preconditionFailure("no radio on \(interfaces[place].interface)") }
        return profile
    }
}
