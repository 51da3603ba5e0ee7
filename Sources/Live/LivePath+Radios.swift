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

    /// Changes the access path of an interface now, and records what its radio reports. Transitions of the radio that are
    /// due come first. `change` receives the path, the time, the current radio profile, and the receiver of the reports.
    /// Returns `nil` if the phone does not have the interface.
    @discardableResult
    mutating func changeRadio<Result>(
        _ liveInterface: LiveInterface,
        _ change: (inout AccessPath, Instant, UnsafePointer<RadioProfile>, RadioReport) -> Result
    ) -> Result? {
        guard liveInterface.path.exists else { return nil }
        advanceRadio(liveInterface)
        let (profile, technology, at) = (liveInterface.profile, liveInterface.path.technology, now)
        return withUnsafePointer(to: profile) { profile in
            change(&liveInterface.path, at, profile) { operation, spent in
                liveInterface.recordCall(RadioCall(at: at, operation))
                recordResidency(spent, liveInterface.interface, technology)
            }
        }
    }

    /// Hands a packet to the radio, and records what the radio spent until now.
    mutating func offerToRadio(_ burst: Burst, _ liveInterface: LiveInterface) -> RadioOffer {
        advanceRadio(liveInterface)
        let offer = withUnsafePointer(to: liveInterface.profile) { liveInterface.path.offer(burst, at: now, $0) }
        liveInterface.recordCall(
            RadioCall(at: now, .carry(burst.direction, bytes: burst.bytes, airtime: burst.airtime)))
        if offer.isPromoted { observer.recordPromotion(liveInterface.interface, at: now) }
        recordResidency(offer.spent, liveInterface.interface, liveInterface.path.technology)
        return offer
    }

    /// Carries out the transitions of a radio that are due now.
    mutating func advanceRadio(_ liveInterface: LiveInterface) {
        while liveInterface.path.radioAt <= now {
            guard let advanced = withUnsafePointer(to: liveInterface.profile, { liveInterface.path.advance($0) })
            else { return }
            recordResidency(advanced.spent, liveInterface.interface, liveInterface.path.technology)
            if advanced.promoted { observer.recordPromotion(liveInterface.interface, at: now) }
        }
    }

    private mutating func recordResidency(_ residency: Residency?, _ interface: Interface, _ technology: UInt8) {
        guard let residency, residency.span > .zero else { return }
        residency.forEachShare(world.tailAttribution) { cause, span in
            observer.recordResidency(span, at: residency.level, for: cause, on: interface, technology: technology, now)
        }
    }

    func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
}
