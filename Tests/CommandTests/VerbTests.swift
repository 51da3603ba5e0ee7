import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios
import Foundation
import Testing

@testable import DeadzoneCommand

struct VerbTests {
    @Test func whatInitWritesRuns() throws {
        // Broken: the first thing a new user does ends in an error.
        let shop = try Workshop()
        #expect(shop.run("init @mine.yaml").code == .ok)
        #expect(try shop.text("mine.yaml").hasPrefix("# yaml-language-server: $schema=deadzone.schema.json\n"))
        #expect(try shop.text("deadzone.schema.json") == shop.run("schema").output)
        #expect(shop.run("lint @mine.yaml").code == .ok)
        let outcome = shop.run("run @mine.yaml --json")
        #expect(outcome.code == .ok, "\(outcome.output)")
    }

    @Test func initReplacesNothingUnasked() throws {
        // Broken: a scenario that someone worked on is gone.
        let shop = try Workshop()
        try shop.write("mine.yaml", "precious")
        #expect(shop.run("init @mine.yaml").code == .runtime)
        #expect(try shop.text("mine.yaml") == "precious")
        #expect(!shop.exists("deadzone.schema.json"))
        #expect(shop.run("init @mine.yaml --force").code == .ok)
        #expect(try shop.text("mine.yaml") == starterScenario)
        #expect(shop.run("init -").output == starterScenario)
    }

    @Test func lintShowsEveryFaultAndRunsNothing() throws {
        // Broken: faults come one at a time.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        #expect(shop.run("lint @a.yaml").errors == "1 file, 1 scenario: no faults\n")
        #expect(shop.run("lint @a.yaml --json").output.contains("\"errors\": []"))
        let resolved = shop.run("lint @a.yaml --print-resolved").output
        #expect(shop.run("lint -", input: resolved).code == .ok)
        #expect(shop.run("lint - --print-resolved", input: resolved).output == resolved)
        try shop.write(
            "b.yaml", Workshop.scenario.replacing("3m", with: "3x").replacing("replicas: 3", with: "replica: 3"))
        let outcome = shop.run("lint @b.yaml")
        #expect(outcome.code == .badInput)
        #expect(outcome.errors.contains("error[E0107]"))
        #expect(outcome.errors.contains("did you mean `replicas`?"))
    }

    @Test(arguments: Topic.explained)
    func everyListedNameIsExplained(_ topic: Topic) throws {
        // Broken: a list shows a name that nobody can look up.
        let entries = try Handbook.entries(topic, .memory())
        #expect(entries.count >= 3)
        let shop = try Workshop()
        let listed = shop.run("list \(topic.rawValue)").output.split(separator: "\n")
        #expect(listed.count == entries.count)
        for (line, entry) in zip(listed, entries) {
            #expect(line.hasPrefix(entry.name + " "))
            #expect(!entry.summary.isEmpty && entry.page.count > 20, "\(entry.name)")
        }
        let first = try #require(entries.first)
        #expect(shop.run("explain \(first.name.uppercased())").output.hasPrefix(first.name + ": "))
        #expect(Set(entries.map(\.name)).count == entries.count)
    }

    @Test func namesDoNotCollideAcrossLists() throws {
        // Broken: `explain NAME` shows one of two things of that name.
        let names = try Topic.explained.flatMap { try Handbook.entries($0, .memory()) }.map(\.name)
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    @Test func everyAssumptionIsListed() throws {
        // Broken: a number that nobody has measured, and that no list owns up to: every profile and platform says how many it has, and
        // a preset's file where.
        let listed = try Handbook.entries(.assumptions, .memory())
        for topic in [Topic.profiles, .platforms] {
            for entry in try Handbook.entries(topic, .memory()) {
                let own = listed.count { $0.name == entry.name }
                #expect(
                    entry.facts.contains { $0.name == "assumptions" && $0.value == "\(own)" }, "\(entry.name): \(own)")
            }
        }
        for preset in Surroundings.memory().vocabulary.presets {
            let lines = preset.text.split(separator: "\n").filter { $0.contains("assumed") }
            for line in lines where line.contains(": ") && line.contains("#") {
                let key = line.prefix { $0 != ":" }.drop { $0 == " " }
                #expect(
                    listed.contains {
                        $0.name == preset.name && $0.facts[1].value.split(separator: ".").last ?? "" == key
                    }, "\(preset.name): \(line)")
            }
            #expect(lines.isEmpty || listed.contains { $0.name == preset.name }, "\(preset.name)")
        }
        #expect(listed.allSatisfy { !$0.summary.isEmpty } && listed.count > 100)
        #expect(try Workshop().run("list assumptions --json").output.contains("\"number\": \"doze.deep.sensing\""))
    }

    @Test func aWrongNameIsSuggestedNeverShown() throws {
        // Broken: a typing error shows something else than was meant.
        let shop = try Workshop()
        let outcome = shop.run("explain zombi.max --json")
        #expect(outcome.code == .usage)
        #expect(outcome.errors.contains("did you mean `zombie.max`?"))
        #expect(outcome.output.contains("\"schema\": \"deadzone/errors/1\""))
        #expect(shop.run("list metric").errors.contains("did you mean `metrics`?"))
    }

    @Test func doctorIsWell() throws {
        // Broken: threads or locale show in a result, or a bug report lacks the versions.
        let shop = try Workshop()
        let outcome = shop.run("doctor")
        #expect(outcome.code == .ok)
        for word in ["version     \(toolVersion)", "libyaml     0.", "self-check  ok"] {
            #expect(outcome.output.contains(word), "\(outcome.output)")
        }
    }

    @Test func errorCodesOfFilesAndCommandsAreApart() throws {
        // Broken: one code means two things.
        let codes = try Handbook.entries(.errors, .memory()).map(\.name)
        #expect(Set(codes).count == codes.count)
    }
}
