public import DeadzoneScenarios

/// The shards of one run, all of them, each once: in whatever order they were named, and however often.
public struct ShardSet {
    public let request: ShardRequest
    private let files: [ShardFile]
    private var dealer: ShardDealer
    /// How many harvests of each shard have been gathered.
    private var gathered: [Int]
    private var assignments = 0

    /// - Parameter paths: at least one.
    public init(_ paths: [String]) throws(ToolFault) {
        var known: [Int: (path: String, file: ShardFile)] = [:]
        var first: (path: String, file: ShardFile)?
        for path in paths {
            let file = try ShardFile(reading: path)
            if let first, file.request != first.file.request || file.shard.count != first.file.shard.count {
                throw .otherShard(path, "is of another run than", first.path)
            }
            if let twin = known[file.shard.number], !twin.file.says(as: file) {
                throw .otherShard(path, "is the same shard, and says something else than", twin.path)
            }
            first = first ?? (path, file)
            known[file.shard.number] = (path, file)
        }
        guard let sample = first?.file else { preconditionFailure("no shard was named") }
        let count = sample.shard.count
        let missing = (1...count).filter { known[$0] == nil }
        guard missing.isEmpty else { throw .missingShards(missing.compactMap { Shard($0, of: count) }) }
        for number in 1...count {
            guard let (path, file) = known[number], file.assignments != sample.assignments else { continue }
            throw .otherShard(path, "simulated something else than", first?.path ?? "")
        }
        request = sample.request
        files = (1...count).compactMap { known[$0]?.file }
        dealer = ShardDealer(among: count)
        gathered = Array(repeating: 0, count: count)
    }

    /// What the parts of the next assignment came to; to be called for each in the order of their scenarios.
    public mutating func gather(_ assignment: Assignment, _ scenario: Scenario, _ contenders: [Contender])
        throws(ToolFault) -> Gathered
    {
        let identity = assignment.identity(scenario, contenders)
        guard files[0].assignments.indices.contains(assignments), files[0].assignments[assignments] == identity else {
            throw .otherScenario(scenario.name)
        }
        assignments += 1
        var harvests: [[UInt8]] = []
        for owner in dealer.deal(assignment.parts) {
            guard gathered[owner] < files[owner].harvests.count else { throw .otherScenario(scenario.name) }
            harvests.append(files[owner].harvests[gathered[owner]])
            gathered[owner] += 1
        }
        return Gathered(harvests: harvests)
    }

    /// Harvests of one assignment, in the order of its parts.
    public struct Gathered: Sendable {
        fileprivate let harvests: [[UInt8]]

        func harvest(ofPart index: Int) -> Assignment.Harvest? { Assignment.Harvest(taped: harvests[index]) }
    }
}

extension ShardFile {
    fileprivate func says(as other: ShardFile) -> Bool {
        assignments == other.assignments && harvests == other.harvests
    }
}
