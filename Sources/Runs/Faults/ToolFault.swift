import DeadzoneBase
package import DeadzoneHost

/// An error that the command reports to the user: a wrong command line or file, or a refused system operation. The
/// message says how to correct it.
package struct ToolFault: Error, Equatable {
    package let code: ToolFaultCode
    package let message: String
    package let help: [String]

    package init(_ code: ToolFaultCode, _ message: String, help: [String] = []) {
        self.code = code
        self.message = message
        self.help = help
    }
}

/// Stable codes of the errors that the command reports. They are a public contract: append new codes, never renumber.
/// Codes that begin with E00 to E02 are errors in the content of files.
package enum ToolFaultCode: String, CaseIterable, Sendable {
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

    package var title: String { row.title }
    package var explanation: String { row.explanation }

    private var row: (title: String, explanation: String) {
        switch self {
        case .noVerb:
            ("no verb", "The first word is the verb: `deadzone run FILE`. `deadzone help` lists the verbs.")
        case .unknownVerb:
            ("an unknown verb", "`deadzone help` lists the verbs. A similar verb is suggested, but not run.")
        case .unknownFlag:
            ("an unknown flag", "`deadzone help VERB` lists the flags of a verb. Words after `--` are not flags.")
        case .flagNeedsValue: ("a flag without its value", "Write `--flag VALUE` or `--flag=VALUE`.")
        case .flagTakesNoValue: ("a value for a flag that takes none", "The flag has no value.")
        case .badFlagValue: ("an invalid value for a flag", "The message lists the valid values.")
        case .flagTwice:
            (
                "a flag twice",
                "Only flags whose help says so may be repeated. Otherwise it is unclear which value counts."
            )
        case .missingArgument: ("an argument is missing", "`deadzone help VERB` shows what the verb needs.")
        case .tooManyArguments: ("too many arguments", "A name with spaces needs quotes.")
        case .unknownName: ("an unknown name", "`deadzone list` shows the names that `explain` and the flags accept.")
        case .conflict: ("two options or names that conflict", "Leave one of them out, or use another name.")
        case .nothingMatched:
            ("no file matched", "A file, folder or pattern without a match is an error, never a pass.")
        case .unreadable: ("a file cannot be read", "The message contains the operating system's reason.")
        case .unwritable:
            (
                "a file cannot be written",
                "Missing folders of `--out` are created. Only regular files are replaced, not links or devices."
            )
        case .fileExists:
            ("the file already exists", "Name another file; `--force` replaces it, if the command has this flag.")
        case .runFailed: ("a run could not go on", "The message names the scenario, the strategy and the time.")
        case .badCapture:
            (
                "an unreadable capture or battery history",
                "Captures are pcap, pcapng or Perfetto traces; a truncated one is used up to the break. Battery "
                    + "histories are bug reports, output of `dumpsys batterystats`, or Powerlogs. All may be gzip."
            )
        case .badProfile:
            ("a file is not a radio profile", "`deadzone explain NAME` shows a shipped profile as an example.")
        case .interrupted: ("stopped by a signal", "Completed parts are shown and marked incomplete.")
        case .noResult:
            (
                "a file is not a result",
                "`report` reads what `run --json` prints: complete, with its scenario, seed and digests."
            )
        case .otherDigest:
            (
                "a result cannot be reproduced",
                "Equal inputs give equal digests. Causes: another version of the tool, a changed strategy, or an edited "
                    + "file. The message names the difference. This program no longer produces the numbers in the file."
            )
        case .noShard, .missingShards, .otherShard: shardRow
        case .baselineMissing, .noBaseline, .otherWorld, .absent, .unmatchedGate, .gateReference: comparisonRow
        }
    }
}

extension ToolFault {
    package static func unknownName(_ name: String, _ what: String, among known: [String], help: String) -> Self {
        Self(.unknownName, "unknown \(what) \(quote(name))", help: didYouMean(name, known) + [help])
    }

    package static func unknown(
        _ code: ToolFaultCode, _ message: String, _ name: String, among known: [String], help: String
    ) -> Self {
        Self(code, message, help: didYouMean(name, known) + [help])
    }

    // System messages contain the path unchanged, so unprintable characters are escaped here.
    package static func unreadable(_ fault: SystemFault) -> Self {
        fault.isInterruption
            ? Self(.interrupted, "stopped while reading \(fault.path.escapedForTerminal)")
            : Self(.unreadable, fault.message.escapedForTerminal)
    }
    package static func unwritable(_ fault: SystemFault) -> Self { Self(.unwritable, fault.message.escapedForTerminal) }

    package static func nothingMatched(
        _ fault: SystemFault,
        help: String = "name a scenario file, a folder, a pattern, or - for standard input"
    ) -> Self {
        Self(.nothingMatched, fault.message.escapedForTerminal, help: [help])
    }

    package static func didYouMean(_ word: String, _ known: [String]) -> [String] {
        suggestion(for: word, among: known).map { ["did you mean `\($0)`?"] } ?? []
    }
}

/// Several errors of one command line, or of the files that it names, reported together.
package struct ToolFaults: Error {
    /// Maximum number of errors to show; more would be noise.
    package static let shown = 20
    /// At least one error.
    package let faults: [ToolFault]

    package init(faults: [ToolFault]) { self.faults = faults }
}
