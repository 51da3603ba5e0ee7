import DeadzoneReports
import DeadzoneRuns

extension ToolFault {
    /// The output of `--json` if there is no result, with `DocumentSchema.errors`.
    var json: JSON {
        .object([
            "schema": DocumentSchema.errors.json,
            "errors": .array([
                .object([
                    "code": .string(code.rawValue), "message": .string(message),
                    "help": .array(help.map { .string($0) }),
                ])
            ]),
        ])
    }
}

extension ToolFaults {
    /// The same for several faults.
    var json: JSON {
        .object([
            "schema": DocumentSchema.errors.json,
            "errors": .array(
                faults.prefix(Self.shown).flatMap { fault -> [JSON] in
                    if case .object(let document) = fault.json { document["errors"]?.items ?? [] } else { [] }
                }),
        ])
    }
}
