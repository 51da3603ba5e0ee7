import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneSystem
import DeadzoneWorld

/// What troubles a scenario is in at one moment, so that none is declared twice.
struct Troubles {
    /// By interface.
    var darkUntil: [Instant] = [.zero, .zero]
    var cutUntil: [Instant] = [.zero, .zero]
    var oneWay: [Direction?] = [nil, nil]
    var oneWayUntil: [Instant] = [.zero, .zero]
    var technology = 0
    /// When the weak signal ends.
    var weakUntil = Instant.zero
    /// Numbers of link conditions, those after the end of a passing one, and when it ends.
    var conditions = [0, 0]
    var conditionsUntil: [Instant] = [.zero, .zero]
    var isRefused = [false, false]
    var needsConnection = [false, false]
    var namesDownUntil = Instant.zero
    var server = TimelineLine.ServerWord.up
    var serverUntil = Instant.zero
    var instancesUntil: [UInt8: Instant] = [:]
    var isForeground = true
    var screen = true
    var charging = false
    var moving = false
    var saving = false
}

/// Networks that stay, and let little through; the server; the phone itself.
extension TimelineCompiler {
    mutating func darken(_ interface: Interface?, _ length: SpanRange, _ event: Occurrence, _ line: Line) {
        guard let interface = named(interface, line) else { return }
        // A phone without Wi-Fi network has no signal to lose; a cellular radio camps on a cell beside Wi-Fi.
        if interface == .wifi && !isUp[interface.index] {
            return note(.contradiction, line, "the phone is not on \(interface.name)")
        }
        if event.at < troubles.darkUntil[interface.index] {
            return note(.contradiction, line, "the dead zone before it is still going on")
        }
        emit(event, .coverage(interface, false))
        emit(event, .coverage(interface, true), after: length)
        troubles.darkUntil[interface.index] = event.at + length.greatest
    }

    mutating func cutUplink(_ interface: Interface?, _ length: SpanRange, _ event: Occurrence, _ line: Line) {
        guard let interface = named(interface, line) else { return }
        if event.at < troubles.cutUntil[interface.index] {
            return note(.contradiction, line, "the cut before it is still going on")
        }
        emit(event, .uplink(interface, false))
        emit(event, .uplink(interface, true), after: length)
        troubles.cutUntil[interface.index] = event.at + length.greatest
    }

    mutating func silence(
        _ direction: Direction?, _ length: SpanRange?, _ interface: Interface?, _ event: Occurrence, _ line: Line
    ) {
        guard let interface = named(interface, line) else { return }
        let index = interface.index
        let isOver = troubles.oneWayUntil[index] <= event.at
        let before = isOver ? nil : troubles.oneWay[index]
        guard let direction else {
            guard length == nil else { return note(.contradiction, line, "`off` has no length") }
            guard let before, troubles.oneWayUntil[index] == .never else {
                return note(.contradiction, line, "nothing is one-way that could end")
            }
            troubles.oneWayUntil[index] = .zero
            return emit(event, .oneWay(interface, before.other, passes: true))
        }
        guard before == nil else { return note(.contradiction, line, "\(interface.name) is one-way already") }
        emit(event, .oneWay(interface, direction.other, passes: false))
        if let length { emit(event, .oneWay(interface, direction.other, passes: true), after: length) }
        troubles.oneWay[index] = direction
        troubles.oneWayUntil[index] = length.map { event.at + $0.greatest } ?? .never
    }

    /// A passing condition gives way to the one before it.
    mutating func setConditions(
        _ interface: Interface, _ name: String, _ length: SpanRange?, _ event: Occurrence, _ line: Line
    ) {
        guard let interface = named(interface, line) else { return }
        let index = interface.index
        guard troubles.conditionsUntil[index] <= event.at else {
            return note(.contradiction, line, "the conditions before it still hold")
        }
        if interface == .cellular && isWeak(event, line) { return }
        guard let number = number(ofLink: name, index, line) else { return }
        let before = troubles.conditions[index]
        guard number != before else { return note(.contradiction, line, "these conditions hold already") }
        emit(event, .conditions(interface, UInt8(number)))
        if let length {
            emit(event, .conditions(interface, UInt8(before)), after: length)
            troubles.conditionsUntil[index] = event.at + length.greatest
        } else {
            troubles.conditions[index] = number
        }
    }

    private mutating func number(ofLink name: String, _ index: Int, _ line: Line) -> Int? {
        if name == "usual" { return 0 }
        if let known = linksUsed[index].firstIndex(of: .named(name)) { return known + 1 }
        guard linkNames.contains(name) else {
            let near = suggestion(for: name, among: linkNames).map { ", did you mean `\($0)`?" } ?? ""
            note(
                .unknownWord, line, "unknown link \(quote(name))\(near)",
                help: "`deadzone list links` names them; your own stand under links: others:")
            return nil
        }
        guard linksUsed[index].count < Int(UInt8.max) else {
            note(.wrongCount, line, "more than \(UInt8.max) different conditions of one interface")
            return nil
        }
        linksUsed[index].append(.named(name))
        return linksUsed[index].count
    }

    /// A connection on demand may stand again, by what a client does: nobody knows here, and it may be asked for anew.
    mutating func setAccess(_ access: Access, _ interface: Interface?, _ event: Occurrence, _ line: Line) {
        guard let interface = named(interface, line) else { return }
        let index = interface.index
        switch access {
        case .open:
            guard troubles.isRefused[index] || troubles.needsConnection[index] else {
                return already("access to \(interface.name) is open", event, line)
            }
            troubles.isRefused[index] = false
            troubles.needsConnection[index] = false
        case .refused:
            if troubles.isRefused[index] { return already("\(interface.name) is refused to the app", event, line) }
            troubles.isRefused[index] = true
        case .needsConnection: troubles.needsConnection[index] = true
        }
        emit(event, .access(interface, access))
    }

