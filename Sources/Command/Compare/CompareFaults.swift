extension CommandFaultCode {
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
                    + "of then and of now are not of the same thing. If the change was meant, save the baseline anew."
            )
        case .absent:
            (
                "a baseline lacks a scenario or a strategy, or has one that is gone",
                "What the baseline does not have passes no gate of it. Save it anew, or name fewer scenarios or strategies."
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
