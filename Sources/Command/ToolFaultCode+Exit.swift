import DeadzoneRuns

extension ToolFaultCode {
    var exit: ExitCode {
        switch self {
        case .noVerb, .unknownVerb, .unknownFlag, .flagNeedsValue, .flagTakesNoValue, .badFlagValue, .flagTwice,
            .missingArgument, .tooManyArguments, .unknownName, .conflict:
            .usage
        case .nothingMatched: .nothingMatched
        case .unreadable, .unwritable, .fileExists, .runFailed: .runtime
        case .interrupted: .interrupted
        case .noResult, .otherDigest, .badCapture, .badProfile, .noShard, .missingShards, .otherShard: .badInput
        case .baselineMissing, .noBaseline, .otherWorld, .absent, .gateReference: .badInput
        case .unmatchedGate: .nothingMatched
        }
    }
}
