import DeadzoneBase
import DeadzoneLaws
import DeadzoneScenarios

/// The scenarios that a hunt makes from one file: each replaces the timeline, the messages and the duration, and keeps
/// phone, links, server and client.
struct HuntWorlds: Sendable {
    let vocabulary: Vocabulary
    let file: String
    let added: [AddedStrategy]
    /// The strategies of the command line that the demand is about. A find contains them, so that it runs without `--with`.
    let addedEntries: [Node.MapEntry]
    /// The file's own bytes.
    let bytes: [UInt8]
    var ground: HuntGround
    let subject: String
    let reference: String?
    /// `true` if the scenario contains the reference strategy.
    let hasReference: Bool
    /// Strategies of the file that no run needs.
    let others: [String]
    /// The resolved scenario.
    let base: Node
    /// The expectations of the scenario, as written.
    let expectations: [ExpectedBound]

    private var loader: ScenarioLoader {
        var loader = ScenarioLoader(vocabulary, read: ScenarioFiles.read)
        loader.addedStrategies = added
        return loader
    }

    /// Reads the worlds of genomes. One thread uses it.
    var variants: ScenarioVariants { ScenarioVariants(loader, bytes, name: file) }

    /// The world of a genome, with its faults.
    func loaded(_ genome: WorldGenome) -> LoadedScenarios {
        loader.load(bytes, name: file, overrides: .map(overrides(genome, isFile: false)))
    }

    /// The keys that make the genome's world from the file.
    /// - Parameter isFile: `true` for the scenario that users get; `false` leaves out what no run needs.
    func overrides(_ genome: WorldGenome, isFile: Bool) -> [Node.MapEntry] {
        let placed = PlacedGenome(genome, on: ground)
        var entries: [Node.MapEntry] = []
        func add(_ key: String, _ value: Node) { entries.append(Node.MapEntry(key: key, value: value)) }
        add("duration", .text(placed.duration.compoundText))
        add("replicas", .text("1"))
        if let phones = base["phones"]?.scalar, phones != "1" { add("phones", .text("1")) }
        if let seed = genome.seed { add("seed", .text("\(seed)")) }
        if ground.hasPlatform, !genome.hasPlatform {
            add("phone", .map([Node.MapEntry(key: "platform", value: .text("null"))]))
        }
        add("timeline", .list(Self.initialLines(base) + (placed.timeline.items ?? [])))
        if let traffic = traffic(placed) { add("traffic", traffic) }
        var strategies: [Node.MapEntry] = []
        if !hasReference, let reference {
            let own = Node.map([Node.MapEntry(key: "strategy", value: .text(reference))])
            strategies.append(Node.MapEntry(key: reference, value: own))
        }
        strategies += isFile ? addedEntries : others.map { Node.MapEntry(key: $0, value: .text("null")) }
        if !strategies.isEmpty { add("strategies", .map(strategies)) }
        if !isFile, !expectations.isEmpty { add("expect", .text("null")) }
        return entries
    }

    /// The entries at 0s with the state of the phone at the start. The default state needs none.
    static func initialLines(_ base: Node) -> [Node] {
        // A resolved line that turns a network off has `old-path`. At the start it has no effect.
        let states: Set = [
            "at", "wifi", "cellular", "app", "screen", "charging", "motion", "battery-saver", "old-path",
        ]
        let usual = ["wifi": nil, "app": "foreground", "screen": "on"] as [String: String?]
        return (base["timeline"]?.items ?? []).filter { line in
            guard let entries = line.entries, line["at"]?.scalar == "0s" else { return false }
            guard entries.allSatisfy({ states.contains($0.key) && $0.value.scalar != nil }) else { return false }
            return !entries.allSatisfy { entry in
                if ["at", "old-path"].contains(entry.key) { return true }
                guard let value = usual[entry.key] else { return false }
                return value.map { $0 == entry.value.scalar } ?? (entry.value.scalar != "off")
            }
        }
    }

    private func traffic(_ placed: PlacedGenome) -> Node? {
        var entries: [Node.MapEntry] = []
        for (index, stream) in ground.streams.enumerated() {
            let own = base["traffic"]?[stream.rawValue]
            if let node = placed.stream(index, keeping: Self.kept(own, stream)) {
                entries.append(Node.MapEntry(key: stream.rawValue, value: node))
            } else if own != nil {
                entries.append(Node.MapEntry(key: stream.rawValue, value: .text("null")))
            }
        }
        return entries.isEmpty ? nil : .map(entries)
    }

    /// Size of messages and of answers: as the scenario has them, or usual ones.
    private static func kept(_ stream: Node?, _ kind: HuntGround.MessageStream) -> [Node.MapEntry] {
        let first = stream?.items?.first ?? stream
        let keys = kind == .calls ? ["size", "answer"] : ["size"]
        return keys.map { key in Node.MapEntry(key: key, value: first?[key] ?? .text("300B")) }
    }
}

extension HuntWorlds {
    /// The scenario of a genome as a file that extends the user's scenario, in few lines.
    /// - Parameters:
    ///   - path: The user's scenario, seen from the new file.
    ///   - demand: Metric and bound that the world breaks.
    func text(_ genome: WorldGenome, extending path: String, title: String, _ demand: (metric: String, bound: String))
        -> String
    {
        // The demand is judged alone, whatever the user's scenario expects of other strategies now or later.
        let base = "{file: \(flowText(.text(path))), without: [expect]}"
        var text = "version: 1\nextends: \(base)\nname: \(flowText(.text(title)))\n"
        for entry in overrides(genome, isFile: true) {
            guard entry.key == "timeline", let lines = entry.value.items, !lines.isEmpty else {
                text += "\(entry.key): \(flowText(entry.value))\n"
                continue
            }
            text += "timeline:\n" + lines.map { "  - \(flowText($0))\n" }.joined()
        }
        let bound = Node.map([Node.MapEntry(key: demand.metric, value: .text(demand.bound))])
        return text + "expect: \(flowText(.map([Node.MapEntry(key: subject, value: bound)])))\n"
    }
}
