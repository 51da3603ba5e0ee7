import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import Testing

@testable import DeadzoneRuns

/// The plan of a comparison: which bounds are judged, which are not and why, and what the baseline lacks.
struct ComparePlanTests {
    private static func files(_ texts: [(name: String, text: String)]) -> ScenarioFiles {
        ScenarioFiles(
            texts.map { name, text in
                (name, ScenarioLoader(.standard, read: ScenarioFiles.read).load(Array(text.utf8), name: name))
            })
    }

    private static func scenario(
        _ name: String = "Lift",
        _ strategies: String = "a: {strategy: patient}, b: {strategy: eager}, c: {strategy: patient}",
        _ more: String = "", every: String = "20s"
    ) -> String {
        """
        version: 1
        name: \(name)
        duration: 60s
        replicas: 2
        phone: {radios: {cellular: lte-verizon-2021}}
        traffic: {down: {every: \(every), size: 300B}}
        strategies: {\(strategies)}
        \(more)

        """
    }

    private static func gates(_ text: String) throws -> GateFile {
        guard !text.isEmpty else { return GateFile() }
        let whole = text.hasPrefix("version") ? text : "version: 1\ngates:\n" + text + "\n"
        switch GateFile.read(Array(whole.utf8), name: "g.yaml") {
        case .gates(let file): return file
        case .faults(let faults, _): throw ToolFault(.runFailed, faults.sorted.map(\.message).joined())
        }
    }

    private static func selection(
        _ names: [String] = [], seed: UInt64? = nil, replicas: Int? = nil, against: String? = nil
    ) -> ComparePlan.CompareSelection {
        .init(seed: seed, replicas: replicas, strategies: StrategySelection(names: names), against: against)
    }

    /// A plan in words: its bounds, bounds that are not judged, what is not compared, or its faults.
    private static func plan(
        _ texts: [(name: String, text: String)] = [("dir/lift.yaml", scenario())], _ gateText: String = "",
        _ wanted: ComparePlan.CompareSelection = selection(), baseline: Baseline? = nil, kept: Baseline? = nil
    ) throws -> [String] {
        do {
            let plan = try ComparePlan(
                files(texts), baseline.map { BaselineFile("b.json", $0) }, try gates(gateText), wanted, kept: kept)
            var words: [String] = []
            for part in plan.parts {
                for gate in part.gates {
                    var parts = ["\(gate.subject.name):", gate.metric, gate.threshold.relation.rawValue]
                    if gate.level != .error { parts.append(gate.level.rawValue) }
                    if gate.isPreset { parts.append("preset") }
                    if gate.place.isExpectation { parts.append("expected") }
                    words.append(parts.joined(separator: " "))
                }
                words += part.replaced.map { "\($0.subject.name): \($0.metric) replaced" }.sorted()
            }
            for one in plan.unjudged {
                let expectation = one.bound.expectation
                words.append("\(expectation.subject.name): \(expectation.metric): \(one.bound.reason)")
            }
            for one in plan.uncompared {
                let name = [one.scenario, one.strategy, one.group].compactMap { $0 }.joined(separator: "/")
                words.append(
                    "\(name) \(one.reason)" + (one.undecidedGates > 0 ? " with \(one.undecidedGates) gates" : ""))
            }
            return words
        } catch let faults as ToolFaults {
            return faults.faults.map { "\($0.code.rawValue) \($0.message)" }
        }
    }

    private static func baseline(_ texts: [(name: String, text: String)], replicas: Int = 1) throws -> Baseline {
        let plan = try ComparePlan(files(texts), nil, GateFile(), selection(replicas: replicas))
        var runs: [BaselineRun] = []
        let isComplete = try ScenarioRunner(by: ParallelExecutor(jobs: 1)).run(plan.parts) { runs.append($1.kept) }
        #expect(isComplete && runs.count == plan.parts.count)
        return Baseline.of(runs)
    }

    // MARK: Gates

