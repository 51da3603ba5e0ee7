import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// A comparison as JUnit, annotations and JSON, character by character.
struct CompareFileTests {
    @Test func casesAreJUnit() throws {
        // Broken: a gate, a regression or an open question is no case, or has another result.
        expectText(
            try ComparedRuns.report().junit,
            casesAreJUnitText)
        let quiet = try ComparedRuns.pair()
        #expect(quiet.junit.contains("<testcase classname=\"Lift\" name=\"the run completed\"/>"))
    }

    @Test func annotationsStandAtTheirPlaces() throws {
        // Broken: an annotation has another level, order or place.
        let report = try ComparedRuns.report()
        expectText(
            report.annotations { scenario, strategy in
                BoundLocation(
                    file: "\(scenario).yaml", line: strategy == nil ? 1 : strategy == "naive" ? 20 : 30, column: 3)
            },
            #"""
            ::error file=Odd.yaml,line=1,col=3,title=Odd%3A invalid run::it stopped
            ::error file=Odd.yaml,line=1,col=3,title=Odd%3A invalid run::nothing <happened>
            ::error file=Lift.yaml,line=20,col=3,title=Lift::recovery.p95 of naive is never: too often the network came back and nothing was served, so there is no number; the bound is under 9 s%0Agate: gates.yaml:9:12%0Aworst in replica 4, seed 11260274279318504351: never%0Adeadzone run lift.yaml --strategy naive --seed 11260274279318504351
            ::error file=Lift.yaml,line=20,col=3,title=Lift::keepalive.pings of naive is 13; the bound is at most 3%0Agate: gates.yaml:4:12%0Aworst in replica 2, seed 16819666922443762949: 14%0Adeadzone run lift.yaml --strategy naive --seed 16819666922443762949
            ::warning file=Lift.yaml,line=30,col=3,title=Lift::zombie.max of tuned is 10.5 s; the bound is at most 2 s%0Agate: gates.yaml:8:12%0Aworst in replica 11, seed 6243784277829756395: 16 s%0Adeadzone run lift.yaml --strategy tuned --seed 6243784277829756395
            ::warning file=Lift.yaml,line=20,col=3,title=Lift::zombie.max of naive is 15.55 s; the bound is at most 100%25 of baseline (15.5 s)%0Agate: gates.yaml:5:12%0Aworst in replica 0, seed 1: 10.05 s against 10 s in the baseline%0Adeadzone run lift.yaml --strategy naive --seed 1
            ::error file=Lift.yaml,line=20,col=3,title=Lift::Lost, server to app (delivery.down.lost) of naive changed from 0 to 0.5: nothing was lost before, under the same seeds
            ::error file=Lift.yaml,line=20,col=3,title=Lift::Longest dead connection believed open (zombie.max) of naive, old changed from 15.5 s to 35.5 s
            ::warning file=Lift.yaml,line=20,col=3,title=Lift::Server to app, 95th percentile (latency.down.p95) of naive seems to change from 1000 ms to 1043 ms, but this is undecided: about 117 replicas would decide
            ::warning file=Lift.yaml,line=20,col=3,title=Lift::Served again after, 95th percentile (recovery.p95) of naive seems to change from 3 s to never, but this is undecided: about 108 replicas would decide
            ::notice title=deadzone::and 3 more; see the summary

            """#)
        var long = report
        long.scenarios[1].troubles = Array(repeating: "t", count: 10)
        let text = long.annotations { _, _ in nil }
        #expect(
            text.split(separator: "\n").count == 11
                && text.hasSuffix("::notice title=deadzone::and 11 more; see the summary\n"))
        #expect(text.hasPrefix("::error title=Odd%3A invalid run::t\n"))
    }

    @Test func theDocumentHasItsMembers() throws {
        // Broken: a member of the document is missing, or belongs to another change.
        let json = try ComparedRuns.report().json
        guard case .object(var members) = json else { return }
        let scenarios = members.removeValue(forKey: "scenarios")?.items ?? []
        expectText(
            JSON.object(members).textInLines,
            #"""
            {"against": {"baseline": true},
            "complete": true, "gates": [{"bound": 3, "level": "error", "metric": "keepalive.pings", "op": "<=", "scenario": "Lift", "source": "gates", "strategy": "naive", "value": 13, "verdict": "fail", "worst": {"reference": null, "replica": 2, "seed": "16819666922443762949", "value": 14}},
            {"bound": 15.5, "level": "warn", "metric": "zombie.max", "of": "baseline", "op": "<=", "ratio": 1, "scenario": "Lift", "source": "gates", "strategy": "naive", "value": 15.55, "verdict": "fail", "worst": {"reference": 10, "replica": 0, "seed": "1", "value": 10.05}},
            {"bound": 200, "level": "error", "metric": "battery.joules", "op": "<", "scenario": "Lift", "source": "gates", "strategy": "tuned", "value": 127.55, "verdict": "pass"},
            {"bound": 1, "level": "error", "metric": "delivery.down.lost", "op": "<=", "scenario": "Lift", "source": "scenario", "strategy": "tuned", "value": 0, "verdict": "pass"},
            {"bound": 2, "level": "warn", "metric": "zombie.max", "op": "<=", "scenario": "Lift", "source": "gates", "strategy": "tuned", "value": 10.5, "verdict": "fail", "worst": {"reference": null, "replica": 11, "seed": "6243784277829756395", "value": 16}},
            {"bound": 9, "level": "error", "metric": "recovery.p95", "op": "<", "reason": "too often the network came back and nothing was served, so there is no number", "scenario": "Lift", "source": "gates", "strategy": "naive", "value": null, "verdict": "fail", "worst": {"reference": null, "replica": 4, "seed": "11260274279318504351", "value": null}}],
            "identical_scenarios": 1, "ignore": 0.01, "not_compared": [{"reason": "new", "scenario": "Train", "strategy": null, "undecided_gates": 0},
            {"reason": "gone", "scenario": "Lift", "strategy": "third", "undecided_gates": 1},
            {"reason": "gone", "scenario": "Bus", "strategy": null, "undecided_gates": 2},
            {"group": "young", "reason": "other-world", "scenario": "Lift", "strategy": "naive", "undecided_gates": 0}],
            "recommended_gates": true, "regressions": [{"metric": "delivery.down.lost", "scenario": "Lift", "strategy": "naive"},
            {"group": "old", "metric": "zombie.max", "scenario": "Lift", "strategy": "naive"}],
            "schema": "deadzone/compare/1", "tool": {"version": "1.2.3"},
            "undecided": [{"metric": "latency.down.p95", "needed_replicas": 117, "scenario": "Lift", "strategy": "naive"},
            {"metric": "recovery.p95", "needed_replicas": 108, "scenario": "Lift", "strategy": "naive"}],
            "verdict": "fail"}
            """#)
        expectText(
            scenarios.map(\.textInLines).joined(separator: "\n\n"),
            theDocumentHasItsMembersText)
        let pair = try ComparedRuns.pair()
        #expect(pair.json["against"]?.text(.line) == #"{"strategy": "tuned"}"# && pair.json["complete"] == .bool(false))
        #expect(pair.json["identical_scenarios"] == .null && pair.json["recommended_gates"] == .bool(false))
        var none = pair
        none.reference = .none
        none.usesRecommendedGates = true
        #expect(none.json["against"] == .null && none.json["recommended_gates"] == .bool(false))
        none.reference = .baseline
        #expect(
            none.json["against"]?.text(.line) == #"{"baseline": true}"# && none.json["recommended_gates"] == .bool(true)
        )
    }
}

private let theDocumentHasItsMembersText = #"""
    {"name": "Lift", "replicas": 12, "seed": 1, "strategies": [{"against": "baseline", "first_divergence": {"events": ["2:01 opened <b>", "2:02 closed ``` fence"],
    "from_s": 60, "length_s": 60, "replica": 3, "seed": "11449090030436124352", "unseen_events": 7},
    "groups": [{"metrics": {},
    "name": "new"},
    {"metrics": {"zombie.max": {"confidence": 0.95, "decision": "worse", "detectable": 0, "difference": 20, "fact": false, "family": "primary", "higher": 12, "interval": [20, 20],
    "lower": 0, "needed_replicas": null, "negligible": false, "new": 35.5, "old": 15.5, "p": 0.00048828125, "p_holm": 0.00048828125, "pairs": 12, "same": 0, "test": "paired-permutation"}},
    "name": "old"}],
    "metrics": {"battery.above_idle_joules": {"confidence": 0.99, "decision": "better", "detectable": 0, "difference": -20, "fact": false, "family": "primary", "higher": 0, "interval": [-20, -20],
    "lower": 12, "needed_replicas": null, "negligible": false, "new": 80.55, "old": 100.55, "p": 0.00048828125, "p_holm": 0.00244140625, "pairs": 12, "same": 0, "test": "paired-permutation"},
    "battery.joules": {"confidence": 0.99, "decision": "better", "detectable": 0, "difference": -20, "fact": false, "family": "copy", "higher": 0, "interval": [-20, -20],
    "lower": 12, "needed_replicas": null, "negligible": false, "new": 107.55, "old": 127.55, "p": 0.00048828125, "p_holm": 0.00244140625, "pairs": 12, "same": 0, "test": "paired-permutation"},
    "battery.promotions": {"confidence": 0.9875, "decision": "worse", "detectable": 0, "difference": 4, "fact": false, "family": "secondary", "higher": 12, "interval": [4, 4],
    "lower": 0, "needed_replicas": null, "negligible": false, "new": 14.5, "old": 10.5, "p": 0.00048828125, "p_holm": 0.001953125, "pairs": 12, "same": 0, "test": "paired-permutation"},
    "bytes.down": {"confidence": 0.95, "decision": "undecided", "detectable": 0.944414184, "difference": 0.5, "fact": false, "family": "secondary", "higher": 6, "interval": [-0.25, 1.25],
    "lower": 3, "needed_replicas": 45, "negligible": true, "new": 1001.5, "old": 1001, "p": 0.24609375, "p_holm": 0.24609375, "pairs": 12, "same": 3, "test": "paired-permutation"},
    "cause.keepalive": {"confidence": 0.95, "decision": "better", "detectable": 0, "difference": -20, "fact": false, "family": "part", "higher": 0, "interval": [-20, -20],
    "lower": 12, "needed_replicas": null, "negligible": false, "new": 30.55, "old": 50.55, "p": 0.00048828125, "p_holm": 0.00048828125, "pairs": 12, "same": 0, "test": "paired-permutation"},
    "delivery.down.lost": {"confidence": 0.983333, "decision": "worse", "detectable": 0.844868765, "difference": 0.5, "fact": true, "family": "primary", "higher": 3, "interval": [0, 1.333333334],
    "lower": 0, "needed_replicas": null, "negligible": false, "new": 0.5, "old": 0, "p": 0.25, "p_holm": 0.75, "pairs": 12, "same": 9, "test": "paired-permutation"},
    "delivery.down.sent": {"confidence": 0.983333, "decision": "changed", "detectable": 0, "difference": 2, "fact": false, "family": "secondary", "higher": 12, "interval": [2, 2],
    "lower": 0, "needed_replicas": null, "negligible": false, "new": 22, "old": 20, "p": 0.00048828125, "p_holm": 0.001953125, "pairs": 12, "same": 0, "test": "paired-permutation"},
    "keepalive.pings": {"confidence": 0.975, "decision": "better", "detectable": 0, "difference": -8, "fact": false, "family": "secondary", "higher": 0, "interval": [-8, -8],
    "lower": 12, "needed_replicas": null, "negligible": false, "new": 13, "old": 21, "p": 0.00048828125, "p_holm": 0.001953125, "pairs": 12, "same": 0, "test": "paired-permutation"},
    "latency.down.p95": {"confidence": 0.983333, "decision": "undecided", "detectable": 133.367608578, "difference": 43.333333334, "fact": false, "family": "primary", "higher": 8, "interval": [-77.5, 140],
    "lower": 4, "needed_replicas": 117, "negligible": false, "new": 1043.333333334, "old": 1000, "p": 0.3876953125, "p_holm": 0.775390625, "pairs": 12, "same": 0, "test": "paired-permutation"},
    "recovery.p95": {"confidence": null, "decision": "undecided", "detectable": null, "difference": null, "fact": false, "family": "primary", "higher": 1, "interval": null, "lower": 0, "needed_replicas": 108, "negligible": false, "new": null, "old": 3, "p": 1, "p_holm": 1, "pairs": 12, "same": 11, "test": "wilcoxon"},
    "zombie.max": {"confidence": 0.9875, "decision": "small", "detectable": 0, "difference": 0.05, "fact": false, "family": "primary", "higher": 12, "interval": [0.05, 0.05],
    "lower": 0, "needed_replicas": null, "negligible": true, "new": 15.55, "old": 15.5, "p": 0.00048828125, "p_holm": 0.00244140625, "pairs": 12, "same": 0, "test": "paired-permutation"}},
    "name": "naive", "paired": true, "reference_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "replicas_compared": 12, "strategy_hash": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "unchanged_replicas": 3, "unmeasured": ["dns.failed"]},
    {"against": "baseline", "first_divergence": null, "metrics": {},
    "name": "tuned", "paired": true, "reference_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "replicas_compared": 12, "strategy_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "unchanged_replicas": 12, "unmeasured": ["dns.failed"]}],
    "troubles": [],
    "world_hash": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}

    {"name": "Odd", "replicas": 12, "seed": 1, "strategies": [{"against": "baseline", "first_divergence": null, "groups": [{"metrics": {},
    "name": "new"},
    {"metrics": {},
    "name": "old"}],
    "metrics": {},
    "name": "naive", "paired": true, "reference_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "replicas_compared": 12, "strategy_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "unchanged_replicas": 12, "unmeasured": ["dns.failed"]},
    {"against": "baseline", "first_divergence": null, "metrics": {},
    "name": "tuned", "paired": true, "reference_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "replicas_compared": 12, "strategy_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "unchanged_replicas": 12, "unmeasured": ["dns.failed"]}],
    "troubles": ["it stopped", "nothing <happened>"],
    "world_hash": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}
    """#

private let casesAreJUnitText = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="deadzone" tests="55" failures="4" errors="2">
      <testsuite name="Lift" tests="52" failures="4" errors="0" skipped="2">
        <testcase classname="Lift" name="naive: keepalive.pings at most 3">
          <failure type="bound" message="keepalive.pings of naive is 13; the bound is at most 3">keepalive.pings of naive is 13; the bound is at most 3&#10;gates.yaml:4:12&#10;worst in replica 2, seed 16819666922443762949: 14&#10;deadzone run lift.yaml --strategy naive --seed 16819666922443762949</failure>
        </testcase>
        <testcase classname="Lift" name="naive: zombie.max at most 100% of baseline">
          <system-out>warning: zombie.max of naive is 15.55 s; the bound is at most 100% of baseline (15.5 s)&#10;gates.yaml:5:12&#10;worst in replica 0, seed 1: 10.05 s against 10 s in the baseline&#10;deadzone run lift.yaml --strategy naive --seed 1</system-out>
        </testcase>
        <testcase classname="Lift" name="tuned: battery.joules under 200 J"/>
        <testcase classname="Lift" name="tuned: delivery.down.lost at most 1"/>
        <testcase classname="Lift" name="tuned: zombie.max at most 2 s">
          <system-out>warning: zombie.max of tuned is 10.5 s; the bound is at most 2 s&#10;gates.yaml:8:12&#10;worst in replica 11, seed 6243784277829756395: 16 s&#10;deadzone run lift.yaml --strategy tuned --seed 6243784277829756395</system-out>
        </testcase>
        <testcase classname="Lift" name="naive: recovery.p95 under 9 s">
          <failure type="bound" message="recovery.p95 of naive is never: too often the network came back and nothing was served, so there is no number; the bound is under 9 s">recovery.p95 of naive is never: too often the network came back and nothing was served, so there is no number; the bound is under 9 s&#10;gates.yaml:9:12&#10;worst in replica 4, seed 11260274279318504351: never&#10;deadzone run lift.yaml --strategy naive --seed 11260274279318504351</failure>
        </testcase>
        <testcase classname="Lift" name="naive: delivery.down.lost is not worse than in the baseline">
          <failure type="bound" message="Lost, server to app (delivery.down.lost) of naive changed from 0 to 0.5: nothing was lost before, under the same seeds">Lost, server to app (delivery.down.lost) of naive changed from 0 to 0.5: nothing was lost before, under the same seeds&#10;+0.5 [0, +1.333], higher in 3 of 12, p = 0.75&#10;deadzone run Lift --replicas 12</failure>
        </testcase>
        <testcase classname="Lift" name="naive, old: zombie.max is not worse than in the baseline">
          <failure type="bound" message="Longest dead connection believed open (zombie.max) of naive, old changed from 15.5 s to 35.5 s">Longest dead connection believed open (zombie.max) of naive, old changed from 15.5 s to 35.5 s&#10;+20 s [+20, +20], higher in 12 of 12, p &lt; 0.001&#10;deadzone run Lift --replicas 12</failure>
        </testcase>
        <testcase classname="Lift" name="naive: latency.down.p95 is not worse than in the baseline">
          <system-out>Server to app, 95th percentile (latency.down.p95) of naive seems to change from 1000 ms to 1043 ms, but this is undecided: about 117 replicas would decide&#10;+43.33 ms [-77.5, +140], higher in 8 of 12, p = 0.775&#10;deadzone run Lift --replicas 12</system-out>
        </testcase>
        <testcase classname="Lift" name="naive: recovery.p95 is not worse than in the baseline">
          <system-out>Served again after, 95th percentile (recovery.p95) of naive seems to change from 3 s to never, but this is undecided: about 108 replicas would decide&#10;some replicas have no number, higher in 1 of 12, p = 1&#10;deadzone run Lift --replicas 12</system-out>
        </testcase>
        <testcase classname="Lift" name="naive: delivery.up.lost is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive: calls.failed is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive: delivery.down.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive: delivery.up.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive: latency.up.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive: latency.call.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive: zombie.max is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive: battery.above_idle_joules is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: delivery.down.lost is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: delivery.up.lost is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: calls.failed is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: delivery.down.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: delivery.up.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: latency.down.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: latency.up.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: latency.call.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: zombie.max is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: recovery.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, new: battery.above_idle_joules is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: delivery.down.lost is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: delivery.up.lost is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: calls.failed is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: delivery.down.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: delivery.up.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: latency.down.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: latency.up.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: latency.call.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: recovery.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="naive, old: battery.above_idle_joules is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: delivery.down.lost is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: delivery.up.lost is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: calls.failed is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: delivery.down.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: delivery.up.pending is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: latency.down.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: latency.up.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: latency.call.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: zombie.max is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: recovery.p95 is not worse than in the baseline"/>
        <testcase classname="Lift" name="tuned: battery.above_idle_joules is not worse than in the baseline"/>
        <testcase classname="Lift" name="third: compared with the baseline">
          <skipped message="gone: in the baseline, but not named here; 1 gate of the baseline cannot be checked"/>
        </testcase>
        <testcase classname="Lift" name="naive, young: compared with the baseline">
          <skipped message="changed: its world differs from the baseline"/>
        </testcase>
      </testsuite>
      <testsuite name="Odd" tests="2" failures="0" errors="2">
        <testcase classname="Odd" name="the run is valid">
          <error type="unsound" message="it stopped"/>
        </testcase>
        <testcase classname="Odd" name="the run is valid (2)">
          <error type="unsound" message="nothing &lt;happened&gt;"/>
        </testcase>
      </testsuite>
      <testsuite name="Train" tests="1" failures="0" errors="0" skipped="1">
        <testcase classname="Train" name="compared with the baseline">
          <skipped message="new: not in the baseline"/>
        </testcase>
      </testsuite>
    </testsuites>

    """#
