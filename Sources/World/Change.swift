public import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneServer
public import DeadzoneSystem

/// One change of conditions. What a user writes as one line (`handoff`, `dead-zone`, `airplane`) is compiled to some of these.
public enum Change: Hashable, Sendable {
    /// The interface gets an address on this network. What the operating system says of it, and when, is its platform's rule.
    case pathUp(Interface, Attachment)
    /// The interface loses its address; sockets on it die in this manner.
    case pathDown(Interface, OldPath)
    /// The system thinks less of the network than of any other that is up: it will be gone soon.
    case fading(Interface)
    /// The same network with another address and another handle, as after a cellular re-association.
    case readdress(Interface, OldPath)
    /// Signal of the interface comes or goes; the path stays, and the app is told nothing.
    case coverage(Interface, Bool)
    /// Packets of one direction pass, or vanish, while the other direction works.
    case oneWay(Interface, Direction, passes: Bool)
    /// Behind the access point or the base station: the network is there, the internet is not.
    case uplink(Interface, Bool)
    /// The cellular radio changes cell: data waits for the execution time.
    case cellHandover
    /// The cellular radio is another one of the world's from now on (LTE ↔ NR).
    case technology(UInt8)
    /// The cellular signal is weak, or as usual again: the same radio at other prices, numbered as `technology` numbers them, over another
    /// of the world's link conditions. Nothing that it does or holds changes.
    case signal(isWeak: Bool, radio: UInt8, condition: UInt8)
    /// Packets on the interface meet another of the world's link conditions from now on.
    case conditions(Interface, UInt8)
    /// Middleboxes of the interface forget every mapping.
    case mappingsLost(Interface)
    /// The operating system says something of a network that means nothing.
    case spurious(Interface, Spurious)
    /// What stands between the app and a network that is there. Android knows nothing of the kind.
    case access(Interface, Access)
    /// Names resolve, or do not.
    case names(resolve: Bool)

    case app(foreground: Bool)
    case screen(Bool)
    case charging(Bool)
    case moving(Bool)
    /// The app's consumer stands still for so long.
    case consumerStall(TimeSpan)
    /// The system ends the app's process.
    case kill
    /// Somebody sets the time of day, so much forward.
    case clockSet(TimeSpan)
    /// The server's push service is asked to wake the app.
    case push(urgent: Bool)

    /// Battery saver is on, or off.
    case saving(Bool)
    /// The user's alarm clock will ring then.
    case alarmClock(Instant)
    /// The user ends the app for good: nothing but the user starts it again.
    case forceStop

    case server(ServerChange)
    /// Of one of the server's instances, from 0.
    case instance(UInt8, InstanceChange)
    case deploy(Deploy)
}

extension Change {
    /// What every change has, whoever makes it: one row each.
    public struct Row: Sendable {
        /// In the canonical text of a world, whose fingerprint saved baselines hold: never renamed.
        public let text: String
        /// As a picture names it.
        public let scene: Scene

        init(_ text: String, _ title: String, _ effect: Scene.Effect = .other) {
            self.text = text
            scene = Scene(title, effect)
        }
    }

