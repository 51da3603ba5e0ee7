extension Flag {
    static let strategies = Flag(
        "strategies", takes: .text("FILE"),
        "Simulate the strategies of this file with the captured messages and compare them")
    static let toScenario = Flag(
        "to-scenario", takes: .text("FILE"), "Write the recording as a scenario, for `run`")
}
