public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// JSON Schemas (draft-07) of what comparisons write, for who reads it with a program.
private enum Schema {
    static let text: JSON = .object(["type": .string("string")])
    static let boolean: JSON = .object(["type": .string("boolean")])
    static let number: JSON = .object(["type": .string("number")])
    static let count: JSON = .object(["type": .string("integer"), "minimum": .integer(0)])
    static let positive: JSON = .object(["type": .string("integer"), "minimum": .integer(1)])
    static let numberOrNull: JSON = .object(["type": .array([.string("number"), .string("null")])])

    /// What a metric came to: null where there is no number.
    static let figure: JSON = .object(["anyOf": .array([numberOrNull, object(["at_least": number])])])

    static func words(_ words: [String]) -> JSON { .object(["enum": .array(words.map { .string($0) })]) }
    static func list(_ item: JSON) -> JSON { .object(["type": .string("array"), "items": item]) }
    static func map(_ value: JSON) -> JSON { .object(["type": .string("object"), "additionalProperties": value]) }
    static func hex(_ digits: Int) -> JSON {
        .object(["type": .string("string"), "pattern": .string("^[0-9a-f]{\(digits)}$")])
    }
    static func orNull(_ schema: JSON) -> JSON {
        .object(["anyOf": .array([schema, .object(["type": .string("null")])])])
    }

    /// Every member is there, unless it is one of `maybe`; none else is.
    static func object(_ members: [String: JSON], maybe: [String: JSON] = [:]) -> JSON {
        .object([
            "type": .string("object"), "additionalProperties": .bool(false),
            "properties": .object(members.merging(maybe) { first, _ in first }),
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
    public static let jsonSchema: JSON = {
        // Null where there was nothing to measure, a word where so much was lost that there is no number.
        let figure = JSON.object(["anyOf": .array([Schema.figure, Schema.words(["never"])])])
        let strategy = Schema.object([
            "name": Schema.text, "strategy_hash": Schema.hex(64), "digests": Schema.list(Schema.hex(16)),
            "minutes": Schema.list(.object(["type": .string("string"), "pattern": .string("^([0-9a-f]{4})*$")])),
            "metrics": Schema.map(figure), "each": Schema.map(Schema.list(figure)),
        ])
        let run = Schema.object([
            "name": Schema.text, "world_hash": Schema.hex(64), "seed": Schema.count, "replicas": Schema.positive,
            "minute_s": Schema.positive, "strategies": Schema.list(strategy),
        ])
        return Schema.document(
            "Deadzone baseline, version 1",
            Schema.object([
                "schema": Schema.words([Self.schema]), "tool": Schema.tool, "metrics": Schema.list(Schema.text),
                "scenarios": Schema.list(run),
            ]))
    }()
}

extension CompareReport {
    public static let jsonSchema: JSON = {
        let seed = JSON.object(["type": .string("string"), "pattern": .string("^[0-9]+$")])
        let against = JSON.object([
            "anyOf": .array([
                .object(["type": .string("null")]), Schema.object(["baseline": Schema.constant(true)]),
                Schema.object(["strategy": Schema.text]),
            ])
        ])
        let regression = Schema.object([
            "scenario": Schema.text, "strategy": Schema.text, "metric": Schema.text,
        ])
        return Schema.document(
            "Deadzone comparison, version 1",
            Schema.object([
                "schema": Schema.words(["deadzone/compare/1"]), "tool": Schema.tool,
                "verdict": Schema.words(["pass", "fail"]), "complete": Schema.boolean, "ignore": Schema.number,
                "against": against, "not_compared": Schema.list(uncompared), "scenarios": Schema.list(scenario(seed)),
                "gates": Schema.list(gate(seed)),
                "regressions": Schema.list(regression),
            ]))
    }()

    private static let uncompared = Schema.object([
        "scenario": Schema.text, "strategy": Schema.orNull(Schema.text),
        "reason": Schema.words(Uncompared.Reason.allCases.map(\.rawValue)), "undecided_gates": Schema.count,
    ])

    private static func scenario(_ seed: JSON) -> JSON {
        let change = Schema.object([
            "new": Schema.figure, "old": Schema.figure, "difference": Schema.numberOrNull,
            "interval": Schema.orNull(Schema.list(Schema.number)), "confidence": Schema.numberOrNull,
            "p": Schema.number, "p_holm": Schema.number,
            "test": Schema.words(Contrast.Test.allCases.map(\.rawValue)), "pairs": Schema.count,
            "lower": Schema.count, "same": Schema.count, "higher": Schema.count,
            "decision": Schema.words(["better", "worse", "changed", "small", "undecided"]),
        ])
        let divergence = Schema.object([
            "replica": Schema.count, "seed": seed, "from_s": Schema.numberOrNull, "length_s": Schema.number,
            "events": Schema.list(Schema.text), "unseen_events": Schema.count,
        ])
        let strategy = Schema.object([
            "name": Schema.text, "strategy_hash": Schema.hex(64), "reference_hash": Schema.hex(64),
            "against": Schema.text, "paired": Schema.boolean, "replicas_compared": Schema.count,
            "unchanged_replicas": Schema.orNull(Schema.count), "metrics": Schema.map(change),
            "unmeasured": Schema.list(Schema.text), "first_divergence": Schema.orNull(divergence),
        ])
        return Schema.object([
            "name": Schema.text, "world_hash": Schema.hex(64), "seed": Schema.count, "replicas": Schema.positive,
            "troubles": Schema.list(Schema.text), "strategies": Schema.list(strategy),
        ])
    }

    private static func gate(_ seed: JSON) -> JSON {
        let worst = Schema.object([
            "replica": Schema.count, "seed": seed, "value": Schema.figure, "reference": Schema.figure,
        ])
        let bound = JSON.object(["anyOf": .array([Schema.numberOrNull, Schema.list(Schema.number)])])
        return Schema.object(
            [
                "scenario": Schema.text, "strategy": Schema.text, "metric": Schema.text,
                "level": Schema.words(["warn", "error"]), "source": Schema.words(["scenario", "gates"]),
                "op": Schema.words(["==", "<", "<=", ">", ">=", "in"]), "bound": bound, "value": Schema.figure,
                "verdict": Schema.words(["pass", "fail"]),
            ],
            maybe: [
                "of": Schema.text, "ratio": Schema.number, "reason": Schema.text, "note": Schema.text, "worst": worst,
            ])
    }
}

extension Schema {
    fileprivate static func constant(_ truth: Bool) -> JSON { .object(["const": .bool(truth)]) }
}
