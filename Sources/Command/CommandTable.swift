import DeadzoneReports
import DeadzoneRuns

/// A subcommand (verb) of `deadzone`, such as `run`, with its arguments, flags, help and action. Parsing, help,
/// suggestions and other descriptions of the command are all generated from this table, so they always agree.
struct Verb: Sendable {
    let name: String
    /// One line that begins with a verb: "compares strategies under a scenario".
    let summary: String
    let arguments: Arguments
    let flags: [Flag]
    /// Accepted values of `--format`.
    let formats: [String]
    let examples: [Example]
    /// Suggested next commands, at the end of the help.
    let next: [Example]
    /// Words for flags that take other values here than usual.
    let wordings: [FlagWording]
    let details: String
    let run: @Sendable (Invocation, CommandContext) throws -> ExitCode

    init(
        _ name: String, _ summary: String, arguments: Arguments = .none, flags: [Flag] = [],
        formats: [String] = ReportFormat.names, examples: [Example], next: [Example], wordings: [FlagWording] = [],
        details: String = "", run: @escaping @Sendable (Invocation, CommandContext) throws -> ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.flags = flags + Flag.everywhere
        self.formats = formats
        self.examples = examples
        self.next = next
        self.wordings = wordings
        self.details = details
        self.run = run
    }
}

extension Verb {
    /// The description of a flag for this verb. A flag means the same for most verbs, but the formats of `--format`
    /// differ.
    func meaning(of flag: Flag) -> String {
        if let wording = wordings.first(where: { $0.flag == flag }) { return wording.meaning }
        return flag == .format ? "Formats: \(formats.joined(separator: ", ")); \(flag.meaning)" : flag.meaning
    }

    /// The flag with its placeholder, as help shows it.
    func synopsis(of flag: Flag) -> String {
        guard let wording = wordings.first(where: { $0.flag == flag }) else { return flag.synopsis }
        return wording.placeholder.isEmpty ? flag.synopsis : "    --\(flag.name) \(wording.placeholder)"
    }
}

/// Describes the positional arguments that a subcommand accepts: help text and allowed number.
struct Arguments: Sendable {
    /// As shown in help: "SCENARIO…".
    let synopsis: String
    let meaning: String
    let count: ClosedRange<Int>

    static let none = Arguments(synopsis: "", meaning: "", count: 0...0)

    static func one(_ synopsis: String, _ meaning: String) -> Self {
        Self(synopsis: synopsis, meaning: meaning, count: 1...1)
    }
    static func optional(_ synopsis: String, _ meaning: String) -> Self {
        Self(synopsis: "[\(synopsis)]", meaning: meaning, count: 0...1)
    }
    static func any(_ synopsis: String, _ meaning: String) -> Self {
        Self(synopsis: "[\(synopsis)…]", meaning: meaning, count: 0...Int.max)
    }
    static func some(_ synopsis: String, _ meaning: String) -> Self {
        Self(synopsis: synopsis + "…", meaning: meaning, count: 1...Int.max)
    }
}

struct Example: Sendable {
    let command: String
    let meaning: String

    init(_ command: String, _ meaning: String) {
        self.command = command
        self.meaning = meaning
    }
}

/// A command-line flag; it means the same for every subcommand that accepts it.
struct Flag: Sendable, Equatable {
    enum FlagArgument: Sendable, Equatable {
        case none
        /// Free text, with the placeholder that help shows: "N", "FILE".
        case text(String)
        /// One of a fixed set of words.
        case word([String])
        case number(String, ClosedRange<Int>)
    }

    let name: String
    let short: Character?
    let value: FlagArgument
    let isRepeatable: Bool
    let meaning: String

    init(
        _ name: String, short: Character? = nil, takes value: FlagArgument = .none, repeatable: Bool = false,
        _ meaning: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        isRepeatable = repeatable
        self.meaning = meaning
    }

    /// As shown in help: "--seed N|WORD".
    var synopsis: String {
        let long = "--" + name
        let word =
            switch value {
            case .none: long
            case .text(let synopsis), .number(let synopsis, _): long + " " + synopsis
            case .word(let words): long + " " + words.joined(separator: "|")
            }
        return (short.map { "-\($0), " } ?? "    ") + word
    }
}

