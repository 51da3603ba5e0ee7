import DeadzoneCommand
import Foundation
import Testing

/// Gate files with few gates, or none.
struct GateFileTests {
    private func compare(_ gates: String, _ flags: String = "") throws -> TestWorkspace.Outcome {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write("gates.yaml", gates)
        return workspace.run("compare @a.yaml --gates @gates.yaml \(flags)")
    }

    @Test func presetIsEnough() throws {
        // Broken: a gate file that only extends a preset with bounds is refused, because nothing would be checked.
        let told = try compare("version: 1\nextends: recommended@1\n", "-v")
        #expect(!told.errors.contains("error["), "\(told.errors)")
        #expect(told.output.contains("connection.attempts_per_hour of eager") && told.output.contains("recommended@1"))
        for gates in ["version: 1\n", "version: 1\nextends: none\n"] {
            let refused = try compare(gates)
            #expect(refused.code == .badInput && refused.errors.contains("`gates` is missing"), "\(refused.errors)")
        }
    }

    @Test(arguments: ["", "# nothing yet\n"])
    func emptyFileIsExplained(gates: String) throws {
        // Broken: the message about an empty gate file explains what a scenario is.
        let told = try compare(gates)
        #expect(told.code == .badInput && told.errors.contains("the file is empty"), "\(told.errors)")
        #expect(told.errors.contains("a gate file is a map") && !told.errors.contains("scenario is"), "\(told.errors)")
    }

    @Test func theSameBoundIsJudgedOnce() throws {
        // Broken: a bound that a scenario and a gate file state fails twice, or Markdown does not say where a bound is.
        let gates =
            "version: 1\nextends: none\ngates: [{scenarios: \"*\", delivery.down.lost: 0, zombie.max: under 1ms}]\n"
        let told = try compare(gates, "--strategy patient")
        #expect(told.code == .gateFailed, "\(told.errors)")
        // One expectation of `patient`, and one gate with another bound.
        #expect(told.output.contains("  1 of 2 gates and expectations holds\n"), "\(told.output)")
        let page = try compare(gates, "--strategy patient --format md").output
        #expect(page.contains("gates.yaml&#58;3&#58;"), "\(page)")
    }

    @Test func warningsAloneAreNoGatesThatHold() throws {
        // Broken: if every gate only warns and none holds, the verdict is `all 0 gates hold`.
        let gates = "version: 1\nextends: none\ngates: [{scenarios: \"*\", level: warn, battery.joules: under 1J}]\n"
        let one = try compare(gates, "--strategy eager")
        #expect(one.code == .ok && one.output.contains("  the gate does not hold\n"), "\(one.output)")
        #expect(one.output.hasSuffix("\npass: 1 gate that only warns does not hold\n"), "\(one.output)")
        // The expectations of `patient` hold.
        let all = try compare(gates)
        #expect(all.output.hasSuffix("\npass: 2 of 4 gates and expectations hold; 2 warnings\n"), "\(all.output)")
    }
}
