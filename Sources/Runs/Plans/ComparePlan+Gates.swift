import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings

extension ComparePlan {
    /// The last gate that matches a strategy and a metric counts, so that a file can say what holds in general and then
    /// where it does not.
    mutating func addGates(_ gates: [Gate]) {
        var chosen = [[Place: Gate]](repeating: [:], count: parts.count)
        for gate in gates {
            let matching = parts.indices.filter { gate.isAbout(parts[$0].scenario.name, file: parts[$0].file) }
            let isAboutSomebody = matching.contains { index in
                parts[index].scenario.strategies.contains { fits($0.name, gate.strategies) }
            }
            guard isAboutSomebody else {
                // A scenario that is itself at fault may be the one that was meant.
                if faults.isEmpty { faults.append(.unmatched(gate, hasScenario: !matching.isEmpty, parts)) }
                continue
            }
            if let pattern = gate.groups, !matching.contains(where: { parts[$0].groups.contains { fits($0, pattern) } })
            {
                if faults.isEmpty { faults.append(.unmatchedGroup(gate, matching.flatMap { parts[$0].groups })) }
                continue
            }
            if let reference = gate.threshold.reference, gate.level != .off {
                guard check(reference, gate, matching) else { continue }
            }
            for index in matching {
                for subject in parts[index].subjects(of: gate) {
                    // Nobody is measured by himself.
                    let reference = gate.threshold.reference
                    if let reference, subject.referred(to: reference, parts[index].has) == subject { continue }
                    chosen[index][Place(subject: subject, metric: gate.metric)] = gate
                }
            }
        }
        for index in parts.indices {
            for subject in parts[index].subjects {
                for metric in Catalogue.all {
                    guard let gate = chosen[index][Place(subject: subject, metric: metric.name)],
                        gate.level != .off, decides(gate.threshold, of: subject, parts[index])
                    else { continue }
                    parts[index].gates.append(
                        Bound(
                            subject: subject, metric: metric.name, threshold: gate.threshold,
                            level: gate.level, place: gate.place))
                }
            }
        }
    }

    private struct Place: Hashable {
        let subject: Subject
        let metric: String
    }

    private mutating func check(_ reference: String, _ gate: Gate, _ matching: [Int]) -> Bool {
        if reference == GateJudge.baseline {
            if baseline == nil {
                faults.append(
                    ToolFault(
                        .gateReference, "\(gate.place.text.visible): `of baseline`, and no baseline is given",
                        help: ["add --baseline FILE"]))
            }
            return baseline != nil
        }
        for index in matching where !parts[index].has(reference) {
            if gate.groups != nil, parts[index].groups.contains(reference) { continue }
            // Who asks for fewer strategies asks for fewer gates.
            if parts[index].scenario.strategies.contains(where: { $0.name == reference }) { return false }
            faults.append(
                .unknown(
                    .gateReference,
                    "\(gate.place.text.visible): \(BaselineFile.quote(parts[index].scenario.name)) has no strategy "
                        + BaselineFile.quote(reference), reference, among: parts[index].scenario.strategies.map(\.name),
                    help: "name a strategy of the scenario, or `baseline`"))
            return false
        }
        return true
    }
}

extension ComparePlan.Part {
    /// Each strategy that runs, and behind it its groups.
    fileprivate var subjects: [Subject] {
        contenders.flatMap { contender in
            [Subject(contender.name)] + groups.map { Subject(contender.name, group: $0) }
        }
    }

    /// Those that a gate is about: a pattern of groups is of them alone.
    fileprivate func subjects(of gate: Gate) -> [Subject] {
        subjects.filter { subject in
            guard fits(subject.strategy, gate.strategies) else { return false }
            switch (gate.groups, subject.group) {
            case (nil, nil): return true
            case (let pattern?, let group?): return fits(group, pattern)
            default: return false
            }
        }
    }
}

extension Gate {
    /// By the name of the scenario, or by its file: `handoff/*` is about all files of a folder of that name.
    fileprivate func isAbout(_ scenario: String, file: String) -> Bool {
        fits(scenario, scenarios) || fits("/" + file, "*/" + scenarios)
    }
}

extension ToolFault {
    fileprivate static func unmatchedGroup(_ gate: Gate, _ groups: [String]) -> Self {
        let pattern = gate.groups ?? ""
        return .unknown(
            .unmatchedGate, "\(gate.place.text.visible): no group matches \(BaselineFile.quote(pattern))", pattern,
            among: groups, help: "a gate that is about nothing would always pass")
    }

    fileprivate static func unmatched(_ gate: Gate, hasScenario: Bool, _ parts: [ComparePlan.Part]) -> Self {
        let (what, pattern) = hasScenario ? ("strategy", gate.strategies) : ("scenario", gate.scenarios)
        let known =
            hasScenario
            ? parts.flatMap { $0.scenario.strategies.map(\.name) } : parts.map(\.scenario.name)
        return .unknown(
            .unmatchedGate, "\(gate.place.text.visible): no \(what) matches \(BaselineFile.quote(pattern))", pattern,
            among: known, help: "a gate that is about nothing would always pass")
    }
}
