package import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport

/// Loads scenario files: parses the text, resolves `extends`, expands the matrix, and reads each cell as a scenario.
/// All faults of a file are returned together.
package struct ScenarioLoader {
    let vocabulary: Vocabulary
    /// Strategies that the command line adds to every scenario.
    package var addedStrategies: [AddedStrategy] = []
    /// The networks of `--across`. `nil` runs each scenario on its own network.
    package var across: AcrossSelection?
    private let read: FileReader

    package init(_ vocabulary: Vocabulary, read: @escaping FileReader) {
        self.vocabulary = vocabulary
        self.read = read
    }

    /// Files that are read once for all texts of this value.
    var opened: OpenedFiles { OpenedFiles(read: read) }

    /// Loads a text.
    /// - Parameters:
    ///   - name: The name that the user would give the text. Paths in the text are relative to it.
    ///   - overrides: Settings that are merged over the document, as by a file that extends it; `nil` for none.
    package func load(_ bytes: [UInt8], name: String, overrides: Node? = nil) -> LoadedScenarios {
        let opened = opened
        let composition = opened.compose(name, bytes)
        var faults = composition.faults
        var loaded: LoadedCells = ([], [])
        if let node = composition.node, node.entries == nil {
            faults.note(node.wrongType("a map that begins with `version: 1`"))
        } else if let fault = composition.node.flatMap(Self.foreignFault) {
            faults.note(fault)
        } else if let node = composition.node {
            var extending = ExtendsResolver(opened: opened, faults: faults)
            let own = extending.extended(node, chain: [name])
            let whole = overrides.map { overlaid($0, over: own) } ?? own
            if !extending.isBroken { loaded = cells(of: whole, &extending.faults, opened) }
            faults = extending.faults
        }
        var result = LoadedScenarios(
            files: opened.files, faults: faults, scenarios: faults.isEmpty ? loaded.scenarios : [])
        result.unfit = loaded.unfit
        return result
    }

    typealias LoadedCells = (scenarios: [Scenario], unfit: [UnfitNetwork])

    func cells(of document: Node, _ faults: inout Faults, _ opened: OpenedFiles) -> LoadedCells {
        // The number of strategies can determine the points of a matrix. Added strategies must not move them.
        var matrix = Matrix(document, faults: faults)
        var adder = StrategyAdder(opened: opened, faults: matrix.faults)
        let whole = adder.extended(document, with: addedStrategies)
        matrix.faults = adder.faults
        let cells = matrix.cells(of: whole)
        faults = matrix.faults
        func read(_ cell: Matrix.MatrixCell, _ faults: inout Faults) -> Scenario? {
            if faults.count >= Faults.maxShown { return nil }
            var scenario =
                cell.node["population"] == nil
                ? draft(cell, &faults, opened)?.scenario : populated(cell, &faults, opened)
            scenario?.addedStrategies = adder.names
            scenario?.addedSources = adder.sources
            scenario?.renamedStrategies = adder.renamed
            return scenario
        }
        if let across { return onNetworks(across, cells, of: whole, &faults, read: read) }
        return (cells.compactMap { read($0, &faults) }, [])
    }

    /// Reads one cell.
    /// - Parameters:
    ///   - own: Strategies that groups of the population run regardless of the compared strategy.
    ///   - groups: Names of all groups.
    ///   - scope: The phones that follow the timeline. `nil` if all phones do.
    func draft(
        _ cell: Matrix.MatrixCell, _ faults: inout Faults, _ opened: OpenedFiles, beside own: [AnyStrategy] = [],
        among groups: [String] = [], scope: TimelineScope? = nil
    ) -> ScenarioDraft? {
        var presets = PresetExpander(vocabulary, opened, faults: faults)
        let node = presets.expanded(in: cell.node)
        var settings = SettingsReader(node, of: "a scenario", faults: presets.faults)
        var sketch = ScenarioSketch(reading: &settings, vocabulary, opened, groups: groups)
        settings.finish()
        sketch.groupStrategies = own
        let known = scope == nil ? opened.lastWorld : nil
        var compiled = known ?? compile(sketch, scope, &settings, hasFaults: settings.faults.found > faults.found)
        sketch.conditions = compiled.links
        sketch.weakRadios = compiled.weakRadios
        sketch.check(&settings, isGroup: !groups.isEmpty)
        let isSound = settings.faults.found == faults.found
        faults = settings.faults
        guard isSound else { return nil }
        let resolved = settings.resolved
        if known == nil {
            compiled.hash(sketch, phone: resolved["phone"] ?? .map([]))
            if scope == nil { opened.lastWorld = compiled }
        }
        return sketch.draft(cell.labels, compiled, resolved: resolved)
    }

    /// Compiles the timeline, and with it the traffic and the conditions of the links.
    private func compile(
        _ sketch: ScenarioSketch, _ scope: TimelineScope?, _ settings: inout SettingsReader, hasFaults: Bool
    ) -> CompiledWorld {
        // A platform that could not be read still counts as an operating system, to avoid follow-up faults.
        let unknown = hasFaults ? TimelineCompiler.OSBehaviour.usual : .none
        var compiler = TimelineCompiler(
            horizon: sketch.horizon, startOfDay: sketch.startOfDay,
            scope: scope ?? TimelineScope(phones: Int(sketch.phones)),
            radios: sketch.phone.radios, technologies: sketch.phone.technologies,
            linkNames: sketch.otherLinks.map(\.name) + LinkPreset.all.map(\.name),
            serverVersions: sketch.serverVersions.map(\.name),
            knowsWeakSignal: sketch.phone.weakSignals.map { $0 != nil },
            system: sketch.phone.platform.map {
                TimelineCompiler.OSBehaviour($0, killsForMemory: sketch.consumer?.memoryLimit != nil)
            } ?? unknown,
            interfacesWithMiddleboxes: sketch.phone.radios.filter { !sketch.middleboxes.own($0).isEmpty },
            cluster: sketch.server.cluster, hasResolver: sketch.resolver != nil,
            hasPeer: sketch.server.peer != nil,
            clientsAvoidMetered: (sketch.namedStrategies.map(\.strategy) + sketch.groupStrategies)
                .contains(where: \.avoidsMeteredNetworks))
        guard sketch.isTimelineReadable else {
            compiler.checkReadable(sketch.lines)
            for fault in compiler.faults { settings.note(fault) }
            return CompiledWorld(
                timeline: [], traffic: Traffic(), conditions: [],
                links: Array(repeating: [], count: Interface.allCases.count), weakRadios: [])
        }
        var (timeline, conditions) = compiler.compile(sketch.lines)
        if sketch.server.slowConsumers != SlowConsumers() {
            conditions.append(
                DeclaredCondition(origin: .server, text: "slow-consumers", mark: sketch.slowConsumersMark, changes: []))
        }
        for fault in compiler.faults { settings.note(fault) }
        let links = zip(compiler.linksUsed, sketch.links).map { sketch.conditions($0, usual: $1) }
        let (traffic, missing) = sketch.traffic.during(timeline, until: sketch.horizon)
        if let missing { settings.note(missing.fault(at: settings.mark(of: "traffic"))) }
        return CompiledWorld(
            timeline: timeline, traffic: traffic, conditions: conditions, links: links,
            weakRadios: compiler.weakRadios)
    }
}

