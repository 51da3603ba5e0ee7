import DeadzoneHost
import DeadzoneRuns

extension Flag {
    static let strategies = Flag(
        "strategies", takes: .text("FILE"),
        "Compare the strategies or the preset of this file, with the captured messages")
    static let toScenario = Flag(
        "to-scenario", takes: .text("FILE"), "Write the recording as a scenario, for `run`; - is standard output")
}

extension Verb {
    /// Refuses a scenario and another result on standard output.
    static func checkScenarioOutput(_ invocation: Invocation, isAlone: Bool) throws(ToolFault) {
        guard invocation.text(.toScenario) == PathExpansion.standardInput, !isAlone || invocation.has(.verbose) else {
            return
        }
        throw ToolFault(
            .conflict, "`--to-scenario -` prints the scenario, and nothing else", help: ["name a file for the scenario"]
        )
    }
}
