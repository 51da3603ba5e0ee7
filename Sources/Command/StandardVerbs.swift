import DeadzoneHost
import DeadzoneRuns

extension CommandTable {
    /// All verbs of `deadzone`.
    static let standard: CommandTable = CommandTable(verbs: [
        .run, .sweep, .merge, .compare, .check, .baseline, .reporting, .replay, .day, .live, .fit, .schedule, .boundary,
        .tune, .hunt, .studio, .laws, .claims, .lint,
        .schema, .initialize, .list, .explain, .guide, .completions, .cache, .doctor, .help, .version,
    ])
}

/// Version, commit and build.
let versionLine = "deadzone \(toolVersion) (\(Build.summary))\n"

extension Verb {
    static let version = Verb(
        "version", "Print the version",
        examples: [Example("deadzone version", "print the version; for a bug report, use `deadzone doctor`")],
        next: [Example("deadzone doctor", "show version and system, and check this installation")]
    ) { _, context in
        context.output.write(versionLine)
        return .ok
    }
}
