extension ToolFaultCode {
    /// What is said of the faults of comparisons.
    var comparisonRow: (title: String, explanation: String) {
        switch self {
        case .baselineMissing:
            (
                "there is no baseline",
                "`deadzone baseline save` writes one. A gate without its baseline is never a pass."
            )
        case .noBaseline: ("a file is no baseline", "The message names the place. `deadzone baseline save` writes one.")
        case .otherWorld:
            (
                "a baseline of another world",
                "The world hash covers phone, timeline, traffic, server, profiles and duration. Where it differs, numbers "
                    + "of then and of now are not of the same thing. If the change was meant, save that scenario anew. Where "
                    + "other scenarios can be compared, they are, and this is told."
            )
        case .absent:
            (
                "a baseline has nothing of what is named",
                "Where some of it can be compared, the rest is told as new. Where nothing can, it is as a rule the wrong file."
            )
        case .unmatchedGate:
            (
                "a gate that is about nothing",
                "No scenario, or no strategy of those scenarios, has a name that the pattern matches: it was misspelt, or "
                    + "its scenario is not among those that were named."
            )
        case .gateReference:
            (
                "a gate that is measured by nothing",
                "`of baseline` needs --baseline FILE; `of NAME` needs a strategy of that name in each scenario that the "
                    + "gate is about."
            )
        default: ("", "")
        }
    }
}
