import DeadzoneBase
package import DeadzoneFit

extension FitReport {
    /// JSON document, `DocumentSchema.fit`.
    package var json: JSON {
        .object([
            "schema": DocumentSchema.fit.json, "tool": .object(["version": .string(tool)]),
            "recordings": .array(recordings.map { .string($0) }), "waits": .integer(Int128(waits)),
            "pings": .integer(Int128(pings)), "like": like.map { .string($0) } ?? .null,
            "is_like": isLike, "verdict": verdict.map { .string($0.rawValue) } ?? .null,
            "found": .array(findings.map(\.json)),
            "not_told": .array(
                undetermined.map { .object(["setting": .string($0.setting), "why": .string($0.why)]) }),
            "complaints": .array(mismatches.map { .string($0) }),
            "attempts": judged.map {
                .object(["inside": .integer(Int128($0.inside)), "of": .integer(Int128($0.of))])
            } ?? .null,
            "unexplained": .array(unexplained.map { .string($0) }),
            "notes": .array(notes.map { .string($0) }), "yaml": .string(yaml),
        ])
    }

    /// Null without a preset, and if the recordings cannot decide.
    private var isLike: JSON {
        switch verdict {
        case .contradicted: .bool(false)
        case .notContradicted: .bool(true)
        case .undecided, nil: .null
        }
    }
}

extension FitReport.FittedSetting {
    fileprivate var json: JSON {
        .object([
            "setting": .string(setting), "value": .string(value), "allowed": .string(allowed),
            "min": range.map { .number($0.lowerBound) } ?? .null, "max": range.map { .number($0.upperBound) } ?? .null,
            "preset": preset.map { .string($0) } ?? .null, "refuted": .bool(isRefuted),
            "not_judged": notJudged.map { .string($0) } ?? .null,
        ])
    }
}
