import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator

/// Compiles the entries of a scenario's timeline to a list of changes in time order. It walks through the entries and
/// tracks the state of networks, server and phone. A change without effect is a fault, because a scenario must not
/// claim what it does not do.
struct TimelineCompiler {
    /// Maximum number of changes, because the journal identifies a change by 16 bits.
    static let mostChanges = 65_535

    /// The behaviour of the phone's operating system that the timeline compiler must know.
    enum OSBehaviour {
        case none, usual
        /// Kills apps by itself: in the background, or for lack of memory.
        case killing

        init(_ platform: Platform, killsForMemory: Bool = false) {
            self = platform.life.killsAfter == .longest && !killsForMemory ? .usual : .killing
        }
    }

    struct Occurrence {
        /// Earliest time.
        var at: Instant
        var line: Int
        var action: TimelineAction
        /// Random delay of each phone, added to the earliest time.
        var extraDelay = SpanRange(.zero)
        var phones = Probability.one
        var sampler: PhoneSampler?
        /// `true` if all phones share the same random draws.
        var isCommon = false

        /// `true` if not every phone is affected.
        var affectsSubset: Bool { phones < .one || sampler != nil }
    }

    struct Emitted {
        var at: Instant
        var line: Int
        var change: ConditionChange
        var occurrence: OccurrenceRule?
        /// Set if an occurrence of this keyword begins with this change.
        var starts: String?
        /// Keyword that causes this change; `nil` for the network at the start.
        var word: String?
    }

    let horizon: Instant
    /// Time of day at the start, for messages; `nil` if the scenario does not say it.
    let startOfDay: TimeSpan?
    let scope: TimelineScope
    /// The phone's radios; the preferred one first.
    let radios: [Interface]
    /// Names of the cellular profiles; the first one is used at the start.
    let technologies: [String]
    /// Names of all links.
    let linkNames: [String]
    /// Names of the server's versions, without the usual one.
    let serverVersions: [String]
    let system: OSBehaviour
    /// The server's instances and their health checks.
    let cluster: ClusterProfile
    /// The interfaces with middleboxes, which keep NAT mappings.
    let interfacesWithMiddleboxes: [Interface]
    /// `true` if phones resolve the server's name.
    let hasResolver: Bool
    /// `true` if phones have a peer.
    let hasPeer: Bool
    /// `true` if a client connects over networks that are not metered alone.
    let clientsAvoidMetered: Bool
    /// For each cellular profile: `true` if it defines a weak signal.
    let knowsWeakSignal: [Bool]
    /// The links that the timeline switches to, by interface, in the order of their numbers, starting from 1.
    var linksUsed = [[LinkUse]](repeating: [], count: Interface.allCases.count)
    /// Indices of the cellular profiles for which the timeline has a weak signal. Their weak variants are numbered
    /// after all profiles.
    var weakRadios: [Int] = []
    private(set) var emitted: [Emitted] = []
    /// Keyword of the change that is being compiled.
    private var word = ""
    /// Indexed by interface.
    var isUp = [Bool](repeating: false, count: Interface.allCases.count)
    /// The `metered` of the network that each interface has joined, by interface.
    var isMetered = [Bool?](repeating: nil, count: Interface.allCases.count)
    /// The `reach` of the network that each interface has joined, by interface.
    var reach = [Reach](repeating: .all, count: Interface.allCases.count)
    var busyUntil = Instant.zero
    /// The latest airplane mode; `nil` before the first one.
    var airplaneMode: AirplaneMode?
    var activeState = TimelineState()
    private(set) var faults: [Fault] = []

