import DeadzoneBase
package import DeadzoneMetrics

extension TuneReport {
    /// JSON document with every evaluated point, `DocumentSchema.tune`.
    package var json: JSON {
        var members: [String: JSON] = [
            "schema": DocumentSchema.tune.json, "tool": .object(["version": .string(tool)]),
            "strategy": .string(strategy), "seed": .integer(Int128(seed)), "replicas": .integer(Int128(replicas)),
            "outcome": .string(outcome.rawValue), "complete": .bool(isComplete),
            "scenarios": .array(
                scenarios.map {
                    .object([
                        "name": .string($0.name), "world_hash": .string($0.worldHash), "held_out": .bool($0.isHeldOut),
                    ])
                }),
            "settings": .array(
                settings.map {
                    .object([
                        "name": .string($0.name), "present": $0.present.map(JSON.string) ?? .null,
                        "range": .string($0.range),
                    ])
                }),
            "goals": .array(goals.map { .string($0.name) }),
            "demands": .array(
                demands.map {
                    .object([
                        "demand": .string(text(of: $0)), "metric": .string($0.name), "implied": .bool($0.isImplied),
                    ])
                }),
            "effort": effort.json, "points": .array(points.map(json)), "troubles": .array(troubles.map(JSON.string)),
        ]
        members["rows"] = .array(rows.map(json))
        members["proposed"] = proposed.map { .string(title(of: rows[$0])) } ?? .null
        if !unvariedSwitches.isEmpty { members["not_varied"] = .array(unvariedSwitches.map(JSON.string)) }
        guard isComplete else { return .object(members) }
        members["present"] = json(present)
        members["front"] = .array(front.map(json))
        members["path"] = .array(
            path.map { step in
                .object([
                    "settings": .array(step.settings.map { .string(settings[$0].name) }),
                    "text": .string(text(of: step)),
                    "changes": changes(step.changes), "without": changes(step.without),
                ])
            })
        members["edges"] = .array(edges.map(json))
        members["overfit"] = .object(
            Dictionary(
                uniqueKeysWithValues: zip(goals, overfit).map { metric, overfit in
                    (
                        metric.name,
                        .object([
                            "mean": .number(overfit.mean), "least": .number(overfit.range.lowerBound),
                            "most": .number(overfit.range.upperBound), "points": .integer(Int128(overfit.points)),
                        ])
                    )
                }))
        return .object(members)
    }

    /// Only the values that differ from the present ones.
    private func changed(_ values: [String?]) -> JSON {
        .object(
            Dictionary(
                uniqueKeysWithValues: zip(settings, values).compactMap { setting, value in
                    value.map { (setting.name, .string($0)) }
                }))
    }

    private func json(_ edge: TuneEdge) -> JSON {
        .object([
            "setting": .string(settings[edge.setting].name), "value": .string(edge.value),
            "demand": .string(text(of: demands[edge.demand])),
        ])
    }

    private func json(_ point: TunePoint) -> JSON {
        .object([
            "values": changed(point.values), "ratios": .array(point.objectives.map(JSON.number)),
            "violation": .number(point.violation), "replicas": .integer(Int128(point.replicas)),
            "front": .bool(point.isOnFront),
        ])
    }

    private func json(_ row: TuneRow) -> JSON {
        var members: [String: JSON] = ["values": changed(row.values)]
        if !row.kinds.isEmpty { members["title"] = .string(title(of: row)) }
        if !row.paste.isEmpty { members["yaml"] = .string(row.paste) }
        if !row.claimed.isEmpty {
            members["claimed"] = .array(row.claimed.map { $0.map(JSON.number) ?? .null })
        }
        guard !row.results.isEmpty else { return .object(members) }
        members["changes"] = changes(row.changes)
        members["meets_demands"] = .bool(row.meetsDemands)
        members["results"] = .array(row.results.indices.map { json(row.results[$0], scenarios[$0].name) })
        return .object(members)
    }

    private func json(_ result: TuneResult, _ scenario: String) -> JSON {
        let metrics = goals.indices.map { goal -> (String, JSON) in
            let interval = result.intervals[goal].map {
                JSON.array([Figure?.some($0.low).json, Figure?.some($0.high).json])
            }
            return (
                goals[goal].name,
                .object([
                    "value": Figure?.some(result.figures[goal]).json, "ci95": interval ?? .null,
                    "mean": Figure?.some(result.means[goal]).json, "change": json(result.changes[goal]),
                ])
            )
        }
        var members: [String: JSON] = [
            "scenario": .string(scenario), "metrics": .object(Dictionary(uniqueKeysWithValues: metrics)),
            "demands": .array(
                zip(demands, result.demands).map { demand, result in
                    .object([
                        "demand": .string(text(of: demand)), "value": Figure?.some(result.figure).json,
                        "kept": .bool(result.isKept), "kept_replicas": .integer(Int128(result.keptReplicas)),
                    ])
                }),
        ]
        guard !result.worse.isEmpty else { return .object(members) }
        let worse = result.worse.map { worse in
            (
                worse.metric.name,
                JSON.object(["present": Figure?.some(worse.present).json, "value": Figure?.some(worse.new).json])
            )
        }
        members["worse"] = .object(Dictionary(uniqueKeysWithValues: worse))
        return .object(members)
    }

    private func changes(_ changes: [RelativeChange]) -> JSON {
        .object(Dictionary(uniqueKeysWithValues: zip(goals, changes).map { ($0.name, json($1)) }))
    }

    private func json(_ change: RelativeChange) -> JSON {
        .object([
            "ratio": change.change.map { .number($0) } ?? .null, "p": .number(change.p),
            "decided": .bool(change.isDecided),
            "ci95": change.interval.map { .array([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null,
        ])
    }
}

extension TuneReport.TuneEffort {
    fileprivate var json: JSON {
        .object([
            "budget": .integer(Int128(budget)), "search_runs": .integer(Int128(searchRuns)),
            "check_runs": .integer(Int128(checkRuns)), "points": .integer(Int128(points)),
            "raised": .integer(Int128(raised)), "refused": .integer(Int128(refused)),
        ])
    }
}
