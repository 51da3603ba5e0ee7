import DeadzoneCommand
import DeadzoneReports
import DeadzoneTestKit
import Foundation
import Testing

/// `run --across`: the same comparison on several networks.
struct AcrossTests {
    /// Two strategies with very different energy, in as many replicas as a decision takes.
    private static let scenario = """
        version: 1
        name: Pings
        duration: 10m
        replicas: 10
        phone:
          radios: {cellular: lte-verizon-2021}
        traffic:
          down: {every: 2m, arrivals: poisson, size: 300B}
        strategies:
          often: {strategy: composed, keepalive: 15s}
          seldom: {strategy: composed, keepalive: 4m}
        expect:
          seldom: {battery.joules: under 100% of often}

        """

    private func workspace(_ scenario: String = scenario) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", scenario)
        return workspace
    }

    private func document(_ outcome: TestWorkspace.Outcome) throws -> JSON {
        try JSON(text: Array(outcome.output.utf8))
    }

    private func names(_ json: JSON?) -> [String] { (json?.items ?? []).compactMap(\.string) }

    @Test func theRankingIsPrintedAndCounted() throws {
        // Broken: the table lacks a network, or the sentence does not say on how many networks the ranking holds.
        let workspace = try workspace()
        let text = workspace.run("run @a.yaml --across lte,umts-att-i997")
        #expect(text.code == .ok, "\(text.errors)")
        #expect(text.output.contains("Does the ranking depend on the network?"))
        #expect(
            text.output.contains("holds  Energy above idle: seldom before often on all 5 networks"), "\(text.output)")
        #expect(text.output.contains("Expectations hold on all 5 networks"))
        #expect(text.output.contains("--across lte,umts-att-i997 --seed 1"))
        for name in ["lte-att-2012-aro", "lte-tmobile-2021", "umts-att-i997"] { #expect(text.output.contains(name)) }
        let across = try #require(
            try document(workspace.run("run @a.yaml --across lte,umts-att-i997 --json"))["across"])
        let report = try #require(across.items?.first)
        #expect(report["scenario"]?.string == "Pings" && names(report["axes"]) == ["phone.radios.cellular"])
        #expect(report["networks"]?.items?.count == 5)
        let energy = report["rankings"]?.items?.first { $0["metric"]?.string == "battery.above_idle_joules" }
        #expect(names(energy?["order"]) == ["seldom", "often"] && energy?["stability"]?.string == "holds")
        #expect(energy?["kept"]?.integer == 5 && energy?["of"]?.integer == 5)
        #expect(names(energy?["pairs"]?.items?.first?["before"]).count == 5)
        #expect(report["expect"]?["kept"]?.integer == 5 && report["expect"]?["verdict"]?.string == "pass")
    }

    @Test func anAbsoluteBoundFailsOnOtherNetworksUnlessAShareIsEnough() throws {
        // Broken: a bound that holds on too few networks passes, or a share that the scenario allows has no effect.
        let workspace = try workspace()
        let plain = workspace.run("run @a.yaml --across lte --json")
        let joules = (try document(plain)["runs"]?.items ?? []).compactMap {
            $0["strategies"]?.items?[1]["metrics"]?["battery.joules"]?.double
        }.sorted()
        #expect(joules.count == 4)
        // Three of four networks stay below.
        let bound = "under \(Int((joules[2] + joules[3]) / 2 * 1000))mJ"
        for (share, code, lines) in [
            ("", ExitCode.gateFailed, ["FAIL   Expectations hold on 3 of 4 networks; not on "]),
            (
                "\n  across: {at-least: 75%}", .ok,
                ["pass   Expectations hold on 3 of 4 networks (at least 75%); not on"]
            ),
            (
                "\n  across: {at-least: 76%}", .gateFailed,
                ["FAIL   Expectations hold on 3 of 4 networks (at least 76%)"]
            ),
        ] {
            let text = Self.scenario.replacing("under 100% of often}", with: bound + "}" + share)
            try workspace.write("b.yaml", text)
            let outcome = workspace.run("run @b.yaml --across lte")
            #expect(outcome.code == code, "\(share): \(outcome.output)")
            for line in lines { #expect(outcome.output.contains(line), "\(share): \(outcome.output)") }
            #expect(workspace.run("run @b.yaml --across lte -q --exit-zero").code == .ok)
            // The scenario's own network is judged alone, as before.
            #expect(workspace.run("run @b.yaml -q").output.contains("battery.joules"))
            let junit = workspace.run("run @b.yaml --across lte -q --format junit")
            #expect(junit.code == code && junit.output.contains("tests=\"5\""))
            #expect(junit.output.contains("failures=\"\(code == .ok ? 0 : 2)\""), "\(junit.output)")
            let markdown = workspace.run("run @b.yaml --across lte -q --format md").output
            #expect(markdown.contains("## Deadzone: \(code == .ok ? "pass" : "fail")") && markdown.contains("3 of 4"))
        }
    }

    @Test func allFormatsAgreeAfterShardsAndFromASavedResult() throws {
        // Broken: shards forget the networks, or a report of a saved result lacks the comparison.
        let workspace = try workspace()
        let formats = "--format json,html,md,junit,csv,sqlite"
        let whole = workspace.run(
            "run @a.yaml --across lte-verizon-2021,nr-sa-low-tmobile-2021 \(formats) --out @whole")
        #expect(whole.code == .ok, "\(whole.errors)")
        for number in 1...3 {
            let flags = "--across lte-verizon-2021,nr-sa-low-tmobile-2021 --shard \(number)/3 --out @parts"
            #expect(workspace.run("run @a.yaml \(flags)").code == .ok)
            #expect(workspace.run("run @a.yaml \(flags) --resume").output.contains("already exists"))
            // Another set of networks is another run.
            let other = workspace.run("run @a.yaml --across lte --shard \(number)/3 --out @other --resume")
            #expect(other.code == .ok && !other.output.contains("already exists"))
        }
        let merged = workspace.run("merge @parts \(formats) --out @merged")
        #expect(merged.code == .ok && merged.output == whole.output, "\(merged.errors)")
        let again = workspace.run("report @whole/results.json \(formats) --out @again")
        #expect(again.code == .ok, "\(again.errors)")
        let database = workspace.run("report @whole/results.sqlite --format json --out @database")
        #expect(database.code == .ok, "\(database.errors)")
        for name in ["results.json", "report.html", "results.md", "results.xml", "results.csv"] {
            let expected = try workspace.data("whole/\(name)")
            #expect(try workspace.data("merged/\(name)") == expected, "\(name)")
            #expect(try workspace.data("again/\(name)") == expected, "\(name)")
        }
        #expect(try workspace.data("database/results.json") == (try workspace.data("whole/results.json")))
        #expect(try workspace.text("whole/results.md").contains("**Does the ranking depend on the network?**"))
        let sweep = workspace.run("sweep @a.yaml --across lte --shards 2")
        #expect(sweep.output.contains("--across lte --shard"), "\(sweep.output)")
    }

    @Test func aMatrixOfNetworksIsTheSame() throws {
        // Broken: the networks of a scenario's own matrix are compared in another way than those of the flag.
        let workspace = try workspace()
        try workspace.write(
            "b.yaml", Self.scenario + "matrix:\n  phone.radios.cellular: [lte-verizon-2021, umts-att-i997]\n")
        let flag = workspace.run("run @a.yaml --across lte-verizon-2021,umts-att-i997 --json")
        let matrix = workspace.run("run @b.yaml --json")
        #expect(flag.output == matrix.output && flag.output.contains("\"across\""))
        // The flag cannot vary the same radio.
        let both = workspace.run("run @b.yaml --across lte")
        #expect(both.code == .badInput && both.errors.contains("both vary `phone.radios.cellular`"), "\(both.errors)")
        // But it can vary the platform.
        let platform = workspace.run("run @b.yaml --across android-15,ios-18 --json")
        let reports = try document(platform)["across"]?.items
        #expect(reports?.count == 1 && reports?[0]["networks"]?.items?.count == 4, "\(platform.errors)")
        #expect(reports?[0]["networks"]?.items?[1]["name"]?.string == "lte-verizon-2021 + ios-18")
    }

    @Test func otherAxesHaveAComparisonEach() throws {
        // Broken: cells that differ in more than the network are compared as one.
        let workspace = try workspace(Self.scenario + "matrix:\n  traffic.down.every: [1m, 2m, 3m]\n")
        let outcome = workspace.run("run @a.yaml --across lte-verizon-2021,umts-att-i997")
        #expect(outcome.output.contains("6 cells"), "\(outcome.errors)")
        for every in ["1m", "2m", "3m"] {
            #expect(outcome.output.contains("network?: Pings [traffic.down.every=\(every)]"), "\(outcome.output)")
        }
        let across = try document(workspace.run("run @a.yaml --across lte-verizon-2021,umts-att-i997 --json"))["across"]
        let runs = (across?.items ?? []).map { ($0["networks"]?.items ?? []).compactMap { $0["run"]?.integer } }
        #expect(runs == [[0, 1], [2, 3], [4, 5]])
    }

    @Test func everyGroupOfAPopulationMoves() throws {
        // Broken: a group with a radio of its own stays on it.
        let workspace = try workspace(
            Self.scenario.replacing("replicas: 10", with: "replicas: 10\nphones: 4") + """
                population:
                  old: {share: 50%, phone: {radios: {cellular: {profile: umts-att-i997, idle-power: 20mW}}}}
                  new: {share: 50%}

                """)
        let outcome = workspace.run("run @a.yaml --across lte-tmobile-2021,nr-sa-low-tmobile-2021 --json")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let runs = try document(outcome)["runs"]?.items ?? []
        let profiles = runs.map { run in
            (run["model"]?["radios"]?.items ?? []).compactMap { $0["profile"]?.string }
        }
        #expect(profiles.map { Set($0) } == [["lte-tmobile-2021"], ["nr-sa-low-tmobile-2021"]])
        // A number that the file changes stays changed.
        #expect(runs.allSatisfy { $0["scenario"]?["resolved"]?.string?.contains("idle-power: 20mW") == true })
    }

    @Test(arguments: [
        ("--across lte-verizon", ExitCode.usage, "did you mean `lte-verizon-2021`?"),
        ("--across", .usage, "--across"),
        ("--across lte, --json", .usage, "unknown network ``"),
        ("--across lte-verizon-2021", .badInput, "only `lte-verizon-2021` fits"),
        ("--across wifi", .badInput, "no network fits"),
        ("--across wifi-oneplus-8,lte", .badInput, "no radio for `wifi-oneplus-8`"),
        ("--across profiles --replica 3", .usage, "`--replica` runs one"),
        ("--across profiles --events e.ndjson", .usage, "events do not name their network"),
    ])
    func mistakesAreNamed(_ flags: String, _ code: ExitCode, _ message: String) throws {
        // Broken: a network that does not exist or does not fit is left out without a word.
        let outcome = try workspace().run("run @a.yaml \(flags)")
        #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome.code) \(outcome.errors)")
        #expect(outcome.output.isEmpty || flags.contains("--json"))
    }

    @Test func networksThatDoNotFitAreNoted() throws {
        // Broken: a profile that cannot stand in the phone stops the run, or disappears without a word. Or a profile file
        // of the user is no network.
        let workspace = try workspace(
            Self.scenario.replacing("cellular: lte-verizon-2021", with: "cellular: own.yaml").replacing(
                "traffic:", with: "timeline:\n  - {at: 1m, signal: weak}\ntraffic:"))
        try workspace.write("own.yaml", "version: 1\ntechnology: nr-nsa\ninherits: nr-nsa-mmwave-verizon-2021\n")
        let outcome = workspace.run("run @a.yaml --across profiles --replicas 1")
        #expect(outcome.code == .ok && outcome.output.contains("2 cells"), "\(outcome.errors)")
        #expect(outcome.output.contains("own.yaml  ") && outcome.output.contains("nr-nsa-mmwave-verizon-2021  "))
        #expect(
            outcome.errors.contains("cannot run on `lte-verizon-2021`: the cellular profile has no values for a weak"))
        #expect(!workspace.run("run @a.yaml --across profiles --replicas 1 -q").errors.contains("cannot run"))
        let named = workspace.run("run @a.yaml --across nr,lte-verizon-2021")
        #expect(named.code == .badInput && named.errors.contains("cannot run on `lte-verizon-2021` of `--across`"))
    }

    @Test(arguments: [
        ("{at-least: 90%}", ""), ("{at-least: 0%}", "E0108"), ("{at-least: 101%}", "E0108"),
        ("{at-most: 90%}", "E0104"),
        ("{}", "needs `at-least`"), ("at least 90%", "E0102"),
    ])
    func theShareIsChecked(_ share: String, _ fault: String) throws {
        // Broken: a share that cannot be meant passes as none.
        let workspace = try workspace(Self.scenario + "  across: \(share)\n")
        let outcome = workspace.run("lint @a.yaml")
        #expect((outcome.code == .ok) == fault.isEmpty, "\(outcome)")
        #expect(fault.isEmpty || (outcome.errors + outcome.output).contains(fault), "\(outcome)")
        let resolved = workspace.run("lint @a.yaml --print-resolved").output
        #expect(fault.isEmpty == resolved.contains("at-least: 90%"))
    }

    @Test func aStrategyCannotBeCalledAcross() throws {
        // Broken: `across` in `expect` means a strategy.
        let outcome = try workspace(Self.scenario.replacing("often", with: "across")).run("run @a.yaml")
        #expect(outcome.code == .badInput && outcome.errors.contains("`across` is a key of `expect`"))
    }

    @Test func thePageShowsAPictureOnAPhone() throws {
        // Broken: the picture leaves the window of a phone, lacks a network, or names a strategy as markup.
        let evil = "<b>often"
        let workspace = try workspace(
            Self.scenario.replacing("  often:", with: "  \"\(evil)\":").replacing("of often", with: "of \(evil)"))
        let page = workspace.run("run @a.yaml --across profiles -q --exit-zero --format html").output
        let figure = try #require(page.firstMatch(of: /<figure id="across-best-0"(?s:.*?)<\/figure>/)).0
        #expect(page.contains("<h2>Does the ranking depend on the network?</h2>") && !page.contains(evil))
        let start = try #require(figure.firstRange(of: "viewBox=\"0 0 350 ")).lowerBound
        let narrow = figure[start...].prefix { $0 != "§" }
        let svg = narrow[..<(try #require(narrow.firstRange(of: "</svg>")).lowerBound)]
        let places = svg.matches(of: /[ ]c?x="([0-9.-]+)"/).compactMap { Double($0.1) }
        #expect(places.count > 20 && places.allSatisfy { 0...350 ~= $0 })
        let broad = figure[..<start].matches(of: /[ ]c?x="([0-9.-]+)"/).compactMap { Double($0.1) }
        #expect(broad.count >= places.count && broad.allSatisfy { 0...1_140 ~= $0 })
        #expect(svg.contains("lte-verizon-2021") && svg.contains("umts-teliasonera"))
        #expect(figure.contains("best strategy on each network"))
    }
}
