import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// Random worlds for a phone in a pocket, and clients that connect only for short visits.
extension RandomWorld {
    /// A world with a troubled phase, then an hour in a pocket with messages, then half an hour without messages. At
    /// the end the app is opened again.
    mutating func pocketWorld() -> (World, calm: Instant) {
        hasSmallDevices = false
        var world = world()
        world.wifiLink = losslessLink()
        world.cellularLink = losslessLink()
        world.wifiConditions = [losslessLink()]
        world.cellularConditions = [losslessLink()]
        (world.furtherNetworks, world.preference) = ([], NetworkPreference())
        world.middleboxes = Middleboxes()
        world.resolver = nil
        // A dead session of a tunnel may last longer than a visit.
        world.tunnel = nil
        world.consumer = nil
        if world.platform == nil { world.platform = pick(ShippedPlatform.all).platform }
        world.server = ServerProfile()
        world.server.push = once(in: 4) ? .normal : .high
        let calm = Instant.zero + seconds(300..<1_800)
        let opened = calm + .hours(1) + .minutes(30)
        world.horizon = opened + .minutes(5)
        // The recovery must come after all troubles, so their entries must end before it.
        let healed = calm - .minutes(1)
        world.timeline = timeline(until: calm - .zero, in: world).filter {
            $0.at < healed && Self.isRecoverable($0.change)
        }
        .map { TimelineEntry(at: $0.at, $0.change) }
        world.timeline += Self.recoveryEntries(of: world, at: healed, until: calm)
        world.timeline += [.screen(true), .app(foreground: true)].map { TimelineEntry(at: opened, $0) }
        let last = calm + .hours(1)
        world.traffic = Traffic(
            down: stream(every: 20 + below(600), bytes: below(3_000)), up: stream(every: 60 + below(600), bytes: 200))
        world.traffic.down?.until = last
        world.traffic.up?.until = last
        return (world, calm)
    }

    /// A link without loss. It may be slow enough that a snapshot takes longer than the silence after which a client
    /// ends its visit.
    private mutating func losslessLink() -> LinkProfile {
        let direction = LinkDirection(
            delay: .constant(TimeSpan.milliseconds(Int64(10 + below(300))).nanoseconds), floor: .milliseconds(10),
            bitsPerSecond: Int64(60_000 << below(9)), loss: .independent(.zero))
        return LinkProfile(up: direction, down: direction)
    }

    /// `true` if the troubled phase may contain the change. A force-stopped app is not woken by pushes. After a refusal
    /// or without any answer, a client reconnects only after some time. Such changes are excluded.
    private static func isRecoverable(_ change: ConditionChange) -> Bool {
        switch change {
        case .forceStop, .saving, .dataSaver, .restriction, .push, .names, .spurious: false
        case .server(let change): change == .down || change == .up || change == .draining
        default: true
        }
    }

    private static func recoveryEntries(
        of world: World, at healed: Instant, until calm: Instant
    ) -> [TimelineEntry] {
        var changes: [ConditionChange] = [.server(.up), .technology(0)]
        for interface in world.interfaces {
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

    /// Settings of a client that connects only for visits, and matching server settings.
    mutating func visitingClient() -> ([Node.MapEntry], @Sendable (inout ServerProfile) -> Void) {
        var life = [
            ("background", pick(["close", "flush-and-close", "rely-on-push"])), ("on-push", "\(20 + below(10))s"),
            ("foreground", pick(["probe", "reconnect"])), ("wake-lock", "visit"), ("on-send", "20s"),
            ("when-done", once(in: 3) ? "stay" : "leave"),
        ]
        if once(in: 2) { life.append(("quiet", "2s")) }
        var resume = [("keeps", once(in: 2) ? "cursor" : "persisted"), ("on-gap", pick(["ignore", "mark", "resync"]))]
        if once(in: 3) { resume.append(("window", pick(["1m", "5m"]))) }
        let settings: [Node.MapEntry] = [
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
                if brings { server.history.expiredCursorAction = .snapshot }
                server.history.snapshot = snapshot
                if confirms { server.receipts = receipts }
                if recognises { server.dedup = .bitmap(window: 1_000) }
            }
        )
    }
}
