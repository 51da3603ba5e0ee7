import DeadzoneRuns

extension Flag {
    static let preset = Flag(
        "preset", takes: .word(GatePreset.all.map(\.name)), "Bounds to apply (default \(GatePreset.recommended1.name))")
}

extension Verb {
    static let check: Verb = Verb(
        "check", "Apply recommended bounds to scenarios, without writing any gates",
        arguments: .some("SCENARIO", "scenario files, folders, file name patterns, or - for standard input"),
        flags: [
            .preset, .baseline, .seed, .replicas, .strategy, .with, .only, .jobs, .noCache, .watch, .json, .out,
            .format, .exitZero, .strict, .annotate, .verbose,
        ], formats: CompareFormat.allCases.map(\.rawValue),
        examples: [
            Example("deadzone check mine.yaml", "check every strategy of a scenario against the recommended bounds"),
            Example("deadzone check mine.yaml --strategy ours", "check only your own client"),
            Example(
                "deadzone check Scenarios --baseline base.json",
                "for CI: what holds in the baseline must hold; the rest only warns"),
        ],
        next: [
            Example("deadzone guide gates", "read which bounds the preset has, and how to write your own"),
            Example("deadzone baseline save mine.yaml --baseline base.json", "save the results to compare with"),
        ],
        wordings: [CompareOptions.strictWording],
        details: """
            Exits with 1 if a client breaks a bound of the preset, or an expectation of the scenario. An expectation
            replaces the preset's bound of the same metric. With --baseline, the recommended gates apply too: no primary
            metric may become worse. A bound that the baseline already breaks is then only a warning.

            The preset recommended@1 requires no lost messages, no connection that is dead for ten minutes while the
            client believes in it, recovery within two minutes (p95), and fewer than 240 connection attempts per hour. It
            never changes: a later release adds recommended@2, and the default stays.

            Bounds of your scenarios that could be tighter by more than a tenth are listed. Output files are those of
            `compare`.
            """
    ) { invocation, context in
        let options = try CompareOptions(invocation, context)
        let name = invocation.text(.preset) ?? GatePreset.recommended1.name
        let preset = GatePreset.all.first { $0.name == name } ?? .recommended1
        return try CompareCall.run(options, GateFile(preset), preset: preset.name, invocation, context)
    }
}
