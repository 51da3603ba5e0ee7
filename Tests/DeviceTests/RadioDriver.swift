import DeadzoneBase
import DeadzoneDevice
import Testing

/// Drives one radio as the engine does: pending transitions first, then the call. Keeps the energy ledger and checks
/// every step.
struct RadioDriver {
    private(set) var profile: RadioProfile
    private(set) var radio: Radio
    private(set) var now = Instant.zero
    private(set) var ledger = Ledger()
    private(set) var steps: [(from: PowerLevel, to: PowerLevel)] = []
    private(set) var promotions = 0
    var tails = TailAttribution.latest

    init(_ profile: RadioProfile, phases: RadioPhases = RadioPhases(paging: 0, drx: 0)) {
        self.profile = profile
        radio = Radio(profile: profile, phases: phases, at: .zero)
        if profile.technology.isLocal { setAssociated(true) }
    }

    /// Advances through every transition until `end`, in order.
    mutating func run(until end: Instant) {
        while radio.nextTransition <= end, radio.nextTransition != .never {
            let due = radio.nextTransition
            #expect(now <= due, "a transition at \(due) is before now, \(now)")
            now = due
            let was = (level: radio.level, promoting: radio.isPromoting)
            book(radio.advance(profile).spent)
            if radio.isPromoting, !was.promoting { promotions += 1 }
            recordTransition(from: was.level)
        }
        now = end
    }

    mutating func run(for span: TimeSpan) { run(until: now + span) }

    @discardableResult
    mutating func carry(
        _ direction: Direction, bytes: UInt32 = 0, airtime: TimeSpan = .zero, cause: Cause = .payload
    ) -> BurstOutcome {
        let was = radio.level
        let carried = radio.carry(
            Burst(direction: direction, bytes: bytes, airtime: airtime, cause: cause), at: now, profile)
        book(carried.spent)
        if carried.promoted { promotions += 1 }
        #expect(now <= carried.flowsAt, "carried at \(now), flows at \(carried.flowsAt) already")
        recordTransition(from: was)
        return carried
    }

    /// Reports bits that flowed at `stamp`. Runs the earlier transitions that the radio requires first, then those up
    /// to the packet.
    mutating func flowed(_ burst: Burst, at stamp: Instant) {
        while true {
            let was = radio.level
            if let carried = radio.observeFlow(burst, at: stamp, since: now, profile) {
                book(carried.spent)
                if carried.promoted { promotions += 1 }
                recordTransition(from: was)
                return run(until: stamp)
            }
            run(until: radio.nextTransition)
        }
    }

    mutating func flowOn(_ direction: Direction, until end: Instant) {
        let was = radio.level
        book(radio.extendFlow(direction, until: end, at: now, profile))
        recordTransition(from: was)
    }

    mutating func setCoverage(_ present: Bool) {
        let was = radio.level
        book(radio.setCoverage(present, at: now, profile))
        recordTransition(from: was)
    }

    mutating func setAssociated(_ associated: Bool) {
        let was = radio.level
        book(radio.setAssociated(associated, at: now))
        recordTransition(from: was)
    }

    /// Length of a handover in a profile with handovers of constant length.
    static func handover(_ profile: RadioProfile) -> TimeSpan {
        profile.handover.length(RadioPhases(paging: 0, drx: 0), at: .zero)
    }

    /// Changes the network. `false` if the radio must be restarted.
    mutating func changeNetwork(to new: RadioProfile) -> Bool {
        settle()
        let was = radio.level
        defer { profile = new }
        let stays = radio.changeNetwork(from: profile, to: new, RadioPhases(paging: 0, drx: 0), at: now)
        if stays { recordTransition(from: was) }
        return stays
    }

    mutating func handover() {
        let was = radio.level
        book(radio.handover(at: now, lasting: Self.handover(profile), profile))
        recordTransition(from: was)
    }

    mutating func settle() { book(radio.closePeriod(at: now)) }

    /// The energy bill of everything until now, after closing the open period.
    mutating func bill() -> EnergyBill {
        settle()
        return EnergyBill(ledger, on: profile.interface, profile)
    }

    func time(at level: PowerLevel) -> TimeSpan {
        Cause.allCases.reduce(.zero) { $0 + ledger.time(at: level, for: $1, on: profile.interface) }
    }

    private mutating func book(_ residency: Residency?) {
        guard let residency else { return }
        #expect(.zero < residency.span, "an empty period was closed: \(residency)")
        ledger.add(residency, on: profile.interface, tails: tails)
    }

    private mutating func recordTransition(from level: PowerLevel) {
        if level != radio.level { steps.append((level, radio.level)) }
        #expect(now <= radio.nextTransition, "the next transition, at \(radio.nextTransition), is before \(now)")
    }
}