/// Other words for a flag of one verb, such as `--for METRICS` where other verbs have `--for SPAN`.
struct FlagWording: Sendable {
    let flag: Flag
    let placeholder: String
    let meaning: String

    init(_ flag: Flag, takes placeholder: String, _ meaning: String) {
        self.flag = flag
        self.placeholder = placeholder
        self.meaning = meaning
    }
}

extension Flag {
    static let help = Flag("help", short: "h", "Show this help and do nothing else")
    static let json = Flag("json", "Print exactly one JSON document on standard output")
    static let quiet = Flag("quiet", short: "q", "Print only results and errors, no progress and no notes")
    static let verbose = Flag(
        "verbose", short: "v", "Show more detail: all rows, and the origin of each maximum and number")
    static let color = Flag("color", takes: .word(["auto", "always", "never"]), "When to colour the output")
    static let everywhere = [quiet, color, help]

    static let seed = Flag("seed", takes: .text("N|WORD"), "Seed of the random numbers: a number or a word (default 1)")
    static let replicas = Flag(
        "replicas", takes: .number("N", 1...1_000_000), "Number of replicas (repetitions with different random seeds)")
    static let replica = Flag(
        "replica", takes: .number("N", 0...999_999),
        "Run only replica N, counted from 0")
    static let phone = Flag(
        "phone", takes: .number("N", 0...9_999_999),
        "Show only phone N, counted from 0, in the table, the events and the HTML page")
    static let strategy = Flag(
        "strategy", takes: .text("STRATEGY"), repeatable: true,
        "Run only this strategy; repeat the flag for several strategies")
    static let shard = Flag(
        "shard", takes: .text("N/COUNT"),
        "Run only part N of COUNT, for `merge`; auto: N and COUNT from the cluster's variables")
    static let shards = Flag(
        "shards", takes: .number("N", 1...Shard.maximumCount),
        "Number of parts (shards) into which to divide the run (default 8)")
    static let cluster = Flag(
        "cluster", takes: .word(ClusterScript.clusters),
        "Type of cluster that runs the shards (default \(ClusterScript.local))"
    )
    static let resume = Flag("resume", "Skip the shard if its result file already exists and is complete")
    static let jobs = Flag(
        "jobs", takes: .number("N", 1...1_024), "Number of threads (default: all processors); does not affect results")
    static let out = Flag("out", takes: .text("DIR"), "Write the output files to this folder")
    static let events = Flag(
        "events", takes: .text("FILE"), "Write every event to this file, one JSON object per line; - is standard output"
    )
    static let entryEnergy = Flag(
        "entry-energy",
        "Also run without each timeline entry, and show the difference in energy (implies -v)")
    static let exitZero = Flag("exit-zero", "Exit with code 0 even if expectations are not met")
    static let watch = Flag("watch", "Run again whenever a file changes that was read, until Ctrl-C; open pages reload")
    static let annotate = Flag(
        "annotate", "Also print errors and failed checks as GitHub annotations beside the source lines")
    static let printResolved = Flag("print-resolved", "Print the scenario with all defaults and profiles filled in")
    static let format = Flag("format", takes: .text("LIST"), "several: use --out")
    static let baseline = Flag(
        "baseline", takes: .text("FILE"), "Baseline file: stored results, written by `baseline save`")
    static let trace = Flag(
        "trace", takes: .text("FILE"), "File with the events of the earlier run, written by `run --events`")
    static let against = Flag("against", takes: .text("STRATEGY"), "Compare all other strategies with this strategy")
    static let gates = Flag(
        "gates", takes: .text("FILE"), "YAML file with bounds on the results; see `deadzone explain gates`")
    static let force = Flag("force", "Overwrite existing files")
    static let replace = Flag("replace", "Remove scenarios from the baseline if this command does not name them")
}

/// The table of all subcommands (verbs), in the order in which a new user meets them.
struct CommandTable: Sendable {
    let verbs: [Verb]

    func verb(_ name: String) -> Verb? { verbs.first { $0.name == name } }

    /// The flags of all verbs without duplicates.
    var flags: [Flag] {
        verbs.flatMap(\.flags).reduce(into: []) { known, flag in if !known.contains(flag) { known.append(flag) } }
    }
}