    init(
        horizon: Instant, startOfDay: TimeSpan? = nil, scope: TimelineScope = TimelineScope(phones: 1),
        radios: [Interface],
        technologies: [String] = ["cellular"], linkNames: [String] = [], serverVersions: [String] = [],
        knowsWeakSignal: [Bool] = [], system: OSBehaviour, interfacesWithMiddleboxes: [Interface],
        cluster: ClusterProfile = ClusterProfile(), hasResolver: Bool = false, hasPeer: Bool = false,
        clientsAvoidMetered: Bool = false
    ) {
        self.clientsAvoidMetered = clientsAvoidMetered
        self.hasResolver = hasResolver
        self.hasPeer = hasPeer
        self.cluster = cluster
        self.system = system
        self.interfacesWithMiddleboxes = interfacesWithMiddleboxes
        self.horizon = horizon
        self.startOfDay = startOfDay
        self.scope = scope
        self.radios = radios
        self.technologies = technologies
        self.linkNames = linkNames
        self.serverVersions = serverVersions
        self.knowsWeakSignal = knowsWeakSignal
    }

    /// Checks what does not depend on the states before an entry: its time and its phones. Used if a part of the
    /// timeline could not be read.
    mutating func checkReadable(_ lines: [TimelineLine]) { _ = expand(lines.filter(\.isReadable)) }

    /// Compiles the timeline. Returns the changes, and for each line the indices of its changes.
    mutating func compile(_ lines: [TimelineLine]) -> (timeline: [TimelineEntry], conditions: [DeclaredCondition]) {
        let occurrences = expand(lines)
        if let first = start(occurrences) {
            emitted.append(Emitted(at: .zero, line: -1, change: .pathUp(first, .plain)))
            isUp[first.index] = true
        }
        for occurrence in occurrences where faults.count < Faults.maxShown {
            let first = emitted.count
            word = occurrence.action.word
            apply(occurrence, lines)
            let earliest = emitted.indices[first...].min { emitted[$0].at < emitted[$1].at }
            if let earliest { emitted[earliest].starts = occurrence.action.word }
            for index in emitted.indices[first...] { emitted[index].word = occurrence.action.word }
        }
        let ordered = emitted.enumerated().filter { $0.element.at < horizon }
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        var changes = Array(repeating: [Int](), count: lines.count)
        var starts = Array(repeating: [String: [Int]](), count: lines.count)
        var parts = starts
        for (index, change) in ordered.enumerated() where change.line >= 0 {
            changes[change.line].append(index)
            if let word = change.starts { starts[change.line][word, default: []].append(index) }
            if let word = change.word { parts[change.line][word, default: []].append(index) }
        }
        checkOrder(ordered, lines)
        checkMetered(lines)
        let conditions = lines.indices.map { index in
            DeclaredCondition(
                text: lines[index].text, mark: lines[index].mark, changes: changes[index], starts: starts[index],
                parts: parts[index])
        }
        let timeline = ordered.map { TimelineEntry(at: $0.at, $0.change, occurrence: $0.occurrence) }
        return (timeline, conditions.filter { !$0.changes.isEmpty })
    }

    /// The network at the start if the timeline does not set it: the first radio that is not declared off.
    private func start(_ occurrences: [Occurrence]) -> Interface? {
        let first = occurrences.prefix { $0.at == .zero }.compactMap(\.action.start)
        if first.contains(.specified) { return nil }
        return radios.first { !first.contains(.excluded(on: $0)) }
    }