    @Test func gatesApplyToWhatTheyMatch() throws {
        // Broken: a gate applies to another strategy or at another level than its file says, or an earlier one replaces
        // a later one.
        let rows: [(gates: String, bounds: [String])] = [
            ("", []),
            ("- {scenarios: Lift, zombie.max: under 9s}", ["a", "b", "c"].map { "\($0): zombie.max <" }),
            ("- {scenarios: 'L*', strategies: b, zombie.max: under 9s}", ["b: zombie.max <"]),
            // Files match by their last part or by more of their path.
            ("- {scenarios: lift.yaml, strategies: a, zombie.max: under 9s}", ["a: zombie.max <"]),
            ("- {scenarios: dir/lift.yaml, strategies: a, zombie.max: under 9s}", ["a: zombie.max <"]),
            ("- {scenarios: ift.yaml, zombie.max: under 9s}", ["E0505 g.yaml:3:25: no scenario matches `ift.yaml`"]),
            ("- {scenarios: Lift, strategies: d, zombie.max: 0}", ["E0505 g.yaml:3:36: no strategy matches `d`"]),
            ("- {scenarios: Lift, groups: x, zombie.max: 0}", ["E0505 g.yaml:3:32: no group matches `x`"]),
            (
                "- {scenarios: '*', zombie.max: under 9s}\n- {scenarios: '*', strategies: b, zombie.max: at most 3s, level: warn}",
                ["a: zombie.max <", "b: zombie.max <= warn", "c: zombie.max <"]
            ),
            (
                "- {scenarios: '*', zombie.max: under 9s}\n- {scenarios: '*', strategies: b, zombie.max: 0, level: off}",
                ["a: zombie.max <", "c: zombie.max <", "b: zombie.max replaced"]
            ),
            (
                "- {scenarios: '*', strategies: b, zombie.max: 0, level: off}\n- {scenarios: '*', zombie.max: under 9s}",
                ["a: zombie.max <", "b: zombie.max <", "c: zombie.max <"]
            ),
            // A strategy is not compared with itself.
            ("- {scenarios: '*', zombie.max: at most 90% of b}", ["a: zombie.max <=", "c: zombie.max <="]),
            (
                "- {scenarios: '*', strategies: b, zombie.max: at most 90% of b}",
                ["E0505 g.yaml:3:35: the bound compares `b` only with itself"]
            ),
            ("- {scenarios: '*', zombie.max: at most 90% of d}", ["E0506 g.yaml:3:20: `Lift` has no strategy `d`"]),
            (
                "- {scenarios: '*', zombie.max: at most 90% of baseline}",
                ["E0506 g.yaml:3:20: `of baseline` needs a baseline"]
            ),
            (
                "- {scenarios: '*', zombie.max: at most 90% of baseline, level: off}",
                ["a", "b", "c"].map { "\($0): zombie.max replaced" }
            ),
        ]
        for row in rows {
            let found = try Self.plan([("dir/lift.yaml", Self.scenario())], row.gates)
            #expect(found == row.bounds, "\(row.gates) \(found)")
        }
    }

    @Test func expectationsComeBeforePresets() throws {
        // Broken: a bound of `recommended@1` judges beside the scenario's own, or the own bound of another group
        // counts.
        let own = Self.scenario(
            "Lift", "a: {strategy: patient}, b: {strategy: eager}", "expect: {a: {zombie.max: under 9h}}")
        let found = try Self.plan([("lift.yaml", own)], "version: 1\nextends: recommended@1\n")
        let metrics = [
            "delivery.down.lost ==", "delivery.up.lost ==", "connection.attempts_per_hour <", "zombie.max <",
            "recovery.p95 <",
        ]
        let expected =
            ["a: zombie.max < expected"]
            + ["a", "b"].flatMap { name in
                metrics.filter { name == "b" || $0 != "zombie.max <" }.map { "\(name): \($0) preset" }
            }
        #expect(found.sorted() == expected.sorted(), "\(found)")
        // A gate of the user judges beside it.
        let both = try Self.plan([("lift.yaml", own)], "- {scenarios: '*', strategies: a, zombie.max: under 1h}")
        #expect(both == ["a: zombie.max < expected", "a: zombie.max <"])
    }

