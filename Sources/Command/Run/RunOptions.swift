import DeadzoneCompare
import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneWorld

/// The flags of `run`, read.
struct RunOptions: Sendable {
    /// Nil: what the scenario says, or 1.
    private(set) var seed: UInt64?
    private(set) var replicas: Int?
    private(set) var strategies: [String]
    let jobs: Int
    let results: FormatOptions
    let events: String?
    let isExitZero: Bool
    let focus: Focus
    /// Nil: all of it.
    let shard: Shard?

    init(_ invocation: Invocation, _ surroundings: Surroundings) throws(ToolFault) {
        seed = try invocation.text(.seed).map(Self.checkedSeed)
        replicas = invocation.number(.replicas)
        strategies = invocation.texts(.strategy)
        jobs = invocation.number(.jobs) ?? surroundings.cores
        events = invocation.text(.events)
        isExitZero = invocation.has(.exitZero)
        results = try FormatOptions(invocation)
        focus = Focus(replica: invocation.number(.replica), phone: invocation.number(.phone))
        if focus.replica != nil, replicas != nil {
            throw ToolFault(
                .conflict, "`--replica` is one of them, and `--replicas` says how many",
                help: ["leave one of them out"])
        }
        if events == "-", results.printed != nil {
            throw ToolFault(
                .conflict, "results and events both want standard output", help: ["write --events FILE"])
        }
        shard = try invocation.text(.shard).map { text throws(ToolFault) in try Shard(text, surroundings.environment) }
        try Self.checkShard(shard, invocation)
    }

    /// A shard is for `merge`, and says nothing by itself.
    private static func checkShard(_ shard: Shard?, _ invocation: Invocation) throws(ToolFault) {
        guard shard != nil else {
            if !invocation.has(.resume) { return }
            throw ToolFault(.conflict, "`--resume` is about a shard", help: ["say which with --shard"])
        }
        for flag in [Flag.replica, .phone, .events, .json, .format] where invocation.has(flag) {
            throw ToolFault(
                .conflict, "`--\(flag.name)` is about a whole run, and `--shard` about a part of one",
                help: flag == .json || flag == .format ? ["say it to `deadzone merge`"] : ["leave one of them out"])
        }
        if invocation.arguments.contains("-") {
            throw ToolFault(
                .conflict, "`merge` reads the scenarios again, and standard input can be read once",
                help: ["name a file"])
        }
    }

    /// What decides what comes of the run.
    func request(_ arguments: [String]) -> ShardRequest {
        var request = ShardRequest()
        (request.arguments, request.seed, request.replicas, request.strategies) = (
            arguments, seed, replicas, strategies
        )
        return request
    }

    /// As it was asked of the shards.
    mutating func take(_ request: ShardRequest) {
        (seed, replicas, strategies) = (request.seed, request.replicas, request.strategies)
    }

    var isJSON: Bool { results.isJSON }
    var printsTables: Bool { results.printed == nil && events != "-" }

    static func checkedSeed(_ text: String) throws(ToolFault) -> UInt64 {
        guard let seed = seed(text) else {
            throw ToolFault(
                .badFlagValue, "`--seed \(text)` is neither a seed nor a word",
                help: ["a whole number from 0 to \(UInt64.max), or a word that begins with a letter"])
        }
        return seed
    }

    /// A number is itself; a word is hashed by FNV-1a, so that `--seed monday` is a seed that can be remembered. The hash
    /// is cut to 53 bits: the seed stands in the JSON, and many readers keep numbers as doubles.
    /// What only looks like a number is neither: nobody means the word `-1`.
    static func seed(_ text: String) -> UInt64? {
        if let number = UInt64(text) { return number }
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return nil }
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return hash >> 11
    }

    /// What is to be simulated of the scenario.
    func assignment(_ scenario: Scenario, _ contenders: [Contender], seed: UInt64)
        throws(ToolFault) -> Assignment
    {
        if let phone = focus.phone, phone >= scenario.world.phones {
            throw ToolFault(
                .badFlagValue, "`--phone` cannot be \(phone) in \(quote(scenario.name))",
                help: [
                    scenario.world.phones == 1
                        ? "its one phone is 0" : "its phones are 0 to \(scenario.world.phones - 1)"
                ])
        }
        return Assignment(
            scenario, contenders.map(\.strategy), seed: seed,
            replicas: focus.replica == nil ? replicas ?? scenario.replicas : 1, focus: focus)
    }

    /// The strategies to run, in the order of the scenario.
    func selected(_ scenario: Scenario) throws(ToolFault) -> [Contender] {
        let known = scenario.strategies.map(\.name)
        for name in strategies where !known.contains(name) {
            throw .unknownName(
                name, "strategy", among: known, help: "\(scenario.name) has \(known.joined(separator: ", "))")
        }
        return strategies.isEmpty ? scenario.strategies : scenario.strategies.filter { strategies.contains($0.name) }
    }
}
