import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios

extension ComparePlan {
    /// Assigns gates to strategies and metrics. The last matching gate counts, so a file can state a general rule
    /// first and exceptions after it.
    mutating func addGates(_ gates: [Gate]) {
        var chosen = [[GateTarget: Gate]](repeating: [:], count: parts.count)
        var skipped = [[GateTarget: SkippedGate]](repeating: [:], count: parts.count)
        for gate in gates {
            guard let matching = matchingParts(gate) else { continue }
            let reference = gate.level == .off ? nil : gate.threshold.reference
            if let reference {
                guard check(reference, gate, matching) else { continue }
            }
            var targets: [(part: Int, target: GateTarget)] = []
            for index in matching {
                for subject in parts[index].subjects(of: gate) {
                    let target = GateTarget(subject: subject, metric: gate.metric)
                    if let reference, reference != GateJudge.baseline, !parts[index].runs(reference, of: subject) {
                        let reason = "strategy \(BaselineFile.quote(reference)) does not run"
                        skipped[index][target] = SkippedGate(gate: gate, reason: reason)
                        continue
                    }
                    if gate.isPreset, parts[index].expects(gate.metric, of: subject) { continue }
                    targets.append((index, target))
                }
            }
            // A subject is not compared with itself.
            let others = targets.filter { index, target in
                target.subject != parts[index].subject(reference, for: target.subject)
            }
            for (index, target) in others {
                chosen[index][target] = gate
                skipped[index][target] = nil
            }
            guard others.isEmpty, let (index, target) = targets.first else { continue }
            // Nothing is left, so the note stands at one of the strategies that would be compared with themselves.
            skipped[index][target] = SkippedGate(gate: gate, reason: "no other strategy runs")
        }
        note(skipped)
        for index in parts.indices {
            for subject in parts[index].subjects {
                for metric in Catalogue.all {
                    let target = GateTarget(subject: subject, metric: metric.name)
                    guard let gate = chosen[index][target] else { continue }
                    if gate.replacesRecommended { parts[index].replaced.insert(target) }
                    guard gate.level != .off, !parts[index].expects(gate.threshold, of: target),
                        canJudge(gate.threshold, of: subject, parts[index])
                    else { continue }
                    parts[index].gates.append(
                        PlannedGate(
                            subject: subject, metric: metric.name, threshold: gate.threshold,
                            level: gate.level, place: gate.place, isPreset: gate.isPreset))
                }
            }
        }
    }

    /// A gate that would apply to a target, and the reason why it does not.
    private struct SkippedGate {
        let gate: Gate
        let reason: String
    }

    private mutating func note(_ skipped: [[GateTarget: SkippedGate]]) {
        for index in parts.indices {
            for subject in parts[index].subjects {
                for metric in Catalogue.all {
                    guard let one = skipped[index][GateTarget(subject: subject, metric: metric.name)] else { continue }
                    let expectation = Expectation(
                        strategy: subject.strategy, group: subject.group, metric: metric.name,
                        threshold: one.gate.threshold)
                    unjudged.append(
                        UnjudgedBound(
                            scenario: parts[index].scenario.name,
                            bound: UnjudgedExpectation(expectation, reason: one.reason), place: one.gate.place))
                }
            }
        }
    }

    /// The scenarios to which a gate applies. `nil` with a fault if the gate matches nothing.
    private mutating func matchingParts(_ gate: Gate) -> [Int]? {
        let matching = parts.indices.filter { gate.matchesScenario(parts[$0].scenario.name, file: parts[$0].file) }
        let matchesStrategy = matching.contains { index in
            parts[index].scenario.strategies.contains { matchesPattern($0.name, gate.strategies) }
        }
        guard matchesStrategy else {
            // The gate may refer to a scenario that has faults itself, so report only those.
            if faults.isEmpty { faults.append(.unmatched(gate, hasScenario: !matching.isEmpty, parts)) }
            return nil
        }
        if let pattern = gate.groups,
            !matching.contains(where: { parts[$0].groups.contains { matchesPattern($0, pattern) } })
        {
            if faults.isEmpty { faults.append(.unmatchedGroup(gate, matching.flatMap { parts[$0].groups })) }
            return nil
        }
        return matching
    }

