import DeadzoneBase
package import DeadzoneMetrics

/// The JSON Schemas (draft-07) of baseline files and comparison results, for programs that read them.
enum Schema {
    static let text: JSON = .object(["type": .string("string")])
    static let boolean: JSON = .object(["type": .string("boolean")])
    static let number: JSON = .object(["type": .string("number")])
    static let count: JSON = .object(["type": .string("integer"), "minimum": .integer(0)])
    static let positive: JSON = .object(["type": .string("integer"), "minimum": .integer(1)])
    static let numberOrNull: JSON = .object(["type": .array([.string("number"), .string("null")])])

    /// Value of a metric; null if there is no number.
    static let figure: JSON = .object(["anyOf": .array([numberOrNull, object(["at_least": number])])])

    static func enumeration(_ words: [String]) -> JSON { .object(["enum": .array(words.map { .string($0) })]) }
    static func list(_ item: JSON) -> JSON { .object(["type": .string("array"), "items": item]) }
    static func map(_ value: JSON) -> JSON { .object(["type": .string("object"), "additionalProperties": value]) }
    static func hex(_ digits: Int) -> JSON {
        .object(["type": .string("string"), "pattern": .string("^[0-9a-f]{\(digits)}$")])
    }
    static func nullable(_ schema: JSON) -> JSON {
        .object(["anyOf": .array([schema, .object(["type": .string("null")])])])
    }

    /// Schema of an object: all of `members` are required, `optionalMembers` are allowed, no others.
    static func object(_ members: [String: JSON], optionalMembers: [String: JSON] = [:]) -> JSON {
        .object([
            "type": .string("object"), "additionalProperties": .bool(false),
            "properties": .object(members.merging(optionalMembers) { first, _ in first }),
            "required": .array(members.keys.sorted().map { .string($0) }),
        ])
    }

    static func document(_ title: String, _ schema: JSON) -> JSON {
        guard case .object(var members) = schema else { return schema }
        members["$schema"] = .string("http://json-schema.org/draft-07/schema#")
        members["title"] = .string(title)
        return .object(members)
    }

    static let tool = object(["version": text])
}

extension Baseline {
    package static let jsonSchema: JSON = {
        // Null if there was nothing to measure, `never` if losses leave no number.
        let figure = JSON.object(["anyOf": .array([Schema.figure, Schema.enumeration(["never"])])])
        // One value, or the value over all replicas followed by those of the replicas.
        let metrics = Schema.map(.object(["anyOf": .array([figure, Schema.list(figure)])]))
        let hour = JSON.object(["type": .string("string"), "pattern": .string("^([A-Za-z0-9_-]{2})*$")])
        let strategy = Schema.object(
            [
                "strategy_hash": Schema.hex(64), "digests": Schema.list(Schema.hex(16)),
                "minutes": Schema.list(Schema.list(hour)), "metrics": metrics,
            ], optionalMembers: ["groups": Schema.map(metrics)])
        let run = Schema.object(
            [
                "world_hash": Schema.hex(64), "seed": Schema.count, "replicas": Schema.positive,
                "minute_s": Schema.positive, "strategies": Schema.map(strategy),
            ], optionalMembers: ["nothing": Schema.list(Schema.text), "order": Schema.list(Schema.text)])
        return Schema.document(
            "Deadzone baseline, version 2",
            Schema.object([
                "schema": Schema.enumeration([DocumentSchema.baseline.rawValue]), "tool": Schema.tool,
                "metrics": Schema.list(Schema.text),
                "scenarios": Schema.map(run),
            ]))
    }()
}

extension CompareReport {
    package static let jsonSchema: JSON = {
        let seed = JSON.object(["type": .string("string"), "pattern": .string("^[0-9]+$")])
        let against = JSON.object([
            "anyOf": .array([
                .object(["type": .string("null")]), Schema.object(["baseline": Schema.constant(true)]),
                Schema.object(["strategy": Schema.text]),
            ])
        ])
        let group = ["group": Schema.text]
        let regression = Schema.object(
            ["scenario": Schema.text, "strategy": Schema.text, "metric": Schema.text], optionalMembers: group)
        let undecided = Schema.object(
            [
                "scenario": Schema.text, "strategy": Schema.text, "metric": Schema.text,
                "needed_replicas": Schema.nullable(Schema.positive),
            ], optionalMembers: group)
        return Schema.document(
            "Deadzone comparison, version 1",
            Schema.object(
                [
                    "schema": Schema.enumeration([DocumentSchema.compare.rawValue]), "tool": Schema.tool,
                    "verdict": Schema.enumeration(StatedVerdict.allCases.map(\.rawValue)),
                    "complete": Schema.boolean, "ignore": Schema.number,
                    "against": against, "not_compared": Schema.list(uncompared),
                    "scenarios": Schema.list(scenario(seed)), "gates": Schema.list(gate(seed)),
                    "regressions": Schema.list(regression), "undecided": Schema.list(undecided),
                    "identical_scenarios": Schema.nullable(Schema.count), "recommended_gates": Schema.boolean,
                ], optionalMembers: ["not_judged": Schema.list(unjudged), "strict": Schema.boolean]))
    }()

