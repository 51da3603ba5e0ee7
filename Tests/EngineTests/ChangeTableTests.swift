import DeadzoneBase
import DeadzoneSimulator
import Testing

/// Every change of conditions: its label, its picture, whether a herd begins with it, and which changes it interferes
/// with.
@Suite struct ChangeTableTests {
    struct Row: Sendable {
        var change: ConditionChange
        var text: String
        var title: String
        var effect = TimelineMarker.Effect.other
        var beginsHerd = false
        /// Parts of the conditions that the change writes, and those that it reads.
        var writes: Set<String> = []
        var reads: Set<String> = []

        init(
            _ change: ConditionChange, _ text: String, _ title: String,
            _ effect: TimelineMarker.Effect = .other, herd: Bool = false, writes: Set<String> = [],
            reads: Set<String> = []
        ) {
            (self.change, self.text, self.title, self.effect) = (change, text, title, effect)
            (beginsHerd, self.writes, self.reads) = (herd, writes, reads)
        }
    }

    private static let detailed = Attachment(
        usableAfter: .nanoseconds(3), portal: .nanoseconds(4), announcedAfter: .nanoseconds(5), isMetered: false)

    private static let networks: [Row] = [
        Row(.pathUp(.wifi, .plain), "up-wifi", "Wi-Fi joined", .path(.wifi, isUp: true), herd: true, writes: ["nets"]),
        Row(
            .pathUp(.cellular, detailed), "up-cellular-usable-3-portal-4-announced-5-unmetered", "cellular portal",
            .path(.cellular, isUp: true), herd: true, writes: ["nets"]),
        Row(
            .pathDown(.wifi, .error), "down-wifi-error", "Wi-Fi left", .path(.wifi, isUp: false), herd: true,
            writes: ["nets"]),
        Row(
            .pathDown(.cellular, .silent), "down-cellular-silent", "cellular left silently",
            .path(.cellular, isUp: false), herd: true, writes: ["nets"]),
        Row(
            .pathDown(.cellular, .ended), "down-cellular-end", "cellular left", .path(.cellular, isUp: false),
            herd: true, writes: ["nets"]),
        Row(.fading(.wifi), "fading-wifi", "Wi-Fi fades", writes: ["nets"]),
        Row(
            .readdress(.cellular, .halfOpen), "readdress-cellular-half-open", "cellular: new address", herd: true,
            writes: ["nets"]),
        Row(.readdress(.wifi, .reset), "readdress-wifi-reset", "Wi-Fi: new address", herd: true, writes: ["nets"]),
        Row(
            .coverage(.cellular, true), "light-cellular", "cellular signal back", .coverage(.cellular, isThere: true),
            herd: true, writes: ["coverage cellular"]),
        Row(
            .coverage(.wifi, false), "dark-wifi", "no Wi-Fi signal", .coverage(.wifi, isThere: false), herd: true,
            writes: ["coverage wifi"], reads: ["nets"]),
        Row(
            .roamed, "light-wifi", "Wi-Fi signal back", .coverage(.wifi, isThere: true), herd: true,
            writes: ["coverage wifi"]),
        Row(
            .oneWay(.wifi, .up, passes: true), "pass-up-wifi", "Wi-Fi up passes", herd: true, writes: ["way wifi"]),
        Row(
            .oneWay(.cellular, .down, passes: false), "block-down-cellular", "cellular down is cut", herd: true,
            writes: ["way cellular"], reads: ["nets"]),
        Row(
            .uplink(.cellular, true), "online-cellular", "cellular: internet back",
            .coverage(.cellular, isThere: true), herd: true, writes: ["uplink cellular"]),
        Row(
            .uplink(.wifi, false), "offline-wifi", "Wi-Fi: no internet", .coverage(.wifi, isThere: false), herd: true,
            writes: ["uplink wifi"], reads: ["nets"]),
        Row(.cellHandover, "cell-handover", "cell handover", reads: ["nets"]),
        Row(.technology(2), "technology-2", "other radio technology", writes: ["radio"]),
        Row(
            .signal(isWeak: true, radio: 1, condition: 2), "signal-weak-1-2", "weak signal",
            writes: ["radio", "link cellular"], reads: ["nets"]),
        Row(
            .signal(isWeak: false, radio: 0, condition: 3), "signal-usual-0-3", "usual signal",
            writes: ["radio", "link cellular"], reads: ["nets"]),
        Row(
            .conditions(.wifi, 4), "conditions-wifi-4", "Wi-Fi: other link", writes: ["link wifi"], reads: ["nets"]),
        Row(.mappingsLost(.cellular), "mappings-lost-cellular", "NAT forgets", herd: true, reads: ["nets"]),
        Row(.spurious(.wifi, .capabilities), "spurious-wifi-capabilities", "Wi-Fi: rumour", reads: ["nets"]),
        Row(.spurious(.wifi, .available), "spurious-wifi-available", "Wi-Fi: rumour", reads: ["nets"]),
        Row(.spurious(.cellular, .flap), "spurious-cellular-flap", "cellular: rumour", reads: ["nets"]),
        Row(
            .access(.wifi, .open), "access-wifi-open", "Wi-Fi open to the app", .coverage(.wifi, isThere: true),
            writes: ["nets"]),
        Row(
            .access(.cellular, .refused), "access-cellular-refused", "cellular refused to the app",
            .coverage(.cellular, isThere: false), writes: ["nets"]),
        Row(
            .access(.wifi, .needsConnection(.nanoseconds(6))), "access-wifi-on-demand-6",
            "Wi-Fi needs a connection first", .coverage(.wifi, isThere: false), writes: ["nets"]),
        Row(
            .access(.wifi, .needsConnection(nil)), "access-wifi-by-hand", "Wi-Fi needs a connection first",
            .coverage(.wifi, isThere: false), writes: ["nets"]),
        Row(.names(resolve: true), "names", "DNS back", writes: ["names"]),
        Row(.names(resolve: false), "no-names", "no DNS", writes: ["names"]),
        Row(
            .subscriptionsEnded(SubscriptionEnd(isSilent: false, count: 5)), "streams-ended-5", "streams ended",
            writes: ["server"]),
        Row(
            .subscriptionsEnded(SubscriptionEnd(isSilent: true, count: 1)), "streams-lost-1", "streams lost",
            writes: ["server"]),
    ]

