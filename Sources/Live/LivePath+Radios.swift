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
        _ place: Int, _ change: (inout AccessPath, Instant, UnsafePointer<RadioProfile>, RadioReport) -> Result
    ) -> Result? {
        let own = interfaces[place]
        guard own.path.exists else { return nil }
        advanceRadio(place)
        let (profile, technology, at) = (own.profile, own.path.technology, now)
        return withUnsafePointer(to: profile) { profile in
            change(&own.path, at, profile) { operation, spent in
                own.recordCall(RadioCall(at: at, operation))
                recordResidency(spent, own.interface, technology)
            }
        }
    }

    /// Hands a packet to the radio, and records what the radio spent until now.
    mutating func offerToRadio(_ burst: Burst, _ place: Int) -> RadioOffer {
        let own = interfaces[place]
        advanceRadio(place)
        let offer = withUnsafePointer(to: own.profile) { own.path.offer(burst, at: now, $0) }
        own.recordCall(
            RadioCall(at: now, .carry(burst.direction, bytes: burst.bytes, airtime: burst.airtime)))
        if offer.isPromoted { observer.recordPromotion(own.interface, at: now) }
        recordResidency(offer.spent, own.interface, own.path.technology)
        return offer
    }

    /// Carries out the transitions of a radio that are due now.
    mutating func advanceRadio(_ place: Int) {
        let own = interfaces[place]
        while own.path.radioAt <= now {
            guard let advanced = withUnsafePointer(to: own.profile, { own.path.advance($0) }) else { return }
            recordResidency(advanced.spent, own.interface, own.path.technology)
            if advanced.promoted { observer.recordPromotion(own.interface, at: now) }
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
