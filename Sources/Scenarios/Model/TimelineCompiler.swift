import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneSystem
import DeadzoneWorld

/// Turns the lines of a timeline into changes in order of time, by walking through them with the phone's networks in mind:
/// a change that would change nothing is a fault, since a scenario must not claim what it does not do.
struct TimelineCompiler {
    /// The journal names a change by 16 bits.
    static let mostChanges = 65_535

    /// What of the phone's operating system decides whether a change is one.
    enum System {
        case none, usual
        /// Ends processes by itself.
        case killing

        init(_ platform: Platform) { self = platform.life.killsAfter == .longest ? .usual : .killing }
    }

    struct Occurrence {
        /// At the earliest.
        var at: Instant
        var line: Int
        var saying: Saying
        var isRepetition: Bool
        /// What lies beyond its least comes on top of that, by a chance of each phone.
        var late = SpanRange(.zero)
        var phones = Probability.one
        var lot: Lot?
        /// By one chance of them all.
        var isCommon = false

        /// Not every phone meets it.
        var leavesSomeOut: Bool { phones < .one || lot != nil }
    }

    struct Emitted {
        var at: Instant
        var line: Int
        var change: Change
        var chance: Chance?
    }

    let horizon: Instant
    let readers: Readership
    let radios: [Interface]
    /// Names of the cellular profiles, the first of them in use at the beginning.
    let technologies: [String]
    /// Every link that has a name.
    let linkNames: [String]
    let system: System
    /// The server's instances, and who looks after them.
    let cluster: ClusterProfile
    /// Where middleboxes keep mappings.
    let boxed: [Interface]
    /// Which of the cellular profiles know what a weak signal is.
    let knowsWeakSignal: [Bool]
    /// Those that the timeline switches to, by interface, in the order of their numbers, from 1.
    var linksUsed: [[LinkUse]] = [[], []]
    /// Places of the cellular profiles whose weak signal the timeline meets; they are numbered after all of them.
    var weakRadios: [Int] = []
    private(set) var emitted: [Emitted] = []
    /// By interface.
    var isUp: [Bool] = [false, false]
    var busyUntil = Instant.zero
    var troubles = Troubles()
    private(set) var faults: [Fault] = []

    init(
        horizon: Instant, readers: Readership = Readership(phones: 1), radios: [Interface],
        technologies: [String] = ["cellular"], linkNames: [String] = [],
        knowsWeakSignal: [Bool] = [], system: System, boxed: [Interface], cluster: ClusterProfile = ClusterProfile()
    ) {
        self.cluster = cluster
        self.system = system
        self.boxed = boxed
        self.horizon = horizon
        self.readers = readers
        self.radios = radios
        self.technologies = technologies
        self.linkNames = linkNames
        self.knowsWeakSignal = knowsWeakSignal
    }

    /// The changes, and which of them each line made.
    mutating func compile(_ lines: [TimelineLine]) -> (timeline: [TimelineEntry], conditions: [Condition]) {
        let occurrences = expand(lines)
        if let first = start(occurrences) {
            emitted.append(Emitted(at: .zero, line: -1, change: .pathUp(first, .plain)))
            isUp[first.index] = true
        }
        for occurrence in occurrences where faults.count < Faults.shown { apply(occurrence, lines) }
        let ordered = emitted.enumerated().filter { $0.element.at < horizon }
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        var changes = Array(repeating: [Int](), count: lines.count)
        for (index, change) in ordered.enumerated() where change.line >= 0 { changes[change.line].append(index) }
        checkOrder(ordered, lines)
        let conditions = zip(lines, changes).map { Condition(text: $0.text, mark: $0.mark, changes: $1) }
        let timeline = ordered.map { TimelineEntry(at: $0.at, $0.change, chance: $0.chance) }
        return (timeline, conditions.filter { !$0.changes.isEmpty })
    }

    /// Where the phone is if nobody says so: on the first radio that is not said to be off.
    private func start(_ occurrences: [Occurrence]) -> Interface? {
        let first = occurrences.prefix { $0.at == .zero }.compactMap(\.saying.start)
        if first.contains(.somewhere) { return nil }
        return radios.first { !first.contains(.not(on: $0)) }
    }

    private mutating func expand(_ lines: [TimelineLine]) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        for (index, line) in lines.enumerated() {
            var at = Instant.zero + line.at.least
            let (share, lot) = meeting(line)
            for time in 0..<line.times {
                if occurrences.count >= Self.mostChanges / 2 {
                    note(.timeline, line, "more than \(Self.mostChanges / 2) occurrences")
                    return []
                }
                if at >= horizon {
                    let which = time == 0 ? "it" : "repetition \(time + 1)"
                    note(
                        .lateEvent, line,
                        "\(which) would come at \(Measure.span.text(at.nanoseconds)), when the scenario is over")
                    break
                }
                occurrences += line.sayings.map {
                    Occurrence(
                        at: at, line: index, saying: $0, isRepetition: time > 0, late: line.at, phones: share,
                        lot: lot, isCommon: line.isCommon)
                }
                at += line.every
            }
            if line.isIdle { note(.timeline, line, "an entry that changes nothing") }
        }
        return occurrences.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
    }

    private mutating func apply(_ event: Occurrence, _ lines: [TimelineLine]) {
        let line = lines[event.line]
        if event.saying.traits.contains(.ofNetwork), event.at < busyUntil {
            return note(.contradiction, line, "the change of network before it is still going on")
        }
        if system == .none, event.saying.traits.contains(.needsSystem) {
            return note(
                .contradiction, line, "`\(event.saying.word)` without an operating system",
                help: "it means something under phone: platform:, as `platform: android-15`")
        }
        guard mayVary(event, line) else { return }
        event.saying.apply(&self, event, line)
    }

    /// What a scenario says of its beginning may be what it would be anyway.
    mutating func already(_ state: String, _ event: Occurrence, _ line: TimelineLine) {
        if event.at > .zero { note(.contradiction, line, "\(state) already") }
    }

    mutating func emit(_ event: Occurrence, _ change: Change, after range: SpanRange = SpanRange(.zero)) {
        var chance: Chance?
        if event.late.spread > .zero || range.spread > .zero || event.leavesSomeOut {
            chance = Chance(
                drawnAt: event.at, late: event.late, longer: range, phones: event.phones, lot: event.lot,
                isCommon: event.isCommon)
        }
        emitted.append(Emitted(at: event.at + range.least, line: event.line, change: change, chance: chance))
    }

    mutating func emit(_ event: Occurrence, _ change: Change, after span: TimeSpan) {
        emit(event, change, after: SpanRange(span))
    }

    mutating func note(_ fault: Fault) { faults.append(fault) }

    mutating func note(_ code: FaultCode, _ line: TimelineLine, _ message: String, help: String = "") {
        faults.append(
            Fault(code, at: line.mark, width: 1, message, help: help.isEmpty ? code.explanation : help))
    }
}

extension Interface {
    var index: Int { Int(rawValue) }
}
