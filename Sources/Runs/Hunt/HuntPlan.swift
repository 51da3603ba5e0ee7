import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator

/// A checked request of `hunt`, before anything runs.
struct HuntPlan {
    let request: HuntRequest
    let scenario: Scenario
    let subject: NamedStrategy
    let demands: [HuntReport.HuntDemand]
    let worlds: HuntWorlds
    /// Seed of worlds that have none of their own, and of the search.
    let seed: UInt64

    init(_ request: HuntRequest, _ vocabulary: Vocabulary) throws(ToolFault) {
        self.request = request
        let (bytes, scenario) = try Self.load(request)
        self.scenario = scenario
        subject = try Self.subject(request, scenario)
        let reference = try Self.reference(request, scenario, vocabulary)
        var demands: [HuntReport.HuntDemand] = []
        for text in request.demands {
            demands.append(try Self.demand(text, request, scenario, subject: subject.name))
        }
        self.demands = demands
        let named = demands.compactMap(\.threshold.reference).first ?? reference
        let base = compose(Array(scenario.resolved.utf8)).node ?? .map([])
        let judged = [subject.name, named].compactMap(\.self)
        // Without the strategy that has its name, a renamed one would have its own name again.
        let needed = judged + scenario.addedStrategies + scenario.renamedStrategies.map(\.original)
        let names = scenario.strategies.map(\.name)
        var found = HuntWorlds(
            vocabulary: vocabulary, file: request.loaded.files.first?.name ?? request.file, added: request.added,
            addedEntries: Self.addedEntries(of: scenario, among: judged, request), bytes: bytes,
            ground: try Self.ground(base, scenario, request, subject.name), subject: subject.name,
            reference: named, hasReference: named.map(names.contains) ?? false,
            others: names.filter { !needed.contains($0) }, base: base, expectations: scenario.expectations)
        let calm = WorldGenome(
            entries: [], streams: found.ground.streams.map { _ in .none }, hasPlatform: true, seed: nil)
        let faults = found.loaded(calm).faults
        guard faults.isEmpty else {
            throw ToolFault(
                .runFailed, "\(quote(request.file)) cannot be searched",
                help: faults.sorted.map { [$0.message, $0.advice].filter { !$0.isEmpty }.joined(separator: "; ") })
        }
        if found.ground.hasPlatform {
            var bare = calm
            bare.hasPlatform = false
            found.ground.canLosePlatform = found.loaded(bare).faults.isEmpty
        }
        worlds = found
        seed = request.seed ?? scenario.seed ?? 1
    }

    /// The strategies of the command line that the demand is about, as a find contains them. A preset file is named by its
    /// path, so that a find runs the present client. A strategy of another scenario file is written with its settings.
    private static func addedEntries(
        of scenario: Scenario, among judged: [String], _ request: HuntRequest
    ) -> [Node.MapEntry] {
        let added = scenario.strategies.filter { client in
            judged.contains(client.name) && scenario.addedStrategies.contains(client.name)
        }
        return added.map { client in
            guard let source = scenario.addedSources[client.name] else {
                return Node.MapEntry(key: client.name, value: client.settings)
            }
            let isFile = AddedStrategy(source).isFile
            let word = isFile ? request.pathFromFolder(to: source) : source
            return Node.MapEntry(key: client.name, value: .map([.init(key: "strategy", value: .text(word))]))
        }
    }

    private static func load(_ request: HuntRequest) throws(ToolFault) -> ([UInt8], Scenario) {
        let loaded = request.loaded
        guard loaded.scenarios.count == 1 else {
            throw ToolFault(
                .conflict, "\(quote(request.file)) has a matrix", help: ["name a scenario without `matrix:`"])
        }
        guard loaded.scenarios[0].population.isEmpty else {
            throw ToolFault(
                .conflict, "\(quote(request.file)) has a population",
                help: ["`hunt` searches worlds of one phone; name a scenario without `population:`"])
        }
        guard loaded.scenarios[0].world.furtherNetworks.isEmpty else {
            throw ToolFault(
                .conflict, "\(quote(request.file)) has networks beside Wi-Fi and cellular",
                help: ["`hunt` changes wifi and cellular; name a scenario without other radios"])
        }
        return (loaded.files.first?.bytes ?? [], loaded.scenarios[0])
    }

    private static func subject(_ request: HuntRequest, _ scenario: Scenario) throws(ToolFault) -> NamedStrategy {
        if let name = request.strategy {
            guard let found = try StrategySelection(names: [name]).selected(scenario).first else {
                throw ToolFault(.unknownName, "unknown strategy \(quote(name))")
            }
            return found
        }
        if let only = scenario.strategies.first, scenario.strategies.count == 1 { return only }
        let names = scenario.strategies.map { visible($0.name, atMost: 60) }.joined(separator: ", ")
        throw ToolFault(
            .missingArgument, "`--strategy` is missing: \(quote(scenario.name)) has several strategies",
            help: ["choose one of these: \(names)"])
    }

