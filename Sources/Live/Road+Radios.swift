import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneWorld

/// The phone's radios, each told what happens to it.
extension Road {
    /// What the radios were told that packets crossed, of a run that is over; empty where it is not whole.
    var scripts: [(interface: Interface, script: RadioScript)] {
        let used = ports.filter { port in watch.packets.contains { $0.interface == port.interface } }
        let scripts = used.compactMap { port in port.script.map { (port.interface, $0) } }
        return watch.unkept == 0 && scripts.count == used.count ? scripts : []
    }

    /// Of one moment after what it does by itself. Nil: the interface has none.
    @discardableResult
    mutating func tell(_ place: Int, _ verb: RadioCue.Verb, for cause: Cause = .baseline) -> Carried? {
        while let due = ports[place].radio?.nextTransition, due <= now { advanceRadio(place) }
        guard var radio = ports[place].radio else { return nil }
        let cue = RadioCue(at: now, verb)
        let carried = radio.obey(cue, for: cause, profile(place))
        ports[place].radio = radio
        ports[place].note(cue)
        spend(carried.spent, place)
        return carried
    }

    mutating func advanceRadio(_ place: Int) {
        let profile = profile(place)
        guard let advanced = ports[place].radio?.advance(profile) else { return }
        spend(advanced.spent, place)
        if advanced.promoted { watch.promoted(ports[place].interface, at: now) }
    }

    mutating func spend(_ residency: Residency?, _ place: Int) {
        guard let residency, residency.span > .zero else { return }
        let port = ports[place]
        residency.forEachShare(world.tailAttribution) { cause, span in
            watch.spent(span, at: residency.level, for: cause, on: port.interface, technology: port.technology, now)
        }
    }

    func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }

    /// Only of an interface that the phone has.
    func profile(_ place: Int) -> RadioProfile {
        let technology = Int(ports[place].technology)
        let profile =
            ports[place].interface == .wifi
            ? world.wifi : technology == 0 ? world.cellular : world.cellularAlternates[technology - 1]
        guard let profile else { preconditionFailure("no radio on \(ports[place].interface)") }
        return profile
    }
}