    /// Returns the occurrences of all entries in time order. At one instant, the entry that occurred first of all comes
    /// first, and then the entry that was written first. The resolved text lists entries in the same order.
    private mutating func expand(_ lines: [TimelineLine]) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        for (index, line) in lines.enumerated() {
            var at = Instant.zero + line.at.least
            let (share, sampler) = affectedPhones(line)
            for time in 0..<line.times {
                if occurrences.count >= Self.mostChanges / 2 {
                    note(.timeline, line, "more than \(Self.mostChanges / 2) occurrences")
                    return []
                }
                if at >= horizon {
                    let which = time == 0 ? "it" : "repetition \(time + 1)"
                    note(
                        .lateEvent, line,
                        "\(which) would come at \(text(of: at)), when the scenario is over")
                    break
                }
                occurrences += line.actions.map {
                    Occurrence(
                        at: at, line: index, action: $0, extraDelay: line.at, phones: share, sampler: sampler,
                        isCommon: line.isCommon)
                }
                at += line.every
            }
            if line.isIdle { note(.timeline, line, "an entry that changes nothing") }
        }
        return occurrences.enumerated().sorted {
            ($0.element.at, lines[$0.element.line].at.least, $0.offset)
                < ($1.element.at, lines[$1.element.line].at.least, $1.offset)
        }.map(\.element)
    }

    private mutating func apply(_ event: Occurrence, _ lines: [TimelineLine]) {
        let line = lines[event.line]
        if event.action.traits.contains(.ofNetwork), event.at < busyUntil, !togglesWiFiInAirplaneMode(event) {
            return noteOverlap("change of network", endsBy: busyUntil, line)
        }
        if system == .none, event.action.traits.contains(.needsSystem) {
            return note(
                .contradiction, line, "`\(event.action.word)` without an operating system",
                help: "add a platform under phone, such as `platform: android-15`")
        }
        guard canVary(event, line) else { return }
        event.action.apply(&self, event, line)
    }

    /// Notes a fault for a change without effect. At time zero this is allowed, because a scenario may state its
    /// defaults.
    mutating func noteRedundant(_ state: String, _ event: Occurrence, _ line: TimelineLine) {
        if event.at > .zero { noteAlready(state, line) }
    }

    /// Notes a fault for a change to the present state. Beside other changes of the same entry, only its key is wrong.
    mutating func noteAlready(_ state: String, _ line: TimelineLine) {
        let (message, help) = ("\(state) already", "remove it, because it would change nothing")
        guard let mark = line.keyMarks[word] else { return note(.contradiction, line, message, help: help) }
        note(Fault(.contradiction, at: mark, width: word.utf8.count, message, help: help))
    }

    /// Notes a fault for a disturbance that begins before the one before it has ended, at the latest.
    mutating func noteOverlap(_ earlier: String, endsBy end: Instant, _ line: TimelineLine) {
        let help = end == .never ? "" : "it may last until \(text(of: end)); begin later, or make it shorter"
        note(.contradiction, line, "the previous \(earlier) has not ended yet", help: help)
    }

    /// A moment as users write it: a time of day if the scenario says when it starts.
    func text(of moment: Instant) -> String {
        guard let startOfDay else { return moment.compoundText }
        return TimeOfDay(sinceMidnight: startOfDay + (moment - .zero)).text
    }

    mutating func emit(_ event: Occurrence, _ change: ConditionChange, after range: SpanRange = SpanRange(.zero)) {
        var occurrence: OccurrenceRule?
        if event.extraDelay.spread > .zero || range.spread > .zero || event.affectsSubset {
            occurrence = OccurrenceRule(
                drawnAt: event.at, extraDelay: event.extraDelay, extraLength: range, phones: event.phones,
                sampler: event.sampler,
                isCommon: event.isCommon)
        }
        emitted.append(Emitted(at: event.at + range.least, line: event.line, change: change, occurrence: occurrence))
    }

    mutating func emit(_ event: Occurrence, _ change: ConditionChange, after span: TimeSpan) {
        emit(event, change, after: SpanRange(span))
    }

    /// Removes an emitted change: after the end of the scenario, no change occurs.
    mutating func cancel(_ index: Int) { emitted[index].at = horizon }

    mutating func note(_ fault: Fault) { faults.append(fault) }

    mutating func note(_ code: FaultCode, _ line: TimelineLine, _ message: String, help: String = "") {
        faults.append(
            Fault(code, at: line.mark, width: 1, message, help: help.isEmpty ? code.explanation : help))
    }
}

extension Interface {
    var index: Int { Int(rawValue) }
}
