import DeadzoneBase
package import DeadzoneMetrics

extension RunReport {
    /// JSON document, `DocumentSchema.run`.
    package var json: JSON {
        var members: [String: JSON] = [
            "schema": DocumentSchema.run.json,
            "tool": .object(["version": .string(tool)]),
            "seed": .integer(Int128(seed)),
            "replicas": .integer(Int128(replicas)),
            "selection": .array(strategies.map { .string($0.name) }),
            "verdict": .string(verdict.rawValue),
            "complete": .bool(isComplete),
            "vacuous": .array(vacuous.map { .string($0) }),
            "scenario": scenario.json,
            "model": model.json,
            "strategies": .array(strategies.map(\.json)),
        ]
        if !isComplete { members["incomplete"] = .bool(true) }
        if !unjudged.isEmpty { members["not_judged"] = .array(unjudged.map(\.json)) }
        if let replica = focus.replica { members["replica"] = .integer(Int128(replica)) }
        if let phone = focus.phone { members["phone"] = .integer(Int128(phone)) }
        return .object(members)
    }

    /// JSON document, `DocumentSchema.runs`, for several scenarios or the cells of a matrix.
    /// - Parameters:
    ///   - across: comparisons across networks. Without any, the document has no `across`.
    ///   - isComplete: `false` if the command was stopped before all of them had run; `runs` may then be empty.
    package static func json(of runs: [RunReport], across: [AcrossReport] = [], isComplete: Bool = true) -> JSON {
        var members: [String: JSON] = [
            "schema": DocumentSchema.runs.json, "runs": .array(runs.map(\.json)),
        ]
        if !across.isEmpty { members["across"] = .array(across.map(\.json)) }
        if !isComplete { members["incomplete"] = .bool(true) }
        return .object(members)
    }
}

extension ScenarioFacts {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(name),
            "about": .string(about),
            "duration_s": .number(Double(duration.nanoseconds) / 1e9),
            "phones": .integer(Int128(phones)),
            "world_hash": .string(worldHash),
            "resolved": .string(resolved),
        ]
        if !cell.isEmpty {
            members["cell"] = .object(Dictionary(cell.map { ($0.key, .string($0.value)) }) { first, _ in first })
        }
        return .object(members)
    }
}

extension ModelNotes {
    fileprivate var json: JSON {
        let radios = self.radios.map { radio in
            JSON.object(
                radio.profile.members.merging([
                    "interface": .string(radio.interface.name), "profile": .string(radio.profile.name),
                ]) { first, _ in first })
        }
        var members: [String: JSON] = ["radios": .array(radios), "limits": .array(limits.map { .string($0) })]
        if !population.isEmpty { members["population"] = .array(population.map { .string($0) }) }
        if let platform {
            members["platform"] = .object(
                platform.members.merging(["name": .string(platform.name)]) { first, _ in first })
        }
        return .object(members)
    }
}

extension ModelNote {
    fileprivate var members: [String: JSON] {
        [
            "source": .string(sources.joined(separator: "; ")),
            "assumed": .array(assumed.map { .string($0) }),
        ]
    }
}

extension StrategyReport {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(name),
            "strategy_hash": .string(hash),
            "digest": .string(digest),
            "stops": .array(stops.map { .string($0) }),
            "metrics": .object(measurement.metrics),
            "ci95": .object(measurement.intervals),
            "energy": .object([
                "by_state": .object(Self.table(measurement.energyByState, visited)),
                "by_cause": .object(Self.table(measurement.energyByCause) { _ in true }),
            ]),
            "losses": measurement.losses.json,
            "entries": .array(entries.filter(\.isCharged).map(\.json)),
            "radio": .object(radio),
            "expect": .array(outcomes.map(\.json)),
        ]
        if !groups.isEmpty { members["groups"] = .array(groups.map(\.json)) }
        if !witnesses.isEmpty { members["witness"] = .object(witnesses.mapValues(\.json)) }
        return .object(members)
    }

    private var radio: [String: JSON] {
        Dictionary(
            uniqueKeysWithValues: measurement.radioTime.map { radio in
                let states = radio.states.filter { $0.seconds != .zero }
                return (
                    radio.radio,
                    .object(Dictionary(uniqueKeysWithValues: states.map { ($0.name, .number($0.seconds.double)) }))
                )
            })
    }

    /// `true` if a phone was in this state. States of unused technologies would only add zeros. The processor's state
    /// is always included.
    private func visited(_ state: String) -> Bool {
        state == "cpu.wake"
            || measurement.radioTime.contains { radio in
                radio.states.contains { "\(radio.radio).\($0.name)" == state && $0.seconds != .zero }
            }
    }

    private static func table(
        _ rows: [(name: String, joules: Billionths)], _ isListed: (String) -> Bool
    ) -> [String: JSON] {
        let listed = rows.filter { isListed($0.name) || $0.joules != .zero }
        return Dictionary(uniqueKeysWithValues: listed.map { ($0.name, .number($0.joules.double)) })
    }
}

extension GroupReport {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(name),
            "phones": .integer(Int128(phones)),
            "metrics": .object(measurement.metrics),
            "ci95": .object(measurement.intervals),
        ]
        if let strategy { members["strategy"] = .string(strategy) }
        return .object(members)
    }
}

extension Measurement {
    /// All metrics except the parts of `battery.joules`, which are under `energy`.
    fileprivate var metrics: [String: JSON] {
        let listed = Catalogue.all.filter { !$0.isPartOfEnergy }
        return Dictionary(uniqueKeysWithValues: listed.map { ($0.name, figure($0.name).json) })
    }

    fileprivate var intervals: [String: JSON] {
        var members: [String: JSON] = [:]
        for metric in Catalogue.all where !metric.isPartOfEnergy {
            guard let interval = interval(metric.name) else { continue }
            members[metric.name] = .array([Figure?.some(interval.low).json, Figure?.some(interval.high).json])
        }
        return members
    }
}

extension Witness {
    fileprivate var json: JSON {
        .object(["replica": .integer(Int128(replica)), "phone": .integer(Int128(phone))])
    }
}

extension Outcome {
    var json: JSON {
        var members: [String: JSON] = [
            "metric": .string(expectation.metric),
            "op": .string(expectation.threshold.relation.rawValue),
            "value": Figure?.some(value).json,
            "verdict": .string(verdict.rawValue),
        ]
        members["bound"] =
            bounds.map { bounds in
                expectation.threshold.relation == .between
                    ? .array([.number(bounds.lowerBound.double), .number(bounds.upperBound.double)])
                    : .number(bounds.lowerBound.double)
            } ?? .null
        switch expectation.threshold.bound {
        case .share(let ratio, let name), .around(let ratio, let name):
            members["of"] = .string(name)
            members["ratio"] = .number(ratio.double)
        case .value, .range: break
        }
        if let group = expectation.subject.group { members["group"] = .string(group) }
        if let reason { members["reason"] = .string(reason) }
        if let note { members["note"] = .string(note) }
        return .object(members)
    }
}

extension Figure? {
    var json: JSON {
        if case .atLeast(let value)? = self { return .object(["at_least": .number(value.double)]) }
        return (self?.double).map { .number($0) } ?? .null
    }
}
