import DeadzoneClient
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
public import DeadzoneSettings
import DeadzoneTransport
import DeadzoneWorld

/// Reads scenario files: text to document, what it extends, the cells of its matrix, each of them to a scenario. All faults
/// of a file come back together.
public struct ScenarioLoader {
    let vocabulary: Vocabulary
    private let limits: TextLimits
    private let read: FileReading

    public init(_ vocabulary: Vocabulary, limits: TextLimits = TextLimits(), read: @escaping FileReading) {
        self.vocabulary = vocabulary
        self.limits = limits
        self.read = read
    }

    /// Reads a text under the name that a user would give it; what it extends is looked for beside it.
    public func load(_ bytes: [UInt8], name: String) -> LoadedScenarios {
        let opened = OpenedFiles(limits: limits, read: read)
        let composition = opened.compose(name, bytes)
        var faults = composition.faults
        var scenarios: [Scenario] = []
        if let node = composition.node, node.entries == nil {
            faults.note(node.wrongType("a map that begins with `version: 1`"))
        } else if let profile = composition.node?.entries?.first(where: { $0.key == "technology" }) {
            faults.note(
                Fault(
                    .unknownKey, at: profile.keyMark, width: profile.key.utf8.count,
                    "this is a radio profile and no scenario", label: "a profile begins so",
                    help: "name it in a scenario, under phone: radios:"))
        } else if let preset = composition.node?.entries?.first(where: { $0.key == "strategy" }) {
            faults.note(
                Fault(
                    .unknownKey, at: preset.keyMark, width: preset.key.utf8.count,
                    "this is a preset and no scenario", label: "a preset begins so",
                    help: "name it in a scenario, as the strategy of somebody: {strategy: ./FILE}"))
        } else if let node = composition.node {
            var extending = Extending(opened: opened, faults: faults)
            let whole = extending.extended(node, chain: [name])
            if !extending.isBroken { scenarios = cells(of: whole, &extending.faults, opened) }
            faults = extending.faults
        }
        return LoadedScenarios(files: opened.files, faults: faults, scenarios: faults.isEmpty ? scenarios : [])
    }

    private func cells(of document: Node, _ faults: inout Faults, _ opened: OpenedFiles) -> [Scenario] {
        var matrix = Matrix(document, faults: faults)
        let cells = matrix.cells(of: document)
        faults = matrix.faults
        var scenarios: [Scenario] = []
        for cell in cells {
            if faults.count >= Faults.shown { break }
            let scenario =
                cell.node["population"] == nil
                ? draft(cell, &faults, opened)?.scenario : populated(cell, &faults, opened)
            if let scenario { scenarios.append(scenario) }
        }
        return scenarios
    }

    /// - Parameters:
    ///   - own: what groups of the population run whatever is compared.
    ///   - groups: the names of all of them.
    ///   - readers: who lives by the timeline; nil: all phones.
    func draft(
        _ cell: Matrix.Cell, _ faults: inout Faults, _ opened: OpenedFiles, beside own: [AnyStrategy] = [],
        among groups: [String] = [], readers: Readership? = nil
    ) -> ScenarioDraft? {
        var presets = Presets(vocabulary, opened, faults: faults)
        let node = presets.spelledOut(in: cell.node)
        var settings = SettingsReader(node, of: "a scenario", faults: presets.faults)
        var sketch = ScenarioSketch(reading: &settings, vocabulary, opened, groups: groups)
        settings.finish()
        sketch.own = own
        // A platform that could not be read is one all the same.
        let unknown = settings.faults.count > faults.count ? TimelineCompiler.System.usual : .none
        var compiler = TimelineCompiler(
            horizon: sketch.horizon, readers: readers ?? Readership(phones: Int(sketch.phones)),
            radios: sketch.phone.radios, technologies: sketch.phone.technologies,
            linkNames: sketch.otherLinks.map(\.name) + LinkPreset.all.map(\.name),
            knowsWeakSignal: sketch.phone.weakSignals.map { $0 != nil },
            system: sketch.phone.platform.map(TimelineCompiler.System.init) ?? unknown,
            boxed: sketch.phone.radios.filter { !sketch.middleboxes.own($0).isEmpty },
            cluster: sketch.server.cluster)
        var (timeline, conditions) = compiler.compile(sketch.lines)
        if sketch.server.slowConsumers != SlowConsumers() {
            conditions.append(
                Condition(place: .server, text: "slow-consumers", mark: sketch.slowConsumersMark, changes: []))
        }
        for fault in compiler.faults { settings.note(fault) }
        sketch.conditions = zip(compiler.linksUsed, [sketch.wifiLink, sketch.cellularLink])
            .map { sketch.conditions($0, usual: $1) }
        sketch.weakRadios = compiler.weakRadios
        sketch.check(&settings)
        let (traffic, missing) = sketch.traffic.during(timeline, until: sketch.horizon)
        if let missing { settings.note(missing.fault(at: settings.mark(of: "traffic"))) }
        let isSound = settings.faults.count == faults.count
        faults = settings.faults
        guard isSound else { return nil }
        return sketch.draft(cell.labels, timeline, traffic, conditions, resolved: settings.resolved, opened)
    }
}

