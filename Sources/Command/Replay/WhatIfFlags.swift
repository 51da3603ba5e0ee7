extension Flag {
    static let strategies = Flag(
        "strategies", takes: .text("FILE"),
        "runs the strategies of this file on the capture's messages and compares them")
    static let toScenario = Flag(
        "to-scenario", takes: .text("FILE"), "writes the capture's world as a scenario for `run`")
}