/// The compiled settings of a scenario without its strategies.
struct CompiledWorld {
    var timeline: [TimelineEntry]
    var traffic: Traffic
    var conditions: [DeclaredCondition]
    /// The links that the timeline switches to, by interface.
    var links: [[LinkProfile]]
    var weakRadios: [Int]
    /// The world that these settings describe; `nil` until its text is hashed.
    var world: SharedWorld?
    /// The canonical text, and its hash.
    var text = ""
    var fingerprint = Fingerprint(of: "")

    fileprivate mutating func hash(_ sketch: ScenarioSketch, phone: Node) {
        let world = sketch.world(self)
        text = worldText(
            world, phone: phone, wifi: sketch.phone.wifi, cellular: sketch.phone.cellular,
            alternates: sketch.phone.alternates, further: sketch.phone.further)
        fingerprint = Fingerprint(of: text)
        self.world = SharedWorld(world)
    }
}

/// A scenario before its hashes are computed, together with the texts that are hashed.
struct ScenarioDraft {
    var scenario: Scenario
    let resolved: Node
    let worldText: String
}

/// The result of loading a scenario file: its scenarios, or the errors in it.
package struct LoadedScenarios: Sendable {
    /// The file itself, the files it extends and the profiles it names, in the order of the file numbers of marks.
    package var files: [SourceText]
    package var faults: Faults
    /// One scenario for each cell of the matrix; empty if there is any fault.
    package var scenarios: [Scenario]
    /// Networks of `--across` on which a scenario cannot run, although a group such as `profiles` contains them.
    package var unfit: [UnfitNetwork] = []

    package init(files: [SourceText], faults: Faults, scenarios: [Scenario]) {
        self.files = files
        self.faults = faults
        self.scenarios = scenarios
    }
}

