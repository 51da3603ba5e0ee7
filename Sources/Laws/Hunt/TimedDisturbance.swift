package import DeadzoneBase

/// One entry of a searched world: a disturbance with its time and its values. It ends by itself, so that every world
/// becomes calm again.
package struct TimedDisturbance: Hashable, Sendable {
    package var kind: DisturbanceKind
    /// Time since the previous entry began; since the end of the warm-up for the first one.
    package var wait: TimeSpan
    /// Zero if the kind has no length.
    package var length: TimeSpan
    /// Time without a network, for handoffs.
    package var gap = TimeSpan.zero
    /// The end of connections on the lost path, for changes that lose one.
    package var ending = PathEnding.error

    package init(_ kind: DisturbanceKind, wait: TimeSpan, length: TimeSpan = .zero) {
        self.kind = kind
        self.wait = wait
        self.length = length
    }

    /// Words of `old-path` in a timeline, the default first.
    package enum PathEnding: String, CaseIterable, Sendable {
        case error, silent, reset, end
        case halfOpen = "half-open"
    }

    /// The kinds of disturbances, from simple to special. The raw values are the words of the option `--allow`.
    package enum DisturbanceKind: String, CaseIterable, Sendable {
        case deadZone = "dead-zone"
        case handoff, airplane, readdress
        case wanCut = "wan-cut"
        case onlyUp = "one-way-up"
        case onlyDown = "one-way-down"
        case roam
        case cellHandover = "cell-handover"
        case flap
        case slowLink = "slow-link"
        case forgetMappings = "nat-forget"
        case frozenServer = "server-frozen"
        case serverDown = "server-down"
        case refusedLogins = "server-refuses-logins"
        case drain = "server-drain"
        case serverMoves = "server-moves"
        case noNames = "dns-down"
        case away = "background"
        case kill
        case forceStop = "force-stop"
        case push
        case batterySaver = "battery-saver"
        case clock
        case frozenUI = "freeze-ui"
    }
}

extension TimedDisturbance.DisturbanceKind {
    package var hasLength: Bool {
        switch self {
        case .handoff, .readdress, .cellHandover, .flap, .forgetMappings, .drain, .push, .clock: false
        default: true
        }
    }

    package var losesPath: Bool { self == .handoff || self == .readdress || self == .airplane }

    /// Lines of the timeline.
    package var lines: Int {
        switch self {
        case .away, .kill, .forceStop, .batterySaver: 2
        default: 1
        }
    }

    /// Place in the order from simple to special. Shrinking replaces a kind by a simpler one.
    package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// `true` if the length counts as trouble, which is bounded. Time in the background or with battery saver does not.
    package var isTrouble: Bool {
        switch self {
        case .away, .batterySaver, .slowLink: false
        default: hasLength
        }
    }

    /// The part of the world that the disturbance occupies until it ends. Two disturbances of one part never overlap.
    var part: WorldPart {
        switch self {
        case .handoff, .readdress, .airplane: .networks
        case .deadZone, .roam: .coverage
        case .wanCut: .uplink
        case .onlyUp, .onlyDown: .direction
        case .slowLink: .link
        case .cellHandover, .flap, .forgetMappings: .rumours
        case .frozenServer, .serverDown, .refusedLogins, .drain, .serverMoves: .server
        case .noNames: .names
        case .away, .kill, .forceStop: .app
        case .push, .clock, .frozenUI: .process
        case .batterySaver: .saver
        }
    }

    /// `true` if the disturbance refers to the network in use, so that a change of networks must have ended.
    var needsNetwork: Bool {
        switch self {
        case .deadZone, .roam, .wanCut, .onlyUp, .onlyDown, .slowLink, .cellHandover, .flap, .forgetMappings: true
        default: false
        }
    }

    enum WorldPart: Int, CaseIterable {
        case networks, coverage, uplink, direction, link, rumours, server, names, app, process, saver
    }
}

/// The properties of a scenario that decide which disturbances can happen in it.
package struct HuntGround: Sendable {
    package enum MessageStream: String, CaseIterable, Sendable {
        case down, up, calls
    }

    package var radios: [Interface]
    /// The network in use at the start.
    package var start: Interface
    package var hasPlatform: Bool
    /// `true` if worlds may also have a phone without its operating system.
    package var canLosePlatform = false
    package var startsInFront = true
    package var startsWithScreenOn = true
    /// Interfaces with NATs or firewalls.
    package var mappings: [Interface] = []
    package var hasResolver = false
    package var streams: [MessageStream]
    /// Durations of the client, the NATs and the server. Values just below and just above them are tried.
    package var constants: [TimeSpan] = []
    /// Time before the first disturbance and the first listed message, in which the client connects.
    package var warmUp = TimeSpan.seconds(10)
    /// Time after the last disturbance until a world is judged.
    package var grace = TimeSpan.minutes(10)
    /// Most time of disturbances in one world.
    package var trouble = TimeSpan.minutes(30)
    /// `true` if only messages after the last disturbance and the grace are judged.
    package var isCalm = false
    /// Streams without which the demands measure nothing.
    package var needed: Set<MessageStream> = []
    /// Kinds that the user allows.
    package var allowed = Set(TimedDisturbance.DisturbanceKind.allCases)

    package init(radios: [Interface], start: Interface, hasPlatform: Bool, streams: [MessageStream]) {
        self.radios = radios
        self.start = start
        self.hasPlatform = hasPlatform
        self.streams = streams
    }

    /// The kinds that can happen in the scenario.
    package func kinds(withPlatform: Bool) -> [TimedDisturbance.DisturbanceKind] {
        TimedDisturbance.DisturbanceKind.allCases.filter { kind in
            guard allowed.contains(kind) else { return false }
            switch kind {
            case .handoff: return radios.count > 1
            case .roam: return radios.contains(.wifi)
            case .cellHandover: return radios.contains(.cellular)
            case .forgetMappings: return !mappings.isEmpty
            case .noNames, .serverMoves: return hasResolver
            case .kill, .forceStop, .push, .batterySaver, .clock: return withPlatform
            case .frozenUI: return streams.contains(.down)
            default: return true
            }
        }
    }
}
