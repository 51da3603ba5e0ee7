import DeadzoneDevice
import DeadzoneEngine
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// A phone in a pocket, and a client that visits its server.
extension RandomWorld {
    /// A world of trouble, then an hour in a pocket with messages and a while without, and at last the app is opened again.
    mutating func pocket() -> (World, calm: Instant) {
        var world = world()
        world.wifiLink = soundLink()
        world.cellularLink = soundLink()
        world.wifiConditions = [soundLink()]
        world.cellularConditions = [soundLink()]
        world.middleboxes = Middleboxes()
        world.resolver = nil
        world.consumer = nil
        if world.platform == nil { world.platform = pick(ShippedPlatform.all).platform }
        world.server = ServerProfile()
        world.server.push = once(in: 4) ? .normal : .high
        let calm = Instant.zero + seconds(300..<1_800)
        let opened = calm + .hours(1) + .minutes(30)
        world.horizon = opened + .minutes(5)
        // What comes late, or after the healing, would not be healed.
        let healed = calm - .minutes(1)
        world.timeline = timeline(until: calm - .zero, in: world).filter { $0.at < healed && Self.heals($0.change) }
            .map { TimelineEntry(at: $0.at, $0.change) }
        world.timeline += Self.healing(at: healed, until: calm)
        world.timeline += [.screen(true), .app(foreground: true)].map { TimelineEntry(at: opened, $0) }
        let last = calm + .hours(1)
        world.traffic = Traffic(
            down: stream(every: 20 + below(600), bytes: below(3_000)), up: stream(every: 60 + below(600), bytes: 200))
        world.traffic.down?.until = last
        world.traffic.up?.until = last
        return (world, calm)
    }

    /// Nothing is lost; so slow that a snapshot may take longer than a client waits for silence.
    private mutating func soundLink() -> LinkProfile {
        let direction = LinkDirection(
            delay: .constant(TimeSpan.milliseconds(Int64(10 + below(300))).nanoseconds), floor: .milliseconds(10),
            bitsPerSecond: Int64(60_000 << below(9)), loss: .independent(.zero))
        return LinkProfile(up: direction, down: direction)
    }

    /// Whom the user has stopped nobody wakes; and who is refused, or hears nothing at all, comes again as time goes by.
    private static func heals(_ change: Change) -> Bool {
        switch change {
        case .forceStop, .saving, .push, .names, .spurious: false
        case .server(let change): change == .down || change == .up || change == .draining
        default: true
        }
    }

    private static func healing(at healed: Instant, until calm: Instant) -> [TimelineEntry] {
        var changes: [Change] = [.server(.up), .technology(0)]
        for interface in Interface.allCases {
            changes += [
                .pathUp(interface, .plain), .access(interface, .open), .coverage(interface, true),
                .uplink(interface, true),
                .conditions(interface, 0), .oneWay(interface, .up, passes: true),
                .oneWay(interface, .down, passes: true),
            ]
        }
        changes += [.screen(true), .app(foreground: true)]
        return changes.map { TimelineEntry(at: healed, $0) }
            + [.app(foreground: false), .screen(false)].map { TimelineEntry(at: calm, $0) }
    }

    /// Settings of a client that visits, and what its server keeps.
    mutating func visitor() -> ([Node.Entry], @Sendable (inout ServerProfile) -> Void) {
        var life = [
            ("background", pick(["close", "flush-and-close", "rely-on-push"])), ("on-push", "\(20 + below(10))s"),
            ("foreground", pick(["probe", "reconnect"])), ("wake-lock", "visit"), ("on-send", "20s"),
            ("when-done", once(in: 3) ? "stay" : "leave"),
        ]
        if once(in: 2) { life.append(("quiet", "2s")) }
        var resume = [("keeps", once(in: 2) ? "cursor" : "persisted"), ("on-gap", pick(["ignore", "mark", "resync"]))]
        if once(in: 3) { resume.append(("window", pick(["1m", "5m"]))) }
        let settings: [Node.Entry] = [
            .init(key: "transport", value: .text(pick(["websocket", "http2", "grpc", "quic", "sse", "mqtt"]))),
            .init(key: "life-cycle", value: .entries(life)),
            .init(key: "resume", value: once(in: 6) ? .text("nothing") : .entries(resume)),
            .init(key: "queue", value: .text("stored")), .init(key: "keepalive", value: .text("20s")),
            .init(key: "on-path-change", value: .text("reconnect")),
        ]
        let few = UInt32(1 + below(6))
        let snapshot = UInt32(below(60_000))
        let (isShort, brings) = (!once(in: 3), !once(in: 4))
        let receipts = ReceiptRules(every: UInt32(1 + below(3)), within: .milliseconds(Int64(below(3_000))))
        let (confirms, recognises) = (once(in: 2), once(in: 2))
        return (
            settings,
            { server in
                if isShort { server.history.messages = few }
                if brings { server.history.whenGone = .snapshot }
                server.history.snapshot = snapshot
                if confirms { server.receipts = receipts }
                if recognises { server.dedup = .bitmap(window: 1_000) }
            }
        )
    }
}
