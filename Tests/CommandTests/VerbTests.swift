import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios
import Foundation
import Testing

@testable import DeadzoneCommand

struct VerbTests {
    @Test func scenarioWrittenByInitRuns() throws {
        // Broken: the first command of a new user ends in an error.
        let workspace = try TestWorkspace()
        #expect(workspace.run("init @mine.yaml").code == .ok)
        #expect(try workspace.text("mine.yaml").hasPrefix("# yaml-language-server: $schema=deadzone.schema.json\n"))
        #expect(try workspace.text("deadzone.schema.json") == workspace.run("schema").output)
        #expect(workspace.run("lint @mine.yaml").code == .ok)
        let outcome = workspace.run("run @mine.yaml --json")
        #expect(outcome.code == .ok, "\(outcome.output)")
    }

    @Test func initMakesTheFolder() throws {
        // Broken: the first command of the guide's page about CI fails in an empty repository.
        let workspace = try TestWorkspace()
        #expect(workspace.run("init @Scenarios/phone/first.yaml").code == .ok)
        #expect(try workspace.text("Scenarios/phone/first.yaml").contains("version: 1"))
        #expect(workspace.exists("Scenarios/phone/deadzone.schema.json"))
    }

    @Test func initReplacesNothingWithoutForce() throws {
        // Broken: `init` overwrites a scenario that a user has edited.
        let workspace = try TestWorkspace()
        try workspace.write("mine.yaml", "precious")
        #expect(workspace.run("init @mine.yaml").code == .runtime)
        #expect(try workspace.text("mine.yaml") == "precious")
        #expect(!workspace.exists("deadzone.schema.json"))
        #expect(workspace.run("init @mine.yaml --force").code == .ok)
        #expect(try workspace.text("mine.yaml") == starterScenario)
        #expect(workspace.run("init -").output == starterScenario)
    }

    @Test func lintShowsEveryFaultAndRunsNothing() throws {
        // Broken: faults are shown one at a time.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        #expect(workspace.run("lint @a.yaml").errors == "1 file, 1 scenario: no faults\n")
        #expect(workspace.run("lint @a.yaml --json").output.contains("\"errors\": []"))
        let resolved = workspace.run("lint @a.yaml --print-resolved").output
        #expect(workspace.run("lint -", input: resolved).code == .ok)
        #expect(workspace.run("lint - --print-resolved", input: resolved).output == resolved)
        try workspace.write(
            "b.yaml", TestWorkspace.scenario.replacing("3m", with: "3x").replacing("replicas: 3", with: "replica: 3"))
        let outcome = workspace.run("lint @b.yaml")
        #expect(outcome.code == .badInput)
        #expect(outcome.errors.contains("error[E0107]"))
        #expect(outcome.errors.contains("did you mean `replicas`?"))
    }

