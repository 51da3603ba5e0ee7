import DeadzoneDocuments
import DeadzoneRuns

/// Something `deadzone` does. Parsing, help, suggestions and whatever describes the command elsewhere are all made from
/// this one table, so none of them can disagree.
struct Verb: Sendable {
    let name: String
    /// One line, a verb first: "compares strategies under a scenario".
    let summary: String
    let arguments: Arguments
    let flags: [Flag]
    /// What `--format` may name.
    let formats: [String]
    let examples: [Example]
    /// What a user does after this: the last lines of the help.
    let next: [Example]
    let details: String
    let run: @Sendable (Invocation, Surroundings) throws -> ExitCode

    init(
        _ name: String, _ summary: String, arguments: Arguments = .none, flags: [Flag] = [],
        formats: [String] = ReportFormat.names, examples: [Example], next: [Example], details: String = "",
        run: @escaping @Sendable (Invocation, Surroundings) throws -> ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.flags = flags + Flag.everywhere
        self.formats = formats
        self.examples = examples
        self.next = next
        self.details = details
        self.run = run
    }
}

extension Verb {
    /// A flag means the same everywhere; which formats there are depends on what is written.
    func meaning(of flag: Flag) -> String {
        flag == .format ? "of \(formats.joined(separator: ", ")): \(flag.meaning)" : flag.meaning
    }
}

/// The words of a verb that are not flags.
struct Arguments: Sendable {
    /// As help shows it: "SCENARIO…".
    let form: String
    let meaning: String
    let count: ClosedRange<Int>

    static let none = Arguments(form: "", meaning: "", count: 0...0)

    static func one(_ form: String, _ meaning: String) -> Self { Self(form: form, meaning: meaning, count: 1...1) }
    static func optional(_ form: String, _ meaning: String) -> Self {
        Self(form: "[\(form)]", meaning: meaning, count: 0...1)
    }
    static func any(_ form: String, _ meaning: String) -> Self {
        Self(form: "[\(form)…]", meaning: meaning, count: 0...Int.max)
    }
    static func some(_ form: String, _ meaning: String) -> Self {
        Self(form: form + "…", meaning: meaning, count: 1...Int.max)
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

/// A flag means the same wherever it is accepted.
struct Flag: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case none
        /// As help shows it: "N", "FILE".
        case text(String)
        /// One of a few words.
        case word([String])
        case number(String, ClosedRange<Int>)
    }

    let name: String
    let short: Character?
    let value: Value
    let isRepeatable: Bool
    let meaning: String

    init(
        _ name: String, short: Character? = nil, takes value: Value = .none, repeatable: Bool = false, _ meaning: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        isRepeatable = repeatable
        self.meaning = meaning
    }

    /// As help shows it: "--seed N|WORD".
    var form: String {
        let long = "--" + name
        let word =
            switch value {
            case .none: long
            case .text(let form), .number(let form, _): long + " " + form
            case .word(let words): long + " " + words.joined(separator: "|")
            }
        return (short.map { "-\($0), " } ?? "    ") + word
    }
}

extension Flag {
    static let help = Flag("help", short: "h", "shows this help and does nothing else")
    static let json = Flag("json", "prints exactly one JSON document on standard output")
    static let quiet = Flag("quiet", short: "q", "leaves out progress and notes, not results or errors")
    static let verbose = Flag("verbose", short: "v", "says more: names of metrics, who holds the longest, every source")
    static let color = Flag("color", takes: .word(["auto", "always", "never"]), "when to use colour")
    static let everywhere = [quiet, color, help]

    static let seed = Flag("seed", takes: .text("N|WORD"), "draws other weather (default 1)")
    static let replicas = Flag(
        "replicas", takes: .number("N", 1...100_000), "repeats each strategy under so many weathers")
    static let replica = Flag(
        "replica", takes: .number("N", 0...99_999),
        "runs this replica alone, counted from 0 as events count them")
    static let phone = Flag(
        "phone", takes: .number("N", 0...9_999_999),
        "shows this phone alone, counted from 0: table, events, page")
    static let strategy = Flag(
        "strategy", takes: .text("STRATEGY"), repeatable: true, "runs only this strategy; may be repeated")
    static let shard = Flag(
        "shard", takes: .text("N/COUNT"), "runs one of so many parts, for `merge`; auto: the one that the cluster says")
    static let shards = Flag(
        "shards", takes: .number("N", 1...Shard.most), "divides the run into so many parts (default 8)")
    static let cluster = Flag(
        "cluster", takes: .word(Submission.clusters), "who runs them (default \(Submission.local))")
    static let resume = Flag("resume", "leaves a shard alone that is there already, whole")
    static let jobs = Flag(
        "jobs", takes: .number("N", 1...1_024), "threads to use (default: all processors); cannot change a result")
    static let out = Flag("out", takes: .text("DIR"), "writes the result files into this folder")
    static let events = Flag(
        "events", takes: .text("FILE"), "writes every event as one JSON line; - is standard output")
    static let exitZero = Flag("exit-zero", "ends with 0 although expectations were not met")
    static let annotate = Flag("annotate", "also prints faults as annotations that GitHub shows beside the lines")
    static let printResolved = Flag("print-resolved", "prints the scenario with everything filled in")
    static let format = Flag("format", takes: .text("LIST"), "for --out, or printed")
    static let baseline = Flag("baseline", takes: .text("FILE"), "the baseline: what was kept by `baseline save`")
    static let trace = Flag("trace", takes: .text("FILE"), "events from before, as `run --events` wrote them")
    static let against = Flag("against", takes: .text("STRATEGY"), "compares the others with this strategy")
    static let gates = Flag("gates", takes: .text("FILE"), "bounds that have to hold, as YAML: deadzone explain gates")
    static let force = Flag("force", "replaces files that exist")
    static let replace = Flag("replace", "keeps nothing of the baseline but what is named")
}

/// All verbs, in the order of a first acquaintance.
struct CommandTable: Sendable {
    let verbs: [Verb]

    func verb(_ name: String) -> Verb? { verbs.first { $0.name == name } }

    /// Every flag of every verb, each once.
    var flags: [Flag] {
        verbs.flatMap(\.flags).reduce(into: []) { known, flag in if !known.contains(flag) { known.append(flag) } }
    }
}
