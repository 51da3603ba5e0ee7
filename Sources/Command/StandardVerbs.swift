import DeadzoneHost
import DeadzoneRuns

extension CommandTable {
    /// What `deadzone` can do.
    static let standard: CommandTable = CommandTable(verbs: [
        .run, .sweep, .merge, .compare, .baseline, .reporting, .replay, .live, .fit, .schedule, .boundary, .laws,
        .claims, .lint,
        .schema, .initialize, .list, .explain, .guide, .completions, .doctor, .help, .version,
    ])
}

/// Version, commit and build.
let versionLine = "deadzone \(toolVersion) (\(Build.words))\n"

extension Verb {
    static let version = Verb(
        "version", "prints the version",
        examples: [Example("deadzone version", "for a bug report, doctor says more")],
        next: [Example("deadzone doctor", "version, system and a self-check")]
    ) { _, surroundings in
        surroundings.output.write(versionLine)
        return .ok
    }
}
