import DeadzoneBase
import DeadzoneSimulator

/// The state of networks, server and phone at one point of a timeline while it is being compiled. It is used to refuse
/// changes without effect and overlapping disturbances.
struct TimelineState {
    /// Each array is indexed by interface.
    var darkUntil = Self.each(Instant.zero)
    var cutUntil = Self.each(Instant.zero)
    var oneWay = Self.each(Direction?.none)
    var oneWayUntil = Self.each(Instant.zero)
    var technology = 0
    /// End of the weak signal.
    var weakUntil = Instant.zero
    /// Numbers of the link conditions by interface. A temporary condition is not stored here; `conditionsUntil` is its
    /// end.
    var conditions = Self.each(0)
    var conditionsUntil = Self.each(Instant.zero)
    var isRefused = Self.each(false)
    var needsConnection = Self.each(false)
    var namesDownUntil = Instant.zero
    var server = TimelineLine.ServerWord.up
    /// Number of the server's version; 0 is the usual one.
    var serverVersion = 0
    var serverUntil = Instant.zero
    /// Time at which the server's name has the address of the latest move.
    var nameUpdatedAt = Instant.zero
    var instancesUntil: [UInt8: Instant] = [:]
    /// `true` if nothing passes directly to the peer.
    var peerIsBlocked = false
    var isForeground = true
    var screen = true
    var charging = false
    var moving = false
    var saving = false
    var dataSaver = false
    var restricted = false

    private static func each<Value>(_ value: Value) -> [Value] {
        Array(repeating: value, count: Interface.allCases.count)
    }
}

/// Disturbances of networks that stay up, and changes of the server and the phone.
extension TimelineCompiler {
    /// - Parameter end: The change that ends the dead zone; `nil` if the same signal is back.
    mutating func startDeadZone(
        _ interface: Interface?, _ length: SpanRange, endsBy end: ConditionChange? = nil, _ event: Occurrence,
        _ line: TimelineLine
    ) {
        guard let interface = namedInterface(interface, line) else { return }
        // Without a network, Wi-Fi and Bluetooth have no signal to lose. A cellular radio camps on a cell even while the
        // phone uses Wi-Fi.
        if !interface.isCellular && !isUp[interface.index] {
            return note(.contradiction, line, "the phone is not on \(interface.name)")
        }
        if event.at < activeState.darkUntil[interface.index] {
            return noteOverlap("dead zone", endsBy: activeState.darkUntil[interface.index], line)
        }
        emit(event, .coverage(interface, false))
        emit(event, end ?? .coverage(interface, true), after: length)
        activeState.darkUntil[interface.index] = event.at + length.greatest
    }

    mutating func cutUplink(_ interface: Interface?, _ length: SpanRange, _ event: Occurrence, _ line: TimelineLine) {
        guard let interface = namedInterface(interface, line) else { return }
        if event.at < activeState.cutUntil[interface.index] {
            return noteOverlap("cut", endsBy: activeState.cutUntil[interface.index], line)
        }
        emit(event, .uplink(interface, false))
        emit(event, .uplink(interface, true), after: length)
        activeState.cutUntil[interface.index] = event.at + length.greatest
    }

    mutating func setOneWay(
        _ direction: Direction?, _ length: SpanRange?, _ interface: Interface?, _ event: Occurrence,
        _ line: TimelineLine
    ) {
        guard let interface = namedInterface(interface, line) else { return }
        let index = interface.index
        let isOver = activeState.oneWayUntil[index] <= event.at
        let before = isOver ? nil : activeState.oneWay[index]
        guard let direction else {
            guard length == nil else { return note(.contradiction, line, "`off` has no length") }
            guard let before, activeState.oneWayUntil[index] == .never else {
                return note(.contradiction, line, "no direction is blocked that could be restored")
            }
            activeState.oneWayUntil[index] = .zero
            return emit(event, .oneWay(interface, before.other, passes: true))
        }
        guard before == nil else { return noteAlready("\(interface.name) is one-way", line) }
        emit(event, .oneWay(interface, direction.other, passes: false))
        if let length { emit(event, .oneWay(interface, direction.other, passes: true), after: length) }
        activeState.oneWay[index] = direction
        activeState.oneWayUntil[index] = length.map { event.at + $0.greatest } ?? .never
    }

