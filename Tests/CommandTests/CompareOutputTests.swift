import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Files that `compare` writes: JSON, Markdown, JUnit and HTML.
struct CompareOutputTests {
    /// A name that must stay plain text: markup, table cells, workflow commands, terminal control characters, great
    /// length.
    static let hostile =
        "a<script>alert(1)</script> \"'&amp; |x| `y` ::error::z %0A @team [l](http://e.x) ]]> <!-- \u{202E}ltr\u{2066} "
        + String(repeating: "n", count: 5_000)

    static func hostileWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        let name = hostile.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
            "\u{202E}", with: "\\u202E"
        ).replacing("\u{2066}", with: "\\u2066")
        // A strategy name has at most 64 characters.
        let key = "<script>a</script>|x| `y` @team [l](h) <!-- \\u202E"
        let text = TestWorkspace.scenario.replacing("name: Short", with: "name: \"\(name)\\u2028\\u001B[31m\"")
            .replacing("patient: {strategy", with: "\"\(key)\\u001B]0;x\": {strategy")
            .replacing("patient: {delivery.down.lost: 0", with: "\"\(key)\\u001B]0;x\": {delivery.down.lost: 9")
        try workspace.write("a.yaml", text)
        try #require(workspace.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        try workspace.write("gates.yaml", "version: 1\ngates: [{scenarios: \"*\", keepalive.pings: over 1000000}]\n")
        return workspace
    }

    @Test func hostileNamesStayPlainText() throws {
        // Broken: a scenario name acts as a tag, a table cell, a link, a workflow command or a terminal control
        // sequence.
        let workspace = try Self.hostileWorkspace()
        let outcome = workspace.run(
            "compare @a.yaml --baseline @base.json --gates @gates.yaml --out @r --annotate --color always")
        #expect(outcome.code == .gateFailed, "\(outcome.errors)")
        let files = try ["compare.json", "compare.md", "compare.xml", "compare.html"].map {
            try workspace.text("r/" + $0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.file("r")).count == files.count)
        for text in files + [outcome.output, outcome.errors] {
            let bad = text.unicodeScalars.filter { [0x202E, 0x2066, 0x2028].contains($0.value) }
            #expect(bad.isEmpty && !text.contains("\u{1B}]") && text.utf8.count < 200_000)
        }
        #expect(files.allSatisfy { !$0.contains("\u{1B}") })
        // The only escape sequences are the program's own colours.
        let sequences = outcome.output.matches(of: /\u{1B}\[(\d+)m/).map { String($0.1) }
        #expect(outcome.output.unicodeScalars.count { $0 == "\u{1B}" } == sequences.count && !sequences.isEmpty)
        #expect(Set(sequences).isSubset(of: ["0", "1", "2", "31", "32"]))
        let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("::error file=") })
        let markdown = files[1]
        for piece in ["<script", "@team", "](", "|x|", "<!--"] {
            let outside = Self.withoutCode(markdown)
            #expect(!outside.contains(piece), "\(piece)")
        }
        #expect(markdown.utf8.count <= 1 << 20)
    }

    /// Removes fenced code blocks. Their contents are shown literally.
    private static func withoutCode(_ text: String) -> String {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode
        }.joined(separator: "\n")
    }

    @Test(.enabled(if: ExternalProgram.xmllint != nil, "no xmllint here"))
    func xmllintAcceptsTheJUnit() throws {
        // Broken: a CI system cannot read the report, or a count in it differs from the number of its cases.
        let workspace = try Self.hostileWorkspace()
        try workspace.write("schema.xsd", junitSchema)
        let xmllint = try #require(ExternalProgram.xmllint)
        for (line, file) in [
            ("compare @a.yaml --baseline @base.json --gates @gates.yaml --out @r", "r/compare.xml"),
            ("run @a.yaml --format junit --out @s", "s/results.xml"),
            ("compare @a.yaml --against eager --out @t", "t/compare.xml"),
            ("run @a.yaml --replica 0 --format junit --out @u", "u/results.xml"),
        ] {
            _ = workspace.run(line)
            let checked = try ExternalProgram.run(
                xmllint, ["--noout", "--schema", workspace.file("schema.xsd"), workspace.file(file)])
            #expect(checked.status == 0, "\(checked.text)")
            let counted = try ExternalProgram.run(
                xmllint,
                [
                    "--xpath",
                    "concat(//testsuites/@tests, ' ', count(//testcase), ' ', //testsuites/@failures, ' ', count(//failure))",
                    workspace.file(file),
                ])
            let words = counted.text.split(whereSeparator: \.isWhitespace)
            #expect(
                words.count == 4 && words[0] == words[1] && words[2] == words[3] && words[0] != "0", "\(counted.text)")
        }
        #expect(try !workspace.text("r/compare.xml").contains("time="), "a time that was not measured")
        // The schema refuses an invalid report.
        try workspace.write("bad.xml", try workspace.text("r/compare.xml").replacing("classname=", with: "class="))
        let bad = try ExternalProgram.run(
            xmllint, ["--noout", "--schema", workspace.file("schema.xsd"), workspace.file("bad.xml")])
        #expect(bad.status != 0)
    }

    @Test func junitNamesFileAndLineOfABound() throws {
        // Broken: a CI system shows a failed bound without the line that demands it.
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml", TestWorkspace.scenario.replacing("delivery.down.lost: 0", with: "battery.joules: under 1mJ"))
        try workspace.write("gates.yaml", "version: 1\ngates:\n  - {scenarios: \"*\", keepalive.pings: over 1000000}\n")
        let report = workspace.run("compare @a.yaml --gates @gates.yaml --format junit").output
        #expect(report.contains("gates.yaml:3:") && report.contains("a.yaml:18:"), "\(report)")
    }

    @Test func junitCasesHaveUniqueNames() throws {
        // Broken: two cases have the same name, and a JUnit reader shows only one of them.
        let workspace = try CompareTests.workspace()
        try workspace.write("gates.yaml", "version: 1\ngates: [{scenarios: \"*\", delivery.down.lost: 0}]\n")
        _ = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --out @r")
        try workspace.write("b.yaml", TestWorkspace.scenario)
        _ = workspace.run("run @a.yaml @b.yaml --format junit --out @r")
        // Three bounds, and the nine primary metrics of two strategies, which the recommended gates judge.
        for (file, cases) in [("r/compare.xml", 3 + 2 * 9), ("r/results.xml", 4)] {
            let names = try workspace.text(file).matches(of: /<testcase classname="([^"]*)" name="([^"]*)"/).map {
                "\($0.1)/\($0.2)"
            }
            #expect(names.count == cases && Set(names).count == cases, "\(file): \(names)")
        }
        let suites = try workspace.text("r/results.xml").matches(of: /<testsuite name="Short( \(2\))?"/)
        #expect(suites.count == 2)
    }

    @Test func unreadableScenarioIsReportedInJUnit() throws {
        // Broken: after a typing error no JUnit file is written, and the step that publishes it fails for another
        // reason.
        let workspace = try CompareTests.workspace()
        try workspace.write("a.yaml", TestWorkspace.scenario.replacing("duration:", with: "durashun:"))
        let place = workspace.file("a.yaml") + ":4:1"
        for (line, file) in [
            ("run @a.yaml --out @r --format json,junit", "r/results.xml"),
            ("compare @a.yaml --baseline @base.json --out @s", "s/compare.xml"),
        ] {
            let outcome = workspace.run(line)
            #expect(outcome.code == .badInput && outcome.errors.contains("durashun"), "\(outcome.errors)")
            let text = try workspace.text(file)
            #expect(text.contains("<error") && text.contains(place) && !text.contains("errors=\"0\""), "\(text)")
        }
        #expect(workspace.run("run @a.yaml --format junit").output.contains(place))
    }

    @Test func annotationPointsAtTheStrategyOrExpectation() throws {
        // Broken: a failed gate is annotated without a line, or in the file of gates, which a pull request does not
        // change.
        let workspace = try CompareTests.workspace()
        try CompareTests.change(workspace)
        try workspace.write(
            "a.yaml",
            try workspace.text("a.yaml").replacing("zombie.max: at most 100% of eager", with: "keepalive.pings: 0")
        )
        let outcome = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --annotate")
        let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("::") }
        let scenario = try workspace.text("a.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(scenario.firstIndex { $0.contains("keepalive.pings: 0") }) + 1
        let strategy = try #require(scenario.firstIndex { $0.hasPrefix("  patient: {strategy") }) + 1
        #expect(lines.contains { $0.contains("gate: \(workspace.file("gates.yaml"))") }, "\(lines)")
        for (file, line) in [("a.yaml", strategy), ("a.yaml", line)] {
            let start = "::error file=\(workspace.file(file)),line=\(line),col="
            let isThere = lines.contains { $0.hasPrefix(start) }
            #expect(isThere, "\(start): \(lines)")
        }
    }

    @Test(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
    func externalValidatorAcceptsTheDocuments() throws {
        // Broken: a document does not match its schema, or the schema is invalid.
        let workspace = try CompareTests.workspace()
        let topics = ["scenario", "gates", "baseline", "compare"]
        for topic in topics {
            try workspace.write("\(topic).schema.json", workspace.run("schema \(topic)").output)
        }
        _ = try Oracle.run(
            module: "check_jsonschema",
            arguments: ["--check-metaschema"] + topics.map { workspace.file("\($0).schema.json") })
        try CompareTests.change(workspace)
        try workspace.write(
            "compare.json",
            workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --json").output)
        try workspace.write("against.json", workspace.run("compare @a.yaml --against eager --json").output)
        try workspace.write(
            "unpaired.json", workspace.run("compare @a.yaml --baseline @base.json --seed 4 --json").output)
        for (schema, files) in [
            ("baseline", ["base.json"]), ("compare", ["compare.json", "against.json", "unpaired.json"]),
            ("gates", ["gates.yaml"]),
        ] {
            _ = try Oracle.run(
                module: "check_jsonschema",
                arguments: ["--schemafile", workspace.file("\(schema).schema.json")] + files.map(workspace.file))
        }
        for (schema, file, old, new) in [
            ("baseline", "base.json", "\"seed\"", "\"sead\""), ("compare", "compare.json", "\"worse\"", "\"worst\""),
            ("gates", "gates.yaml", "level: warn", "level: wran"),
        ] {
            let text = try workspace.text(file)
            try #require(text.contains(old))
            try workspace.write("bad-" + file, text.replacing(old, with: new))
            #expect(throws: Oracle.Fault.self, "\(new)") {
                try Oracle.run(
                    module: "check_jsonschema",
                    arguments: ["--schemafile", workspace.file("\(schema).schema.json"), workspace.file("bad-" + file)])
            }
        }
    }

    @Test func recommendedGatesAreCasesWhenTheyPass() throws {
        // Broken: a recommended gate is a JUnit case only when it fails, so its history has gaps.
        let workspace = try CompareTests.workspace()
        let line = "compare @a.yaml --baseline @base.json --format junit"
        func names() -> Set<String> {
            Set(
                workspace.run(line).output.matches(of: /name="([^"]* is not worse than in the baseline)/).map {
                    String($0.1)
                })
        }
        let passing = names()
        #expect(passing.contains("patient: delivery.down.lost is not worse than in the baseline"), "\(passing)")
        #expect(!workspace.run(line).output.contains("<failure"))
        // A gate that replaces a recommended one is the only case of its metric.
        try workspace.write(
            "gates.yaml", "version: 1\ngates: [{scenarios: \"*\", zombie.max: at most 200% of baseline}]\n")
        let replaced = workspace.run(line + " --gates @gates.yaml").output
        #expect(!replaced.contains(": zombie.max is not worse") && replaced.contains(": zombie.max at most 200%"))
        #expect(replaced.contains(": recovery.p95 is not worse"), "\(replaced)")
        try CompareTests.change(workspace)
        #expect(workspace.run(line).output.contains("<failure") && names() == passing)
    }

    @Test func firstDifferentEventIsNamed() throws {
        // Broken: a saved trace adds nothing to the digests of the minutes, or shows a difference where there is none.
        let workspace = try CompareTests.workspace()
        let line = "run @a.yaml --replicas 2 --events @before.ndjson -q"
        #expect(workspace.run(line).code == .ok)
        let diff = "baseline diff @a.yaml --baseline @base.json --replicas 2 --trace @before.ndjson"
        #expect(workspace.run(diff).output.contains("all events are identical"))
        try CompareTests.change(workspace)
        let told = workspace.run(diff).output
        #expect(told.contains("before: {") && told.contains("now:    {") && told.contains("\"strategy\": \"patient\""))
        // The named line differs, and all lines before it are equal.
        let number = try #require(told.firstMatch(of: /different event is in line (\d+)/).flatMap { Int($0.1) })
        let old = try workspace.text("before.ndjson").split(separator: "\n")
        _ = workspace.run(line)
        let new = try workspace.text("before.ndjson").split(separator: "\n")
        #expect(old[..<(number - 1)] == new[..<(number - 1)] && old[number - 1] != new[number - 1])
    }

    @Test func bytesDoNotDependOnThreads() throws {
        // Broken: the number of threads changes a report.
        let workspace = try CompareTests.workspace()
        try CompareTests.change(workspace)
        func all(_ jobs: Int) throws -> [String] {
            let line = "compare @a.yaml --baseline @base.json --gates @gates.yaml --jobs \(jobs) --out @r"
            let outcome = workspace.run(line)
            return try [outcome.output]
                + ["compare.json", "compare.md", "compare.xml", "compare.html"].map { try workspace.text("r/" + $0) }
        }
        let one = try all(1)
        #expect(try all(5) == one && one.allSatisfy { !$0.isEmpty })
    }
}
