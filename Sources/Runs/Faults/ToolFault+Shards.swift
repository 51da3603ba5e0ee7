import DeadzoneBase

extension ToolFault {
    private static let maximumListed = 20

    static func noShard(_ path: String, _ reason: String) -> Self {
        Self(
            .noShard, "\(path.escapedForTerminal) is not a shard: \(reason)",
            help: ["run it again, with the same --shard"]
        )
    }

    /// - Parameter shards: at least one missing shard; all of the same run.
    static func missingShards(_ shards: [Shard]) -> Self {
        let named = shards.prefix(maximumListed).map { String($0.number) }.joined(separator: ", ")
        let more = shards.count > maximumListed ? ", and \(shards.count - maximumListed) more" : ""
        let what = plural(shards.count, "shard") + " of \(shards[0].count)"
        return Self(
            .missingShards, "\(what) \(shards.count == 1 ? "is" : "are") missing: \(named)\(more)",
            help: ["run what is missing, `--shard \(shards[0].flag)` first, and merge all of them"])
    }

    static func otherShard(_ path: String, _ relation: String, _ other: String) -> Self {
        Self(
            .otherShard, "\(path.escapedForTerminal) \(relation) \(other.escapedForTerminal)",
            help: ["merge only shards of one command line and one version of deadzone"])
    }

    package static func otherScenario(_ name: String) -> Self {
        Self(
            .otherShard, "\(quote(name)) is not the scenario that the shards simulated",
            help: ["merge with the same scenario files as when the shards ran"])
    }
}

extension ToolFaultCode {
    /// Title and explanation of the shard faults.
    var shardRow: (title: String, explanation: String) {
        switch self {
        case .noShard:
            (
                "a file is not a shard",
                "`deadzone run --shard N/COUNT --out DIR` writes a shard. `merge` reads only shards of its own version."
            )
        case .missingShards:
            (
                "shards are missing",
                "`merge` needs all shards of the run. Each shard can be run again separately."
            )
        case .otherShard:
            (
                "shards of different runs",
                "All shards must come from one command line, and the scenarios must be unchanged since."
            )
        default: ("", "")
        }
    }
}
