import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneSettings

/// Turns the lines of a timeline into changes in order of time, by walking through them with the phone's networks in mind:
/// a change that would change nothing is a fault, since a scenario must not claim what it does not do.
struct TimelineCompiler {
    /// The journal names a change by 16 bits.
    static let mostChanges = 65_535

    private struct Occurrence {
        var at: Instant
        var line: Int
        var saying: TimelineLine.Saying
        var isRepetition: Bool
    }

    private struct Emitted {
        var at: Instant
        var line: Int
        var change: Change
    }

    let horizon: Instant
    let radios: [Interface]
    private var emitted: [Emitted] = []
    private var isUp: [Bool] = [false, false]
    private var busyUntil = Instant.zero
    private var darkUntil: [Instant] = [.zero, .zero]
    private var isForeground = true
    private(set) var faults: [Fault] = []

    init(horizon: Instant, radios: [Interface]) {
        self.horizon = horizon
        self.radios = radios
    }

    /// The changes, and which of them each line made.
    mutating func compile(_ lines: [TimelineLine]) -> (timeline: [TimelineEntry], conditions: [Condition]) {
        let occurrences = expand(lines)
        if let first = start(occurrences) {
            emitted.append(Emitted(at: .zero, line: -1, change: .pathUp(first)))
            isUp[first.index] = true
        }
        for occurrence in occurrences where faults.count < Faults.shown { apply(occurrence, lines) }
        let ordered = emitted.enumerated().filter { $0.element.at < horizon }
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        var changes = Array(repeating: [Int](), count: lines.count)
        for (index, change) in ordered.enumerated() where change.line >= 0 { changes[change.line].append(index) }
        let conditions = zip(lines, changes).map { Condition(text: $0.text, mark: $0.mark, changes: $1) }
        let timeline = ordered.map { TimelineEntry(at: $0.at, $0.change) }
        return (timeline, conditions.filter { !$0.changes.isEmpty })
    }

    /// Where the phone is if nobody says so: on the first radio that is not said to be off.
    private func start(_ occurrences: [Occurrence]) -> Interface? {
        let first = occurrences.prefix { $0.at == .zero }.map(\.saying)
        let isSaid = first.contains { saying in
            switch saying {
            case .joins, .handoff: true
            default: false
            }
        }
        if isSaid { return nil }
        return radios.first { radio in
            !first.contains { if case .leaves(radio, _) = $0 { true } else { false } }
        }
    }

    private mutating func expand(_ lines: [TimelineLine]) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        for (index, line) in lines.enumerated() {
            var at = Instant.zero + line.at
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
                occurrences += line.sayings.map { Occurrence(at: at, line: index, saying: $0, isRepetition: time > 0) }
                at += line.every
            }
            if line.isIdle { note(.timeline, line, "an entry that changes nothing") }
        }
        return occurrences.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
    }

    private mutating func apply(_ event: Occurrence, _ lines: [TimelineLine]) {
        let line = lines[event.line]
        if event.saying.isNetwork, event.at < busyUntil {
            return note(.contradiction, line, "the change of network before it is still going on")
        }
        switch event.saying {
        case .joins(let interface):
            guard has(interface, line) else { return }
            if isUp[interface.index] { return note(.contradiction, line, "\(interface.name) is up already") }
            isUp[interface.index] = true
            emit(event, .pathUp(interface))
        case .leaves(let interface, let manner):
            guard isUp[interface.index] else {
                if event.at > .zero { note(.contradiction, line, "\(interface.name) is not up") }
                return
            }
            isUp[interface.index] = false
            emit(event, .pathDown(interface, manner))
        case .handoff(let target, let manner): handOff(to: target, manner, event, line)
        case .deadZone(let length, let interface): darken(interface, length, event, line)
        case .cellHandover:
            guard has(.cellular, line) else { return }
            if !isUp[1] { return note(.contradiction, line, "the phone is not on cellular") }
            emit(event, .cellHandover)
        case .app(let foreground):
            if foreground == isForeground {
                return already(foreground ? "in the foreground" : "in the background", "the app", event, line)
            }
            isForeground = foreground
            emit(event, .app(foreground: foreground))
        }
    }

    /// What a scenario says of its beginning may be what it would be anyway.
    private mutating func already(_ state: String, _ thing: String, _ event: Occurrence, _ line: TimelineLine) {
        if event.at > .zero { note(.contradiction, line, "\(thing) is \(state) already") }
    }

    /// Where the phone is: Wi-Fi before cellular, as operating systems prefer.
    private var current: Interface? { isUp[0] ? .wifi : isUp[1] ? .cellular : nil }

    private mutating func handOff(
        to target: Interface, _ manner: HandoffManner, _ event: Occurrence, _ line: TimelineLine
    ) {
        guard has(target, line) else { return }
        let old = current
        if old == target, manner.network == nil {
            return note(
                .contradiction, line, "the phone is on \(target.name) already",
                help: "name the network that it moves to")
        }
        if isUp[target.index], old != target {
            if manner.gap > .zero || manner.overlap > .zero {
                return note(.contradiction, line, "\(target.name) is up already, so there is neither gap nor overlap")
            }
            if let old { emit(event, .pathDown(old, manner.oldPath)); isUp[old.index] = false }
            return
        }
        if manner.overlap > .zero, old != target, let old {
            emit(event, .pathUp(target))
            emit(event, .pathDown(old, manner.oldPath), after: manner.overlap)
        } else {
            if let old { emit(event, .pathDown(old, manner.oldPath)) }
            emit(event, .pathUp(target), after: manner.gap)
        }
        if let old { isUp[old.index] = false }
        isUp[target.index] = true
        busyUntil = event.at + max(manner.gap, manner.overlap)
    }

    private mutating func darken(
        _ interface: Interface?, _ length: TimeSpan, _ event: Occurrence, _ line: TimelineLine
    ) {
        guard let interface = interface ?? current else {
            return note(.contradiction, line, "the phone has no network to lose")
        }
        guard has(interface, line) else { return }
        // A phone without Wi-Fi network has no signal to lose; a cellular radio camps on a cell beside Wi-Fi.
        if interface == .wifi && !isUp[interface.index] {
            return note(.contradiction, line, "the phone is not on \(interface.name)")
        }
        if event.at < darkUntil[interface.index] {
            return note(.contradiction, line, "the dead zone before it is still going on")
        }
        emit(event, .coverage(interface, false))
        emit(event, .coverage(interface, true), after: length)
        darkUntil[interface.index] = event.at + length
    }

    private mutating func has(_ interface: Interface, _ line: TimelineLine) -> Bool {
        if radios.contains(interface) { return true }
        note(.contradiction, line, "the phone has no \(interface.name) radio", help: "add one under phone: radios:")
        return false
    }

    private mutating func emit(_ event: Occurrence, _ change: Change, after span: TimeSpan = .zero) {
        emitted.append(Emitted(at: event.at + span, line: event.line, change: change))
    }

    private mutating func note(_ code: FaultCode, _ line: TimelineLine, _ message: String, help: String = "") {
        faults.append(
            Fault(code, at: line.mark, width: 1, message, help: help.isEmpty ? code.explanation : help))
    }
}

extension TimelineLine.Saying {
    fileprivate var isNetwork: Bool {
        switch self {
        case .joins, .leaves, .handoff: true
        case .deadZone, .cellHandover, .app: false
        }
    }
}

extension Interface {
    var index: Int { Int(rawValue) }

    var name: String {
        switch self {
        case .wifi: "wifi"
        case .cellular: "cellular"
        }
    }
}
