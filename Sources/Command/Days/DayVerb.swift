import DeadzoneBase
import DeadzoneCaptures
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

extension Flag {
    static let app = Flag(
        "app", takes: .text("PACKAGE"), "Package name of the app under study, such as com.example.chat")
    static let simplify = Flag(
        "simplify", takes: .text("SPAN"),
        "Merge short states of networks and charger with the state before (default 0s)")
}

extension Verb {
    static let day: Verb = Verb(
        "day", "Show what happened to a phone, from a bug report or Powerlog, and write it as a scenario",
        arguments: .some(
            "REPORT",
            "bug report (zip or text), output of `dumpsys batterystats`, or Powerlog of iOS; - is standard input"),
        flags: [.app, .toScenario, .force, .simplify, .out, .format, .json],
        formats: DayFormat.names,
        examples: [
            Example("deadzone day bugreport.zip", "print networks, Doze, screen and traffic of the phone's last hours"),
            Example(
                "deadzone day bugreport.zip --app com.example.chat --to-scenario monday.yaml",
                "write the day as a scenario, with this app's use and pushes"),
            Example(
                "deadzone day bugreport.zip --app com.example.chat --to-scenario monday.yaml --simplify 30s",
                "leave out losses of a network that last less than 30 s"),
            Example(
                "deadzone day bugreport.zip --format html --out report",
                "write a page with the recorded lanes above the simulated ones"),
            Example("deadzone day -", "read the output of `adb shell dumpsys batterystats` from a pipe"),
            Example("deadzone day monday.txt tuesday.txt --json", "print several reports as one JSON document"),
        ],
        next: [
            Example("deadzone run monday.yaml --with grpc-core", "run clients on this day"),
            Example("deadzone guide bug-report", "read how to get a bug report and what the answer means"),
        ],
        details: """
            `day` reads the battery history that Android keeps since the phone was last charged. It is part of every bug
            report (`adb bugreport`) and the output of `dumpsys batterystats`, with or without --history or --checkin.
            Files are recognised by their content, also if compressed with gzip. Android 6 to 16 are supported; words of a
            vendor that are not known are counted and named.

            A Powerlog of iOS (*.PLSQL in a sysdiagnose) is read in the same way. This was tested only with databases made
            by hand, because no Powerlog of a real iPhone was available.

            Quoted texts of the history are dropped, because they contain accounts and addresses. Only names of packages
            are kept. The scenario contains no name of a package.

            The end of each busy time of a radio is corrected by the phone's timeout. The sums of the history are
            compared with those that the phone printed itself. Doze is compared with the platform's model, driven with
            the recorded use, charger and battery saver.

            The scenario has two strategies that lose no message: an MQTT client, and the recommended one. Edit the file,
            or choose others with `run --with`. A scenario has at most 10,000 entries and 1 MiB. A longer day is
            simplified until it fits, and a note says which states are left out.
            """
    ) { invocation, context in
        let file = try NewFile(.toScenario, invocation)
        let output = try TextOutput<DayFormat>(invocation)
        try checkScenarioOutput(invocation, isAlone: output.isOnTerminal)
        guard file == nil || invocation.arguments.count == 1 else {
            throw ToolFault(
                .conflict, "--to-scenario writes one scenario, so it needs one report",
                help: ["call `deadzone day` once for each report"])
        }
        let isPage = output.request.contains(where: \.isOnePage)
        guard invocation.arguments.count == 1 || !isPage else {
            throw ToolFault(.conflict, "a page shows one report", help: ["call `deadzone day` once for each report"])
        }
        let simplify = try simplifySpan(invocation)
        var results: [DayResult] = []
        for argument in invocation.arguments {
            let maker = try DayMaker(
                argument, app: invocation.text(.app), isStopped: context.isInterrupted
            ) { () throws(SystemFault) in
                if let file = context.inputFile { return CaptureFiles.source(file) }
                return CaptureFiles.source(of: try context.input(1 << 30))
            }
            let simulation = DaySimulation(
                maker.report.day, maker.scenario(simplify: .zero), context.vocabulary, keepsHistories: isPage,
                context.isInterrupted)
            try checkCompletion(argument, context)
            if let refusal = simulation.refusal, !invocation.has(.quiet) {
                context.errors.write("note: the day is not simulated: \(refusal.escapedForTerminal)\n")
            }
            results.append(DayResult(maker.report, simulation))
            guard let file else { continue }
            let scenario = maker.scenario(simplify: simplify)
            let missingApp =
                "without `--app` the scenario's app is never in front: a client that connects only there delivers nothing"
            let notes = [invocation.has(.app) ? nil : missingApp, scenario.shortening, scenario.omittedJumps]
                .compactMap(\.self)
            if !invocation.has(.quiet) { for note in notes { context.errors.write("note: \(note)\n") } }
            try file.write(
                scenario.text, about: plural(scenario.entryCount, "timeline entry", "timeline entries"),
                next: "deadzone run " + file.word, invocation, context)
            if file.isPrinted { return .ok }
        }
        try output.write(results)
        let style = Style(invocation, context.outputTerminal)
        context.output.write(
            output.printed?.make(results) ?? results.map { $0.report.text(style) }.joined(separator: "\n"))
        return .ok
    }

    /// Throws if the user has stopped the command: a reader would take a partly simulated day for a complete day.
    private static func checkCompletion(_ path: String, _ context: CommandContext) throws(ToolFault) {
        guard context.isInterrupted() else { return }
        throw ToolFault(
            .interrupted, "stopped while simulating \(visible(path, atMost: 200)); nothing was written")
    }

    private static func simplifySpan(_ invocation: Invocation) throws(ToolFault) -> TimeSpan {
        guard let text = invocation.text(.simplify) else { return .zero }
        var faults = Faults()
        if let span = ValueFormat<TimeSpan>.span().read(.text(text), &faults) { return span }
        throw ToolFault(.badFlagValue, "`--simplify` cannot be \(quote(text))", help: faults.sorted.map(\.advice))
    }
}