    @Test func lintNamesVisitsThatEndLate() throws {
        // Broken: a visit that outlasts the wake lock of its job is not named, or one that ends in time is.
        let workspace = try TestWorkspace()
        func notes(_ lifeCycle: String, platform: String = "  platform: android-15\n") throws -> String {
            let client = "  eager: {strategy: composed, life-cycle: {\(lifeCycle)}}"
            let text = TestWorkspace.scenario.replacing("  eager: {strategy: eager}", with: client)
            try workspace.write("v.yaml", text.replacing("phone:\n", with: "phone:\n" + platform))
            return workspace.run("lint @v.yaml").errors
        }
        let visit = "background: close, poll: {every: 15m, stay: 10s, wake: job}"
        #expect(
            try notes(visit).contains(
                "note: `eager`: visits of 10s, but the processor is awake for 10s. Their end waits"))
        #expect(try notes(visit).contains("as Android does for a job whose code still runs"))
        #expect(try notes(visit.replacing("10s", with: "9s")).hasSuffix("no faults\n"))
        #expect(try notes(visit.replacing("10s", with: "9s").replacing("job", with: "alarm")).contains("awake for 1s"))
        #expect(try !notes(visit.replacing("job", with: "alarm")).contains("code still runs"))
        #expect(try notes(visit + ", wake-lock: visit").hasSuffix("no faults\n"))
        #expect(try notes(visit, platform: "").hasSuffix("no faults\n"))
    }

    @Test func settingsWithoutEffectAreNamed() throws {
        // Broken: a setting that concerns no client, or a client that ignores a part of the scenario, is not named by
        // `lint` or by `run`; or it is named where it has an effect, with -q, or once for each cell.
        let workspace = try TestWorkspace()
        func notes(
            of verb: String = "lint", flags: String = "", _ edit: (String) -> String
        ) throws -> [Substring] {
            try workspace.write("n.yaml", edit(TestWorkspace.scenario.components(separatedBy: "expect:")[0]))
            return workspace.run("\(verb) @n.yaml \(flags)").errors.split(separator: "\n").filter {
                $0.hasPrefix("note: ")
            }
        }
        func clients(_ strategy: String, more: String = "") -> (String) -> String {
            {
                $0.replacing("{strategy: eager}", with: strategy).replacing(
                    "  patient: {strategy: patient}\n", with: more)
            }
        }
        let relay = "note: `eager`: the relay takes 30ms in each direction, because the scenario has no "
        #expect(try notes(clients("{strategy: ice}")) == [relay[...] + "`server: {peer: {relay: …}}`"])
        #expect(try notes(of: "run", clients("{strategy: ice}")).count == 1)
        #expect(try notes(of: "run", flags: "-q", clients("{strategy: ice}")).isEmpty)
        #expect(try notes(clients("{strategy: ice, paths: direct}")).isEmpty)
        #expect(try notes { clients("{strategy: ice}")($0) + "server: {peer: {relay: 30ms}}\n" }.isEmpty)
        let dedup = "server: {dedup: set}\n"
        let up = "  up: {every: 10s, size: 100B}\n"
        func coap(_ more: String = "", _ server: String) -> (String) -> String {
            {
                clients("{strategy: coap}", more: more)($0.replacing("strategies:\n", with: up + "strategies:\n"))
                    + server
            }
        }
        #expect(try notes(coap("", dedup)).map { $0.contains("`eager`: `server: {dedup: …}` has no effect") } == [true])
        #expect(try notes(coap("  other: {strategy: composed}\n", dedup)).isEmpty && notes(coap("", "")).isEmpty)
        func calls(_ text: String) -> String {
            text.replacing("strategies:\n", with: "  calls: {every: 20s, size: 9B, answer: 9B}\nstrategies:\n")
        }
        #expect(
            try notes(of: "run", calls) == [
                "note: `eager`, `patient`: these clients make no calls, so the calls of the scenario stay pending"
            ])
        #expect(try notes { calls(clients("{strategy: composed}")($0)) }.isEmpty)
        let cells = "matrix: {every: [10s, 20s]}\n"
        #expect(
            try notes(of: "run") {
                cells + calls(clients("{strategy: eager}")($0)).replacing("every: 20s", with: "every: \"${every}\"")
            } == ["note: `eager`: this client makes no calls, so the calls of the scenario stay pending"])
    }

    @Test(arguments: [
        ("access: refused", "android-13", "`access` in the timeline has no effect on android-13"),
        ("access: refused", "ios-18", nil),
        ("motion: moving", "ios-18", "`motion` in the timeline has no effect on ios-18"),
        ("motion: moving", "android-13", nil),
    ])
    func aHalfOfAnEntryWithoutEffectIsNamed(_ word: String, _ platform: String, _ note: String?) throws {
        // Broken: of two changes in one entry one never takes effect, and neither the run nor `lint` says so.
        let workspace = try TestWorkspace()
        let text = TestWorkspace.scenario.replacing("phone:\n", with: "phone:\n  platform: \(platform)\n")
            .replacing("timeline:\n", with: "timeline:\n  - {at: 30s, screen: \"off\", \(word)}\n")
        try workspace.write("h.yaml", text.components(separatedBy: "expect:")[0])
        for verb in ["lint", "run"] {
            let outcome = workspace.run("\(verb) @h.yaml")
            let expected: ExitCode = verb == "run" && note != nil ? .gateFailed : .ok
            #expect(outcome.code == expected && outcome.errors.contains("note: ") == (note != nil), "\(outcome.errors)")
            #expect(note.map { outcome.errors.contains($0) } ?? true, "\(outcome.errors)")
        }
    }

    @Test(arguments: ["", " ", "\u{a0}\u{a0}", "\t"])
    func explainsNoBlankName(_ name: String) {
        // Broken: a variable of a script that is empty explains the first entry that a blank name matches.
        let context = CommandContext.memory()
        #expect(DeadzoneCommand.run(["explain", name], in: context) == .usage)
        #expect(context.output.text.isEmpty && context.errors.text.contains("error[E0310]"))
    }

    @Test func explainNamesSettingsOfTheSameName() throws {
        // Broken: of two settings with one name, only the first is shown.
        let page = try TestWorkspace().run("explain send-buffer").output
        #expect(page.contains("A setting of server.") || page.contains("A setting of `server`"))
        #expect(page.contains("See also") && page.contains("strategies.transport.send-buffer"), "\(page)")
    }

    @Test func theBoundsOfAWaitAreInOrder() throws {
        // Broken: a wait of a later phase is shorter, so that its lowest bound exceeds the highest.
        let text = try TestWorkspace().run("schedule ably --json --set backoff.suspended.wait=9s").output
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let attempts = try #require(document["attempts"] as? [[String: Any]])
        var differing = 0
        for attempt in attempts {
            guard let low = attempt["delay_min_s"] as? Double, let high = attempt["delay_max_s"] as? Double else {
                continue
            }
            #expect(low <= high, "\(attempt)")
            differing += low < high ? 1 : 0
        }
        #expect(differing > 3)
    }

    @Test(arguments: Topic.explainable)
    func everyListedNameIsExplained(_ topic: Topic) throws {
        // Broken: a list shows a name that has no explanation.
        let entries = try ReferenceIndex.entries(topic, .memory())
        #expect(entries.count >= 3)
        let workspace = try TestWorkspace()
        let listed = workspace.run("list \(topic.rawValue)").output.split(separator: "\n")
        #expect(listed.count == entries.count)
        for (line, entry) in zip(listed, entries) {
            #expect(line.hasPrefix(entry.name + " "))
            #expect(!entry.summary.isEmpty && entry.page.count > 20, "\(entry.name)")
        }
        let first = try #require(entries.first)
        #expect(workspace.run("explain \(first.name.uppercased())").output.hasPrefix(first.name + ": "))
        #expect(Set(entries.map(\.name)).count == entries.count)
    }

    @Test func namesDoNotCollideAcrossLists() throws {
        // Broken: `explain NAME` shows one of two things with the same name.
        let names = try Topic.explainable.flatMap { try ReferenceIndex.entries($0, .memory()) }.map(\.name)
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    @Test func everyAssumptionIsListed() throws {
        // Broken: an assumed number is missing from the list of assumptions. Every profile and platform says how many
        // assumptions it has, and a preset's file marks each of them.
        let listed = try ReferenceIndex.entries(.assumptions, .memory())
        for topic in [Topic.profiles, .platforms] {
            for entry in try ReferenceIndex.entries(topic, .memory()) {
                let own = listed.count { $0.name == entry.name }
                #expect(
                    entry.facts.contains { $0.name == "assumptions" && $0.value == "\(own)" }, "\(entry.name): \(own)")
            }
        }
        for preset in CommandContext.memory().vocabulary.presets {
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
        #expect(try TestWorkspace().run("list assumptions --json").output.contains("\"number\": \"doze.deep.sensing\""))
    }

    @Test func wrongNameIsSuggestedNotShown() throws {
        // Broken: a typing error shows the page of another name.
        let workspace = try TestWorkspace()
        let outcome = workspace.run("explain zombi.max --json")
        #expect(outcome.code == .usage)
        #expect(outcome.errors.contains("did you mean `zombie.max`?"))
        #expect(outcome.output.contains("\"schema\": \"deadzone/errors/1\""))
        #expect(workspace.run("list metric").errors.contains("did you mean `metrics`?"))
    }

    @Test func doctorPasses() throws {
        // Broken: threads or the locale change a result, or a bug report lacks the versions.
        let workspace = try TestWorkspace()
        let outcome = workspace.run("doctor")
        #expect(outcome.code == .ok)
        for word in ["version     \(toolVersion)", "libyaml     0.", "self-check  ok"] {
            #expect(outcome.output.contains(word), "\(outcome.output)")
        }
    }

    @Test func errorCodesAreUnique() throws {
        // Broken: one code has two meanings.
        let codes = try ReferenceIndex.entries(.errors, .memory()).map(\.name)
        #expect(Set(codes).count == codes.count)
    }
}
