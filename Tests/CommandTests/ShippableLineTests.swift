import DeadzoneCommand
import DeadzoneTestKit
import Testing

/// The sentences below the table: which strategy delivers the most, and which one to ship.
struct ShippableLineTests {
    private func output(_ expectations: String) throws -> String {
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml",
            TestWorkspace.scenario
                .replacing(
                    "  patient: {strategy: patient}\n",
                    with: "  patient: {strategy: patient}\n  twin: {strategy: patient}\n"
                )
                .replacing(/(?s)expect:.*/, with: expectations))
        return workspace.run("run @a.yaml -q --exit-zero").output.split(separator: "\n").joined(separator: " ")
    }

    @Test func failedExpectationRulesOutAStrategy() throws {
        // Broken: a strategy that fails an expectation is the one to ship, or one without expectations meets all.
        let one = try output("expect:\n  twin: {battery.joules: under 1J}\n  patient: {battery.joules: over 1J}\n")
        #expect(one.contains("To ship: patient. Only it meets all expectations"), "\(one)")
        let free = try output("expect:\n  twin: {battery.joules: under 1J}\n")
        #expect(free.contains("another; patient has no expectation."), "\(free)")
        let none = try output(
            "expect:\n  eager: {battery.joules: under 1J}\n  patient: {battery.joules: under 1J}\n  twin: {battery.joules: under 1J}\n"
        )
        #expect(none.contains("To ship: none. Each strategy fails an expectation"), "\(none)")
        // If all expectations are met, the sentence above the line names the strategy.
        #expect(try !output("expect:\n  twin: {battery.joules: over 1J}\n").contains("To ship: "))
    }
}
