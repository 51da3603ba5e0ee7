package import DeadzoneBase

/// One change of a phone's conditions, such as a lost network, a killed app or a server restart.
///
/// A line of the user's timeline (`handoff`, `dead-zone`, `airplane`) is compiled to one or more changes.
package enum ConditionChange: Hashable, Sendable {
    /// The interface gets an address on this network. The platform's rules determine what the operating system
    /// announces, and when.
    case pathUp(Interface, Attachment)
    /// The interface loses its address. The signal determines how its sockets notice the loss.
    case pathDown(Interface, PathLossSignal)
    /// The interface's network will be gone soon. The system ranks it below every other network that is up.
    case fading(Interface)
    /// The same network gets another address and another handle, as after a cellular re-association.
    case readdress(Interface, PathLossSignal)
    /// The interface's signal appears (`true`) or disappears. The path stays, and the app receives no notification.
    case coverage(Interface, Bool)
    /// The Wi-Fi signal appears at another access point of the same network. Android notifies the app of it.
    case roamed
    /// Packets of one direction pass or are dropped; the other direction is not affected.
    case oneWay(Interface, Direction, passes: Bool)
    /// The internet behind the access point or base station becomes reachable (`true`) or unreachable. The network
    /// itself stays.
    case uplink(Interface, Bool)
    /// The cellular radio changes cell. Data waits during the handover's execution time.
    case cellHandover
    /// The cellular radio switches to the world's radio profile with this index (LTE ↔ NR). Android notifies the app.
    case technology(UInt8)
    /// The cellular signal becomes weak, or normal again: the same radio with other energy costs and another link
    /// condition. `radio` is numbered like `technology`. The radio's behaviour and state do not change.
    case signal(isWeak: Bool, radio: UInt8, condition: UInt8)
    /// The interface switches to the world's link condition with this index.
    case conditions(Interface, UInt8)
    /// The middleboxes of the interface forget every mapping.
    case mappingsLost(Interface)
    /// The operating system makes a meaningless announcement about a network.
    case spurious(Interface, SpuriousEvent)
    /// The app's access to an existing network changes. Android has no such restriction.
    case access(Interface, Access)
    /// DNS resolution begins to work, or to fail.
    case names(resolve: Bool)

    case app(foreground: Bool)
    case screen(Bool)
    case charging(Bool)
    case moving(Bool)
    /// The app's consumer of messages stalls for this time.
    case consumerStall(TimeSpan)
    /// The system ends the app's process.
    case kill
    /// The clock of the phone (time of day) is set forward by this span.
    case clockSet(TimeSpan)
    /// The server requests a push that wakes the app.
    case push(urgent: Bool)
    /// The app's push token becomes void: the phone gets no push until the server knows a new one.
    case pushTokenVoid

    /// Battery saver is turned on (`true`) or off.
    case saving(Bool)
    /// Data saver is turned on (`true`) or off.
    case dataSaver(Bool)
    /// The user restricts the app in the background (`true`), or lifts the restriction.
    case restriction(Bool)
    /// The user's alarm clock is set to ring at this instant.
    case alarmClock(Instant)
    /// The user force-stops the app: only the user can start it again.
    case forceStop

    case server(ServerChange)
    /// The server ends the phone's subscriptions while the connection lives.
    case subscriptionsEnded(SubscriptionEnd)
    /// The server continues at another address. The old address no longer leads to it.
    case serverMoved(OldAddress)
    /// The server's name gets the server's present address.
    case nameUpdated
    /// One of the server's instances (numbered from 0) changes, for example shuts down.
    case instance(UInt8, InstanceChange)
    case deploy(Deploy)
    /// The server continues with the rules of the world's version with this index.
    case serverVersion(UInt8)
    /// The direct way to the phone's peer changes.
    case peer(PeerChange)
}

