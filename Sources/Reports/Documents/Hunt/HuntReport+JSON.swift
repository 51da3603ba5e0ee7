import DeadzoneBase
package import DeadzoneMetrics

extension HuntReport {
    /// JSON document, `DocumentSchema.hunt`.
    package var json: JSON {
        .object([
            "schema": DocumentSchema.hunt.json, "tool": .object(["version": .string(tool)]),
            "scenario": .object(["name": .string(scenario), "world_hash": .string(worldHash)]),
            "strategy": .object(["name": .string(strategy), "strategy_hash": .string(strategyHash)]),
            "reference": reference.map(JSON.string) ?? .null, "seed": .integer(Int128(seed)),
            "verdict": .string(holds ? "pass" : "fail"), "complete": .bool(isComplete),
            "demands": .array(
                demands.indices.map { index in
                    .object([
                        "metric": .string(demands[index].metric), "bound": .string(demands[index].bound),
                        "verdict": .string(finds.contains { $0.demand == index } ? "fail" : "pass"),
                    ])
                }),
            "effort": .object([
                "budget": .integer(Int128(effort.budget)), "worlds": .integer(Int128(effort.worlds)),
                "refused": .integer(Int128(effort.refused)), "shrink_runs": .integer(Int128(effort.shrinkRuns)),
                "situations": .integer(Int128(effort.situations)), "grace_s": Self.seconds(effort.grace),
                "trouble_s": Self.seconds(effort.trouble),
            ]),
            "finds": .array(finds.map(json)),
        ])
    }

    private static func seconds(_ span: TimeSpan) -> JSON {
        .decimal(Billionths(count: Int128(span.nanoseconds)))
    }

    private func json(_ find: HuntFind) -> JSON {
        .object([
            "metric": .string(demands[find.demand].metric), "bound": .string(demands[find.demand].bound),
            "value": Figure?.some(find.value).json, "reference_value": find.reference.json,
            "world": .integer(Int128(find.world)), "found_entries": .integer(Int128(find.foundEntries)),
            "entries": .array(
                find.entries.map { .object(["text": .string($0.text), "story": .string($0.story)]) }),
            "messages": .array(find.messages.map(JSON.string)), "yaml": .string(find.yaml),
            "ranges": .array(find.ranges.map(json)),
            "seeds": .object([
                "broken": .integer(Int128(find.brokenSeeds)), "tested": .integer(Int128(find.testedSeeds)),
            ]),
            "survivors": .array(
                find.survivors.map { survivor in
                    .object([
                        "name": .string(survivor.name), "value": Figure?.some(survivor.value).json,
                        "distance": .integer(Int128(survivor.distance)),
                        "differences": .array(survivor.differences.map(JSON.string)),
                    ])
                }),
            "survivor_count": .integer(Int128(find.survivorCount)),
            "casualties": .array(find.casualties.map(JSON.string)),
            "file": find.file.map(JSON.string) ?? .null,
        ])
    }

    private func json(_ range: FreeRange) -> JSON {
        .object([
            "name": .string(range.name), "value_s": Self.seconds(range.value), "from_s": Self.seconds(range.from),
            "to_s": Self.seconds(range.to), "open_below": .bool(range.isOpenBelow),
            "open_above": .bool(range.isOpenAbove),
        ])
    }

    /// Schema of the document.
    package static let jsonSchema: JSON = {
        let range = Schema.object([
            "name": Schema.text, "value_s": Schema.number, "from_s": Schema.number, "to_s": Schema.number,
            "open_below": Schema.boolean, "open_above": Schema.boolean,
        ])
        let survivor = Schema.object([
            "name": Schema.text, "value": Schema.figure, "distance": Schema.count,
            "differences": Schema.list(Schema.text),
        ])
        let find = Schema.object([
            "metric": Schema.text, "bound": Schema.text, "value": Schema.figure, "reference_value": Schema.figure,
            "world": Schema.positive, "found_entries": Schema.count,
            "entries": Schema.list(Schema.object(["text": Schema.text, "story": Schema.text])),
            "messages": Schema.list(Schema.text), "yaml": Schema.text, "ranges": Schema.list(range),
            "seeds": Schema.object(["broken": Schema.count, "tested": Schema.count]),
            "survivors": Schema.list(survivor), "survivor_count": Schema.count,
            "casualties": Schema.list(Schema.text), "file": Schema.nullable(Schema.text),
        ])
        let demand = Schema.object([
            "metric": Schema.text, "bound": Schema.text, "verdict": Schema.enumeration(["pass", "fail"]),
        ])
        let effort = Schema.object([
            "budget": Schema.positive, "worlds": Schema.count, "refused": Schema.count, "shrink_runs": Schema.count,
            "situations": Schema.count, "grace_s": Schema.number, "trouble_s": Schema.number,
        ])
        return Schema.document(
            "Deadzone hunt, version 1",
            Schema.object([
                "schema": Schema.enumeration([DocumentSchema.hunt.rawValue]), "tool": Schema.tool,
                "scenario": Schema.object(["name": Schema.text, "world_hash": Schema.hex(64)]),
                "strategy": Schema.object(["name": Schema.text, "strategy_hash": Schema.hex(64)]),
                "reference": Schema.nullable(Schema.text), "seed": Schema.count,
                "verdict": Schema.enumeration(["pass", "fail"]), "complete": Schema.boolean,
                "demands": Schema.list(demand), "effort": effort, "finds": Schema.list(find),
            ]))
    }()
}

extension CorpusReport {
    /// JSON document, `DocumentSchema.corpus`.
    package var json: JSON {
        .object([
            "schema": DocumentSchema.corpus.json, "tool": .object(["version": .string(tool)]),
            "verdict": .string(holds ? "pass" : "fail"), "complete": .bool(isComplete),
            "troubles": .array(troubles.map(JSON.string)),
            "outcomes": .array(
                outcomes.map { outcome in
                    .object([
                        "file": .string(outcome.file), "scenario": .string(outcome.scenario),
                        "strategy": .string(outcome.strategy), "metric": .string(outcome.metric),
                        "demand": .string(outcome.threshold.words(outcome.unit, nil)),
                        "value": Figure?.some(outcome.value).json,
                        "verdict": .string(outcome.isKept ? "pass" : "fail"),
                    ])
                }),
        ])
    }
}
