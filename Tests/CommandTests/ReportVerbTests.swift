import DeadzoneCommand
import DeadzoneHost
import Foundation
import Testing

struct ReportVerbTests {
    private static let matrix = """

        matrix:
          every: [10s, 20s]

        """

    @Test(arguments: [false, true])
    func reproducesTheSameBytes(_ isMatrix: Bool) throws {
        // Broken: the reports of a run contain something that its saved result does not.
        let workspace = try TestWorkspace()
        let text =
            isMatrix
            ? TestWorkspace.scenario.replacing("every: 10s", with: "every: \"${every}\"") + Self.matrix
            : TestWorkspace.scenario
        try workspace.write("a.yaml", text)
        let formats = "json,csv,html,perfetto"
        #expect(
            workspace.run("run @a.yaml --seed monday --strategy patient --out @first --format \(formats)").code == .ok)
        let again = workspace.run("report @first/results.json --out @second --format \(formats) --jobs 3")
        #expect(again.code == .ok, "\(again.errors)")
        let names = try Files.names(in: workspace.file("first"))
        #expect(names.count == 4)
        for name in names {
            let (first, second) = (try workspace.data("first/" + name), try workspace.data("second/" + name))
            #expect(first == second, "\(name)")
            #expect(first.count > 500)
        }
        let printed = workspace.run("report @first/results.json --json").output
        #expect(printed == (try workspace.text("first/results.json")))
    }

    @Test(arguments: [
        ("\"digest\": \"", "E0421"), ("\"world_hash\": \"", "E0421"), ("\"strategy_hash\": \"", "E0421"),
        ("\"schema\": \"deadzone/run", "E0420"), ("{\n", "E0420"), ("\"resolved\": \"", "E0420"),
    ])
    func refusesResultsThatCannotBeReproduced(_ place: String, _ code: String) throws {
        // Broken: a result that was edited by hand, or made by another version, is reported as valid.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        _ = workspace.run("run @a.yaml --out @out")
        var text = try workspace.text("out/results.json")
        let range = try #require(text.range(of: place))
        let next = text[range.upperBound]
        text.replaceSubrange(range.upperBound...range.upperBound, with: next == "0" ? "1" : "0")
        try workspace.write("changed.json", text)
        let outcome = workspace.run("report @changed.json --json")
        #expect(outcome.code == .badInput)
        #expect(outcome.errors.contains(code), "\(outcome.errors)")
    }

    @Test(arguments: [
        "", "[", "{}", "null", "{\"schema\": 1}", "\u{1B}]0;x\u{7}", String(repeating: "[", count: 9_999),
    ])
    func anyOtherFileIsBadInput(_ text: String) throws {
        // Broken: a file that is not a result crashes the program, or passes.
        let workspace = try TestWorkspace()
        try workspace.write("x.json", text)
        let outcome = workspace.run("report @x.json --format html")
        #expect(outcome.code == .badInput)
        #expect(outcome.errors.contains("E0420"))
        #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test func binaryFormatsNeedAFolder() throws {
        // Broken: a binary trace is written to a terminal.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        #expect(workspace.run("run @a.yaml --format perfetto").code == .usage)
        #expect(workspace.run("run @a.yaml --format html,csv").code == .usage)
        #expect(workspace.run("run @a.yaml --format htm").errors.contains("did you mean `html`?"))
        #expect(workspace.run("report @a.yaml").code == .usage)
    }
}
