import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneSettings

/// What is wrong with a command line, or what the system refused, said so that it can be put right.
struct CommandFault: Error, Equatable {
    let code: CommandFaultCode
    let message: String
    let help: [String]

    init(_ code: CommandFaultCode, _ message: String, help: [String] = []) {
        self.code = code
        self.message = message
        self.help = help
    }
}

/// Codes are a contract: append, never renumber. Those of files begin with E00 to E02.
enum CommandFaultCode: String, CaseIterable, Sendable {
    case noVerb = "E0301"
    case unknownVerb = "E0302"
    case unknownFlag = "E0303"
    case flagNeedsValue = "E0304"
    case flagTakesNoValue = "E0305"
    case badFlagValue = "E0306"
    case flagTwice = "E0307"
    case missingArgument = "E0308"
    case tooManyArguments = "E0309"
    case unknownName = "E0310"
    case conflict = "E0311"

    case nothingMatched = "E0401"
    case unreadable = "E0402"
    case unwritable = "E0403"
    case fileExists = "E0404"
    case runFailed = "E0405"
    case interrupted = "E0406"
    case noResult = "E0420"
    case otherDigest = "E0421"
    case badCapture = "E0430"
    case badProfile = "E0431"

    case baselineMissing = "E0501"
    case noBaseline = "E0502"
    case otherWorld = "E0503"
    case absent = "E0504"
    case unmatchedGate = "E0505"
    case gateReference = "E0506"

    var exit: ExitCode {
        switch self {
        case .noVerb, .unknownVerb, .unknownFlag, .flagNeedsValue, .flagTakesNoValue, .badFlagValue, .flagTwice,
            .missingArgument, .tooManyArguments, .unknownName, .conflict:
            .usage
        case .nothingMatched: .nothingMatched
        case .unreadable, .unwritable, .fileExists, .runFailed: .runtime
        case .interrupted: .interrupted
        case .noResult, .otherDigest, .badCapture, .badProfile: .badInput
        case .baselineMissing, .noBaseline, .otherWorld, .absent, .gateReference: .badInput
        case .unmatchedGate: .nothingMatched
        }
    }

    var title: String { row.title }
    var explanation: String { row.explanation }

    private var row: (title: String, explanation: String) {
        switch self {
        case .noVerb:
            ("no verb", "The first word says what to do: `deadzone run FILE`. `deadzone help` lists the verbs.")
        case .unknownVerb: ("an unknown verb", "`deadzone help` lists the verbs. A near miss is suggested, never run.")
        case .unknownFlag:
            ("an unknown flag", "`deadzone help VERB` lists the flags of a verb. After `--` nothing is a flag.")
        case .flagNeedsValue: ("a flag without its value", "Write `--flag VALUE` or `--flag=VALUE`.")
        case .flagTakesNoValue: ("a value for a flag that takes none", "The flag's presence is all it says.")
        case .badFlagValue: ("a value that the flag cannot take", "The message names what it can take.")
        case .flagTwice:
            ("a flag twice", "Only flags that say so may be repeated: it would be unclear which one counts.")
        case .missingArgument: ("an argument is missing", "`deadzone help VERB` shows what the verb needs.")
        case .tooManyArguments: ("an argument too many", "A name with spaces needs quotes.")
        case .unknownName: ("an unknown name", "`deadzone list` shows the names that `explain` and flags know.")
        case .conflict: ("two things that contradict each other", "Leave one of them out, or name it otherwise.")
        case .nothingMatched:
            ("no file matched", "A file, folder or pattern that matches nothing is an error, never a pass.")
        case .unreadable: ("a file cannot be read", "The message has the operating system's reason.")
        case .unwritable:
            (
                "a file cannot be written",
                "The folder must exist. Links and devices are refused: only plain files are replaced."
            )
        case .fileExists: ("the file is there already", "`--force` replaces it.")
        case .runFailed: ("a run could not go on", "The message names the scenario, the strategy and the moment.")
        case .badCapture:
            (
                "a capture of which nothing can be read",
                "pcap and pcapng are read, plain or in gzip. What breaks off later is used up to there."
            )
        case .badProfile: ("a file is no radio profile", "`deadzone explain NAME` shows what a shipped one says.")
        case .interrupted: ("stopped by a signal", "What was finished by then is shown and marked incomplete.")
        case .noResult:
            (
                "a file is no result",
                "`report` reads what `run --json` prints: complete, with its scenario, seed and digests."
            )
        case .otherDigest:
            (
                "a result does not come out again",
                "Equal inputs give equal digests. Another version of the tool, a strategy of yours that has changed, or a "
                    + "hand in the file: the message names what differs. Its numbers are no longer those of this program."
            )
        case .baselineMissing, .noBaseline, .otherWorld, .absent, .unmatchedGate, .gateReference: comparisonRow
        }
    }
}

