import DeadzoneBase
import DeadzoneDevice

/// The power levels of a radio over time, and the answers to bursts, for tables of exact times in microseconds.
struct RadioTimeline {
    struct Span: Equatable, CustomStringConvertible {
        var level: PowerLevel
        /// Time at which the level begins, in microseconds.
        var from: Int64

        init(_ level: PowerLevel, _ from: Int64) { (self.level, self.from) = (level, from) }

        var description: String { "\(level) from \(from)" }
    }

    let profile: RadioProfile
    private(set) var radio: Radio
    private(set) var now = Instant.zero
    private(set) var spans: [Span]
    /// Time from which each burst flows, in microseconds; -1 if never.
    private(set) var flows: [Int64] = []
    private(set) var airtimes: [Int64] = []

    init(_ profile: RadioProfile, paging: Int64 = 0, drx: Int64 = 0) {
        self.profile = profile
        radio = Radio(profile: profile, phases: RadioPhases(paging: paging, drx: drx), at: .zero)
        if profile.technology.isLocal { _ = radio.setAssociated(true, at: .zero) }
        spans = [Span(radio.level, 0)]
    }

    mutating func run(until end: Instant) {
        while radio.nextTransition <= end, radio.nextTransition != .never {
            now = radio.nextTransition
            _ = radio.advance(profile)
            note()
        }
        now = end
    }

    mutating func run(until microseconds: Int64) { run(until: .zero + .microseconds(microseconds)) }

    mutating func carry(
        _ direction: Direction, _ bytes: UInt32, at microseconds: Int64, plus nanoseconds: Int64 = 0,
        airtime: Int64 = 0
    ) {
        run(until: .zero + .microseconds(microseconds) + .nanoseconds(nanoseconds))
        let outcome = radio.carry(
            Burst(direction: direction, bytes: bytes, airtime: .microseconds(airtime), cause: .payload), at: now,
            profile
        )
        flows.append(outcome.flowsAt == .never ? -1 : (outcome.flowsAt - Instant.zero).nanoseconds / 1_000)
        airtimes.append(outcome.airtime.nanoseconds / 1_000)
        note()
    }

    mutating func handover(at microseconds: Int64, lasting span: Int64) {
        run(until: microseconds)
        _ = radio.handover(at: now, lasting: .microseconds(span), profile)
        note()
    }

    mutating func setCoverage(_ present: Bool, at microseconds: Int64) {
        run(until: microseconds)
        _ = radio.setCoverage(present, at: now, profile)
        note()
    }

    mutating func setAssociated(_ associated: Bool, at microseconds: Int64) {
        run(until: microseconds)
        _ = radio.setAssociated(associated, at: now)
        note()
    }

    /// Time from which held data can flow, in microseconds; -1 if never.
    var dataFlowsFrom: Int64 {
        radio.dataFlowsFrom == .never ? -1 : (radio.dataFlowsFrom - Instant.zero).nanoseconds / 1_000
    }

    /// A level of no length is not noted.
    private mutating func note() {
        let at = (now - Instant.zero).nanoseconds / 1_000
        guard spans.last?.level != radio.level else { return }
        if spans.last?.from == at { spans.removeLast() }
        if spans.last?.level != radio.level { spans.append(Span(radio.level, at)) }
    }
}
