import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Flag {
    static let failure = Flag(
        "failure", takes: .word(ScheduleReport.AttemptFailure.allCases.map(\.rawValue)),
        "How each connection attempt fails (default refused)")
    static let length = Flag("for", takes: .text("SPAN"), "Time span to show, such as 90s or 1h (default 600s)")
    static let set = Flag(
        "set", takes: .text("KEY=VALUE"), repeatable: true,
        "Change a setting: backoff.cap=30s of a strategy, server.think=1s of a world")
}

extension Verb {
    static let schedule: Verb = Verb(
        "schedule", "Print the times at which a strategy retries",
        arguments: .one("STRATEGY", "name from `deadzone list strategies`, or file with a preset"),
        flags: [.failure, .length, .set, .json],
        examples: [
            Example("deadzone schedule grpc-java", "print all attempts, with the bounds of the jitter"),
            Example(
                "deadzone schedule grpc-java --failure blackhole --for 5m",
                "print the attempts if no packet is answered"),
            Example(
                "deadzone schedule composed --set backoff.cap=30s --set backoff.jitter=20%",
                "print the attempts with changed settings"),
        ],
        next: [Example("deadzone explain grpc-java", "show the settings of the preset")],
        wordings: [
            FlagWording(.set, takes: "KEY=VALUE", "Change a setting of the strategy, such as backoff.cap=30s")
        ],
        details: """
            `schedule` runs the strategy's own code with the app in the foreground, on good Wi-Fi, without jitter. The
            bounds of the jitter come from the same code with the lowest and the highest random numbers. The column
            `wait` is the wait after an attempt that is refused at once. With `--failure blackhole`, no packet is
            answered. With `--failure frozen`, the server accepts connections and never answers. If a strategy has no
            attempt timeout, an unanswered attempt ends when the system gives up: Linux since 6.5 after 135 s (ten SYN
            retransmissions), QUIC after 10 s.
            """
    ) { invocation, context in
        let name = invocation.arguments[0]
        let vocabulary = context.vocabulary
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        guard names.contains(name) || name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw ToolFault.unknownName(
                name, "strategy", among: names, help: "deadzone list strategies shows all strategies")
        }
        let own = try SettingOverrides(invocation.texts(.set))
        let reading = ParsedStrategy(name, with: own.root, vocabulary, read: ScenarioFiles.read)
        guard let strategy = reading.strategy else {
            if let fault = own.fault(among: reading.faults) { throw fault }
            return report(reading, invocation, context)
        }
        let failing = invocation.text(.failure).flatMap { ScheduleReport.AttemptFailure(rawValue: $0) } ?? .refused
        let maker = ScheduleMaker(
            name: name, strategy: strategy, failing: failing,
            length: try length(invocation.text(.length) ?? "600s"))
        let report = maker.report()
        let style = Style(hasColour: ANSIColor(invocation, context.outputTerminal).isOn)
        context.output.write(invocation.has(.json) ? report.json.text() + "\n" : report.text(style))
        return .ok
    }

    /// Reports the faults of a preset file.
    private static func report(
        _ reading: ParsedStrategy, _ invocation: Invocation, _ context: CommandContext
    ) -> ExitCode {
        let faults = reading.faults.sorted
        context.errors.write(faults.map { faultText($0, files: reading.files) }.joined(separator: "\n"))
        if invocation.has(.json) {
            let errors = JSON.array(faults.map { ScenarioFiles.json($0, reading.files) })
            let document = JSON.object(["schema": DocumentSchema.errors.json, "errors": errors])
            context.output.write(document.text() + "\n")
        }
        return .badInput
    }

    private static func length(_ text: String) throws(ToolFault) -> TimeSpan {
        var faults = Faults()
        if let span = ValueFormat<TimeSpan>.span().read(.text(text), &faults) { return span }
        throw ToolFault(.badFlagValue, "`--for` cannot be \(quote(text))", help: faults.sorted.map(\.advice))
    }
}