extension CommandFault {
    static func strategyTwice(_ name: String) -> Self {
        Self(
            .conflict, "two strategies are called \(quote(name))",
            help: ["give yours another name: `static let name`", "deadzone list strategies shows those that are taken"])
    }

    static let noVerb = Self(
        .noVerb, "no verb",
        help: HelpText.overviewExamples.map { "\($0.command): \($0.meaning)" } + ["deadzone help lists the verbs"])

    static func unknownVerb(_ name: String, among known: [String]) -> Self {
        Self(.unknownVerb, "unknown verb \(quote(name))", help: meant(name, known) + ["deadzone help lists the verbs"])
    }

    static func unknownFlag(_ flag: String, among known: [String], verb: String?) -> Self {
        Self(
            .unknownFlag, "unknown flag \(quote(flag))",
            help: meant(flag, known) + [
                "deadzone help \(verb.map { visible($0, atMost: 40) + " " } ?? "")lists the flags"
            ])
    }

    static func flagNeedsValue(_ flag: Flag, _ spelled: String) -> Self {
        Self(.flagNeedsValue, "\(quote(spelled)) needs a value", help: ["write \(flag.form.drop { $0 == " " })"])
    }

    static func flagTakesNoValue(_ spelled: String) -> Self {
        Self(.flagTakesNoValue, "\(quote(spelled)) takes no value", help: ["write \(spelled) alone"])
    }

    static func badFlagValue(_ spelled: String, _ value: String, oneOf words: [String]) -> Self {
        Self(
            .badFlagValue, "\(quote(spelled)) cannot be \(quote(value))",
            help: meant(value, words) + ["it takes " + words.joined(separator: ", ")])
    }

    static func badFlagValue(_ spelled: String, _ value: String, in range: ClosedRange<Int>) -> Self {
        Self(
            .badFlagValue, "\(quote(spelled)) cannot be \(quote(value))",
            help: ["it takes a whole number from \(range.lowerBound) to \(range.upperBound)"])
    }

    static func flagTwice(_ spelled: String) -> Self {
        Self(.flagTwice, "\(quote(spelled)) is given twice", help: ["give it once"])
    }

    static func missingArgument(_ verb: Verb) -> Self {
        Self(
            .missingArgument, "deadzone \(verb.name) needs \(verb.arguments.form)",
            help: ["for example: \(verb.examples.first?.command ?? "deadzone help \(verb.name)")"])
    }

    static func tooManyArguments(_ verb: Verb, _ word: String) -> Self {
        Self(
            .tooManyArguments, "deadzone \(verb.name) does not know what to do with \(quote(word))",
            help: ["it takes " + (verb.arguments.form.isEmpty ? "no arguments" : verb.arguments.form)])
    }

    static func unknownName(_ name: String, _ what: String, among known: [String], help: String) -> Self {
        Self(.unknownName, "unknown \(what) \(quote(name))", help: meant(name, known) + [help])
    }

    static func unknown(
        _ code: CommandFaultCode, _ message: String, _ name: String, among known: [String], help: String
    ) -> Self {
        Self(code, message, help: meant(name, known) + [help])
    }

    // Messages of the system name paths as they are, and a path can be anything.
    static func unreadable(_ fault: SystemFault) -> Self { Self(.unreadable, fault.message.visible) }
    static func unwritable(_ fault: SystemFault) -> Self { Self(.unwritable, fault.message.visible) }

    static func nothingMatched(_ fault: SystemFault) -> Self {
        Self(
            .nothingMatched, fault.message.visible,
            help: ["name a scenario file, a folder of them, a pattern, or - for standard input"])
    }

    private static func meant(_ word: String, _ known: [String]) -> [String] {
        suggestion(for: word, among: known).map { ["did you mean `\($0)`?"] } ?? []
    }
}

extension CommandFault {
    /// `deadzone/errors/1`: what `--json` prints where there is no result.
    var json: JSON {
        .object([
            "schema": .string("deadzone/errors/1"),
            "errors": .array([
                .object([
                    "code": .string(code.rawValue), "message": .string(message),
                    "help": .array(help.map { .string($0) }),
                ])
            ]),
        ])
    }
}

/// Several faults of one command line or of what it names, told together.
struct CommandFaults: Error {
    /// More than this at once is noise.
    static let shown = 20
    /// At least one.
    let faults: [CommandFault]

    /// `deadzone/errors/1`.
    var json: JSON {
        .object([
            "schema": .string("deadzone/errors/1"),
            "errors": .array(
                faults.prefix(Self.shown).flatMap { fault -> [JSON] in
                    if case .object(let document) = fault.json { document["errors"]?.items ?? [] } else { [] }
                }),
        ])
    }
}