    /// Returns `false` with a fault if the reference of a gate exists in no scenario, or is only compared with itself.
    private mutating func check(_ reference: String, _ gate: Gate, _ matching: [Int]) -> Bool {
        if reference == GateJudge.baseline {
            if baseline == nil {
                faults.append(
                    ToolFault(
                        .gateReference,
                        "\(gate.place.text.escapedForTerminal): `of baseline` needs a baseline",
                        help: ["add --baseline FILE"]))
            }
            return baseline != nil
        }
        for index in matching where !parts[index].has(reference) {
            if gate.groups != nil, parts[index].groups.contains(reference) { continue }
            // If the user selected fewer strategies, gates that refer to the others are skipped.
            if parts[index].scenario.strategies.contains(where: { $0.name == reference }) { continue }
            faults.append(
                .unknown(
                    .gateReference,
                    "\(gate.place.text.escapedForTerminal): \(BaselineFile.quote(parts[index].scenario.name)) has no strategy "
                        + BaselineFile.quote(reference), reference, among: parts[index].scenario.strategies.map(\.name),
                    help: "name a strategy of the scenario, or `baseline`"))
            return false
        }
        let comparesOthers = matching.contains { index in
            parts[index].scenario.strategies.contains {
                matchesPattern($0.name, gate.strategies) && (gate.groups != nil || $0.name != reference)
            }
        }
        if !comparesOthers {
            faults.append(
                ToolFault(
                    .unmatchedGate,
                    "\(gate.place.text.escapedForTerminal): the bound compares \(BaselineFile.quote(reference)) only "
                        + "with itself",
                    help: ["name another strategy in the bound, or other `strategies`"]))
        }
        return comparesOthers
    }
}

extension ComparePlan.ScenarioComparison {
    /// Each strategy that runs, followed by its groups.
    fileprivate var subjects: [Subject] {
        namedStrategies.flatMap { namedStrategy in
            [Subject(namedStrategy.name)] + groups.map { Subject(namedStrategy.name, group: $0) }
        }
    }

    /// `true` if the scenario itself bounds the metric.
    fileprivate func expects(_ metric: String, of subject: Subject) -> Bool {
        scenario.expectations.contains {
            $0.strategy == subject.strategy && $0.group == subject.group && $0.metric == metric
        }
    }

    /// `true` if an expectation of the scenario already judges the same bound.
    fileprivate func expects(_ threshold: Threshold, of target: GateTarget) -> Bool {
        gates.contains {
            $0.place.isExpectation && $0.subject == target.subject && $0.metric == target.metric
                && $0.threshold == threshold
        }
    }

    /// `true` if the reference strategy or group of a bound runs.
    fileprivate func runs(_ reference: String, of subject: Subject) -> Bool {
        scenario.runsReference(reference, of: subject, among: namedStrategies.map(\.name))
    }

    /// The subject to which a reference refers. `nil` without a reference, and for the baseline.
    fileprivate func subject(_ reference: String?, for subject: Subject) -> Subject? {
        reference.flatMap { $0 == GateJudge.baseline ? nil : subject.resolve(to: $0, has) }
    }

    /// Subjects that a gate matches. A gate with a group pattern matches groups only.
    fileprivate func subjects(of gate: Gate) -> [Subject] {
        subjects.filter { subject in
            guard matchesPattern(subject.strategy, gate.strategies) else { return false }
            switch (gate.groups, subject.group) {
            case (nil, nil): return true
            case (let pattern?, let group?): return matchesPattern(group, pattern)
            default: return false
            }
        }
    }
}

extension Gate {
    /// A bound relative to the baseline replaces the recommended one, and so does a gate that is off. A bound in plain
    /// numbers is added to it: `delivery.down.lost: under 50` must not hide a loss of 49.
    fileprivate var replacesRecommended: Bool {
        level == .off || threshold.reference == GateJudge.baseline
    }

    /// Matches the scenario's name or its file: `handoff/*` matches all files in a folder of that name.
    fileprivate func matchesScenario(_ scenario: String, file: String) -> Bool {
        matchesPattern(scenario, scenarios) || matchesPattern("/" + file, "*/" + scenarios)
    }
}

extension ToolFault {
    fileprivate static func unmatchedGroup(_ gate: Gate, _ groups: [String]) -> Self {
        let pattern = gate.groups ?? ""
        return .unknown(
            .unmatchedGate, "\(gate.place.text.escapedForTerminal): no group matches \(BaselineFile.quote(pattern))",
            pattern,
            among: groups, help: "a gate that matches nothing would always pass")
    }

    fileprivate static func unmatched(_ gate: Gate, hasScenario: Bool, _ parts: [ComparePlan.ScenarioComparison])
        -> Self
    {
        let (what, pattern) = hasScenario ? ("strategy", gate.strategies) : ("scenario", gate.scenarios)
        let known =
            hasScenario
            ? parts.flatMap { $0.scenario.strategies.map(\.name) } : parts.map(\.scenario.name)
        return .unknown(
            .unmatchedGate, "\(gate.place.text.escapedForTerminal): no \(what) matches \(BaselineFile.quote(pattern))",
            pattern,
            among: known, help: "a gate that matches nothing would always pass")
    }
}
