import DeadzoneBase
package import DeadzoneMetrics

extension LiveReport {
    /// JSON document, `DocumentSchema.live`. Metrics that could not be observed are omitted, never zero.
    package var json: JSON {
        var strategies = [clientJSON]
        if let twin { strategies.append(Self.strategy(twin.name + " (simulated)", twin.measurement, measuredMetrics)) }
        return .object([
            "schema": DocumentSchema.live.json, "tool": .object(["version": .string(tool)]),
            "live": .bool(true), "seed": .integer(Int128(seed)), "runs": .integer(Int128(lengths.count)),
            "verdict": .string(isUnjudged ? "not_judged" : verdict.rawValue), "complete": .bool(isComplete),
            "scenario": .object([
                "name": .string(scenario.name), "world_hash": .string(scenario.worldHash),
                "duration_s": Self.seconds(scenario.duration), "resolved": .string(scenario.resolved),
            ]),
            "strategies": .array(strategies),
            "not_enacted": .array(unsupported.map { .string("\($0.what): \($0.why)") }),
            "troubles": .array(troubles.map { .string($0) }),
            "not_judged": .array(unjudged.map { .string($0) }), "notes": .array(notes.map { .string($0) }),
            "late": .object(["packets": packetsLate.json, "changes": changesLate.json]),
        ])
    }

    private var clientJSON: JSON {
        guard case .object(var members) = Self.strategy(name, measurement, measuredMetrics) else { return .null }
        members["attempts"] = .array(attempts.map(\.json))
        members["laws"] = .array(presetChecks.map(\.json))
        members["flows"] = .array(flows.map(\.json))
        members["lines"] = .array(lines.map { $0.line.json(run: $0.run, server: $0.server) })
        members["expect"] = .array(outcomes.map(\.json))
        members["client"] = .array(clientCodes.map { code in code.map { .integer(Int128($0)) } ?? .null })
        return .object(members)
    }

    private static func strategy(_ name: String, _ measurement: Measurement, _ seen: [String]) -> JSON {
        func table(_ rows: [(name: String, joules: Billionths)]) -> JSON {
            let rows = rows.filter { $0.joules != .zero }.map { ($0.name, JSON.number($0.joules.double)) }
            return .object(Dictionary(uniqueKeysWithValues: rows))
        }
        return .object([
            "name": .string(name),
            "metrics": .object(Dictionary(uniqueKeysWithValues: seen.map { ($0, measurement.figure($0).json) })),
            "energy": .object([
                "by_state": table(measurement.energyByState), "by_cause": table(measurement.energyByCause),
            ]),
        ])
    }

    static func seconds(_ span: TimeSpan?) -> JSON {
        span.map { .number(Billionths(count: Int128($0.nanoseconds)).double) } ?? .null
    }

    static func seconds(_ instant: Instant?) -> JSON { seconds(instant.map { $0 - Instant.zero }) }
}

extension LiveReport.ObservedAttempt {
    fileprivate var json: JSON {
        .object([
            "run": .integer(Int128(run)), "n": .integer(Int128(number)), "at_s": LiveReport.seconds(at),
            "after_loss_s": LiveReport.seconds(afterLoss), "wait_s": LiveReport.seconds(wait),
            "min_s": LiveReport.seconds(bounds?.lowerBound),
            "max_s": bounds?.upperBound == .longest ? .null : LiveReport.seconds(bounds?.upperBound),
            "inside": isInside.map { .bool($0) } ?? .null, "opened": .bool(didOpen),
        ])
    }
}

extension LiveReport.PresetCheck {
    fileprivate var json: JSON {
        .object([
            "law": .string(name), "inside": .integer(Int128(inside)), "of": .integer(Int128(of)),
            "tolerance": .string(tolerance),
        ])
    }
}

extension LiveReport.ObservedFlow {
    fileprivate var json: JSON {
        .object([
            "run": .integer(Int128(run)), "flow": .string(name), "began_s": LiveReport.seconds(beganAt),
            "opened_s": LiveReport.seconds(openedAt), "ended_s": LiveReport.seconds(endedAt),
            "ending": ending.map { .string($0) } ?? .null, "up": up.json, "down": down.json,
            "silence_s": LiveReport.seconds(longestSilence), "resets": .integer(Int128(resets)),
        ])
    }
}

extension LiveReport.ObservedFlow.DirectionTotals {
    fileprivate var json: JSON {
        .object([
            "packets": .integer(Int128(packets)), "bytes": .integer(Int128(bytes)),
            "repeats": .integer(Int128(repeats)), "lost": .integer(Int128(lost)), "pings": .integer(Int128(pings)),
        ])
    }
}

extension LiveReport.LatenessSummary {
    fileprivate var json: JSON {
        .object([
            "count": .integer(Int128(count)), "p50_s": LiveReport.seconds(half), "p99_s": LiveReport.seconds(most),
            "max_s": LiveReport.seconds(longest),
        ])
    }
}
