import DeadzoneBase
package import DeadzoneMetrics

extension CompareReport {
    /// JSON document, `DocumentSchema.compare`. Like every result, it contains no path and no argument. Replica
    /// seeds are strings, because many readers store numbers as doubles.
    package var json: JSON {
        var members: [String: JSON] = [
            "schema": DocumentSchema.compare.json, "tool": .object(["version": .string(tool)]),
            "verdict": .string(statedVerdict.rawValue), "complete": .bool(isComplete), "ignore": .number(floor.double),
            "not_compared": .array(uncompared.map(\.json)),
            "scenarios": .array(scenarios.map(\.json)), "gates": .array(outcomes.map(\.json)),
            "regressions": .array(
                regressions.map {
                    .object(
                        $0.subject.json.merging([
                            "scenario": .string($0.scenario.name), "metric": .string($0.change.metric.name),
                        ]) { first, _ in first })
                }),
        ]
        members["identical_scenarios"] = identicalScenarios.map { .integer(Int128($0)) } ?? .null
        members["recommended_gates"] = .bool(usesRecommendedGates && reference == .baseline)
        members["undecided"] = .array(
            openQuestions.map {
                .object(
                    $0.subject.json.merging([
                        "scenario": .string($0.scenario.name), "metric": .string($0.change.metric.name),
                        "needed_replicas": $0.change.neededReplicas.map { .integer(Int128($0)) } ?? .null,
                    ]) { first, _ in first })
            })
        if isStrict { members["strict"] = .bool(true) }
        if !unjudged.isEmpty { members["not_judged"] = .array(unjudged.map(\.json)) }
        members["against"] =
            switch reference {
            case .none: .null
            case .baseline: .object(["baseline": .bool(true)])
            case .strategy(let name): .object(["strategy": .string(name)])
            }
        return .object(members.merging(roomJSON) { $1 })
    }
}

extension Uncompared {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "scenario": .string(scenario), "strategy": strategy.map { .string($0) } ?? .null,
            "reason": .string(reason.rawValue), "undecided_gates": .integer(Int128(undecidedGates)),
        ]
        if let group { members["group"] = .string(group) }
        return .object(members)
    }
}

extension UnjudgedBound {
    fileprivate var json: JSON {
        guard case .object(var members) = bound.json else { return .null }
        members["scenario"] = .string(scenario)
        members["source"] = .string(place.isExpectation ? "scenario" : "gates")
        return .object(members)
    }
}

extension ComparedScenario {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(name), "world_hash": .string(worldHash), "seed": .integer(Int128(seed)),
            "replicas": .integer(Int128(replicas)), "troubles": .array(troubles.map { .string($0) }),
            "strategies": .array(comparisons.map(\.json)),
        ]
        if let baselineReplicas, partlyCompared != nil {
            members["baseline_replicas"] = .integer(Int128(baselineReplicas))
        }
        return .object(members)
    }
}

extension StrategyComparison {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(strategy), "strategy_hash": .string(hash), "reference_hash": .string(oldHash),
            "against": against.map { .string($0) } ?? .string(GateJudge.baseline), "paired": .bool(isPaired),
            "replicas_compared": .integer(Int128(replicas)),
            "unchanged_replicas": unchangedReplicas.map { .integer(Int128($0)) } ?? .null,
            "metrics": metrics, "unmeasured": .array(unmeasured.map { .string($0) }),
        ]
        members["first_divergence"] = divergence?.json ?? .null
        if let formerName { members["former_name"] = .string(formerName) }
        if !groups.isEmpty {
            members["groups"] = .array(
                groups.map { part in
                    .object([
                        "name": .string(part.group ?? ""), "metrics": part.metrics,
                    ])
                })
        }
        return .object(members)
    }
}

extension StrategyComparison {
    /// Metrics that differ.
    fileprivate var metrics: JSON {
        .object(
            Dictionary(uniqueKeysWithValues: changes.filter { $0.decision != .same }.map { ($0.metric.name, $0.json) }))
    }
}

extension Subject {
    /// JSON members that identify the subject.
    var json: [String: JSON] {
        var members: [String: JSON] = ["strategy": .string(strategy)]
        if let group { members["group"] = .string(group) }
        return members
    }
}

extension Divergence {
    var json: JSON {
        .object([
            "replica": .integer(Int128(replica)), "seed": .string(String(seed)),
            "from_s": from.map { .number(Double($0.nanoseconds) / 1e9) } ?? .null,
            "length_s": .number(Double(length.nanoseconds) / 1e9),
            "events": .array(events.map { .string($0) }), "unseen_events": .integer(Int128(unseen)),
        ])
    }
}

extension MetricChange {
    fileprivate var json: JSON {
        .object([
            "family": .string(family.rawValue), "fact": .bool(isFact), "negligible": .bool(isNegligible),
            "detectable": detectable.map { .number($0.double) } ?? .null,
            "needed_replicas": neededReplicas.map { .integer(Int128($0)) } ?? .null,
            "new": Figure?.some(new).json, "old": Figure?.some(old).json, "decision": .string(decision.rawValue),
            "test": .string(contrast.test.rawValue),
            "pairs": .integer(Int128(contrast.count)), "p": .number(contrast.p), "p_holm": .number(adjusted),
            "difference": contrast.difference.map(Self.json) ?? .null,
            "interval": contrast.interval.map { .array([Self.json($0.lowerBound), Self.json($0.upperBound)]) } ?? .null,
            "confidence": contrast.confidence.map { .number(($0 * 1e6).rounded() / 1e6) } ?? .null,
            "lower": .integer(Int128(contrast.lower)), "same": .integer(Int128(contrast.same)),
            "higher": .integer(Int128(contrast.higher)),
        ])
    }

    private static func json(_ difference: Int128) -> JSON { .number(Billionths(count: difference).double) }
}

extension GateOutcome {
    fileprivate var json: JSON {
        guard case .object(var members) = outcome.json else { return .null }
        members["scenario"] = .string(scenario)
        members["strategy"] = .string(subject.strategy)
        members["level"] = .string(level.rawValue)
        members["source"] = .string(isExpectation ? "scenario" : "gates")
        if let worst {
            members["worst"] = .object([
                "replica": .integer(Int128(worst.replica)), "seed": .string(String(worst.seed)),
                "value": Figure?.some(worst.value).json, "reference": worst.reference.json,
            ])
        }
        return .object(members)
    }
}