    mutating func forgetMappings(_ interface: Interface?, _ event: Occurrence, _ line: Line) {
        guard let interface = named(interface, line) else { return }
        guard boxed.contains(interface) else {
            return note(
                .contradiction, line, "`nat: forget` where nothing remembers",
                help: "middleboxes: {\(interface.name): …} says what stands there; `deadzone list middleboxes` has some"
            )
        }
        emit(event, .mappingsLost(interface))
    }

    mutating func setNames(_ resolve: Bool, _ length: SpanRange?, _ event: Occurrence, _ line: Line) {
        let isDown = event.at < troubles.namesDownUntil
        if resolve {
            guard length == nil, isDown, troubles.namesDownUntil == .never else {
                return note(.contradiction, line, length == nil ? "names resolve already" : "`up` has no length")
            }
            troubles.namesDownUntil = .zero
            return emit(event, .names(resolve: true))
        }
        guard !isDown else { return note(.contradiction, line, "names do not resolve already") }
        emit(event, .names(resolve: false))
        if let length { emit(event, .names(resolve: true), after: length) }
        troubles.namesDownUntil = length.map { event.at + $0.greatest } ?? .never
    }

    mutating func setServer(
        _ word: TimelineLine.ServerWord, _ length: SpanRange?, _ event: Occurrence, _ line: Line
    ) {
        let before = event.at < troubles.serverUntil ? troubles.server : .up
        switch word {
        case .up, .drain:
            guard length == nil else { return note(.contradiction, line, "`up` and `drain` have no length") }
        case .frozen, .down, .refusesLogins: break
        }
        switch (word, before) {
        case (.drain, .up): emit(event, .server(.draining))
        case (.frozen, .up), (.down, .up), (.refusesLogins, .up):
            emit(event, .server(word.beginning))
            if let length { emit(event, .server(word.end), after: length) }
            troubles.server = word
            troubles.serverUntil = length.map { event.at + $0.greatest } ?? .never
        case (.up, .frozen), (.up, .down), (.up, .refusesLogins):
            guard troubles.serverUntil == .never else {
                return note(.contradiction, line, "the server comes back by itself")
            }
            emit(event, .server(before.end))
            troubles.serverUntil = .zero
        case (.up, _): note(.contradiction, line, "the server is up already")
        default: note(.contradiction, line, "the trouble of the server before it is still going on")
        }
    }

    /// Its health checks find out, and find out that it is back.
    mutating func setInstance(
        _ number: UInt8, _ change: InstanceChange, _ length: SpanRange?, _ event: Occurrence, _ line: Line
    ) {
        guard event.late.spread == .zero, length?.spread ?? .zero == .zero else {
            return note(
                .contradiction, line, "an instance whose trouble is drawn",
                help: "health checks go by the clock: its moment and its length are said, not drawn")
        }
        guard number < cluster.instances else {
            return note(.contradiction, line, "the server has no instance \(number + 1)", help: "server: instances: 4")
        }
        guard troubles.instancesUntil[number] ?? .zero <= event.at else {
            return note(.contradiction, line, "the trouble of the instance before it is still going on")
        }
        let back = length.map { event.at + $0.greatest } ?? .never
        emit(event, .instance(number, change))
        let ejected = cluster.health?.ejected(awayFrom: event.at) ?? .never
        if ejected < back { emit(event, .instance(number, .ejected), after: ejected - event.at) }
        troubles.instancesUntil[number] = back
        guard back != .never else { return }
        emit(event, .instance(number, .up), after: back - event.at)
        guard ejected < back, let health = cluster.health else { return }
        let taken = health.taken(backFrom: back)
        emit(event, .instance(number, .taken), after: taken - event.at)
        troubles.instancesUntil[number] = taken
    }

    mutating func setApp(foreground: Bool, _ event: Occurrence, _ line: Line) {
        // Nobody knows here whether a system that ends processes by itself has left the app where it was.
        if system == .killing && foreground { troubles.isForeground = false }
        let place = "the app is in the \(foreground ? "foreground" : "background")"
        set(\.isForeground, foreground, place, .app(foreground: foreground), event, line)
    }

    /// What stays as it is until the next line about it.
    mutating func set(
        _ state: WritableKeyPath<Troubles, Bool>, _ value: Bool, _ words: String, _ change: Change, _ event: Occurrence,
        _ line: Line
    ) {
        if value == troubles[keyPath: state] { return already(words, event, line) }
        troubles[keyPath: state] = value
        emit(event, change)
    }

    /// Behind a dark screen the app's place stays, unless the user has ended it.
    mutating func kill(forGood: Bool, _ event: Occurrence) {
        if forGood || troubles.screen { troubles.isForeground = false }
        emit(event, forGood ? .forceStop : .kill)
    }

    mutating func setAlarmClock(_ ring: TimeSpan, _ event: Occurrence, _ line: Line) {
        guard event.at < .zero + ring else {
            return note(.contradiction, line, "the alarm clock would have rung before it is set")
        }
        emit(event, .alarmClock(.zero + ring))
    }
}

extension Direction {
    fileprivate var other: Direction { self == .up ? .down : .up }
}

extension TimelineLine.ServerWord {
    /// What begins a trouble, and what ends it.
    fileprivate var beginning: ServerChange {
        switch self {
        case .frozen: .frozen
        case .refusesLogins: .refusingLogins
        case .down, .up, .drain: .down
        }
    }

    fileprivate var end: ServerChange {
        switch self {
        case .frozen: .thawed
        case .refusesLogins: .takingLogins
        case .down, .up, .drain: .up
        }
    }
}