extension ConditionChange {
    /// Texts for a change of conditions, used in fingerprints of worlds and in pictures.
    package struct ChangeLabels: Sendable {
        /// Label of the change in the canonical text of a world. Fingerprints of saved baselines depend on it: never
        /// rename it.
        package let text: String
        /// The change's title and its effect, as a picture shows them.
        package let scene: TimelineMarker

        init(_ text: String, _ title: String, _ effect: TimelineMarker.Effect = .other) {
            self.text = text
            scene = TimelineMarker(title, effect)
        }
    }

    package var labels: ChangeLabels {
        switch self {
        case .pathUp(let net, let attachment):
            .init("up-\(net.name)\(attachment.text)", "\(net.title) \(attachment.title)", .path(net, isUp: true))
        case .pathDown(let net, let signal):
            .init(
                "down-\(net.name)-\(signal.text)", "\(net.title) left\(signal == .silent ? " silently" : "")",
                .path(net, isUp: false))
        case .fading(let net): .init("fading-\(net.name)", "\(net.title) fades")
        case .readdress(let net, let signal): .init("readdress-\(net.name)-\(signal.text)", "\(net.title): new address")
        case .coverage(let net, let isThere): Self.signalLabels(of: net, isThere: isThere)
        case .roamed: Self.signalLabels(of: .wifi, isThere: true)
        case .oneWay(let net, let way, let passes):
            .init(
                "\(passes ? "pass" : "block")-\(way.name)-\(net.name)",
                "\(net.title) \(way.name) \(passes ? "passes" : "is cut")")
        case .uplink(let net, true):
            .init("online-\(net.name)", "\(net.title): internet back", .coverage(net, isThere: true))
        case .uplink(let net, false):
            .init("offline-\(net.name)", "\(net.title): no internet", .coverage(net, isThere: false))
        case .cellHandover: .init("cell-handover", "cell handover")
        case .technology(let index): .init("technology-\(index)", "other radio technology")
        case .signal(let isWeak, let radio, let link):
            .init("signal-\(isWeak ? "weak" : "usual")-\(radio)-\(link)", "\(isWeak ? "weak" : "usual") signal")
        case .conditions(let net, let index): .init("conditions-\(net.name)-\(index)", "\(net.title): other link")
        case .mappingsLost(let net): .init("mappings-lost-\(net.name)", "NAT forgets")
        case .spurious(let net, let event): .init("spurious-\(net.name)-\(event.text)", "\(net.title): rumour")
        case .access(let net, let access):
            .init(
                "access-\(net.name)-\(access.text)", "\(net.title) \(access.title)",
                .coverage(net, isThere: access == .open))
        case .names(let resolve): resolve ? .init("names", "DNS back") : .init("no-names", "no DNS")
        case .app(foreground: true): .init("foreground", "app in front", .app(isInFront: true))
        case .app(foreground: false): .init("background", "app in background", .app(isInFront: false))
        case .screen(let on): .init("screen-\(on ? "on" : "off")", "screen \(on ? "on" : "off")", .screen(isOn: on))
        case .charging(let on): on ? .init("charging-on", "charger in") : .init("charging-off", "charger out")
        case .moving(let moves): moves ? .init("moving", "moves") : .init("still", "lies still")
        case .consumerStall(let span): .init("stall-\(span.nanoseconds)", "screen freezes")
        case .kill: .init("kill", "app killed", .process(isEnded: true))
        case .clockSet(let shift): .init("clock-\(shift.nanoseconds)", "clock set")
        case .push(let urgent): .init(urgent ? "push-high" : "push-normal", "push")
        case .pushTokenVoid: .init("push-token-void", "push token void")
        case .saving(let on): on ? .init("saving-on", "battery saver on") : .init("saving-off", "battery saver off")
        case .dataSaver(let on): .init("data-saver-\(on ? "on" : "off")", "data saver \(on ? "on" : "off")")
        case .restriction(let on): .init(on ? "restricted" : "unrestricted", "app \(on ? "" : "un")restricted")
        case .alarmClock(let at): .init("alarm-clock-\(at.nanoseconds)", "alarm clock set")
        case .forceStop: .init("force-stop", "app force-stopped", .process(isEnded: true))
        case .server(let change): change.row
        case .subscriptionsEnded(let end): end.row
        case .serverMoved(let old): .init("server-moved-\(old.name)", "server moves")
        case .nameUpdated: .init("name-updated", "DNS has the new address")
        case .instance(let number, let change):
            .init("instance-\(number + 1)-\(change.text)", "instance \(number + 1) \(change.title)")
        case .deploy(let deploy): deploy.row
        case .serverVersion(let index): .init("server-version-\(index)", "other version of the server")
        case .peer(let change): change.row
        }
    }

