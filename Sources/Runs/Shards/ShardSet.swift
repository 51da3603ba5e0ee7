package import DeadzoneScenarios

/// The result files of all shards of one divided run, checked to be complete and consistent. Files may be given in any
/// order and more than once.
package struct ShardSet {
    package let request: ShardRequest
    private let files: [ShardFile]
    /// The path of each shard.
    private let paths: [String]
    private var assigner: ShardAssigner
    /// Number of part results already taken from each shard.
    private var gatheredCounts: [Int]
    private var nextPlan = 0

    /// - Parameter paths: at least one.
    package init(_ paths: [String]) throws(ToolFault) {
        var known: [Int: (path: String, file: ShardFile)] = [:]
        var first: (path: String, file: ShardFile)?
        for path in paths {
            let file = try ShardFile(reading: path)
            if let first, file.request != first.file.request || file.shard.count != first.file.shard.count {
                throw .otherShard(path, "belongs to another run than", first.path)
            }
            if let twin = known[file.shard.number], !twin.file.hasSameContents(as: file) {
                throw .otherShard(path, "is the same shard with other contents than", twin.path)
            }
            first = first ?? (path, file)
            known[file.shard.number] = (path, file)
        }
        guard let sample = first?.file else { preconditionFailure("no shard was named") }
        let count = sample.shard.count
        let missing = (1...count).filter { known[$0] == nil }
        guard missing.isEmpty else { throw .missingShards(missing.compactMap { Shard($0, of: count) }) }
        for number in 1...count {
            guard let (path, file) = known[number], file.planIdentities != sample.planIdentities else { continue }
            throw .otherShard(path, "simulated another scenario than", first?.path ?? "")
        }
        request = sample.request
        files = (1...count).compactMap { known[$0]?.file }
        self.paths = (1...count).compactMap { known[$0]?.path }
        assigner = ShardAssigner(among: count)
        gatheredCounts = Array(repeating: 0, count: count)
    }

    /// Part results of the next plan. Call it for each plan, in the order of the scenarios.
    package mutating func gather(
        _ simulationPlan: SimulationPlan, _ scenario: Scenario, _ namedStrategies: [NamedStrategy]
    )
        throws(ToolFault) -> ShardResults
    {
        let identity = simulationPlan.identity(scenario, namedStrategies)
        guard files[0].planIdentities.indices.contains(nextPlan), files[0].planIdentities[nextPlan] == identity else {
            throw .otherScenario(scenario.name)
        }
        nextPlan += 1
        var partResults: [[UInt8]] = []
        for owner in assigner.assignShards(simulationPlan.parts) {
            guard gatheredCounts[owner] < files[owner].partResults.count else { throw .otherScenario(scenario.name) }
            let bytes = files[owner].partResults[gatheredCounts[owner]]
            // The checksum does not protect against forged numbers.
            let isValid = SimulationPlan.PartResult(encoded: bytes)
                .map { $0.groups.folds.count == simulationPlan.reportedGroups.count }
            guard isValid == true else { throw .noShard(paths[owner], "its contents are invalid") }
            partResults.append(bytes)
            gatheredCounts[owner] += 1
        }
        return ShardResults(partResults: partResults)
    }

    /// The results of all parts of one simulation plan, collected from all shards, in the order of the parts.
    package struct ShardResults: Sendable {
        fileprivate let partResults: [[UInt8]]

        func partResult(ofPart index: Int) -> SimulationPlan.PartResult? {
            SimulationPlan.PartResult(encoded: partResults[index])
        }
    }
}

extension ShardFile {
    fileprivate func hasSameContents(as other: ShardFile) -> Bool {
        planIdentities == other.planIdentities && partResults == other.partResults
    }
}