    /// After a temporary condition the previous condition returns.
    mutating func setConditions(
        _ interface: Interface, _ name: String, _ length: SpanRange?, _ event: Occurrence, _ line: TimelineLine
    ) {
        guard let interface = namedInterface(interface, line) else { return }
        let index = interface.index
        guard activeState.conditionsUntil[index] <= event.at else {
            return note(.contradiction, line, "the previous conditions still hold")
        }
        if interface == .cellular && isWeak(event, line) { return }
        guard let number = number(ofLink: name, index, line) else { return }
        let before = activeState.conditions[index]
        guard number != before else { return noteAlready("these conditions hold", line) }
        emit(event, .conditions(interface, UInt8(number)))
        if let length {
            emit(event, .conditions(interface, UInt8(before)), after: length)
            activeState.conditionsUntil[index] = event.at + length.greatest
        } else {
            activeState.conditions[index] = number
        }
    }

    private mutating func number(ofLink name: String, _ index: Int, _ line: TimelineLine) -> Int? {
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

    /// A client may re-establish an on-demand connection. The compiler cannot know this, so `needsConnection` may be
    /// repeated.
    mutating func setAccess(_ access: Access, _ interface: Interface?, _ event: Occurrence, _ line: TimelineLine) {
        guard let interface = namedInterface(interface, line) else { return }
        let index = interface.index
        switch access {
        case .open:
            guard activeState.isRefused[index] || activeState.needsConnection[index] else {
                return noteRedundant("access to \(interface.name) is open", event, line)
            }
            activeState.isRefused[index] = false
            activeState.needsConnection[index] = false
        case .refused:
            if activeState.isRefused[index] {
                return noteRedundant("\(interface.name) is refused to the app", event, line)
            }
            activeState.isRefused[index] = true
        case .needsConnection: activeState.needsConnection[index] = true
        }
        emit(event, .access(interface, access))
    }

    mutating func forgetMappings(_ interface: Interface?, _ event: Occurrence, _ line: TimelineLine) {
        guard let interface = namedInterface(interface, line) else { return }
        guard interfacesWithMiddleboxes.contains(interface) else {
            return note(
                .contradiction, line, "`nat: forget` without a middlebox",
                help: "add middleboxes: {\(interface.name): …}; `deadzone list middleboxes` has some"
            )
        }
        emit(event, .mappingsLost(interface))
    }

    mutating func setNames(_ resolve: Bool, _ length: SpanRange?, _ event: Occurrence, _ line: TimelineLine) {
        let isDown = event.at < activeState.namesDownUntil
        if resolve {
            guard length == nil, isDown, activeState.namesDownUntil == .never else {
                return length == nil
                    ? noteAlready("names resolve", line) : note(.contradiction, line, "`up` has no length")
            }
            activeState.namesDownUntil = .zero
            return emit(event, .names(resolve: true))
        }
        guard !isDown else { return noteAlready("names do not resolve", line) }
        emit(event, .names(resolve: false))
        if let length { emit(event, .names(resolve: true), after: length) }
        activeState.namesDownUntil = length.map { event.at + $0.greatest } ?? .never
    }

    mutating func setServer(
        _ word: TimelineLine.ServerWord, _ length: SpanRange?, _ event: Occurrence, _ line: TimelineLine
    ) {
        let before = event.at < activeState.serverUntil ? activeState.server : .up
        switch word {
        case .up, .drain, .moves:
            guard length == nil else { return note(.contradiction, line, "`up` and `drain` have no length") }
        case .frozen, .down, .refusesLogins: break
        }
        switch (word, before) {
        case (.drain, .up): emit(event, .server(.draining))
        case (.frozen, .up), (.down, .up), (.refusesLogins, .up):
            emit(event, .server(word.beginning))
            if let length { emit(event, .server(word.end), after: length) }
            activeState.server = word
            activeState.serverUntil = length.map { event.at + $0.greatest } ?? .never
        case (.up, .frozen), (.up, .down), (.up, .refusesLogins):
            guard activeState.serverUntil == .never else {
                return note(.contradiction, line, "the server comes back by itself")
            }
            emit(event, .server(before.end))
            activeState.serverUntil = .zero
        case (.up, _): noteAlready("the server is up", line)
        default: noteOverlap("disturbance of the server", endsBy: activeState.serverUntil, line)
        }
    }

    /// Moves the server to another address. Its name gets this address at the same time or later.
    mutating func moveServer(_ modifiers: TimelineModifiers, _ event: Occurrence, _ line: TimelineLine) {
        guard modifiers.length == nil else {
            return note(.contradiction, line, "`moves` has no length", help: "a second `server: moves` moves it again")
        }
        guard hasResolver else {
            return note(
                .contradiction, line, "`server: moves` without a resolver",
                help: "add `resolver: {}`; without it every phone knows the server's address")
        }
        guard activeState.nameUpdatedAt <= event.at else {
            return note(.contradiction, line, "the server's name does not have the address of the previous move yet")
        }
        emit(event, .serverMoved(modifiers.oldAddress))
        emit(event, .nameUpdated, after: modifiers.dnsAfter)
        activeState.nameUpdatedAt = event.at + modifiers.dnsAfter
    }

    mutating func changePeer(_ change: PeerChange, _ event: Occurrence, _ line: TimelineLine) {
        guard hasPeer else {
            return note(
                .contradiction, line, "`peer` without a peer", help: "add `server: {peer: {relay: 30ms}}`")
        }
        if change != .moves {
            guard activeState.peerIsBlocked != (change == .blocked) else {
                return noteRedundant("the direct path is \(change.name)", event, line)
            }
            activeState.peerIsBlocked = change == .blocked
        }
        emit(event, .peer(change))
    }

    mutating func setServerVersion(_ name: String, _ event: Occurrence, _ line: TimelineLine) {
        let names = ["usual"] + serverVersions
        guard let number = names.firstIndex(of: name) else {
            let near = suggestion(for: name, among: names).map { ", did you mean `\($0)`?" } ?? ""
            return note(
                .unknownWord, line, "unknown version of the server \(quote(name))\(near)",
                help: "server: versions: {\(name): {history: {messages: 1000}}}")
        }
        guard number != activeState.serverVersion else {
            return noteAlready("the server has this version", line)
        }
        activeState.serverVersion = number
        emit(event, .serverVersion(UInt8(number)))
    }

    /// Changes the state of a server instance. The times at which health checks eject the instance and take it back are
    /// computed here.
    mutating func setInstance(
        _ number: UInt8, _ change: InstanceChange, _ length: SpanRange?, _ event: Occurrence, _ line: TimelineLine
    ) {
        guard event.extraDelay.spread == .zero, length?.spread ?? .zero == .zero else {
            return note(
                .contradiction, line, "an instance with a random time or length",
                help: "health checks have fixed times, so write a fixed time and length")
        }
        guard number < cluster.instances else {
            return note(.contradiction, line, "the server has no instance \(number + 1)", help: "server: instances: 4")
        }
        guard activeState.instancesUntil[number] ?? .zero <= event.at else {
            return note(.contradiction, line, "the previous disturbance of the instance has not ended yet")
        }
        let back = length.map { event.at + $0.greatest } ?? .never
        emit(event, .instance(number, change))
        let ejected = cluster.health?.ejected(awayFrom: event.at) ?? .never
        if ejected < back { emit(event, .instance(number, .ejected), after: ejected - event.at) }
        activeState.instancesUntil[number] = back
        guard back != .never else { return }
        emit(event, .instance(number, .up), after: back - event.at)
        guard ejected < back, let health = cluster.health else { return }
        let taken = health.readmitted(backFrom: back)
        emit(event, .instance(number, .readmitted), after: taken - event.at)
        activeState.instancesUntil[number] = taken
    }

    mutating func setApp(foreground: Bool, _ event: Occurrence, _ line: TimelineLine) {
        // If the platform kills apps by itself, the app may not be in the foreground any more. Foreground is then never
        // a redundant change.
        if system == .killing && foreground { activeState.isForeground = false }
        let place = "the app is in the \(foreground ? "foreground" : "background")"
        set(\.isForeground, foreground, place, .app(foreground: foreground), event, line)
    }

    /// Sets a state that lasts until the next entry about it. Notes a fault if nothing would change.
    mutating func set(
        _ state: WritableKeyPath<TimelineState, Bool>, _ value: Bool, _ words: String, _ change: ConditionChange,
        _ event: Occurrence,
        _ line: TimelineLine
    ) {
        if value == activeState[keyPath: state] { return noteRedundant(words, event, line) }
        activeState[keyPath: state] = value
        emit(event, change)
    }

    /// With the screen off the app's place stays, unless the user force-stops the app.
    mutating func kill(forGood: Bool, _ event: Occurrence) {
        if forGood || activeState.screen { activeState.isForeground = false }
        emit(event, forGood ? .forceStop : .kill)
    }

    mutating func setAlarmClock(_ ring: TimeSpan, _ event: Occurrence, _ line: TimelineLine) {
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
    /// The change that begins this state of the server; `end` is the change that ends it.
    fileprivate var beginning: ServerChange {
        switch self {
        case .frozen: .frozen
        case .refusesLogins: .refusingLogins
        case .down, .up, .drain, .moves: .down
        }
    }

    fileprivate var end: ServerChange {
        switch self {
        case .frozen: .thawed
        case .refusesLogins: .takingLogins
        case .down, .up, .drain, .moves: .up
        }
    }
}
