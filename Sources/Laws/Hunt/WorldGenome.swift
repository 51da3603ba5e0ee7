package import DeadzoneBase

/// A world that `hunt` tries, as typed values: disturbances, messages, the operating system and the seed. It is written
/// as a part of a scenario, so every world that breaks a client is also a file that users can read and run.
package struct WorldGenome: Hashable, Sendable {
    package static let mostEntries = 24
    /// Longest time from the start to the last disturbance.
    package static let longest = TimeSpan.hours(16)

    package var entries: [TimedDisturbance]
    /// One for each stream of the ground.
    package var streams: [MessageGene]
    /// Time that follows the last disturbance, in addition to the grace.
    package var rest = TimeSpan.zero
    /// `false` removes the operating system of the scenario's phone.
    package var hasPlatform: Bool
    /// `nil` keeps the seed of the scenario.
    package var seed: UInt64?

    package init(entries: [TimedDisturbance], streams: [MessageGene], hasPlatform: Bool, seed: UInt64? = nil) {
        self.entries = entries
        self.streams = streams
        self.hasPlatform = hasPlatform
        self.seed = seed
    }

    /// The messages of one stream. Times count from the time at which messages begin to be judged.
    package enum MessageGene: Hashable, Sendable {
        case none
        case every(TimeSpan)
        /// Ascending times.
        case at([TimeSpan])

        /// Number of messages in the order of worlds. A periodic stream is more complex than the list that shrinking
        /// makes of it.
        package var count: Int {
            switch self {
            case .none: 0
            case .every: MessageGene.mostListed + 1
            case .at(let times): times.count
            }
        }

        package static let mostListed = 40
    }

    package var trouble: TimeSpan {
        entries.reduce(.zero) { $0 + ($1.kind.isTrouble ? $1.length : .zero) + $1.gap }
    }
}

extension WorldGenome {
    /// Complexity of a world: simpler worlds order first. Fewer lines of the timeline, then fewer messages, then fewer
    /// values that are not the default, then simpler kinds, then rounder times, then less trouble, then shorter times.
    package struct Complexity: Comparable, Sendable {
        let entries: Int
        let messages: Int
        let values: Int
        let kinds: Int
        let digits: Int
        let trouble: TimeSpan
        let length: TimeSpan

        package static func < (a: Self, b: Self) -> Bool {
            let (own, other) = ((a.entries, a.messages, a.values, a.kinds), (b.entries, b.messages, b.values, b.kinds))
            if own != other { return own < other }
            return (a.digits, a.trouble, a.length) < (b.digits, b.trouble, b.length)
        }
    }

    package var complexity: Complexity {
        let values = entries.reduce(0) { $0 + ($1.gap > .zero ? 1 : 0) + ($1.ending == .error ? 0 : 1) }
        let times = entries.flatMap { [$0.wait, $0.length, $0.gap] } + [rest]
        return Complexity(
            entries: entries.reduce(0) { $0 + $1.kind.lines }, messages: streams.reduce(0) { $0 + $1.count },
            values: values + (hasPlatform ? 0 : 1) + (seed == nil ? 0 : 1),
            kinds: entries.reduce(0) { $0 + $1.kind.rank },
            digits: times.reduce(0) { $0 + $1.compoundText.utf8.count }, trouble: trouble,
            length: times.reduce(.zero) { $0 + $1 })
    }
}