    /// `true` if the change may close the connections of all phones at one instant, or make all phones connect at one
    /// instant.
    package var beginsHerd: Bool {
        switch self {
        case .pathUp, .pathDown, .readdress, .coverage, .roamed, .oneWay, .uplink, .mappingsLost, .push, .kill,
            .forceStop, .server, .serverMoved, .deploy:
            true
        case .instance(_, let change): change != .up && change != .readmitted
        case .app(let foreground): foreground
        case .fading, .cellHandover, .technology, .signal, .conditions, .spurious, .access, .names, .screen, .charging,
            .moving,
            .consumerStall, .clockSet, .pushTokenVoid, .saving, .dataSaver, .restriction, .alarmClock, .serverVersion,
            .nameUpdated, .subscriptionsEnded, .peer:
            false
        }
    }
}

/// Set of parts of the conditions (networks, app, server and so on) that a change of conditions writes or reads.
private struct Subjects: OptionSet {
    let rawValue: UInt64

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
    static let dataSaver = Subjects(rawValue: 1 << 18)
    static let restriction = Subjects(rawValue: 1 << 19)
    static let peer = Subjects(rawValue: 1 << 20)

    static func coverage(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (24 + interface.rawValue)) }
    static func uplink(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (32 + interface.rawValue)) }
    static func direction(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (40 + interface.rawValue)) }
    static func link(_ interface: Interface) -> Subjects { Subjects(rawValue: 1 << (48 + interface.rawValue)) }
}

extension ConditionChange {
    /// `true` if the order of the two changes affects their result.
    package func interferes(_ other: ConditionChange) -> Bool {
        let (mine, its) = (subjects, other.subjects)
        return !mine.writes.isDisjoint(with: its.writes.union(its.reads)) || !its.writes.isDisjoint(with: mine.reads)
    }

    /// The parts of the conditions that this change writes and reads. A change that begins a disturbance reads the
    /// phone's networks; a change that ends one does not.
    private var subjects: (writes: Subjects, reads: Subjects) {
        switch self {
        case .pathUp, .pathDown, .fading, .readdress, .access: (.networks, [])
        case .coverage(let interface, let isThere): (.coverage(interface), isThere ? [] : .networks)
        case .roamed: (.coverage(.wifi), [])
        case .uplink(let interface, let isThere): (.uplink(interface), isThere ? [] : .networks)
        case .oneWay(let interface, _, let passes): (.direction(interface), passes ? [] : .networks)
        case .conditions(let interface, _): (.link(interface), .networks)
        case .cellHandover, .mappingsLost, .spurious: ([], .networks)
        case .technology: (.technology, [])
        case .signal: ([.technology, .link(.cellular)], .networks)
        case .names: (.names, [])
        case .serverMoved: ([.server, .names], [])
        case .nameUpdated: (.names, .server)
        case .app, .screen, .kill, .forceStop: (.app, [])
        case .charging: (.charging, [])
        case .moving: (.motion, [])
        case .saving: (.saving, [])
        case .dataSaver: (.dataSaver, [])
        case .restriction: (.restriction, .app)
        case .alarmClock: (.alarmClock, [])
        case .clockSet: (.timeOfDay, [])
        case .consumerStall, .push, .pushTokenVoid: ([], [])
        case .server, .instance, .deploy, .serverVersion, .subscriptionsEnded: (.server, [])
        case .peer: (.peer, [])
        }
    }
}
