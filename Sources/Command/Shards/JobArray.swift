import DeadzoneHost
import DeadzoneRuns

/// A kind of cluster that starts many copies of one command, such as a Slurm job array, with its environment variables.
/// Each copy reads its number from an environment variable.
struct JobArray: Sendable {
    let name: String
    /// The variable with the number of the copy.
    let index: String
    /// The number of the first copy: a constant, or a variable that holds it.
    let first: IntegerSource
    /// The difference between the numbers of consecutive copies.
    var step = IntegerSource.number(1)
    /// The number of copies. `nil` if the cluster does not provide it.
    let count: IntegerSource?

    enum IntegerSource: Sendable {
        case number(Int)
        case variable(String)

        func value(in environment: Environment) -> Int? {
            switch self {
            case .number(let number): number
            case .variable(let name): environment[name].flatMap { Int($0) }
            }
        }
    }

    /// In the order in which they are checked. The first two are set deliberately.
    static let all = [
        // For clusters without variables of their own: a GitHub matrix (`strategy.job-index`, `strategy.job-total`),
        // or a Ray task.
        JobArray(
            name: "any scheduler", index: "DEADZONE_SHARD_INDEX", first: .number(0),
            count: .variable("DEADZONE_SHARD_COUNT")),
        // slurm.schedmd.com/job_array.html
        JobArray(
            name: "a Slurm job array", index: "SLURM_ARRAY_TASK_ID", first: .variable("SLURM_ARRAY_TASK_MIN"),
            step: .variable("SLURM_ARRAY_TASK_STEP"), count: .variable("SLURM_ARRAY_TASK_COUNT")),
        // docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html
        JobArray(
            name: "an AWS Batch array", index: "AWS_BATCH_JOB_ARRAY_INDEX", first: .number(0),
            count: .variable("AWS_BATCH_JOB_ARRAY_SIZE")),
        // kubernetes.io/docs/concepts/workloads/controllers/job, completion mode Indexed
        JobArray(name: "an indexed Kubernetes job", index: "JOB_COMPLETION_INDEX", first: .number(0), count: nil),
        // docs.gitlab.com/ci/variables/predefined_variables
        JobArray(
            name: "GitLab `parallel`", index: "CI_NODE_INDEX", first: .number(1), count: .variable("CI_NODE_TOTAL")),
    ]

    /// The index of this copy, from 0. `nil` if the process was not started by this kind of cluster. If only some
    /// tasks of an array were started again, the variables no longer give the original number of copies. If the caller
    /// provides it, the task numbers are taken as those of an array from 0.
    func position(in environment: Environment, of known: Int?) -> (index: Int, count: Int?)? {
        guard let text = environment[index], let index = Int(text) else { return nil }
        if let known, case .variable = first { return (index, known) }
        let first = first.value(in: environment) ?? 0
        let step = max(step.value(in: environment) ?? 1, 1)
        return ((index - first) / step, known ?? count?.value(in: environment))
    }
}

extension Shard {
    /// Parses `--shard`, or reads the variables of the cluster that started this process.
    init(_ text: String, _ environment: Environment) throws(ToolFault) {
        let words = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let count = words.count > 1 ? Self.number(words[1], environment) : nil
        if words.count > 1, count == nil { throw Self.refused(text, "`\(words[1])` is not a number") }
        let position: (index: Int, count: Int?)
        if words[0] == "auto" {
            guard let known = JobArray.all.lazy.compactMap({ $0.position(in: environment, of: count) }).first else {
                throw Self.refused(text, "no environment variable gives the number of the shard")
            }
            position = known
        } else if words[0].hasPrefix("env:") {
            let name = String(words[0].dropFirst(4))
            guard let index = environment[name].flatMap({ Int($0) }) else {
                throw Self.refused(text, "the variable \(name) is not a number")
            }
            position = (index, count)
        } else {
            guard let number = Int(words[0]) else { throw Self.refused(text, "`\(words[0])` is not a number") }
            position = (number - 1, count)
        }
        guard let count = position.count else { throw Self.refused(text, "the number of shards is not given") }
        guard let shard = Shard(position.index + 1, of: count) else {
            throw Self.refused(text, "there is no shard \(position.index + 1) of \(count)")
        }
        self = shard
    }

    /// Parses a number, or the name of a variable that holds one.
    private static func number(_ word: String, _ environment: Environment) -> Int? {
        Int(word) ?? (word.isEmpty ? nil : environment[word].flatMap { Int($0) })
    }

    private static func refused(_ text: String, _ reason: String) -> ToolFault {
        let variables = JobArray.all.map { cluster in "\(cluster.index) (\(cluster.name))" }.joined(separator: ", ")
        return ToolFault(
            .badFlagValue, "`--shard \(text)` is not valid: \(reason)",
            help: [
                "N/COUNT counts from 1: 3/64", "`auto` reads \(variables); `auto/64` also gives the number of shards",
                "env:NAME/COUNT reads any variable that counts from 0",
            ])
    }
}