/// A genome placed in time: each disturbance begins when the part of the world that it changes is free.
package struct PlacedGenome: Sendable {
    package struct PlacedLine: Sendable {
        /// Index of the disturbance.
        package let entry: Int
        package let at: TimeSpan
        package let node: Node
    }

    package private(set) var lines: [PlacedLine] = []
    /// End of the last disturbance.
    package private(set) var calm: TimeSpan
    private let genome: WorldGenome
    private let ground: HuntGround

    package init(_ genome: WorldGenome, on ground: HuntGround) {
        self.genome = genome
        self.ground = ground
        calm = ground.warmUp
        var places = PartOccupancy(ground)
        var begin = ground.warmUp
        for (index, entry) in genome.entries.enumerated() {
            begin = max(begin + entry.wait, places.free(for: entry.kind))
            let written = places.place(entry, at: begin, hasPlatform: genome.hasPlatform, ground)
            lines += written.lines.map { PlacedLine(entry: index, at: $0.at, node: $0.node) }
            calm = max(calm, written.end)
        }
        lines = lines.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// Time from which messages are sent.
    package var firstMessage: TimeSpan { ground.isCalm ? calm + ground.grace : ground.warmUp }

    /// End of periodic messages.
    private var until: TimeSpan { ground.isCalm ? firstMessage + ground.grace : calm + ground.grace / 2 }

    /// Time during which periodic messages are sent.
    package var messageTime: TimeSpan { until - firstMessage }

    package var duration: TimeSpan {
        let last =
            genome.streams.map { stream -> TimeSpan in
                switch stream {
                case .none: .zero
                case .every: until
                case .at(let times): firstMessage + (times.last ?? .zero)
                }
            }.max() ?? .zero
        return max(calm, last) + genome.rest + ground.grace
    }

    package var timeline: Node { .list(lines.map(\.node)) }

    /// The YAML value of one stream: a list, so that it replaces the stream of the scenario instead of merging with it.
    /// - Parameter settings: The settings of a message that stay, such as its size.
    package func stream(_ index: Int, keeping settings: [Node.MapEntry]) -> Node? {
        switch genome.streams[index] {
        case .none: return nil
        case .every(let gap):
            var entries = [Node.MapEntry(key: "every", value: .text(gap.compoundText))]
            if ground.isCalm {
                entries.append(Node.MapEntry(key: "from", value: .text(firstMessage.compoundText)))
            }
            entries.append(Node.MapEntry(key: "until", value: .text(until.compoundText)))
            return .list([.map(entries + settings)])
        case .at(let times):
            let at = Node.list(times.map { .text((firstMessage + $0).compoundText) })
            return .list([.map([Node.MapEntry(key: "at", value: at)] + settings)])
        }
    }

}

/// The times at which the parts of a world are free again, while a genome is placed.
private struct PartOccupancy {
    private var freeAt = [TimeSpan](repeating: .zero, count: TimedDisturbance.DisturbanceKind.WorldPart.allCases.count)
    private var current: Interface
    private var isInFront: Bool
    private var isScreenOn: Bool

    /// Instantaneous disturbances of one part are this far apart.
    private static let pause = TimeSpan.seconds(1)

    init(_ ground: HuntGround) {
        current = ground.start
        isInFront = ground.startsInFront
        isScreenOn = ground.startsWithScreenOn
    }

    func free(for kind: TimedDisturbance.DisturbanceKind) -> TimeSpan {
        let own = freeAt[kind.part.rawValue]
        return kind.needsNetwork ? max(own, freeAt[TimedDisturbance.DisturbanceKind.WorldPart.networks.rawValue]) : own
    }

    mutating func place(
        _ entry: TimedDisturbance, at: TimeSpan, hasPlatform: Bool, _ ground: HuntGround
    ) -> (lines: [(at: TimeSpan, node: Node)], end: TimeSpan) {
        let end = at + entry.length + entry.gap
        freeAt[entry.kind.part.rawValue] = max(end, at + Self.pause)
        let length = entry.length.compoundText
        var lines: [(TimeSpan, [(String, String)])] = []
        func line(_ pairs: (String, String)...) { lines.append((at, pairs)) }
        switch entry.kind {
        case .handoff:
            current = current == .wifi ? .cellular : .wifi
            var pairs = [("handoff", current.name)]
            if entry.gap > .zero { pairs.append(("gap", entry.gap.compoundText)) }
            lines.append((at, pairs + Self.ending(entry)))
        case .readdress: lines.append((at, [("readdress", current.name)] + Self.ending(entry)))
        case .airplane: lines.append((at, [("airplane", length)] + Self.ending(entry)))
        case .deadZone: line(("dead-zone", length))
        case .wanCut: line(("wan-cut", length))
        case .onlyUp: line(("one-way", "up"), ("for", length))
        case .onlyDown: line(("one-way", "down"), ("for", length))
        case .roam: line(current == .wifi ? ("roam", length) : ("dead-zone", length))
        case .cellHandover: line(current == .wifi ? ("spurious", "capabilities") : ("cell-handover", "true"))
        case .flap: line(("spurious", "flap"))
        case .slowLink:
            let link = Node.map([Node.MapEntry(key: current.name, value: .text("emulator-edge"))])
            let own = [("at", Node.text(at.compoundText)), ("conditions", link), ("for", Node.text(length))]
            return ([(at, .map(own.map { Node.MapEntry(key: $0.0, value: $0.1) }))], end)
        case .forgetMappings:
            let box = ground.mappings.contains(current) ? current : ground.mappings.first ?? current
            line(("nat", "forget"), ("interface", box.name))
        case .frozenServer: line(("server", "frozen"), ("for", length))
        case .serverDown: line(("server", "down"), ("for", length))
        case .refusedLogins: line(("server", "refuses-logins"), ("for", length))
        case .drain: line(("server", "drain"))
        case .serverMoves: line(("server", "moves"), ("dns-after", length))
        case .noNames: line(("dns", "down"), ("for", length))
        case .away: lines = move(for: entry.length, at: at, hasScreen: hasPlatform)
        case .kill, .forceStop:
            lines = [(at, [("kill", entry.kind == .kill ? "app" : "force-stop")])]
            lines.append((end, show(true, hasScreen: hasPlatform)))
            isInFront = true
        case .push: line(("push", "high"))
        case .batterySaver: lines = [(at, [("battery-saver", "on")]), (end, [("battery-saver", "off")])]
        case .clock: line(("clock", "+1h"))
        case .frozenUI: line(("freeze-ui", length))
        }
        return (lines.map { ($0.0, Self.node($0.0, $0.1)) }, end)
    }

    /// Moves the app to the background and back; an app that starts there to the foreground and back.
    private mutating func move(
        for length: TimeSpan, at: TimeSpan, hasScreen: Bool
    ) -> [(TimeSpan, [(String, String)])] {
        let away = show(!isInFront, hasScreen: hasScreen)
        return [(at, away), (at + length, show(isInFront, hasScreen: hasScreen))]
    }

    /// The keys that move the app to the foreground or to the background. The screen follows the app.
    private mutating func show(_ isInFront: Bool, hasScreen: Bool) -> [(String, String)] {
        let app = [("app", isInFront ? "foreground" : "background")]
        guard hasScreen, isScreenOn != isInFront else { return app }
        isScreenOn = isInFront
        return app + [("screen", isInFront ? "on" : "off")]
    }

    private static func ending(_ entry: TimedDisturbance) -> [(String, String)] {
        entry.ending == .error ? [] : [("old-path", entry.ending.rawValue)]
    }

    private static func node(_ at: TimeSpan, _ pairs: [(String, String)]) -> Node {
        .map(([("at", at.compoundText)] + pairs).map { Node.MapEntry(key: $0.0, value: .text($0.1)) })
    }
}