extension ScenarioSketch {
    /// Checks that involve several settings.
    /// - Parameter isGroup: `true` for the phones of one group of a population. Other groups can send the messages, or
    ///   have the radio, that this one lacks.
    func check(_ settings: inout SettingsReader, isGroup: Bool) {
        if phone.radios.isEmpty, settings.peek("phone")?.entries != nil || !settings.has("phone") {
            settings.note(
                Fault(
                    .missing, at: settings.mark(of: "phone"), width: 5, "the phone has no radio",
                    label: "needs radios: {cellular: PROFILE} or wifi", help: FaultCode.missing.explanation))
        }
        checkHeartbeat(&settings)
        checkSessionLimit(&settings)
        if !isGroup { checkRefusals(&settings) }
        checkAddresses(&settings)
        checkStreams(&settings)
        if !isGroup { checkRequests(&settings) }
        checkReach(&settings)
        guard server.isShared else { return }
        let all = zip(Interface.allCases, zip(links, conditions)).flatMap { interface, own in
            ([own.0] + own.1).map { (interface, $0) }
        }
        for (interface, link) in all {
            guard phone.radios.contains(interface), min(link.up.floor, link.down.floor) == .zero else { continue }
            settings.note(
                Fault(
                    .noFloor, at: settings.mark(of: "server"), width: 6,
                    "phones that share a server need a link with a minimum delay",
                    label: "write links: \(interface.name): a `floor:`", help: FaultCode.noFloor.explanation))
        }
    }

    /// Refuses a heartbeat that no strategy's transport can receive. A strategy with an unknown transport is not
    /// refused.
    private func checkHeartbeat(_ settings: inout SettingsReader) {
        let clients = namedStrategies.map(\.strategy) + groupStrategies
        guard let beats = server.heartbeat, !namedStrategies.isEmpty,
            clients.allSatisfy({ $0.transport.map { !$0.supports(beats) } ?? false })
        else { return }
        let isForStream = clients.contains { $0.transport?.kind.isHTTP2 ?? false } && beats.mode != .beats
        settings.note(
            Fault(
                .contradiction, at: heartbeatMark, width: 9, "a `heartbeat` that no strategy of this scenario can use",
                label: isForStream
                    ? "on an HTTP/2 stream only `kind: beats` works; HTTP/2 pings are `server: keepalive:`"
                    : "on these connections the server can only answer"))
    }

    /// Refuses a limit of sessions if no strategy has a connection with a session's stream. A strategy with an unknown
    /// transport is not refused.
    private func checkSessionLimit(_ settings: inout SettingsReader) {
        let clients = namedStrategies.map(\.strategy) + groupStrategies
        let hasStream = clients.contains { client in
            guard let transport = client.transport else { return true }
            return transport.kind != .datagram && !transport.kind.answersOnly && transport.keepsStreamOpen
        }
        guard server.limits.session != nil, !namedStrategies.isEmpty, !hasStream else { return }
        settings.note(
            Fault(
                .contradiction, at: sessionLimitMark, width: 13,
                "a `session-limit` without a session that could end",
                label: "polls, datagrams and connections without a stream have none"))
    }

