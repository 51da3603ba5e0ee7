public import DeadzoneHost
import DeadzonePrimitives
import DeadzoneSettings

/// What is wrong with a command line, or what the system refused, said so that it can be put right.
public struct ToolFault: Error, Equatable {
    public let code: ToolFaultCode
    public let message: String
    public let help: [String]

    public init(_ code: ToolFaultCode, _ message: String, help: [String] = []) {
        self.code = code
        self.message = message
        self.help = help
    }
}

/// Codes are a contract: append, never renumber. Those of files begin with E00 to E02.
public enum ToolFaultCode: String, CaseIterable, Sendable {
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
    case noShard = "E0440"
    case missingShards = "E0441"
    case otherShard = "E0442"

    case baselineMissing = "E0501"
    case noBaseline = "E0502"
    case otherWorld = "E0503"
    case absent = "E0504"
    case unmatchedGate = "E0505"
    case gateReference = "E0506"

    public var title: String { row.title }
    public var explanation: String { row.explanation }

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
        case .noShard, .missingShards, .otherShard: shardRow
        case .baselineMissing, .noBaseline, .otherWorld, .absent, .unmatchedGate, .gateReference: comparisonRow
        }
    }
}

extension ToolFault {
    public static func unknownName(_ name: String, _ what: String, among known: [String], help: String) -> Self {
        Self(.unknownName, "unknown \(what) \(quote(name))", help: meant(name, known) + [help])
    }

    public static func unknown(
        _ code: ToolFaultCode, _ message: String, _ name: String, among known: [String], help: String
    ) -> Self {
        Self(code, message, help: meant(name, known) + [help])
    }

    // Messages of the system name paths as they are, and a path can be anything.
    public static func unreadable(_ fault: SystemFault) -> Self { Self(.unreadable, fault.message.visible) }
    public static func unwritable(_ fault: SystemFault) -> Self { Self(.unwritable, fault.message.visible) }

    public static func nothingMatched(
        _ fault: SystemFault,
        help: String = "name a scenario file, a folder of them, a pattern, or - for standard input"
    ) -> Self {
        Self(.nothingMatched, fault.message.visible, help: [help])
    }

    public static func meant(_ word: String, _ known: [String]) -> [String] {
        suggestion(for: word, among: known).map { ["did you mean `\($0)`?"] } ?? []
    }
}

/// Several faults of one command line or of what it names, told together.
public struct ToolFaults: Error {
    /// More than this at once is noise.
    public static let shown = 20
    /// At least one.
    public let faults: [ToolFault]

    public init(faults: [ToolFault]) { self.faults = faults }
}
