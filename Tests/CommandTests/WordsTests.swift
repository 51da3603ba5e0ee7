import DeadzoneCommand
import DeadzoneHost
import Foundation
import Testing

/// The words and the width of terminal output.
struct WordsTests {
    private func columns(_ line: Substring) -> Int {
        line.replacing(/\u{1B}\[[0-9;]+m/, with: "").count
    }

    @Test(arguments: [60, 80, 120], [false, true])
    func tablesFitTheTerminal(_ width: Int, _ colors: Bool) throws {
        // Broken: the terminal wraps half of the rows, and numbers are not aligned.
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml",
            TestWorkspace.scenario.replacing("at most 100% of eager", with: "under 1ms")
                + "  eager: {delivery.down.sent: over 100000, battery.joules: at most 1% of patient}\n")
        for line in [
            "run @a.yaml", "run @a.yaml -v", "list strategies", "list metrics", "list profiles",
            "explain zombie",
        ] {
            let text = workspace.run(line) {
                $0.outputTerminal = Terminal(isInteractive: true, width: width, colors: colors)
            }.output
            // A command is not wrapped, because users copy it.
            let long = text.split(separator: "\n").filter {
                columns($0) > width && !$0.contains("deadzone run")
            }
            #expect(long == [], "\(line)")
            #expect(text.count > 100)
        }
        // Two strategies stand side by side on a terminal of the usual width.
        let text = workspace.run("run @a.yaml") {
            $0.outputTerminal = Terminal(isInteractive: true, width: width, colors: false)
        }.output
        #expect(
            width < 80
                || text.split(separator: "\n").contains { $0.contains("eager") && $0.contains("patient") })
        // Output that is no terminal is not wrapped: a row is a line.
        #expect(
            workspace.run("list strategies").output.split(separator: "\n").allSatisfy { !$0.hasPrefix(" ") })
    }

    /// Broken: a word that reports print cannot be explained.
    @Test(arguments: [
        ("undecided", "More replicas can decide"), ("world\u{a0}hash", "without the compared strategies"),
    ])
    func aPrintedWordIsExplained(_ word: String, _ part: String) throws {
        let found = try TestWorkspace().run("explain " + word)
        #expect(found.code == .ok && found.output.replacing("\n", with: " ").contains(part), "\(found.output)")
    }

    @Test func titlesAndNamesTranslateBothWays() throws {
        // Broken: a row title of a table does not lead to the metric, so no expectation can use it.
        let workspace = try TestWorkspace()
        let page = workspace.run("explain recovery.p95").output
        for words in ["Served again after, 95th percentile", "SERVED AGAIN AFTER, 95"] {
            #expect(workspace.run("explain \(words.replacing(" ", with: "\u{a0}"))").output == page)
        }
        #expect(page.contains("Served again after, 95th percentile"))
        let listed = workspace.run("list metrics").output.split(separator: "\n").first {
            $0.hasPrefix("recovery.p95 ")
        }
        #expect(listed?.contains("Served again after, 95th percentile") == true)
        let found = workspace.run("explain zombie")
        #expect(found.code == .ok)
        for name in ["zombie.max", "zombie.p95", "zombie.total"] {
            #expect(found.output.contains(name))
        }
        #expect(workspace.run("explain served\u{a0}again").output.contains("recovery.max"))
        #expect(workspace.run("explain zombie --json").output.contains("\"matches\""))
        #expect(workspace.run("explain nonsense").code == .usage)
    }

    @Test(arguments: [
        ("keepalive", "settings"), ("backoff", "settings"), ("portal", "settings"), ("deploy", "settings"),
        ("phone.platform", "settings"), ("compare", "verbs"), ("doze", "guides"), ("never", "guides"),
        ("zombie", "guides"), ("keepalive.interval", "settings"), ("backoff.cap", "settings"),
        ("life-cycle.foreground-service", "settings"), ("foreground-service", "settings"), ("front", "guides"),
        ("Holm", "guides"), ("knee", "guides"), ("p", "guides"),
        ("lost\u{a0}by\u{a0}cause,\u{a0}server\u{a0}to\u{a0}app", "guides"),
        ("connection\u{a0}dead,\u{a0}believed\u{a0}open", "guides"),
    ])
    func everyWordOfAScenarioIsExplained(_ word: String, _ topic: String) throws {
        // Broken: a setting, a timeline word, a verb or a term is answered with a list of loosely related names.
        let workspace = try TestWorkspace()
        let document = workspace.run("explain \(word) --json")
        #expect(document.code == .ok && document.output.contains("\"topic\": \"\(topic)\""), "\(document.output)")
        #expect(!document.output.contains("\"summary\": \"\""))
        #expect(workspace.run("explain \(word)").output.split(separator: "\n").count > 2)
    }

    @Test func aShortWordListsNoEntryThatOnlyContainsIt() throws {
        // Broken: `explain p` lists some 380 names with the letter, and the term is not among the first.
        let workspace = try TestWorkspace()
        for word in ["p", "ms", "the", "connection"] {
            let lines = workspace.run("explain \(word)").output.split(separator: "\n")
            #expect((3..<24).contains(lines.count), "\(word): \(lines.count) lines")
        }
        let listed = workspace.run("explain h").output
        #expect(!listed.contains("article-websocket-push"), "\(listed)")
    }

    @Test func aSettingWithinASettingHasItsOwnPage() throws {
        // Broken: the page of a nested setting is that of the setting around it, or lists presets.
        let workspace = try TestWorkspace()
        let page = workspace.run("explain strategies.keepalive.interval").output
        #expect(page == workspace.run("explain keepalive.interval").output)
        #expect(page.contains("time between two pings") && !page.contains("grpc-java's six states"), "\(page)")
        // A name in several settings lists them.
        let several = workspace.run("explain interval").output
        #expect(several.contains("strategies.keepalive.interval"), "\(several)")
    }

    @Test func aFolderEndsWithALineForEachFile() throws {
        // Broken: one of many files fails, and the last line is about another file.
        let workspace = try TestWorkspace()
        try workspace.write("all/a.yaml", TestWorkspace.scenario)
        try workspace.write(
            "all/b.yaml", TestWorkspace.scenario.replacing("at most 100% of eager", with: "under 1ms"))
        try workspace.write(
            "all/c.yaml", TestWorkspace.scenario.replacing("expect:", with: "matrix: {seed: [1, 2]}\nexpect:"))
        let outcome = workspace.run("run @all")
        #expect(outcome.code == .gateFailed)
        let lines = outcome.output.split(separator: "\n").suffix(5).map(String.init)
        try #require(lines.count == 5)
        #expect(
            lines[0] == "Summary" && lines[1].hasPrefix("  pass  ") && lines[1].hasSuffix("all/a.yaml"))
        #expect(
            lines[2].hasPrefix("  FAIL  ") && lines[2].contains("b.yaml: zombie.max of patient is "))
        #expect(lines[3].hasSuffix("all/c.yaml") && lines[4] == "FAIL: 1 of 3 files")
        let talk = outcome.errors.split(separator: "\n")
        #expect(
            talk.map { $0.contains(": pass, ") } == [true, false, true] && talk[1].contains(": FAIL, "))
        #expect(!workspace.run("run @all/a.yaml").output.contains("Summary"))
    }

    @Test func messagesSayWhatToWrite() throws {
        // Broken: an error message is right, but does not help.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario.replacing("15.4Wh", with: "4500mAh"))
        let charge = workspace.run("lint @a.yaml")
        #expect(
            charge.code == .badInput
                && charge.errors.contains("battery: {charge: 4500mAh, voltage: 3.85V}"))
        try workspace.write(
            "b.yaml", TestWorkspace.scenario.replacing("15.4Wh", with: "{charge: 4500mAh, voltage: 3.85V}"))
        #expect(workspace.run("lint @b.yaml").code == .ok)
        try workspace.write(
            "c.yaml",
            TestWorkspace.scenario.replacing("{at: 0s,", with: "{at: 0s, cellular: on}\n  - {at: 10s,"))
        let beside = workspace.run("lint @c.yaml")
        #expect(
            beside.errors.contains("E0215")
                && beside.errors.contains("a `handoff: wifi` there leaves cellular"))
        let nothing = workspace.run("")
        #expect(nothing.code == .ok && nothing.output.contains("deadzone init mine.yaml"))
        #expect(workspace.run("explain aws-alb").output.contains("60 s"))
    }
}