    public var row: Row {
        switch self {
        case .pathUp(let net, let attachment):
            Row(
                "up-\(net.name)\(attachment.text)", "\(net.title) \(attachment.portal == nil ? "joined" : "portal")",
                .path(net, isUp: true))
        case .pathDown(let net, let manner):
            Row(
                "down-\(net.name)-\(manner.text)", "\(net.title) left\(manner == .silent ? " silently" : "")",
                .path(net, isUp: false))
        case .fading(let net): Row("fading-\(net.name)", "\(net.title) fades")
        case .readdress(let net, let manner):
            Row("readdress-\(net.name)-\(manner.text)", "\(net.title): new address")
        case .coverage(let net, true):
            Row("light-\(net.name)", "\(net.title) signal back", .coverage(net, isThere: true))
        case .coverage(let net, false):
            Row("dark-\(net.name)", "no \(net.title) signal", .coverage(net, isThere: false))
        case .oneWay(let net, let way, let passes):
            Row(
                "\(passes ? "pass" : "block")-\(way.name)-\(net.name)",
                "\(net.title) \(way.name) \(passes ? "passes" : "is cut")")
        case .uplink(let net, true):
            Row("online-\(net.name)", "\(net.title): internet back", .coverage(net, isThere: true))
        case .uplink(let net, false):
            Row("offline-\(net.name)", "\(net.title): no internet", .coverage(net, isThere: false))
        case .cellHandover: Row("cell-handover", "cell handover")
        case .technology(let index): Row("technology-\(index)", "other radio technology")
        case .signal(let isWeak, let radio, let link):
            Row("signal-\(isWeak ? "weak" : "usual")-\(radio)-\(link)", isWeak ? "weak signal" : "usual signal")
        case .conditions(let net, let index): Row("conditions-\(net.name)-\(index)", "\(net.title): other link")
        case .mappingsLost(let net): Row("mappings-lost-\(net.name)", "NAT forgets")
        case .spurious(let net, let rumour): Row("spurious-\(net.name)-\(rumour.text)", "\(net.title): rumour")
        case .access(let net, let access):
            Row(
                "access-\(net.name)-\(access.text)", "\(net.title) \(access.title)",
                .coverage(net, isThere: access == .open))
        case .names(let resolve): resolve ? Row("names", "DNS back") : Row("no-names", "no DNS")
        case .app(foreground: true): Row("foreground", "app in front", .app(isInFront: true))
        case .app(foreground: false): Row("background", "app in background", .app(isInFront: false))
        case .screen(true): Row("screen-on", "screen on", .screen(isOn: true))
        case .screen(false): Row("screen-off", "screen off", .screen(isOn: false))
        case .charging(let on): on ? Row("charging-on", "charger in") : Row("charging-off", "charger out")
        case .moving(let moves): moves ? Row("moving", "moves") : Row("still", "lies still")
        case .consumerStall(let span): Row("stall-\(span.nanoseconds)", "screen freezes")
        case .kill: Row("kill", "app killed", .process(isEnded: true))
        case .clockSet(let shift): Row("clock-\(shift.nanoseconds)", "clock set")
        case .push(let urgent): Row(urgent ? "push-high" : "push-normal", "push")
        case .saving(let on): on ? Row("saving-on", "battery saver on") : Row("saving-off", "battery saver off")
        case .alarmClock(let at): Row("alarm-clock-\(at.nanoseconds)", "alarm clock set")
        case .forceStop: Row("force-stop", "app force-stopped", .process(isEnded: true))
        case .server(let change): change.row
        case .instance(let number, let change):
            Row("instance-\(number + 1)-\(change.text)", "instance \(number + 1) \(change.title)")
        case .deploy(let deploy):
            Row(
                "deploy-\(deploy.over.nanoseconds)-\(deploy.instances)-\(deploy.isAbrupt ? "reset" : "drain")",
                "server deployed anew")
        }
    }

    /// It may take the connections of all phones at one moment, or have all of them knock at one moment.
    public var beginsHerd: Bool {
        switch self {
        case .pathUp, .pathDown, .readdress, .coverage, .oneWay, .uplink, .mappingsLost, .push, .kill, .forceStop,
            .server, .deploy:
            true
        case .instance(_, let change): change != .up && change != .taken
        case .app(let foreground): foreground
        case .fading, .cellHandover, .technology, .signal, .conditions, .spurious, .access, .names, .screen, .charging,
            .moving,
            .consumerStall, .clockSet, .saving, .alarmClock:
            false
        }
    }
}

/// What changes speak of, and what they take for granted.
private struct Subjects: OptionSet {
    let rawValue: UInt32

    static let networks = Subjects(rawValue: 1)
    static let app = Subjects(rawValue: 1 << 1)
    static let server = Subjects(rawValue: 1 << 2)
    static let names = Subjects(rawValue: 1 << 3)
    static let technology = Subjects(rawValue: 1 << 4)
    static let charging = Subjects(rawValue: 1 << 5)
    static let motion = Subjects(rawValue: 1 << 6)
    static let saving = Subjects(rawValue: 1 << 7)
    static let alarmClock = Subjects(rawValue: 1 << 8)
    static let timeOfDay = Subjects(rawValue: 1 << 9)

    static func coverage(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (10 + interface.rawValue)) }
    static func uplink(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (12 + interface.rawValue)) }
    static func direction(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (14 + interface.rawValue)) }
    static func link(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (16 + interface.rawValue)) }
}

extension Change {
    /// Which of the two comes first makes a difference to what they say.
    public func meets(_ other: Change) -> Bool {
        let (mine, its) = (subjects, other.subjects)
        return !mine.says.isDisjoint(with: its.says.union(its.needs)) || !its.says.isDisjoint(with: mine.needs)
    }

    /// What begins some trouble speaks of the network that the phone is on; what ends it does not.
    private var subjects: (says: Subjects, needs: Subjects) {
        switch self {
        case .pathUp, .pathDown, .fading, .readdress, .access: (.networks, [])
        case .coverage(let interface, let isThere): (.coverage(interface), isThere ? [] : .networks)
        case .uplink(let interface, let isThere): (.uplink(interface), isThere ? [] : .networks)
        case .oneWay(let interface, _, let passes): (.direction(interface), passes ? [] : .networks)
        case .conditions(let interface, _): (.link(interface), .networks)
        case .cellHandover, .mappingsLost, .spurious: ([], .networks)
        case .technology: (.technology, [])
        case .signal: ([.technology, .link(.cellular)], .networks)
        case .names: (.names, [])
        case .app, .screen, .kill, .forceStop: (.app, [])
        case .charging: (.charging, [])
        case .moving: (.motion, [])
        case .saving: (.saving, [])
        case .alarmClock: (.alarmClock, [])
        case .clockSet: (.timeOfDay, [])
        case .consumerStall, .push: ([], [])
        case .server, .instance, .deploy: (.server, [])
        }
    }
}
