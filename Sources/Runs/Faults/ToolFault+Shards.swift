import DeadzonePrimitives
import DeadzoneSettings

extension ToolFault {
    private static let mostNamed = 20

    static func noShard(_ path: String, _ reason: String) -> Self {
        Self(.noShard, "\(path.visible) is no shard: \(reason)", help: ["run it again, with the same --shard"])
    }

    /// - Parameter shards: at least one, of one run.
    static func missingShards(_ shards: [Shard]) -> Self {
        let named = shards.prefix(mostNamed).map { String($0.number) }.joined(separator: ", ")
        let more = shards.count > mostNamed ? ", and \(shards.count - mostNamed) more" : ""
        let what = plural(shards.count, "shard") + " of \(shards[0].count)"
        return Self(
            .missingShards, "\(what) \(shards.count == 1 ? "is" : "are") missing: \(named)\(more)",
            help: ["run what is missing, `--shard \(shards[0].flag)` first, and merge all of them"])
    }

    static func otherShard(_ path: String, _ relation: String, _ other: String) -> Self {
        Self(
            .otherShard, "\(path.visible) \(relation) \(other.visible)",
            help: ["merge the shards of one command line, run by one version of the tool"])
    }

    public static func otherScenario(_ name: String) -> Self {
        Self(
            .otherShard, "\(quote(name)) is not what the shards simulated",
            help: ["merge where the scenarios lie as they were when the shards ran"])
    }
}

extension ToolFaultCode {
    /// What is said of the faults of shards.
    var shardRow: (title: String, explanation: String) {
        switch self {
        case .noShard:
            (
                "a file is no shard",
                "`deadzone run --shard N/COUNT --out DIR` writes one. `merge` takes those of its own version."
            )
        case .missingShards:
            (
                "shards are missing",
                "A run that is divided is whole only with all of its shards: each can be run again alone."
            )
        case .otherShard:
            (
                "shards that do not belong together",
                "All have to be of one command line, and the scenarios have to be as they were then."
            )
        default: ("", "")
        }
    }
}
