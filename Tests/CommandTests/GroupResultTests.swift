import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Groups of a population in results and comparisons.
struct GroupResultTests {
    static let fleet = """
        version: 1
        name: Old among new
        duration: 4m
        phones: 20
        replicas: 12
        phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
        population:
          old: {share: 30%, strategy: eager}
          new: {share: 70%}
        timeline:
          - {at: 0s, cellular: street}
          - {at: 1m, dead-zone: {uniform: [30s, 60s]}}
        traffic: {down: {every: 9s, arrivals: poisson, size: 300B}}
        strategies: {patient: {strategy: patient}, eager: {strategy: eager}}
        expect:
          patient:
            new: {keepalive.pings: over 0, battery.joules: at most 200% of old}
            old: {battery.joules: 0J}

        """

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.fleet)
        return workspace
    }

    @Test("A broken bound names the group that it belongs to")
    func aBrokenBoundNamesItsGroup() throws {
        let workspace = try workspace()
        let ran = workspace.run("run @a.yaml --json")
        #expect(ran.code == .gateFailed, "\(ran.errors)")
        let strategies = try #require(try json(ran.output)["strategies"] as? [[String: Any]])
        let outcomes = try #require(strategies[0]["expect"] as? [[String: Any]])
        #expect(
            outcomes.map { "\($0["group"] ?? "") \($0["metric"] ?? "") \($0["verdict"] ?? "")" }
                == ["old battery.joules fail", "new battery.joules pass", "new keepalive.pings pass"])
        let groups = try #require(strategies[0]["groups"] as? [[String: Any]])
        let old = try #require(groups[0]["metrics"] as? [String: Any])
        #expect(outcomes[0]["value"] as? Double == old["battery.joules"] as? Double)
        let told = workspace.run("run @a.yaml").output
        #expect(told.contains("FAIL") && told.contains("patient, old") && told.contains("patient, new"), "\(told)")
        for (format, words) in [("md", "**patient, old**"), ("junit", "patient, old: battery.joules")] {
            #expect(workspace.run("run @a.yaml --format \(format)").output.contains(words))
        }
        try workspace.write("r.json", ran.output)
        let again = workspace.run("report @r.json --format md")
        #expect(again.output.contains("patient, old"), "\(again.errors)")
    }

    @Test("A comparison shows each group, not only the mean of all phones")
    func comparisonsHaveGroups() throws {
        let workspace = try workspace()
        let saved = workspace.run("baseline save @a.yaml --baseline @base.json -q")
        #expect(saved.code == .ok, "\(saved.errors)")
        let same = workspace.run("compare @a.yaml --baseline @base.json")
        #expect(same.output.contains("no behaviour changed") && !same.output.contains("patient, new: "))
        // Only the settings of the new clients change.
        try workspace.write(
            "a.yaml",
            Self.fleet.replacing("{patient: {strategy: patient}", with: "{patient: {strategy: patient, ping: 9s}"))
        let document = try json(workspace.run("compare @a.yaml --baseline @base.json --json").output)
        let scenario = try #require((document["scenarios"] as? [[String: Any]])?.first)
        let patient = try #require((scenario["strategies"] as? [[String: Any]])?.first)
        let groups = try #require(patient["groups"] as? [[String: Any]])
        #expect(groups.map { $0["name"] as? String } == ["new", "old"])
        let changed = groups.map { ($0["metrics"] as? [String: Any] ?? [:]).keys.sorted() }
        #expect(changed[0].contains("keepalive.pings") && changed[1].isEmpty, "\(changed)")
        let regressions = try #require(document["regressions"] as? [[String: Any]])
        #expect(
            regressions.contains {
                $0["group"] as? String == "new" && $0["metric"] as? String == "battery.above_idle_joules"
            })
        #expect(!regressions.contains { $0["group"] as? String == "old" })
        for format in ["md", "html"] {
            #expect(
                workspace.run("compare @a.yaml --baseline @base.json --format \(format)").output.contains(
                    "patient, new"))
        }
        let told = workspace.run("compare @a.yaml --baseline @base.json").output
        #expect(told.contains("  patient, new: ") && told.contains("of patient, old is"), "\(told)")
        let against = workspace.run("compare @a.yaml --against eager")
        #expect(against.output.contains("patient, new: against eager"), "\(against.errors)")
    }

    @Test("A baseline without groups is reported and does not count as unchanged")
    func baselineWithoutGroupsIsReported() throws {
        let workspace = try workspace()
        #expect(workspace.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        var document = try json(workspace.text("base.json"))
        var scenarios = try #require(document["scenarios"] as? [String: [String: Any]])
        let name = try #require(scenarios.keys.first)
        var strategies = try #require(scenarios[name]?["strategies"] as? [String: [String: Any]])
        for strategy in strategies.keys { strategies[strategy]?["groups"] = nil }
        scenarios[name]?["strategies"] = strategies
        document["scenarios"] = scenarios
        try workspace.write(
            "old.json", String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self))
        try workspace.write(
            "gates.yaml", "version: 1\ngates: [{scenarios: '*', groups: new, battery.joules: within 1% of baseline}]\n")
        let text = workspace.run("compare @a.yaml --baseline @old.json --gates @gates.yaml -v").output
        #expect(
            text.contains("Old among new, patient, new") && text.contains("1 gate of the baseline cannot be checked"),
            "\(text)")
        // The gate is counted at the group that it names.
        let report = try json(
            workspace.run("compare @a.yaml --baseline @old.json --gates @gates.yaml --json").output)
        let rest = try #require(report["not_compared"] as? [[String: Any]])
        let undecided = rest.map { [$0["group"] as? String == "new" ? 1 : 0, $0["undecided_gates"] as? Int] }
        #expect(rest.count > 1 && undecided.allSatisfy { $0[0] == $0[1] }, "\(rest)")
        #expect(workspace.run("baseline diff @a.yaml --baseline @old.json").code == .ok)
        let whole = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml -v").output
        #expect(!whole.contains("cannot be checked") && whole.contains("battery.joules of patient, new is"), "\(whole)")
    }

    @Test(
        "A gate applies to exactly the groups that it names",
        arguments: [
            ("groups: new, keepalive.pings: 0", ["patient, new", "eager, new"], ""),
            (
                "groups: '*', keepalive.pings: 0", ["patient, old", "patient, new", "eager, old", "eager, new"], ""
            ), ("keepalive.pings: 0", ["patient", "eager"], ""),
            ("groups: o?d, keepalive.pings: 0", ["patient, old", "eager, old"], ""),
            ("strategies: eager, groups: '*', keepalive.pings: 0", ["eager, old", "eager, new"], ""),
            ("groups: old, battery.joules: under 1J", ["patient, old", "eager, old"], ""),
            ("groups: new, battery.joules: at most 1% of old", ["patient, new", "eager, new"], ""),
            ("groups: new, battery.joules: at most 1% of eager", ["patient, new"], ""),
            ("groups: nwe, keepalive.pings: 0", [], "did you mean `new`?"),
        ])
    func gateAppliesToItsGroups(_ gate: String, _ failing: [String], _ fault: String) throws {
        let workspace = try workspace()
        try workspace.write(
            "a.yaml",
            Self.fleet.replacing("    old: {battery.joules: 0J}\n", with: ""))
        try workspace.write("gates.yaml", "version: 1\ngates: [{scenarios: '*', \(gate)}]\n")
        let outcome = workspace.run("compare @a.yaml --gates @gates.yaml --json --replicas 2")
        if !fault.isEmpty {
            #expect(outcome.code != .ok && outcome.errors.contains(fault), "\(outcome.errors)")
            return
        }
        let gates = try #require(try json(outcome.output)["gates"] as? [[String: Any]], "\(outcome.errors)")
        let failed = gates.filter { $0["verdict"] as? String == "fail" }.map { gate in
            [gate["strategy"], gate["group"]].compactMap { $0 as? String }.joined(separator: ", ")
        }
        #expect(failed == failing, "\(outcome.output)")
    }

    @Test("Tables and documents have the same numbers for groups, and a database is a valid baseline of groups")
    func tablesHaveGroups() throws {
        let workspace = try workspace()
        #expect(workspace.run("run @a.yaml --format sqlite,json,csv --out @r --exit-zero -q").code == .ok)
        let path = workspace.file("r/results.sqlite")
        let document = try json(workspace.text("r/results.json"))
        let strategies = try #require(document["strategies"] as? [[String: Any]])
        let groups = try #require(strategies[1]["groups"] as? [[String: Any]])
        let joules = groups.map { ($0["metrics"] as? [String: Any])?["battery.joules"] as? Double }
        let rows = try SQLiteRows.query(
            "SELECT name, phones, own_strategy, value FROM groups JOIN group_figures USING (run, strategy, place) "
                + "WHERE strategy = 1 AND metric = 'battery.joules' ORDER BY place", in: path)
        #expect(rows.map { $0[0] } == ["old", "new"] && rows.map { $0[1] } == ["6", "14"])
        #expect(rows.map { $0[2] } == ["eager", nil])
        #expect(rows.map { $0[3].flatMap(Double.init) } == joules)
        let means = try SQLiteRows.query(
            "SELECT avg(\"battery.joules\") FROM named_groups WHERE strategy = 'eager' GROUP BY group_name ORDER BY 1",
            in: path)
        let mean = means.compactMap { $0[0].flatMap(Double.init) }
        #expect(mean.count == 2 && zip(mean, joules.compactMap(\.self).sorted()).allSatisfy { abs($0 - $1) < 1e-6 })
        let demands = try SQLiteRows.query("SELECT group_name, verdict FROM expectations ORDER BY place", in: path)
        #expect(demands.map { $0[0] } == ["old", "new", "new"] && demands[0][1] == "fail")
        let lines = try workspace.text("r/results.csv").components(separatedBy: "\r\n")
        #expect(lines.contains { $0.contains(",eager,battery.joules,") && $0.hasSuffix(",new") })
        // As a baseline, the database gives the same comparison as the JSON file.
        #expect(workspace.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        let ways = ["base.json", "r/results.sqlite"].map {
            workspace.run("compare @a.yaml --baseline @\($0) --json --exit-zero").output
        }
        #expect(ways[0].contains("\"groups\"") && ways[0] == ways[1])
    }

    @Test("Events name the strategy that the phone runs, beside the strategy that is compared")
    func eventsNameTheStrategyOfThePhone() throws {
        let workspace = try workspace()
        #expect(workspace.run("run @a.yaml --replicas 1 --events @e.ndjson -q --exit-zero").code == .ok)
        var seen: Set<String> = []
        for line in try workspace.text("e.ndjson").split(separator: "\n") {
            let event = try json(String(line))
            let phone = try #require(event["phone"] as? Int)
            let (strategy, run) = (event["strategy"] as? String, event["run"] as? String)
            #expect(phone < 6 ? strategy == "eager" : run == nil)
            seen.insert("\(phone < 6) \(strategy ?? "") \(run ?? "")")
        }
        #expect(seen == ["true eager patient", "true eager eager", "false patient ", "false eager "])
    }
}