/// A scenario, and what its texts are made of.
struct ScenarioDraft {
    var scenario: Scenario
    let resolved: Node
    let worldText: String
}

/// What came of a file: scenarios, or what is wrong with it.
public struct LoadedScenarios: Sendable {
    /// The file itself, what it extends and the profiles it names, as the marks of faults number them.
    public var files: [SourceText]
    public var faults: Faults
    /// One for each cell of the matrix; none if there is any fault.
    public var scenarios: [Scenario]

    public init(files: [SourceText], faults: Faults, scenarios: [Scenario]) {
        self.files = files
        self.faults = faults
        self.scenarios = scenarios
    }
}

extension ScenarioSketch {
    /// What no single setting can see.
    func check(_ settings: inout SettingsReader) {
        if phone.radios.isEmpty, settings.peek("phone")?.entries != nil || !settings.has("phone") {
            settings.note(
                Fault(
                    .missing, at: settings.mark(of: "phone"), width: 5, "the phone has no radio",
                    label: "needs radios: {cellular: PROFILE} or wifi", help: FaultCode.missing.explanation))
        }
        checkHeartbeat(&settings)
        guard server.isShared else { return }
        let links =
            ([wifiLink] + conditions[0]).map { (Interface.wifi, $0) }
            + ([cellularLink] + conditions[1]).map { (.cellular, $0) }
        for (interface, link) in links {
            guard phone.radios.contains(interface), min(link.up.floor, link.down.floor) == .zero else { continue }
            settings.note(
                Fault(
                    .noFloor, at: settings.mark(of: "server"), width: 6,
                    "phones that share a server need a link with a least delay",
                    label: "give links: \(interface.name): a `floor:`", help: FaultCode.noFloor.explanation))
        }
    }

    /// A heartbeat for nobody. A strategy that does not say what it rides on may be given it.
    private func checkHeartbeat(_ settings: inout SettingsReader) {
        let clients = contenders.map(\.strategy) + own
        guard let beats = server.heartbeat, !contenders.isEmpty,
            clients.allSatisfy({ $0.transport.map { !$0.bears(beats) } ?? false })
        else { return }
        let isForStream = clients.contains { $0.transport?.kind.isHTTP2 ?? false } && beats.kind != .beats
        settings.note(
            Fault(
                .contradiction, at: heartbeatMark, width: 9, "a `heartbeat` that no strategy here can be given",
                label: isForStream
                    ? "on a stream of HTTP/2 it is `kind: beats`; pings of the protocol are `server: keepalive:`"
                    : "the server may only answer on these connections"))
    }

    func link(named name: String) -> LinkProfile? {
        otherLinks.first { $0.name == name }?.value ?? LinkPreset.named(name)?.profile
    }

    func draft(
        _ labels: [(axis: String, value: String)], _ timeline: [TimelineEntry], _ traffic: Traffic,
        _ conditions: [Condition], resolved: Node, _ opened: OpenedFiles
    ) -> ScenarioDraft {
        var world = World(
            horizon: horizon, phones: Int(phones), wifi: phone.wifi?.reading.profile,
            cellular: phone.cellular?.reading.profile, wifiLink: phone.wifi == nil ? .none : wifiLink,
            cellularLink: phone.cellular == nil ? .none : cellularLink, timeline: timeline, traffic: traffic,
            server: server, platform: phone.platform, tenants: phone.apps, tailAttribution: phone.tailAttribution)
        world.cellularAlternates =
            phone.alternates.map(\.sketch.reading.profile) + weakRadios.compactMap { phone.weakSignals[$0]?.profile }
        world.wifiConditions = self.conditions[0]
        world.cellularConditions = self.conditions[1]
        world.middleboxes = middleboxes
        world.resolver = resolver
        world.ownKernel = phone.kernel
        world.consumer = consumer
        let suffix = labels.map { "\($0.axis)=\($0.value)" }.joined(separator: ", ")
        let title = labels.isEmpty ? name : "\(name) [\(suffix)]"
        let text = worldText(
            world, phone: resolved["phone"] ?? .map([]), wifi: phone.wifi, cellular: phone.cellular,
            alternates: phone.alternates)
        let ordered = inOrder(resolved, title)
        let scenario = Scenario(
            name: title, about: about, labels: labels, replicas: Int(replicas), seed: seed, world: world,
            phone: phone.sheet, strategies: contenders, expectations: demands, columns: columns, conditions: conditions,
            resolved: blockText(ordered), worldHash: opened.fingerprint(of: text))
        return ScenarioDraft(scenario: scenario, resolved: ordered, worldText: text)
    }

    /// The canonical text has the timeline in order of time and the name of this cell.
    private func inOrder(_ resolved: Node, _ title: String) -> Node {
        var entries = resolved.entries ?? []
        for index in entries.indices {
            if entries[index].key == "name" { entries[index].value = Node(.scalar(title, quoted: true)) }
            if entries[index].key == "timeline", let items = entries[index].value.items, items.count == lines.count {
                let order = lines.indices.sorted { (lines[$0].at.least, $0) < (lines[$1].at.least, $1) }
                entries[index].value = .list(order.map { items[$0] })
            }
        }
        return .map(entries)
    }
}