    @Test func boundsWithoutTheirReferenceAreNotJudged() throws {
        // Broken: a bound that refers to a strategy that does not run passes, or fails a run that selects fewer
        // strategies.
        let expected = Self.scenario(
            "Lift", "a: {strategy: patient}, b: {strategy: eager}, c: {strategy: patient}",
            "expect: {a: {battery.joules: at most 90% of b, zombie.max: under 9s}, b: {battery.joules: over 0J}}")
        func plan(_ names: [String], _ gates: String = "") throws -> [String] {
            try Self.plan([("lift.yaml", expected)], gates, Self.selection(names))
        }
        let own = ["a: zombie.max < expected"]
        #expect(
            try plan([]).sorted()
                == ["a: battery.joules <= expected", "a: zombie.max < expected", "b: battery.joules > expected"])
        #expect(try plan(["a"]) == own + ["a: battery.joules: strategy `b` does not run"])
        #expect(try plan(["b"]) == ["b: battery.joules > expected"])
        let gate = "- {scenarios: '*', zombie.p95: at most 90% of b}"
        #expect(
            try plan(["a"], gate)
                == own + ["a: battery.joules: strategy `b` does not run", "a: zombie.p95: strategy `b` does not run"])
        #expect(try plan(["b"], gate) == ["b: battery.joules > expected", "b: zombie.p95: no other strategy runs"])
        #expect(try plan(["b", "c"], gate) == ["b: battery.joules > expected", "c: zombie.p95 <="])
        // A later gate that can be judged replaces one that cannot.
        #expect(
            try plan(["c"], gate + "\n- {scenarios: '*', zombie.p95: under 5s}") == ["c: zombie.p95 <"])
        #expect(
            try Self.plan([
                (
                    "lift.yaml",
                    Self.scenario(
                        "Lift", "a: {strategy: patient}", "expect: {a: {zombie.max: at most 90% of baseline}}")
                )
            ])
                == ["a: zombie.max: there is no baseline"])
    }

    @Test func groupsHaveTheirOwnBounds() throws {
        // Broken: a gate of a group judges all phones, or a bound relative to another group has none to refer to.
        let population =
            "population: {near: {phones: 2}, far: {phones: 2}}\nexpect: {a: {zombie.max: under 9s}}"
        let text = Self.scenario("Fleet", "a: {strategy: patient}, b: {strategy: eager}", population)
        func plan(_ gates: String) throws -> [String] { try Self.plan([("f.yaml", text)], gates) }
        let own = ["a: zombie.max < expected"]
        #expect(try plan("- {scenarios: '*', strategies: b, groups: '*', zombie.p95: 0}").count == 3)
        let far = try plan("- {scenarios: '*', strategies: b, groups: 'f*', zombie.p95: 0}")
        #expect(far.count == 2 && far[0] == own[0] && far[1].contains("far") && far[1].contains("b"), "\(far)")
        let all = try plan("- {scenarios: '*', strategies: b, zombie.p95: 0}")
        #expect(all == own + ["b: zombie.p95 =="], "\(all)")
        let relative = try plan("- {scenarios: '*', strategies: b, groups: '*', zombie.p95: at most 90% of far}")
        #expect(relative == own + ["b, near: zombie.p95 <="], "\(relative)")
        #expect(
            try plan("- {scenarios: '*', groups: middle, zombie.p95: 0}") == [
                "E0505 g.yaml:3:36: no group matches `middle`"
            ])
    }

    // MARK: Baselines

    @Test func whatABaselineLacksIsNotCompared() throws {
        // Broken: a scenario, a strategy or a gate without a counterpart in the baseline counts as unchanged.
        let two = "a: {strategy: patient}, b: {strategy: eager}"
        let old = try Self.baseline([("x.yaml", Self.scenario("One", two)), ("y.yaml", Self.scenario("Two", two))])
        func plan(_ texts: [String], _ gates: String = "", _ wanted: ComparePlan.CompareSelection = Self.selection())
            throws
            -> [String]
        {
            try Self.plan(texts.enumerated().map { ("\($0.offset).yaml", $0.element) }, gates, wanted, baseline: old)
        }
        let (one, other) = (Self.scenario("One", two), Self.scenario("Two", two))
        #expect(try plan([one, other]) == [])
        #expect(try plan([one]) == ["Two gone"])
        #expect(try plan([one, other, Self.scenario("Three", two)]) == ["Three new"])
        #expect(try plan([Self.scenario("One", two, every: "10s"), other]) == ["One otherWorld"])
        #expect(
            try plan([Self.scenario("One", "a: {strategy: patient}, c: {strategy: composed}"), other]) == [
                "One/c new", "One/b gone",
            ])
        #expect(try plan([Self.scenario("One", "a: {strategy: patient}"), other]) == ["One/b gone"])
        // A strategy that the user did not select is not missing.
        #expect(try plan([one, other], "", Self.selection(["a"])) == [])
        let gate = "- {scenarios: '*', zombie.max: at most 90% of baseline}"
        #expect(
            try plan([one, other], gate, Self.selection(["a"])) == [
                "a: zombie.max <=", "a: zombie.max replaced", "a: zombie.max <=", "a: zombie.max replaced",
            ])
        let changed = try plan([Self.scenario("One", two + ", c: {strategy: eager}"), other], gate)
        #expect(
            changed.last == "One/c new with 1 gates" && changed.count { $0 == "c: zombie.max <=" } == 0, "\(changed)")
        let fresh = try plan([one, other, Self.scenario("Three", two)], gate)
        #expect(fresh.last == "Three new with 2 gates", "\(fresh)")
        // Nothing at all to compare with is an error.
        #expect(
            try plan([Self.scenario("Four", two)]).first?.hasPrefix(
                "E0504 the baseline `b.json` does not have the scenario `Four`") == true)
        #expect(
            try plan([Self.scenario("One", two, every: "10s")]).first?.hasPrefix(
                "E0503 `One` has another world than the baseline: ") == true)
        #expect(
            try plan([Self.scenario("One", "c: {strategy: composed}")]).first?.hasPrefix(
                "E0504 the baseline `b.json` does not have the strategy `c` of `One`")
                == true)
    }

    @Test func seedsAndReplicasHaveAnOrder() throws {
        // Broken: a comparison runs other replicas than its baseline, or ignores those of the command line.
        let text = Self.scenario("One", "a: {strategy: patient}, b: {strategy: eager}", "seed: 4")
        let old = try Self.baseline([("x.yaml", text)], replicas: 3)
        func facts(_ wanted: ComparePlan.CompareSelection, _ baseline: Baseline?, _ kept: Baseline? = nil) throws
            -> [Int]
        {
            let plan = try ComparePlan(
                Self.files([("x.yaml", text)]), baseline.map { BaselineFile("b", $0) }, GateFile(), wanted, kept: kept)
            let part = try #require(plan.parts.first)
            return [Int(part.seed), part.replicas, part.namedStrategies.count]
        }
        #expect(try facts(Self.selection(), nil) == [4, 2, 2] && facts(Self.selection(), old) == [4, 3, 2])
        #expect(try facts(Self.selection(seed: 9, replicas: 5), old) == [9, 5, 2])
        #expect(try facts(Self.selection(seed: 9, replicas: 5), old, old) == [4, 3, 2])
        let one = try Self.baseline(
            [("x.yaml", Self.scenario("One", "a: {strategy: patient}", "seed: 6"))], replicas: 1)
        #expect(try facts(Self.selection(), nil, one) == [6, 1, 1])
    }

    @Test func otherSettingsThanThoseOfTheBaselineAreNoted() throws {
        // Broken: a seed or a number of replicas of a scenario is ignored without a note, or a note names one that the
        // command line replaces. Or finished results have a note, although nothing is run.
        let two = "a: {strategy: patient}, b: {strategy: eager}"
        func text(_ name: String = "One", seed: Int? = nil, replicas: Int = 2) -> (name: String, text: String) {
            let text = Self.scenario(name, two, seed.map { "seed: \($0)" } ?? "")
            return ("\(name).yaml", text.replacing("replicas: 2", with: "replicas: \(replicas)"))
        }
        let old = try Self.baseline([text(seed: 4), text("Two", seed: 4)], replicas: 3)
        func note(
            _ texts: [(name: String, text: String)], _ wanted: ComparePlan.CompareSelection = Self.selection(),
            kept: Baseline? = nil, hasBaseline: Bool = true
        ) throws -> String {
            let baseline = hasBaseline ? BaselineFile("b", old) : nil
            let plan = try ComparePlan(Self.files(texts), baseline, GateFile(), wanted, kept: kept)
            return plan.baselineSettingsNote ?? "none"
        }
        let words = "`One` is compared with the 3 replicas and seed 4 of the baseline; the scenario now says "
        #expect(try note([text(seed: 4)]) == words + "2 replicas")
        #expect(try note([text(seed: 5)]) == words + "2 replicas and seed 5")
        #expect(try note([text(seed: 5, replicas: 3)]) == words + "seed 5")
        #expect(try note([text(seed: 4, replicas: 3)]) == "none" && note([text(replicas: 1)]) == "none")
        #expect(try note([text(seed: 5)], Self.selection(seed: 9)) == words + "2 replicas")
        #expect(try note([text(seed: 5)], Self.selection(replicas: 9)) == words + "seed 5")
        #expect(try note([text(seed: 5)], Self.selection(seed: 9, replicas: 9)) == "none")
        let more = words + "2 replicas; the same applies to 1 more scenario"
        #expect(try note([text(seed: 4), text("Two")]) == more)
        #expect(try note([text(seed: 5)], kept: old) == "none" && note([text(seed: 5)], hasBaseline: false) == "none")
    }

    @Test func comparisonsThatCannotBeAreErrors() throws {
        // Broken: two scenarios of one name are compared with each other, or one strategy with itself.
        let one = Self.scenario("Lift", "a: {strategy: patient}")
        #expect(try Self.plan([("x.yaml", one), ("y.yaml", one)]) == ["E0311 two scenarios are called `Lift`"])
        let alone = "E0504 there is nothing to compare with `a`: only `a` runs"
        #expect(try Self.plan([("x.yaml", one)], "", Self.selection(against: "a")) == [alone])
        let two = Self.scenario("Lift", "a: {strategy: patient}, b: {strategy: eager}")
        #expect(try Self.plan([("x.yaml", two)], "", Self.selection(["a"], against: "a")) == [alone])
        #expect(try Self.plan([("x.yaml", two)], "", Self.selection(["b"], against: "a")) == [])
        #expect(try Self.plan([("x.yaml", two)], "", Self.selection(["z"])) == ["E0310 unknown strategy `z`"])
    }

    @Test func placesAreThoseOfTheFiles() throws {
        // Broken: a message about an expectation or a strategy names another line or another file.
        let text = Self.scenario("Lift", "a: {strategy: patient}", "expect: {a: {zombie.max: under 9s}}")
        let plan = try ComparePlan(Self.files([("x.yaml", text)]), nil, GateFile(), Self.selection())
        let part = try #require(plan.parts.first)
        let lines = text.split(separator: "\n").map(String.init)
        let place = try #require(part.gates.first).place
        #expect(place.file == "x.yaml" && lines[place.line - 1].hasPrefix("expect:") && place.isExpectation)
        let own = try #require(part.place(ofStrategy: "a"))
        #expect(
            own.file == "x.yaml" && lines[own.line - 1].hasPrefix("strategies:") && own.column > 1 && !own.isExpectation
        )
        #expect(part.place(ofStrategy: "b") == nil)
    }
}
