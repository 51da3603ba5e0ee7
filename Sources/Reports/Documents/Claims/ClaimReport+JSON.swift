package import DeadzoneMetrics

extension ClaimReport {
    /// JSON document, `DocumentSchema.claims`.
    package static func json(_ reports: [ClaimReport]) -> JSON {
        .object(["schema": DocumentSchema.claims.json, "claims": .array(reports.map(\.json))])
    }

    private var json: JSON {
        let way: String =
            switch method {
            case .scenario(let name): "scenario \(worldChange.file ?? "claims/\(name).yaml")"
            case .computation: "computation"
            }
        var members: [String: JSON] = [
            "id": .string(id), "article": .string(article.title), "claim": .string(claim), "value": .string(value),
            "measured": .string(measured), "verdict": .string(verdict.rawValue), "how": .string(way),
            "again": .string(rerunCommand), "instead": .string(instead),
            "rule": .array(
                rule.bounds.map { .object(["finding": .string($0.finding), "bound": .string($0.words)]) }),
            "cells": .array(cells.map(\.json)),
        ]
        if !worldChange.isEmpty { members["world"] = worldChange.json }
        return .object(members)
    }
}

extension ClaimReport.WorldChange {
    fileprivate var json: JSON {
        .object([
            "file": file.map(JSON.string) ?? .null, "set": .array(settings.map(JSON.string)),
            "seed": seed.map { .integer(Int128($0)) } ?? .null,
            "replicas": replicas.map { .integer(Int128($0)) } ?? .null,
        ])
    }
}

extension ClaimReport.ClaimCell {
    fileprivate var json: JSON {
        .object([
            "name": .string(name), "verdict": .string(verdict.rawValue),
            "findings": .array(
                findings.map { finding in
                    .object([
                        "name": .string(finding.name), "unit": .string(finding.unit.rawValue),
                        "value": Figure?.some(finding.figure).json,
                        "ci95": finding.interval.map {
                            .array([Figure?.some($0.low).json, Figure?.some($0.high).json])
                        } ?? .null,
                    ])
                }),
        ])
    }
}