    /// Refuses addresses of single networks beside a tunnel: the app's packets have the addresses of the tunnel.
    private func checkAddresses(_ settings: inout SettingsReader) {
        guard let resolver, resolver.wifi.changesAddresses || resolver.cellular.changesAddresses,
            phone.tunnel.map({ $0.routes != .otherApps }) ?? false
        else { return }
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: "resolver"), width: 8,
                "addresses of single networks, beside a `tunnel` that carries the app",
                label: "the app has the addresses of the tunnel"))
    }

    /// Refuses errors of messages if no app sends messages.
    private func checkRefusals(_ settings: inout SettingsReader) {
        guard server.faults.messages != nil, traffic.up.isEmpty else { return }
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: "server"), width: 6,
                "a server that refuses `messages`, and an app that sends none", label: "add `traffic: {up: …}`"))
    }

    /// Refuses a strategy that asks for a network of which the phone has no radio.
    private func checkRequests(_ settings: inout SettingsReader) {
        for client in namedStrategies {
            guard let wanted = client.strategy.requestedNetwork, !phone.radios.contains(wanted) else { continue }
            settings.note(
                Fault(
                    .contradiction, at: client.mark ?? settings.mark(of: "strategies"), width: client.name.utf8.count,
                    "the strategy asks for \(wanted.name), and the phone has no \(wanted.name) radio",
                    label: "add one under phone: radios:"))
        }
    }

    /// Refuses networks that lead to some hosts only, beside a tunnel that carries the app: its packets go to the
    /// gateway.
    private func checkReach(_ settings: inout SettingsReader) {
        guard lines.contains(where: \.limitsReach), phone.tunnel.map({ $0.routes != .otherApps }) ?? false else {
            return
        }
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: "timeline"), width: 8,
                "`reach` beside a `tunnel` that carries the app", label: "the app's packets go to the gateway"))
    }

    /// Refuses streams at the server that no strategy has. A strategy with an unknown transport is not refused.
    private func checkStreams(_ settings: inout SettingsReader) {
        let clients = namedStrategies.map(\.strategy) + groupStrategies
        guard server.streams != nil, !namedStrategies.isEmpty, !settings.isDescribing,
            clients.allSatisfy({ $0.subscriptions == nil && $0.transport != nil })
        else { return }
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: "server"), width: 6,
                "a server with `streams`, and no strategy that has any", label: "add `streams: {}` to a strategy"))
    }

    /// The usual link of each interface, by its number.
    var links: [LinkProfile] {
        Interface.allCases.map { interface in
            switch interface {
            case .wifi: wifiLink
            case .cellular: cellularLink
            default: zip(phone.further, furtherLinks).first { $0.0.interface == interface }?.1 ?? .none
            }
        }
    }

    func link(named name: String) -> LinkProfile? {
        otherLinks.first { $0.name == name }?.value ?? LinkPreset.named(name)?.profile
    }

    fileprivate func world(_ compiled: CompiledWorld) -> World {
        var world = World(
            horizon: horizon, phones: Int(phones), wifi: phone.wifi?.parsed.profile,
            cellular: phone.cellular?.parsed.profile, wifiLink: phone.wifi == nil ? .none : wifiLink,
            cellularLink: phone.cellular == nil ? .none : cellularLink, timeline: compiled.timeline,
            traffic: compiled.traffic, server: server, platform: phone.platform, otherApps: phone.apps,
            tailAttribution: phone.tailAttribution)
        world.cellularAlternates =
            phone.alternates.map(\.sketch.parsed.profile) + weakRadios.compactMap { phone.weakSignals[$0]?.profile }
        world.wifiConditions = self.conditions[0]
        world.cellularConditions = self.conditions[1]
        world.furtherNetworks = zip(phone.further, furtherLinks).map { network, link in
            FurtherNetwork(
                network.interface, network.sketch.parsed.profile,
                links: [link] + conditions[Int(network.interface.rawValue)])
        }
        world.preference = NetworkPreference(phone.preferred)
        world.middleboxes = middleboxes
        world.resolver = resolver
        world.serverVersions = serverVersions.map(\.value)
        world.tcpKernel = phone.kernel
        world.tunnel = phone.tunnel
        world.consumer = consumer
        return world
    }

    fileprivate func draft(
        _ labels: [(axis: String, value: String)], _ compiled: CompiledWorld, resolved: Node
    ) -> ScenarioDraft {
        let suffix = labels.map { "\($0.axis)=\($0.value)" }.joined(separator: ", ")
        let title = labels.isEmpty ? name : "\(name) [\(suffix)]"
        let ordered = inOrder(resolved, title)
        var scenario = Scenario(
            name: title, about: about, labels: labels, replicas: Int(replicas), seed: seed,
            sharedWorld: compiled.world ?? SharedWorld(world(compiled)), phone: phone.sheet,
            strategies: namedStrategies, expectations: expectedBounds, columns: columns,
            conditions: compiled.conditions, resolvedSettings: ordered, worldHash: compiled.fingerprint)
        scenario.acrossShare = acrossShare
        scenario.startOfDay = startOfDay
        return ScenarioDraft(scenario: scenario, resolved: ordered, worldText: compiled.text)
    }

    /// The canonical nodes with the timeline in time order and the name of this cell.
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