    private static let phone: [Row] = [
        Row(.app(foreground: true), "foreground", "app in front", .app(isInFront: true), herd: true, writes: ["app"]),
        Row(.app(foreground: false), "background", "app in background", .app(isInFront: false), writes: ["app"]),
        Row(.screen(true), "screen-on", "screen on", .screen(isOn: true), writes: ["app"]),
        Row(.screen(false), "screen-off", "screen off", .screen(isOn: false), writes: ["app"]),
        Row(.charging(true), "charging-on", "charger in", writes: ["charging"]),
        Row(.charging(false), "charging-off", "charger out", writes: ["charging"]),
        Row(.moving(true), "moving", "moves", writes: ["motion"]),
        Row(.moving(false), "still", "lies still", writes: ["motion"]),
        Row(.consumerStall(.nanoseconds(7)), "stall-7", "screen freezes"),
        Row(.kill, "kill", "app killed", .process(isEnded: true), herd: true, writes: ["app"]),
        Row(.clockSet(.nanoseconds(8)), "clock-8", "clock set", writes: ["time"]),
        Row(.push(urgent: true), "push-high", "push", herd: true),
        Row(.push(urgent: false), "push-normal", "push", herd: true),
        Row(.pushTokenVoid, "push-token-void", "push token void"),
        Row(.saving(true), "saving-on", "battery saver on", writes: ["saving"]),
        Row(.saving(false), "saving-off", "battery saver off", writes: ["saving"]),
        Row(.dataSaver(true), "data-saver-on", "data saver on", writes: ["data saver"]),
        Row(.dataSaver(false), "data-saver-off", "data saver off", writes: ["data saver"]),
        Row(.restriction(true), "restricted", "app restricted", writes: ["restriction"], reads: ["app"]),
        Row(.restriction(false), "unrestricted", "app unrestricted", writes: ["restriction"], reads: ["app"]),
        Row(.alarmClock(.zero + .nanoseconds(9)), "alarm-clock-9", "alarm clock set", writes: ["alarm"]),
        Row(.forceStop, "force-stop", "app force-stopped", .process(isEnded: true), herd: true, writes: ["app"]),
    ]

    private static func server(
        _ change: ServerChange, _ title: String, _ effect: TimelineMarker.Effect = .other
    ) -> Row {
        Row(.server(change), "server-\(change)", title, effect, herd: true, writes: ["server"])
    }

