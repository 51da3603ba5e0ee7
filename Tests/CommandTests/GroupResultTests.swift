import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Groups of a population in what is written and compared.
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

    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write("a.yaml", Self.fleet)
        return shop
    }

    @Test("Else a broken promise to some would be told of all, or of none")
    func aBrokenBoundNamesItsGroup() throws {
        let shop = try shop()
        let ran = shop.run("run @a.yaml --json")
        #expect(ran.code == .gateFailed, "\(ran.errors)")
        let strategies = try #require(try json(ran.output)["strategies"] as? [[String: Any]])
        let outcomes = try #require(strategies[0]["expect"] as? [[String: Any]])
        #expect(
            outcomes.map { "\($0["group"] ?? "") \($0["metric"] ?? "") \($0["verdict"] ?? "")" }
                == ["old battery.joules fail", "new battery.joules pass", "new keepalive.pings pass"])
        let groups = try #require(strategies[0]["groups"] as? [[String: Any]])
        let old = try #require(groups[0]["metrics"] as? [String: Any])
        #expect(outcomes[0]["value"] as? Double == old["battery.joules"] as? Double)
        let told = shop.run("run @a.yaml").output
        #expect(told.contains("FAIL") && told.contains("patient, old") && told.contains("patient, new"), "\(told)")
        for (format, words) in [("md", "**patient, old**"), ("junit", "patient, old: battery.joules")] {
            #expect(shop.run("run @a.yaml --format \(format)").output.contains(words))
        }
        try shop.write("r.json", ran.output)
        let again = shop.run("report @r.json --format md")
        #expect(again.output.contains("patient, old"), "\(again.errors)")
    }

    @Test("Else a comparison would hide what some people pay behind the mean of all")
    func comparisonsHaveGroups() throws {
        let shop = try shop()
        let saved = shop.run("baseline save @a.yaml --baseline @base.json -q")
        #expect(saved.code == .ok, "\(saved.errors)")
        let same = shop.run("compare @a.yaml --baseline @base.json")
        #expect(same.output.contains("nothing behaves otherwise") && !same.output.contains("patient, new: "))
        // Only new clients are another thing.
        try shop.write(
            "a.yaml",
            Self.fleet.replacing("{patient: {strategy: patient}", with: "{patient: {strategy: patient, ping: 9s}"))
        let document = try json(shop.run("compare @a.yaml --baseline @base.json --json").output)
        let scenario = try #require((document["scenarios"] as? [[String: Any]])?.first)
        let patient = try #require((scenario["strategies"] as? [[String: Any]])?.first)
        let groups = try #require(patient["groups"] as? [[String: Any]])
        #expect(groups.map { $0["name"] as? String } == ["new", "old"])
        let changed = groups.map { ($0["metrics"] as? [String: Any] ?? [:]).keys.sorted() }
        #expect(changed[0].contains("keepalive.pings") && changed[1].isEmpty, "\(changed)")
        let regressions = try #require(document["regressions"] as? [[String: Any]])
        #expect(regressions.contains { $0["group"] as? String == "new" && $0["metric"] as? String == "battery.joules" })
        #expect(!regressions.contains { $0["group"] as? String == "old" })
        for format in ["md", "html"] {
            #expect(
                shop.run("compare @a.yaml --baseline @base.json --format \(format)").output.contains("patient, new"))
        }
        let told = shop.run("compare @a.yaml --baseline @base.json").output
        #expect(told.contains("  patient, new: ") && told.contains("of patient, old is"), "\(told)")
        let against = shop.run("compare @a.yaml --against eager")
        #expect(against.output.contains("patient, new: against eager"), "\(against.errors)")
    }

    @Test("Else an older baseline would count as one in which no group has changed")
    func aBaselineWithoutGroupsSaysSo() throws {
        let shop = try shop()
        #expect(shop.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        var document = try json(shop.text("base.json"))
        var scenarios = try #require(document["scenarios"] as? [[String: Any]])
        var strategies = try #require(scenarios[0]["strategies"] as? [[String: Any]])
        for index in strategies.indices { strategies[index]["groups"] = nil }
        scenarios[0]["strategies"] = strategies
        document["scenarios"] = scenarios
        try shop.write(
            "old.json", String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self))
        try shop.write(
            "gates.yaml", "version: 1\ngates: [{scenarios: '*', groups: new, battery.joules: within 1% of baseline}]\n")
        let text = shop.run("compare @a.yaml --baseline @old.json --gates @gates.yaml -v").output
        #expect(
            text.contains("Old among new, patient, new") && text.contains("1 gate of the baseline decides nothing"),
            "\(text)")
        #expect(shop.run("baseline diff @a.yaml --baseline @old.json").code == .ok)
        let whole = shop.run("compare @a.yaml --baseline @base.json --gates @gates.yaml -v").output
        #expect(!whole.contains("decides nothing") && whole.contains("battery.joules of patient, new is"), "\(whole)")
    }

    @Test(
        "Else a gate of some people would be one of others, or of nobody",
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
    func aGateIsOfItsGroups(_ gate: String, _ failing: [String], _ fault: String) throws {
        let shop = try shop()
        try shop.write(
            "a.yaml",
            Self.fleet.replacing("    old: {battery.joules: 0J}\n", with: ""))
        try shop.write("gates.yaml", "version: 1\ngates: [{scenarios: '*', \(gate)}]\n")
        let outcome = shop.run("compare @a.yaml --gates @gates.yaml --json --replicas 2")
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

    @Test("Else tables would have other numbers than documents, or a database be no baseline of groups")
    func tablesHaveGroups() throws {
        let shop = try shop()
        #expect(shop.run("run @a.yaml --format sqlite,json,csv --out @r --exit-zero -q").code == .ok)
        let path = shop.file("r/results.sqlite")
        let document = try json(shop.text("r/results.json"))
        let strategies = try #require(document["strategies"] as? [[String: Any]])
        let groups = try #require(strategies[1]["groups"] as? [[String: Any]])
        let joules = groups.map { ($0["metrics"] as? [String: Any])?["battery.joules"] as? Double }
        let rows = try Rows.of(
            "SELECT name, phones, own_strategy, value FROM groups JOIN group_figures USING (run, strategy, place) "
                + "WHERE strategy = 1 AND metric = 'battery.joules' ORDER BY place", in: path)
        #expect(rows.map { $0[0] } == ["old", "new"] && rows.map { $0[1] } == ["6", "14"])
        #expect(rows.map { $0[2] } == ["eager", nil])
        #expect(rows.map { $0[3].flatMap(Double.init) } == joules)
        let means = try Rows.of(
            "SELECT avg(\"battery.joules\") FROM named_groups WHERE strategy = 'eager' GROUP BY group_name ORDER BY 1",
            in: path)
        let mean = means.compactMap { $0[0].flatMap(Double.init) }
        #expect(mean.count == 2 && zip(mean, joules.compactMap(\.self).sorted()).allSatisfy { abs($0 - $1) < 1e-6 })
        let demands = try Rows.of("SELECT group_name, verdict FROM expectations ORDER BY place", in: path)
        #expect(demands.map { $0[0] } == ["old", "new", "new"] && demands[0][1] == "fail")
        let lines = try shop.text("r/results.csv").components(separatedBy: "\r\n")
        #expect(lines.contains { $0.contains(",eager,battery.joules,") && $0.hasSuffix(",new") })
        // As a baseline it is what the JSON is.
        #expect(shop.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        let ways = ["base.json", "r/results.sqlite"].map {
            shop.run("compare @a.yaml --baseline @\($0) --json --exit-zero").output
        }
        #expect(ways[0].contains("\"groups\"") && ways[0] == ways[1])
    }

    @Test("Else what an old client did would be told of the one that is compared")
    func eventsNameWhatAPhoneRuns() throws {
        let shop = try shop()
        #expect(shop.run("run @a.yaml --replicas 1 --events @e.ndjson -q --exit-zero").code == .ok)
        var seen: Set<String> = []
        for line in try shop.text("e.ndjson").split(separator: "\n") {
            let event = try json(String(line))
            let phone = try #require(event["phone"] as? Int)
            let (strategy, run) = (event["strategy"] as? String, event["run"] as? String)
            #expect(phone < 6 ? strategy == "eager" : run == nil)
            seen.insert("\(phone < 6) \(strategy ?? "") \(run ?? "")")
        }
        #expect(seen == ["true eager patient", "true eager eager", "false patient ", "false eager "])
    }
}