    private static let unjudged = Schema.object(
        [
            "scenario": Schema.text, "strategy": Schema.text, "metric": Schema.text, "bound": Schema.text,
            "reason": Schema.text, "source": Schema.enumeration(["scenario", "gates"]),
        ], optionalMembers: ["group": Schema.text])

    private static let uncompared = Schema.object(
        [
            "scenario": Schema.text, "strategy": Schema.nullable(Schema.text),
            "reason": Schema.enumeration(Uncompared.UncomparedReason.allCases.map(\.rawValue)),
            "undecided_gates": Schema.count,
        ], optionalMembers: ["group": Schema.text])

    private static func scenario(_ seed: JSON) -> JSON {
        let change = Schema.object([
            "family": Schema.enumeration(MetricFamily.allCases.map(\.rawValue)), "fact": Schema.boolean,
            "negligible": Schema.boolean, "detectable": Schema.numberOrNull,
            "needed_replicas": Schema.nullable(Schema.positive),
            "new": Schema.figure, "old": Schema.figure, "difference": Schema.numberOrNull,
            "interval": Schema.nullable(Schema.list(Schema.number)), "confidence": Schema.numberOrNull,
            "p": Schema.number, "p_holm": Schema.number,
            "test": Schema.enumeration(Contrast.Test.allCases.map(\.rawValue)), "pairs": Schema.count,
            "lower": Schema.count, "same": Schema.count, "higher": Schema.count,
            "decision": Schema.enumeration(["better", "worse", "changed", "small", "undecided"]),
        ])
        let divergence = Schema.object([
            "replica": Schema.count, "seed": seed, "from_s": Schema.numberOrNull, "length_s": Schema.number,
            "events": Schema.list(Schema.text), "unseen_events": Schema.count,
        ])
        let group = Schema.object(["name": Schema.text, "metrics": Schema.map(change)])
        let strategy = Schema.object(
            [
                "name": Schema.text, "strategy_hash": Schema.hex(64), "reference_hash": Schema.hex(64),
                "against": Schema.text, "paired": Schema.boolean, "replicas_compared": Schema.count,
                "unchanged_replicas": Schema.nullable(Schema.count), "metrics": Schema.map(change),
                "unmeasured": Schema.list(Schema.text), "first_divergence": Schema.nullable(divergence),
            ], optionalMembers: ["groups": Schema.list(group), "former_name": Schema.text])
        return Schema.object(
            [
                "name": Schema.text, "world_hash": Schema.hex(64), "seed": Schema.count, "replicas": Schema.positive,
                "troubles": Schema.list(Schema.text), "strategies": Schema.list(strategy),
            ], optionalMembers: ["baseline_replicas": Schema.positive])
    }

    private static func gate(_ seed: JSON) -> JSON {
        let worst = Schema.object([
            "replica": Schema.count, "seed": seed, "value": Schema.figure, "reference": Schema.figure,
        ])
        let bound = JSON.object(["anyOf": .array([Schema.numberOrNull, Schema.list(Schema.number)])])
        return Schema.object(
            [
                "scenario": Schema.text, "strategy": Schema.text, "metric": Schema.text,
                "level": Schema.enumeration(["warn", "error"]), "source": Schema.enumeration(["scenario", "gates"]),
                "op": Schema.enumeration(["==", "<", "<=", ">", ">=", "in"]), "bound": bound, "value": Schema.figure,
                "verdict": Schema.enumeration(["pass", "fail"]),
            ],
            optionalMembers: [
                "group": Schema.text, "of": Schema.text, "ratio": Schema.number, "reason": Schema.text,
                "note": Schema.text, "worst": worst,
            ])
    }
}

extension Schema {
    fileprivate static func constant(_ truth: Bool) -> JSON { .object(["const": .bool(truth)]) }
}
