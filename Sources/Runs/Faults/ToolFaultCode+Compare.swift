extension ToolFaultCode {
    /// Title and explanation of the comparison faults.
    var comparisonRow: (title: String, explanation: String) {
        switch self {
        case .baselineMissing:
            (
                "there is no baseline",
                "`deadzone baseline save` writes one. A gate without its baseline never passes."
            )
        case .noBaseline:
            ("a file is not a baseline", "The message names the position. `deadzone baseline save` writes one.")
        case .otherWorld:
            (
                "a baseline with another world",
                "The world hash covers phone, timeline, traffic, server, profiles and duration. If it differs, the old and the new "
                    + "numbers cannot be compared. If the change is intended, save the scenario again. If "
                    + "other scenarios can be compared, they are, and this is reported."
            )
        case .absent:
            (
                "there is nothing to compare with",
                "The baseline contains none of the named scenarios; it is usually the wrong file. If only some scenarios "
                    + "are in the baseline, the others are listed as new. Or --against names the only strategy that runs."
            )
        case .unmatchedGate:
            (
                "a gate that matches nothing",
                "The pattern matches no scenario, or no strategy of the matching scenarios: it is misspelt, or "
                    + "the scenario was not named on the command line."
            )
        case .gateReference:
            (
                "a gate without a reference",
                "`of baseline` needs --baseline FILE; `of NAME` needs a strategy with that name in each scenario that the "
                    + "gate matches."
            )
        default: ("", "")
        }
    }
}
