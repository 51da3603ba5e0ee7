import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneMetrics
import DeadzoneScenarios

/// Examines a shrunk world: the values that may vary without saving the client, the seeds in which it breaks, and the
/// shipped clients that survive it.
struct HuntExaminer {
    /// Seeds in which the world runs again.
    static let freshSeeds = 50
    /// Survivors that the report names.
    private static let mostSurvivors = 3
    /// Differences that the report names of each survivor.
    private static let mostDifferences = 4

    let evaluator: HuntEvaluator
    let demand: Int
    private(set) var runs = 0

    init(_ evaluator: HuntEvaluator, demand: Int) {
        self.evaluator = evaluator
        self.demand = demand
    }

    private mutating func breaks(_ genome: WorldGenome) -> Bool {
        runs += 1
        return evaluator.trial(genome)?.breaches[demand] != nil
    }

    /// The ranges around each time of the entries in which the demand still breaks.
    mutating func ranges(_ genome: WorldGenome) -> [HuntReport.FreeRange] {
        var ranges: [HuntReport.FreeRange] = []
        for (index, entry) in genome.entries.enumerated() {
            let word = entry.kind.rawValue
            if entry.kind.hasLength {
                let most = entry.kind.isTrouble ? evaluator.worlds.ground.trouble : .hours(6)
                ranges.append(
                    range("length of \(word)", entry.length, .seconds(1)...most, genome) {
                        $0.entries[index].length = $1
                    })
            }
            let before = index == 0 ? "warm-up" : genome.entries[index - 1].kind.rawValue
            ranges.append(
                range("time from \(before) to \(word)", entry.wait, .zero ... .hours(6), genome) {
                    $0.entries[index].wait = $1
                })
        }
        if genome.entries.isEmpty {
            ranges.append(
                range("duration without any disturbance", genome.rest, .zero ... .hours(6), genome) { $0.rest = $1 })
        }
        return ranges
    }

    private mutating func range(
        _ name: String, _ value: TimeSpan, _ limits: ClosedRange<TimeSpan>, _ genome: WorldGenome,
        set: (inout WorldGenome, TimeSpan) -> Void
    ) -> HuntReport.FreeRange {
        func with(_ span: TimeSpan) -> WorldGenome {
            var candidate = genome
            set(&candidate, span)
            return candidate
        }
        var (low, high) = (min(value, limits.lowerBound), value)
        let isOpenBelow = value <= limits.lowerBound || breaks(with(low))
        if isOpenBelow { high = low }
        while high - low > .seconds(1) {
            let middle = TimeSpan.seconds((low + high).nanoseconds / 2_000_000_000)
            guard middle > low, middle < high else { break }
            if breaks(with(middle)) { high = middle } else { low = middle }
        }
        let from = high
        // Upwards the step doubles until the demand holds.
        (low, high) = (value, value)
        var isOpenAbove = false
        while !isOpenAbove {
            high = min(limits.upperBound, max(.seconds(1), high * 2))
            if high <= low || !breaks(with(high)) { break }
            low = high
            isOpenAbove = high == limits.upperBound
        }
        while !isOpenAbove, high - low > .seconds(1) {
            let middle = TimeSpan.seconds((low + high).nanoseconds / 2_000_000_000)
            guard middle > low, middle < high else { break }
            if breaks(with(middle)) { low = middle } else { high = middle }
        }
        return HuntReport.FreeRange(
            name: name, value: value, from: from, to: low, isOpenBelow: isOpenBelow, isOpenAbove: isOpenAbove)
    }

    /// Number of fresh seeds in which the world breaks the demand.
    mutating func brokenSeeds(_ genome: WorldGenome, seed: UInt64) -> Int {
        (1...Self.freshSeeds).count { replica in
            var fresh = genome
            fresh.seed = seed.seed(ofReplica: replica) >> 1
            return breaks(fresh)
        }
    }

    /// Adds the other shipped clients in the same world to a find: those that keep the demand, and the names of those
    /// that break it. Survivors with the transport of the hunted client come first, then those with nearer settings. A
    /// shipped client with the settings of the hunted one is left out.
    mutating func addClients(_ genome: WorldGenome, to find: inout HuntReport.HuntFind) {
        guard let scenario = evaluator.scenario(genome) else { return }
        let vocabulary = evaluator.worlds.vocabulary
        let own = TunableStrategy.plainValues(
            of: evaluator.worlds.base["strategies"]?[evaluator.worlds.subject] ?? .map([]))
        let subject = scenario.strategies.first { $0.name == evaluator.worlds.subject }
        var survivors: [HuntReport.Survivor] = []
        var casualties: [String] = []
        for name in vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name) {
            let parsed = ParsedStrategy(name, with: .map([]), vocabulary, read: ScenarioFiles.read)
            guard let strategy = parsed.strategy,
                parsed.named(name, written: parsed.settings)?.hash != subject?.hash,
                let figure = evaluator.figure(demand, strategy, in: scenario, seed: genome.seed ?? evaluator.seed),
                figure != .nothing
            else { continue }
            runs += 1
            guard evaluator.isKept(demand, figure, reference: find.reference) else {
                casualties.append(name)
                continue
            }
            let theirs = TunableStrategy.plainValues(of: parsed.settings)
            let differences = Self.differences(own, theirs)
            let kind = subject?.strategy.transport?.kind
            survivors.append(
                HuntReport.Survivor(
                    name: name, value: figure, distance: differences.count,
                    differences: Array(differences.prefix(Self.mostDifferences)),
                    hasSameTransport: kind != nil && kind == strategy.transport?.kind))
        }
        survivors.sort { left, right in
            if left.hasSameTransport != right.hasSameTransport { return left.hasSameTransport }
            return (left.distance, left.name) < (right.distance, right.name)
        }
        find.survivors = Array(survivors.prefix(Self.mostSurvivors))
        find.survivorCount = survivors.count
        find.casualties = casualties.sorted()
    }

    private typealias SettingValues = [(path: [String], value: String)]

    /// Settings of another client that differ from the own ones, in words.
    private static func differences(_ own: SettingValues, _ theirs: SettingValues) -> [String] {
        func table(_ values: SettingValues) -> [String: String] {
            Dictionary(
                values.map { ($0.path.joined(separator: "."), $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        let (own, theirs) = (table(own), table(theirs))
        return Set(own.keys).union(theirs.keys).subtracting(["strategy", "preset"]).sorted().compactMap { key in
            own[key] == theirs[key] ? nil : "\(key) \(theirs[key] ?? "absent") instead of \(own[key] ?? "absent")"
        }
    }
}
