import DeadzoneBase
package import DeadzoneScenarios

/// Simulates the parts that belong to one shard, for one simulation plan after another, and collects their results.
package struct ShardMaker {
    package private(set) var file: ShardFile
    /// Number of parts of this shard, and of all parts.
    package private(set) var (ownPartCount, totalPartCount) = (0, 0)
    private var assigner: ShardAssigner

    package init(_ shard: Shard, _ request: ShardRequest) {
        file = ShardFile(shard, request)
        assigner = ShardAssigner(among: shard.count)
    }

    /// Number of the plan's parts that belong to this shard. Call it before `run`.
    package func countOwnParts(of simulationPlan: SimulationPlan) -> Int {
        var next = assigner
        return next.assignShards(simulationPlan.parts).count { $0 == file.shard.number - 1 }
    }

    /// Runs this shard's parts of a plan. Returns `false` if the run was stopped; the file is then unusable.
    package mutating func run(
        _ simulationPlan: SimulationPlan, _ scenario: Scenario, _ namedStrategies: [NamedStrategy],
        by executor: ParallelExecutor,
        onPart: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        let owners = assigner.assignShards(simulationPlan.parts)
        let mine = owners.indices.filter { owners[$0] == file.shard.number - 1 }
        totalPartCount += owners.count
        ownPartCount += mine.count
        let partResults = simulationPlan.partResults(ofParts: mine, by: executor, onPart: onPart)
        guard partResults.count == mine.count else { return false }
        file.add(simulationPlan.identity(scenario, namedStrategies), partResults.map(\.encoded))
        return true
    }
}

extension SimulationPlan {
    /// Hash of everything that determines the results of the plan.
    func identity(_ scenario: Scenario, _ namedStrategies: [NamedStrategy]) -> String {
        let strategies = namedStrategies.map { "\($0.name) \($0.hash.hex)" }
        let text = [scenario.name, scenario.worldHash.hex] + strategies + seeds.map(\.hex)
        return Fingerprint(of: text.joined(separator: "\n")).hex
    }
}

extension SimulationPlan.PartResult: BinaryCodable {
    /// `nil` if the bytes are not an encoded part result.
    /// - Parameter empty: A result without records, of the same form as the encoded one. Shards keep no minutes.
    init?(encoded bytes: [UInt8], like empty: Self = Self()) {
        self = empty
        var coder = BinaryCoder(reading: bytes)
        coder.code(&self)
        guard coder.isFullyRead else { return nil }
    }

    var encoded: [UInt8] {
        var coder = BinaryCoder()
        var whole = self
        coder.code(&whole)
        return coder.bytes
    }
}