    private static let server: [Row] = [
        server(.frozen, "server freezes", .server(isThere: false)),
        server(.thawed, "server thaws", .server(isThere: true)),
        server(.down, "server down", .server(isThere: false)), server(.up, "server up", .server(isThere: true)),
        server(.draining, "server drains"), server(.refusingLogins, "logins refused"),
        server(.takingLogins, "logins taken"),
        Row(.instance(0, .down), "instance-1-down", "instance 1 down", herd: true, writes: ["server"]),
        Row(.instance(1, .frozen), "instance-2-frozen", "instance 2 freezes", herd: true, writes: ["server"]),
        Row(.instance(2, .up), "instance-3-up", "instance 3 is back", writes: ["server"]),
        Row(.instance(3, .ejected), "instance-4-ejected", "instance 4 ejected", herd: true, writes: ["server"]),
        Row(.instance(4, .readmitted), "instance-5-taken", "instance 5 taken back", writes: ["server"]),
        Row(
            .deploy(Deploy(over: .nanoseconds(6), instances: 7, isAbrupt: true)), "deploy-6-7-reset",
            "server deployed anew", herd: true, writes: ["server"]),
        Row(
            .deploy(Deploy(over: .zero, instances: 8)), "deploy-0-8-drain", "server deployed anew", herd: true,
            writes: ["server"]),
        Row(
            .serverMoved(.silent), "server-moved-silent", "server moves", herd: true, writes: ["server", "names"]),
        Row(.serverMoved(.reset), "server-moved-reset", "server moves", herd: true, writes: ["server", "names"]),
        Row(.nameUpdated, "name-updated", "DNS has the new address", writes: ["names"], reads: ["server"]),
        Row(.peer(.moves), "peer-moves", "peer moves", writes: ["peer"]),
        Row(.peer(.blocked), "peer-blocked", "direct path blocked", writes: ["peer"]),
        Row(.peer(.open), "peer-open", "direct path open", writes: ["peer"]),
        Row(.serverVersion(2), "server-version-2", "other version of the server", writes: ["server"]),
    ]

    private static let all = networks + phone + server

    @Test("Each change has its label, its picture and its herd", arguments: all)
    func labels(_ row: Row) {
        #expect(row.change.labels.text == row.text)
        #expect(row.change.labels.scene == TimelineMarker(row.title, row.effect))
        #expect(row.change.beginsHerd == row.beginsHerd)
        #expect(row.change == .serverVersion(2) || ConditionChange.isEvent(row.text), "\(row.text)")
        for end in row.text.indices.dropFirst() {
            #expect(row.change == .serverVersion(2) || ConditionChange.isEvent(String(row.text[..<end])), "\(row.text)")
        }
    }

    @Test("Two changes interfere if one writes a part of the conditions that the other writes or reads")
    func interference() {
        var interfering = 0
        // Each interface has parts of its own.
        let rows =
            Self.all
            + Interface.allCases.flatMap { interface in
                [
                    Row(.coverage(interface, true), "light", "", writes: ["coverage \(interface.name)"]),
                    Row(.uplink(interface, true), "online", "", writes: ["uplink \(interface.name)"]),
                    Row(.oneWay(interface, .up, passes: true), "pass", "", writes: ["way \(interface.name)"]),
                    Row(
                        .conditions(interface, 1), "conditions", "", writes: ["link \(interface.name)"], reads: ["nets"]
                    ),
                ]
            }
        for one in rows {
            for other in rows {
                let expected =
                    !one.writes.isDisjoint(with: other.writes) || !one.writes.isDisjoint(with: other.reads)
                    || !other.writes.isDisjoint(with: one.reads)
                #expect(one.change.interferes(other.change) == expected, "\(one.text), \(other.text)")
                interfering += expected ? 1 : 0
            }
        }
        #expect(interfering > 500)
    }

    @Test("The beginning of a label is an event, with or without its details, and nothing else is")
    func events() {
        let table: [(String, Bool)] = [
            ("", false), ("u", true), ("up-wifi", true), ("up-wifi-portal", true), ("up-wifix", false),
            ("down-wifi-", true), ("down-wifi-sil", true), ("down-wifi-silent", true), ("down-wifi-silence", false),
            ("down-wifi-1", false), ("readdress-cellular-end", true), ("readdress-cellular-ending", false),
            ("technology-", true), ("technology-1", true), ("technology-x", false), ("kill", true), ("kill-", true),
            ("kill-x", false), ("kill-9", true), ("spurious-wifi-flap", true), ("access-wifi-anything", true),
            ("push-high", true), ("dark-wifi-x", false), ("server-", true), ("server-up-now", false), ("wifi", false),
            ("instance-2-down", true), ("names", true), ("no-names", true), ("deploy-4-5", true), ("xup-wifi", false),
        ]
        for (text, isEvent) in table { #expect(ConditionChange.isEvent(text) == isEvent, "\(text)") }
        // Each label without its details is in the list.
        for row in Self.all where row.change != .serverVersion(2) {
            #expect(ConditionChange.eventNames.contains { row.text.hasPrefix($0) }, "\(row.text)")
        }
        #expect(Set(ConditionChange.eventNames).count == ConditionChange.eventNames.count)
        #expect(ConditionChange.eventNames.count == 16 * 2 + 44)
    }
}
