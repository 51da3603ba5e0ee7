import DeadzoneCommand
import DeadzoneHost
import Foundation
import Testing

/// What a reader meets, and how wide it is.
struct WordsTests {
    private func columns(_ line: Substring) -> Int {
        line.replacing(/\u{1B}\[[0-9;]+m/, with: "").count
    }

    @Test(arguments: [60, 80, 120], [false, true])
    func tablesFitTheTerminal(_ width: Int, _ colors: Bool) throws {
        // Broken: half of the rows are broken by the terminal, and no number stands below another.
        let shop = try Workshop()
        try shop.write(
            "a.yaml",
            Workshop.scenario.replacing("at most 100% of eager", with: "under 1ms")
                + "  eager: {delivery.down.sent: over 100000, battery.joules: at most 1% of patient}\n")
        for line in [
            "run @a.yaml", "run @a.yaml -v", "list strategies", "list metrics", "list profiles",
            "explain zombie",
        ] {
            let text = shop.run(line) {
                $0.outputTerminal = Terminal(isInteractive: true, width: width, colors: colors)
            }.output
            // A command is copied as a whole.
            let long = text.split(separator: "\n").filter {
                columns($0) > width && !$0.contains("deadzone run")
            }
            #expect(long == [], "\(line)")
            #expect(text.count > 100)
        }
        // Two strategies stand side by side on a terminal of the usual width.
        let text = shop.run("run @a.yaml") {
            $0.outputTerminal = Terminal(isInteractive: true, width: width, colors: false)
        }.output
        #expect(
            width < 80
                || text.split(separator: "\n").contains { $0.contains("eager") && $0.contains("patient") })
        // A file goes on: a row is a line.
        #expect(
            shop.run("list strategies").output.split(separator: "\n").allSatisfy { !$0.hasPrefix(" ") })
    }

    @Test func titlesAndNamesTranslateBothWays() throws {
        // Broken: what a table says cannot be demanded, since nobody can find its name.
        let shop = try Workshop()
        let page = shop.run("explain recovery.p95").output
        for words in ["Served again after, 95th percentile", "SERVED AGAIN AFTER, 95"] {
            #expect(shop.run("explain \(words.replacing(" ", with: "\u{a0}"))").output == page)
        }
        #expect(page.contains("Served again after, 95th percentile"))
        let listed = shop.run("list metrics").output.split(separator: "\n").first {
            $0.hasPrefix("recovery.p95 ")
        }
        #expect(listed?.contains("Served again after, 95th percentile") == true)
        let found = shop.run("explain zombie")
        #expect(found.code == .ok)
        for name in ["zombie.max", "zombie.p95", "zombie.total"] {
            #expect(found.output.contains(name))
        }
        #expect(shop.run("explain served\u{a0}again").output.contains("recovery.max"))
        #expect(shop.run("explain zombie --json").output.contains("\"matches\""))
        #expect(shop.run("explain nonsense").code == .usage)
    }

    @Test func aFolderEndsWithALineForEachFile() throws {
        // Broken: of many files one fails, and the last line is about another.
        let shop = try Workshop()
        try shop.write("all/a.yaml", Workshop.scenario)
        try shop.write(
            "all/b.yaml", Workshop.scenario.replacing("at most 100% of eager", with: "under 1ms"))
        try shop.write(
            "all/c.yaml", Workshop.scenario.replacing("expect:", with: "matrix: {seed: [1, 2]}\nexpect:"))
        let outcome = shop.run("run @all")
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
        #expect(!shop.run("run @all/a.yaml").output.contains("Summary"))
    }

    @Test func whatIsMeantIsSaid() throws {
        // Broken: a complaint is right and of no use.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario.replacing("15.4Wh", with: "4500mAh"))
        let charge = shop.run("lint @a.yaml")
        #expect(
            charge.code == .badInput
                && charge.errors.contains("battery: {charge: 4500mAh, voltage: 3.85V}"))
        try shop.write(
            "b.yaml", Workshop.scenario.replacing("15.4Wh", with: "{charge: 4500mAh, voltage: 3.85V}"))
        #expect(shop.run("lint @b.yaml").code == .ok)
        try shop.write(
            "c.yaml",
            Workshop.scenario.replacing("{at: 0s,", with: "{at: 0s, cellular: on}\n  - {at: 10s,"))
        let beside = shop.run("lint @c.yaml")
        #expect(
            beside.errors.contains("E0215")
                && beside.errors.contains("a `handoff: wifi` there leaves cellular"))
        let nothing = shop.run("")
        #expect(nothing.code == .usage && nothing.errors.contains("deadzone init mine.yaml"))
        #expect(shop.run("explain aws-alb").output.contains("60 s"))
    }
}
