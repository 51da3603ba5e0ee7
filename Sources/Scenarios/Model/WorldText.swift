import DeadzoneEngine
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneTransport

/// A world in words, the same for every way of writing the same world. Its fingerprint is the world's hash.
func worldText(
    _ world: World, phone: Node, wifi: RadioSketch?, cellular: RadioSketch?,
    alternates: [(name: String, sketch: RadioSketch)]
) -> String {
    let span = Form<TimeSpan>.span()
    func entry(_ key: String, _ value: Node?) -> [Node.Entry] { value.map { [.init(key: key, value: $0)] } ?? [] }
    let parts: [[Node.Entry]] = [
        entry("duration", span.write(world.horizon - .zero)), entry("phones", .text(String(world.phones))),
        entry("phone", .map(phone.entries?.filter { $0.key != "radios" && $0.key != "platform" } ?? [])),
        entry("platform", world.platform?.node), entry("wifi", wifi?.resolved), entry("cellular", cellular?.resolved),
        alternates.map { .init(key: $0.name, value: $0.sketch.resolved) },
        entry("wifi-link", wifi.map { _ in world.wifiLink.node }),
        entry("cellular-link", cellular.map { _ in world.cellularLink.node }),
        entry("timeline", .list(world.timeline.map(\.node))),
        entry("middleboxes", world.middleboxes.node), entry("resolver", world.resolver?.node),
        entry("wifi-conditions", world.wifiConditions.conditionsNode),
        entry("cellular-conditions", world.cellularConditions.conditionsNode),
        entry("down", world.traffic.down?.node), entry("up", world.traffic.up?.node),
        entry("probe", world.traffic.probe?.node),
        entry("app", world.consumer?.node), world.server.entries,
        entry("encoding", world.traffic.envelope == .none ? nil : .text("\(world.traffic.envelope)")),
        entry("calls", world.traffic.calls?.node),
        entry(
            "answer",
            world.traffic.calls.map { _ in Form<Distribution>.distribution(.size).write(world.traffic.answer) }),
    ]
    return blockText(.map(parts.flatMap { $0 }))
}

extension TimelineEntry {
    fileprivate var node: Node {
        let span = Form<TimeSpan>.span()
        let parts = [span.write(at - .zero), change.node]
        guard let chance else { return .list(parts) }
        let spans = [chance.drawnAt - .zero, chance.late, chance.longer].map(span.write)
        return .list(parts + spans + [Form<Probability>.probability.write(chance.phones)])
    }
}

extension [LinkProfile] {
    /// What the timeline switches to, by number.
    fileprivate var conditionsNode: Node? { isEmpty ? nil : .list(map(\.node)) }
}

extension Change {
    fileprivate var node: Node {
        switch self {
        case .pathUp(let interface, let attachment): .text("up-\(interface.name)" + attachment.words)
        case .pathDown(let interface, let manner): .text("down-\(interface.name)-\(manner.word)")
        case .fading(let interface): .text("fading-\(interface.name)")
        case .readdress(let interface, let manner): .text("readdress-\(interface.name)-\(manner.word)")
        case .coverage(let interface, let present): .text("\(present ? "light" : "dark")-\(interface.name)")
        case .oneWay(let interface, let direction, let passes):
            .text("\(passes ? "pass" : "block")-\(direction == .up ? "up" : "down")-\(interface.name)")
        case .uplink(let interface, let present): .text("\(present ? "online" : "offline")-\(interface.name)")
        case .cellHandover: .text("cell-handover")
        case .technology(let index): .text("technology-\(index)")
        case .conditions(let interface, let index): .text("conditions-\(interface.name)-\(index)")
        case .mappingsLost(let interface): .text("mappings-lost-\(interface.name)")
        case .spurious(let interface, let rumour): .text("spurious-\(interface.name)-\(rumour)")
        case .access(let interface, let access): .text("access-\(interface.name)-\(access.words)")
        case .names(let resolve): .text(resolve ? "names" : "no-names")
        case .app(let foreground): .text(foreground ? "foreground" : "background")
        case .screen(let on): .text("screen-\(on ? "on" : "off")")
        case .charging(let on): .text("charging-\(on ? "on" : "off")")
        case .moving(let moving): .text(moving ? "moving" : "still")
        case .kill: .text("kill")
        case .forceStop: .text("force-stop")
        case .saving(let on): .text("saving-\(on ? "on" : "off")")
        case .alarmClock(let at): .text("alarm-clock-\(at.nanoseconds)")
        case .consumerStall(let span): .text("stall-\(span.nanoseconds)")
        case .clockSet(let shift): .text("clock-\(shift.nanoseconds)")
        case .push(let urgent): .text(urgent ? "push-high" : "push-normal")
        case .deploy(let deploy):
            .text("deploy-\(deploy.over.nanoseconds)-\(deploy.instances)-\(deploy.isAbrupt ? "reset" : "drain")")
        case .server(let change): .text("server-\(change)")
        }
    }
}

extension Access {
    fileprivate var words: String {
        switch self {
        case .open: "open"
        case .refused: "refused"
        case .needsConnection(let takes): takes.map { "on-demand-\($0.nanoseconds)" } ?? "by-hand"
        }
    }
}

extension OldPath {
    fileprivate var word: String {
        switch self {
        case .error: "error"
        case .silent: "silent"
        case .reset: "reset"
        case .ended: "end"
        }
    }
}

extension Attachment {
    /// Nothing for a network that simply comes up.
    fileprivate var words: String {
        var words = usableAfter == .zero ? "" : "-usable-\(usableAfter.nanoseconds)"
        if let portal { words += "-portal-\(portal.nanoseconds)" }
        if let announcedAfter { words += "-announced-\(announcedAfter.nanoseconds)" }
        return words
    }
}

extension TrafficStream {
    fileprivate var node: Node {
        let span = Form<TimeSpan>.span()
        let recorded = moments.map { span.write($0 - .zero) }
        let parts = later.flatMap { stretch in
            TrafficStream(gap: stretch.gap, size: size, from: stretch.from, until: stretch.until).node.entries ?? []
        }
        return .map(
            [
                .init(key: "gap", value: Form<Distribution>.distribution(.span).write(gap)),
                .init(key: "size", value: Form<Distribution>.distribution(.size).write(size)),
                .init(key: "from", value: span.write(from - .zero)),
                .init(key: "until", value: span.write(until - .zero)),
            ] + (recorded.isEmpty ? [] : [.init(key: "at", value: .list(recorded))])
                + (parts.isEmpty ? [] : [.init(key: "later", value: .list(parts.map(\.value)))]))
    }
}