    private static func reference(
        _ request: HuntRequest, _ scenario: Scenario, _ vocabulary: Vocabulary
    ) throws(ToolFault) -> String? {
        guard let name = request.reference else { return nil }
        let known = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        let own = scenario.strategies.map(\.name)
        guard own.contains(name) || known.contains(name) else {
            throw ToolFault.unknownName(
                name, "strategy", among: own + known, help: "deadzone list strategies shows all strategies")
        }
        return name
    }

    private static func demand(
        _ text: String, _ request: HuntRequest, _ scenario: Scenario, subject: String
    ) throws(ToolFault) -> HuntReport.HuntDemand {
        let demand = try DemandText(
            text, flag: "demand", reference: request.reference, referenceFlag: "against")
        if let name = demand.threshold.reference {
            let isKnown = name == request.reference || scenario.strategies.contains { $0.name == name }
            guard isKnown, name != subject else {
                throw ToolFault(
                    .badFlagValue, "`--demand` cannot refer to \(quote(name))",
                    help: ["name another strategy of the scenario, or a shipped one: --against NAME"])
            }
        }
        return HuntReport.HuntDemand(
            metric: demand.metric.name, unit: demand.metric.unit, threshold: demand.threshold, bound: demand.bound,
            isCalm: ["latency.", "freshness."].contains(where: demand.metric.name.hasPrefix))
    }

    /// The possible changes of the scenario.
    private static func ground(
        _ base: Node, _ scenario: Scenario, _ request: HuntRequest, _ subject: String
    ) throws(ToolFault) -> HuntGround {
        let radios = Interface.common.filter { base["phone"]?["radios"]?[$0.name] != nil }
        let lines = HuntWorlds.initialLines(base)
        func first(_ key: String) -> String? { lines.compactMap { $0[key]?.scalar }.last }
        let isOnCellular = radios.contains(.cellular) && (first("wifi") == "off" || first("cellular") ?? "off" != "off")
        let streams = HuntGround.MessageStream.allCases.filter { base["traffic"]?[$0.rawValue] != nil }
        var ground = HuntGround(
            radios: radios, start: radios.first == .cellular || isOnCellular ? .cellular : .wifi,
            hasPlatform: scenario.world.platform != nil, streams: streams.isEmpty ? [.down, .up] : streams)
        ground.startsInFront = first("app") != "background"
        ground.startsWithScreenOn = first("screen") != "off"
        ground.mappings = Interface.common.filter { base["middleboxes"]?[$0.name]?.items?.isEmpty == false }
        ground.hasResolver = scenario.world.resolver != nil
        ground.constants = constants([base["strategies"]?[subject], base["middleboxes"], base["server"]])
        ground.grace = request.grace
        ground.trouble = request.trouble
        if !request.allowed.isEmpty { ground.allowed = Set(try kinds(request.allowed)) }
        ground.allowed.subtract(try kinds(request.forbidden))
        guard !ground.kinds(withPlatform: ground.hasPlatform).isEmpty else {
            throw ToolFault(
                .badFlagValue, "no disturbance is left that can happen in this scenario",
                help: [TimedDisturbance.DisturbanceKind.allCases.map(\.rawValue).joined(separator: ", ")])
        }
        return ground
    }

    private static func kinds(_ words: [String]) throws(ToolFault) -> [TimedDisturbance.DisturbanceKind] {
        let known = TimedDisturbance.DisturbanceKind.allCases.map(\.rawValue)
        var kinds: [TimedDisturbance.DisturbanceKind] = []
        for word in words {
            guard let kind = TimedDisturbance.DisturbanceKind(rawValue: word) else {
                throw ToolFault.unknownName(word, "disturbance", among: known, help: known.joined(separator: ", "))
            }
            kinds.append(kind)
        }
        return kinds
    }

    /// Longest and shortest duration that is a constant of a client, a NAT or a server.
    private static let constantSpans = TimeSpan.seconds(1)...TimeSpan.hours(6)

    /// All durations among the settings, each once, in ascending order.
    private static func constants(_ nodes: [Node?]) -> [TimeSpan] {
        var found: Set<TimeSpan> = []
        func visit(_ node: Node) {
            if let text = node.scalar, let span = QuantityKind.span.value(of: text).map(TimeSpan.nanoseconds),
                constantSpans.contains(span)
            {
                found.insert(span)
            }
            for entry in node.entries ?? [] { visit(entry.value) }
            for item in node.items ?? [] { visit(item) }
        }
        for node in nodes { if let node { visit(node) } }
        return found.sorted()
    }
}
