import DeadzoneBase
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// The parsed flags of the command `run`.
struct RunOptions: Sendable {
    /// `nil` uses the seed of the scenario, or 1.
    private(set) var seed: UInt64?
    private(set) var replicas: Int?
    private(set) var selection: StrategySelection
    /// The networks on which each scenario runs. `nil` runs it on its own.
    private(set) var across: AcrossSelection?
    /// The cells of a matrix to run. `nil` runs all.
    let cells: CellSelection?
    let jobs: Int
    let results: FormatOptions
    let events: String?
    let isExitZero: Bool
    /// `true` to run the scenario without each entry of its timeline.
    let wantsEntryEnergy: Bool
    let focus: Focus
    /// `nil` runs everything.
    let shard: Shard?

    init(_ invocation: Invocation, _ context: CommandContext) throws(ToolFault) {
        seed = try invocation.text(.seed).map(Self.checkedSeed)
        replicas = invocation.number(.replicas)
        selection = try StrategySelection(invocation, context)
        across = try AcrossSelection(invocation, context)
        cells = try CellSelection(invocation)
        jobs = invocation.number(.jobs) ?? context.cores
        events = invocation.text(.events)
        isExitZero = invocation.has(.exitZero)
        wantsEntryEnergy = invocation.has(.entryEnergy)
        results = try FormatOptions(invocation)
        focus = Focus(replica: invocation.number(.replica), phone: invocation.number(.phone))
        if focus.replica != nil, replicas != nil {
            throw ToolFault(
                .conflict, "`--replica` runs one replica, and `--replicas` sets their number",
                help: ["leave one of them out"])
        }
        if across != nil, focus.replica != nil {
            throw ToolFault(
                .conflict, "`--across` compares replicas, and `--replica` runs one", help: ["leave one of them out"])
        }
        if across != nil, cells != nil {
            throw ToolFault(
                .conflict, "`--across` compares networks, and `--cell` selects some cells",
                help: ["leave one of them out; name the networks with --across lte-verizon-2021,nr"])
        }
        if across != nil, events != nil {
            throw ToolFault(
                .conflict, "`--across` runs several networks, and events do not name their network",
                help: ["write the events of one network: name its profile in the scenario"])
        }
        if events == "-", results.printed != nil {
            throw ToolFault(
                .conflict, "results and events cannot both go to standard output", help: ["write --events FILE"])
        }
        shard = try invocation.text(.shard).map { text throws(ToolFault) in try Shard(text, context.environment) }
        try Self.checkShard(shard, invocation)
    }

    /// Rejects flags that do not apply to a shard. A shard is input for `merge` and has no report of its own.
    private static func checkShard(_ shard: Shard?, _ invocation: Invocation) throws(ToolFault) {
        guard shard != nil else {
            if !invocation.has(.resume) { return }
            throw ToolFault(.conflict, "`--resume` needs `--shard`", help: ["add --shard N/COUNT"])
        }
        for flag in [Flag.replica, .phone, .cell, .events, .entryEnergy, .json, .format] where invocation.has(flag) {
            throw ToolFault(
                .conflict, "`--\(flag.name)` applies to a whole run, and `--shard` runs a part",
                help: flag == .json || flag == .format ? ["give it to `deadzone merge`"] : ["leave one of them out"])
        }
        if invocation.arguments.contains("-") {
            throw ToolFault(
                .conflict, "`merge` reads the scenarios again, and standard input can be read once",
                help: ["name a file"])
        }
    }

    /// Refuses a picture of many phones before anything runs, if the scenarios have no such picture.
    func checkPicture(of files: ScenarioFiles) throws(ToolFault) {
        let scenarios = files.files.flatMap(\.loaded.scenarios)
        guard results.wantsHerd else { return }
        guard scenarios.count == 1, scenarios[0].world.phones > 1, focus.phone == nil else {
            throw ReportFormat.noHerd
        }
    }

    /// The parameters that determine the result of the run.
    func request(_ arguments: [String]) -> ShardRequest {
        var request = ShardRequest()
        (request.arguments, request.seed, request.replicas, request.strategies) = (
            arguments, seed, replicas, selection.names
        )
        (request.added, request.isOnlyAdded) = (selection.added.map(\.text), selection.isOnlyAdded)
        request.across = across?.text ?? ""
        return request
    }

    /// Adopts the parameters that the shards ran with.
    mutating func adopt(_ request: ShardRequest) {
        (seed, replicas) = (request.seed, request.replicas)
        selection = StrategySelection(
            added: request.added.map(AddedStrategy.init), isOnlyAdded: request.isOnlyAdded, names: request.strategies)
        across = request.across.isEmpty ? nil : AcrossSelection(request.across)
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

    /// Parses a seed. A number is used as it is. A word is hashed with FNV-1a, so that `--seed monday` is easy to
    /// remember. The hash is cut to 53 bits, because the seed appears in JSON and many readers store numbers as
    /// doubles. Text that only resembles a number, such as `-1`, is rejected.
    static func seed(_ text: String) -> UInt64? {
        if let number = UInt64(text) { return number }
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return nil }
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return hash >> 11
    }

    /// The simulations to run for a scenario.
    func simulationPlan(_ scenario: Scenario, _ namedStrategies: [NamedStrategy], seed: UInt64)
        throws(ToolFault) -> SimulationPlan
    {
        if let phone = focus.phone, phone >= scenario.world.phones {
            throw ToolFault(
                .badFlagValue, "`--phone` cannot be \(phone) in \(quote(scenario.name))",
                help: [
                    scenario.world.phones == 1
                        ? "its one phone is 0" : "its phones are 0 to \(scenario.world.phones - 1)"
                ])
        }
        return SimulationPlan(
            scenario, namedStrategies, seed: seed,
            replicas: focus.replica == nil ? replicas ?? scenario.replicas : 1, focus: focus)
    }

    /// The strategies to run, in the order of the scenario.
    func selected(_ scenario: Scenario) throws(ToolFault) -> [NamedStrategy] {
        try selection.selected(scenario)
    }
}
