import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// What `compare` writes for machines and for people who look at machines' pages.
struct CompareOutputTests {
    /// Everything that a name must not do: be markup, leave a cell, be a command of a workflow, steer a terminal, be long.
    static let hostile =
        "a<script>alert(1)</script> \"'&amp; |x| `y` ::error::z %0A @team [l](http://e.x) ]]> <!-- \u{202E}ltr\u{2066} "
        + String(repeating: "n", count: 5_000)

    static func hostileShop() throws -> Workshop {
        let shop = try Workshop()
        let name = hostile.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
            "\u{202E}", with: "\\u202E"
        ).replacing("\u{2066}", with: "\\u2066")
        // A strategy's name has no more than 64 characters.
        let key = "<script>a</script>|x| `y` @team [l](h) <!-- \\u202E"
        let text = Workshop.scenario.replacing("name: Short", with: "name: \"\(name)\\u2028\\u001B[31m\"")
            .replacing("patient: {strategy", with: "\"\(key)\\u001B]0;x\": {strategy")
            .replacing("patient: {delivery.down.lost: 0", with: "\"\(key)\\u001B]0;x\": {delivery.down.lost: 9")
        try shop.write("a.yaml", text)
        try #require(shop.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        try shop.write("gates.yaml", "version: 1\ngates: [{scenarios: \"*\", keepalive.pings: over 1000000}]\n")
        return shop
    }

    @Test func hostileNamesReachNoStructure() throws {
        // Broken: the name of a scenario is a tag, a cell, a link, a workflow command or a command of the terminal.
        let shop = try Self.hostileShop()
        let outcome = shop.run(
            "compare @a.yaml --baseline @base.json --gates @gates.yaml --out @r --annotate --color always")
        #expect(outcome.code == .gateFailed, "\(outcome.errors)")
        let files = try ["compare.json", "compare.md", "compare.xml", "compare.html"].map { try shop.text("r/" + $0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.file("r")).count == files.count)
        for text in files + [outcome.output, outcome.errors] {
            let bad = text.unicodeScalars.filter { [0x202E, 0x2066, 0x2028].contains($0.value) }
            #expect(bad.isEmpty && !text.contains("\u{1B}]") && text.utf8.count < 200_000)
        }
        #expect(files.allSatisfy { !$0.contains("\u{1B}") })
        // The only sequences are those of its own colours.
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

    /// What stands in a fence is shown as it is.
    private static func withoutCode(_ text: String) -> String {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode
        }.joined(separator: "\n")
    }

    @Test(.enabled(if: Program.xmllint != nil, "no xmllint here"))
    func xmllintTakesTheJUnit() throws {
        // Broken: a CI system cannot read the report, or a count in it is not that of its cases.
        let shop = try Self.hostileShop()
        try shop.write("schema.xsd", junitSchema)
        let xmllint = try #require(Program.xmllint)
        for (line, file) in [
            ("compare @a.yaml --baseline @base.json --gates @gates.yaml --out @r", "r/compare.xml"),
            ("run @a.yaml --format junit --out @s", "s/results.xml"),
            ("compare @a.yaml --against eager --out @t", "t/compare.xml"),
        ] {
            _ = shop.run(line)
            let checked = try Program.run(xmllint, ["--noout", "--schema", shop.file("schema.xsd"), shop.file(file)])
            #expect(checked.status == 0, "\(checked.text)")
            let counted = try Program.run(
                xmllint,
                [
                    "--xpath",
                    "concat(//testsuites/@tests, ' ', count(//testcase), ' ', //testsuites/@failures, ' ', count(//failure))",
                    shop.file(file),
                ])
            let words = counted.text.split(whereSeparator: \.isWhitespace)
            #expect(
                words.count == 4 && words[0] == words[1] && words[2] == words[3] && words[0] != "0", "\(counted.text)")
        }
        #expect(try !shop.text("r/compare.xml").contains("time="), "a time that nobody measured")
        // The schema can refuse.
        try shop.write("bad.xml", try shop.text("r/compare.xml").replacing("classname=", with: "class="))
        let bad = try Program.run(xmllint, ["--noout", "--schema", shop.file("schema.xsd"), shop.file("bad.xml")])
        #expect(bad.status != 0)
    }

    @Test func casesOfJUnitHaveNamesOfTheirOwn() throws {
        // Broken: of two cases of one name, a reader of JUnit shows one.
        let shop = try CompareTests.shop()
        try shop.write("gates.yaml", "version: 1\ngates: [{scenarios: \"*\", delivery.down.lost: 0}]\n")
        _ = shop.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --out @r")
        try shop.write("b.yaml", Workshop.scenario)
        _ = shop.run("run @a.yaml @b.yaml --format junit --out @r")
        for (file, cases) in [("r/compare.xml", 4), ("r/results.xml", 4)] {
            let names = try shop.text(file).matches(of: /<testcase classname="([^"]*)" name="([^"]*)"/).map {
                "\($0.1)/\($0.2)"
            }
            #expect(names.count == cases && Set(names).count == cases, "\(file): \(names)")
        }
        let suites = try shop.text("r/results.xml").matches(of: /<testsuite name="Short( \(2\))?"/)
        #expect(suites.count == 2)
    }

    @Test func whatCannotBeReadIsPublishedToo() throws {
        // Broken: after a typo there is no JUnit, and the step that publishes it fails for another reason.
        let shop = try CompareTests.shop()
        try shop.write("a.yaml", Workshop.scenario.replacing("duration:", with: "durashun:"))
        let place = shop.file("a.yaml") + ":4:1"
        for (line, file) in [
            ("run @a.yaml --out @r --format json,junit", "r/results.xml"),
            ("compare @a.yaml --baseline @base.json --out @s", "s/compare.xml"),
        ] {
            let outcome = shop.run(line)
            #expect(outcome.code == .badInput && outcome.errors.contains("durashun"), "\(outcome.errors)")
            let text = try shop.text(file)
            #expect(text.contains("<error") && text.contains(place) && !text.contains("errors=\"0\""), "\(text)")
        }
        #expect(shop.run("run @a.yaml --format junit").output.contains(place))
    }

    @Test func anAnnotationStandsAtItsGate() throws {
        // Broken: a gate that does not hold is shown at no line, or at that of another file.
        let shop = try CompareTests.shop()
        try CompareTests.change(shop)
        try shop.write(
            "a.yaml", try shop.text("a.yaml").replacing("zombie.max: at most 100% of eager", with: "keepalive.pings: 0")
        )
        let outcome = shop.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --annotate")
        let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("::") }
        let scenario = try shop.text("a.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(scenario.firstIndex { $0.contains("keepalive.pings: 0") }) + 1
        for (file, line) in [("gates.yaml", 4), ("a.yaml", line)] {
            let start = "::error file=\(shop.file(file)),line=\(line),col="
            let isThere = lines.contains { $0.hasPrefix(start) }
            #expect(isThere, "\(start): \(lines)")
        }
    }

    @Test(.enabled(if: Oracle.isWanted, "\(Oracle.advice)"))
    func anotherValidatorTakesTheDocuments() throws {
        // Broken: a document is not what its schema says, or the schema is none.
        let shop = try CompareTests.shop()
        let topics = ["scenario", "gates", "baseline", "compare"]
        for topic in topics {
            try shop.write("\(topic).schema.json", shop.run("schema \(topic)").output)
        }
        _ = try Oracle.run(
            module: "check_jsonschema",
            arguments: ["--check-metaschema"] + topics.map { shop.file("\($0).schema.json") })
        try CompareTests.change(shop)
        try shop.write(
            "compare.json",
            shop.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --json").output)
        try shop.write("against.json", shop.run("compare @a.yaml --against eager --json").output)
        try shop.write("unpaired.json", shop.run("compare @a.yaml --baseline @base.json --seed 4 --json").output)
        for (schema, files) in [
            ("baseline", ["base.json"]), ("compare", ["compare.json", "against.json", "unpaired.json"]),
            ("gates", ["gates.yaml"]),
        ] {
            _ = try Oracle.run(
                module: "check_jsonschema",
                arguments: ["--schemafile", shop.file("\(schema).schema.json")] + files.map(shop.file))
        }
        for (schema, file, old, new) in [
            ("baseline", "base.json", "\"seed\"", "\"sead\""), ("compare", "compare.json", "\"worse\"", "\"worst\""),
            ("gates", "gates.yaml", "level: warn", "level: wran"),
        ] {
            let text = try shop.text(file)
            try #require(text.contains(old))
            try shop.write("bad-" + file, text.replacing(old, with: new))
            #expect(throws: Oracle.Fault.self, "\(new)") {
                try Oracle.run(
                    module: "check_jsonschema",
                    arguments: ["--schemafile", shop.file("\(schema).schema.json"), shop.file("bad-" + file)])
            }
        }
    }

    @Test func theFirstEventThatIsDifferentIsNamed() throws {
        // Broken: a trace that was kept tells no more than the minutes do, or tells of a difference where there is none.
        let shop = try CompareTests.shop()
        let line = "run @a.yaml --replicas 2 --events @before.ndjson -q"
        #expect(shop.run(line).code == .ok)
        let diff = "baseline diff @a.yaml --baseline @base.json --replicas 2 --trace @before.ndjson"
        #expect(shop.run(diff).output.contains("every event is as it was"))
        try CompareTests.change(shop)
        let told = shop.run(diff).output
        #expect(told.contains("before: {") && told.contains("now:    {") && told.contains("\"strategy\": \"patient\""))
        // Whatever stands there is another event, and all before it are the same.
        let number = try #require(told.firstMatch(of: /different is line (\d+)/).flatMap { Int($0.1) })
        let old = try shop.text("before.ndjson").split(separator: "\n")
        _ = shop.run(line)
        let new = try shop.text("before.ndjson").split(separator: "\n")
        #expect(old[..<(number - 1)] == new[..<(number - 1)] && old[number - 1] != new[number - 1])
    }

    @Test func theSameBytesWithAnyThreads() throws {
        // Broken: how many threads ran shows in a report.
        let shop = try CompareTests.shop()
        try CompareTests.change(shop)
        func all(_ jobs: Int) throws -> [String] {
            let line = "compare @a.yaml --baseline @base.json --gates @gates.yaml --jobs \(jobs) --out @r"
            let outcome = shop.run(line)
            return try [outcome.output]
                + ["compare.json", "compare.md", "compare.xml", "compare.html"].map { try shop.text("r/" + $0) }
        }
        let one = try all(1)
        #expect(try all(5) == one && one.allSatisfy { !$0.isEmpty })
    }
}
