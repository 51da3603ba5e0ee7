import DeadzoneHost
import DeadzoneRuns

/// Who starts many copies of one command and tells each of them which it is, in its environment.
struct CopyStarter: Sendable {
    let name: String
    /// The variable that counts the copies.
    let index: String
    /// What the first of them is called: a number, or a variable that has it.
    let first: Count
    /// By how much each is more than the one before.
    var step = Count.number(1)
    /// Nil where the cluster tells nobody how many there are.
    let count: Count?

    enum Count: Sendable {
        case number(Int)
        case variable(String)

        func value(in environment: Environment) -> Int? {
            switch self {
            case .number(let number): number
            case .variable(let name): environment[name].flatMap { Int($0) }
            }
        }
    }

    /// In the order in which they are asked: the first two are said on purpose.
    static let all = [
        // For clusters that tell nothing by themselves: a matrix of GitHub's (`strategy.job-index`, `strategy.job-total`), a task of Ray's.
        CopyStarter(
            name: "anybody", index: "DEADZONE_SHARD_INDEX", first: .number(0), count: .variable("DEADZONE_SHARD_COUNT")),
        // slurm.schedmd.com/job_array.html
        CopyStarter(
            name: "a Slurm array", index: "SLURM_ARRAY_TASK_ID", first: .variable("SLURM_ARRAY_TASK_MIN"),
            step: .variable("SLURM_ARRAY_TASK_STEP"), count: .variable("SLURM_ARRAY_TASK_COUNT")),
        // docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html
        CopyStarter(
            name: "an AWS Batch array", index: "AWS_BATCH_JOB_ARRAY_INDEX", first: .number(0),
            count: .variable("AWS_BATCH_JOB_ARRAY_SIZE")),
        // kubernetes.io/docs/concepts/workloads/controllers/job, completion mode Indexed
        CopyStarter(name: "an indexed job of Kubernetes", index: "JOB_COMPLETION_INDEX", first: .number(0), count: nil),
        // docs.gitlab.com/ci/variables/predefined_variables
        CopyStarter(
            name: "`parallel` of GitLab", index: "CI_NODE_INDEX", first: .number(1), count: .variable("CI_NODE_TOTAL")),
    ]

    /// Which copy this is, from 0, where this is one. Of an array that was begun again for some of its tasks alone nobody but the caller
    /// knows how many there were at first: their numbers are then those of an array from 0.
    func place(in environment: Environment, of known: Int?) -> (index: Int, count: Int?)? {
        guard let text = environment[index], let index = Int(text) else { return nil }
        if let known, case .variable = first { return (index, known) }
        let first = first.value(in: environment) ?? 0
        let step = max(step.value(in: environment) ?? 1, 1)
        return ((index - first) / step, known ?? count?.value(in: environment))
    }
}

extension Shard {
    static let forms = "N/COUNT, auto, auto/COUNT, env:NAME/COUNT"

    /// As `--shard` says it, or as the cluster does that started this process.
    init(_ text: String, _ environment: Environment) throws(ToolFault) {
        let words = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let count = words.count > 1 ? Self.number(words[1], environment) : nil
        if words.count > 1, count == nil { throw Self.refused(text, "`\(words[1])` is no number") }
        let place: (index: Int, count: Int?)
        if words[0] == "auto" {
            guard let known = CopyStarter.all.lazy.compactMap({ $0.place(in: environment, of: count) }).first else {
                throw Self.refused(text, "no variable says which shard this is")
            }
            place = known
        } else if words[0].hasPrefix("env:") {
            let name = String(words[0].dropFirst(4))
            guard let index = environment[name].flatMap({ Int($0) }) else {
                throw Self.refused(text, "the variable \(name) is no number")
            }
            place = (index, count)
        } else {
            guard let number = Int(words[0]) else { throw Self.refused(text, "`\(words[0])` is no number") }
            place = (number - 1, count)
        }
        guard let count = place.count else { throw Self.refused(text, "nothing says how many shards there are") }
        guard let shard = Shard(place.index + 1, of: count) else {
            throw Self.refused(text, "there is no shard \(place.index + 1) of \(count)")
        }
        self = shard
    }

    /// A number, or the name of a variable that has it.
    private static func number(_ word: String, _ environment: Environment) -> Int? {
        Int(word) ?? (word.isEmpty ? nil : environment[word].flatMap { Int($0) })
    }

    private static func refused(_ text: String, _ reason: String) -> ToolFault {
        let variables = CopyStarter.all.map { cluster in "\(cluster.index) of \(cluster.name)" }.joined(separator: ", ")
        return ToolFault(
            .badFlagValue, "`--shard \(text)` is no shard: \(reason)",
            help: [
                "N/COUNT counts from 1: 3/64", "`auto` reads \(variables); `auto/64` says how many there are",
                "env:NAME/COUNT reads any variable that counts from 0",
            ])
    }
}
