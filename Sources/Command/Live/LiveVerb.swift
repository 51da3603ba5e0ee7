import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
import DeadzoneLive
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

extension Verb {
    static let live: Verb = Verb(
        "live", "Run a real client and a real server under the network conditions of a scenario",
        arguments: Arguments(
            synopsis: "SCENARIO -- CLIENT…", meaning: "one scenario, then the client program and its arguments",
            count: 1...Int.max),
        flags: [
            .server, .forward, .gateway, .ipv6, .strategy, .on, .repeats, .strict, .seed, .json, .format, .out, .events,
            .exitZero,
        ],
        formats: LiveFormat.names,
        examples: [
            Example(
                "deadzone live day.yaml --server 'python3 server.py' -- python3 client.py",
                "run your own client and server"),
            Example(
                "deadzone live day.yaml --strategy grpc-core --server ./server -- ./client",
                "compare the client with a simulated strategy, rule by rule"),
            Example(
                "deadzone live day.yaml --out results -- ./client",
                "also write an HTML page with the timeline, and a file with the packets"),
            Example(
                "deadzone live day.yaml --on screen-off='adb shell input keyevent 223' -- ./client",
                "run a command when the timeline switches the screen off"),
        ],
        next: [
            Example("deadzone replay out/packets.pcapng", "show the radio energy of the packets"),
            Example("deadzone doctor", "check if this machine supports `deadzone live`"),
        ],
        wordings: [
            FlagWording(
                .strategy, takes: "STRATEGY", "Strategy to compare the client with; its expectations are judged")
        ],
        details: """
            The client runs in its own network namespace with the interfaces wlan0 and rmnet0. The timeline of the
            scenario switches these interfaces on and off. The server runs in another network namespace. Packets between
            client and server pass the scenario's radios, links and middleboxes, and are dropped where the scenario says
            so. A proxy cannot reproduce such losses, because the proxy's kernel still acknowledges the packets. `live`
            first lists the parts of the scenario that cannot be applied to real programs. These include the settings of
            `server:`, because the server program follows its own. `traffic:` and `strategies:` describe the simulated
            client: a real client sends what it sends. Programs can report facts that packets do not show, one line each
            on standard output: deadzone sent 17, deadzone seen 17, deadzone acked 17, deadzone connected, deadzone
            lost. `live` needs Linux, and no root where unprivileged user namespaces are allowed. Live runs use real
            time, so a live result has no digest and cannot be a baseline. A client or server program that cannot be
            started ends the command with 4. A client that exits with a code other than 0 fails the run, and so does a
            server program that ends with one while it should run, or that neither listens before the run begins nor
            opens a connection later. A client may exit with 0 before the scenario ends. The command exits with 5 if
            there are expectations for the client, or a preset of --strategy, and none of them could be judged. In a
            scenario with several strategies, --strategy says which expectations apply.

            EVENT of --on is a word of the timeline, and the command runs when such an entry begins:
            \(LiveOptions.wrapped(Scenario.timelineWords)).
            Or EVENT is the beginning of the name of a change of conditions:
            \(LiveOptions.wrapped(ConditionChange.eventNames)).
            The command and every process that it starts end with deadzone.
            """
    ) { invocation, context in
        let options = try LiveOptions(invocation)
        let files = try ScenarioFiles([invocation.arguments[0]], context)
        guard files.areValid else {
            return try files.publishFaults(isJSON: options.isJSON, junit: nil, invocation, context)
        }
        let scenarios = files.files.flatMap(\.loaded.scenarios)
        guard let scenario = scenarios.first, scenarios.count == 1 else {
            throw ToolFault(
                .conflict, "\(quote(invocation.arguments[0])) contains \(scenarios.count) scenarios; live runs one",
                help: ["name one file without a matrix"])
        }
        return try LiveCall(options: options, scenario: scenario, invocation: invocation, context: context)
            .run()
    }
}

/// Executes one `live` command: runs real programs in the scenario and reports the results.
private struct LiveCall {
    let options: LiveOptions
    let scenario: Scenario
    let invocation: Invocation
    let context: CommandContext

    func run() throws -> ExitCode {
        if options.hasIPv6, scenario.world.resolver != nil {
            throw ToolFault(
                .conflict, "`--ipv6` cannot be combined with a resolver",
                help: ["set it in the scenario: resolver: {ipv6: works}"])
        }
        let preset = try options.preset(scenario, context)
        let unsupported = scenario.world.ofFirstPhone.unsupportedConditions(
            hasServer: options.server != nil, hooks: options.hooks(for: scenario), isGateway: options.gateway != nil,
            serverSettings: scenario.world.server.settingNames)
        try reportUnsupported(unsupported)
        let events = try invocation.text(.events).map { path throws(ToolFault) in try EventFile(path, context) }
        let seed = options.seed ?? scenario.seed ?? 1
        let name =
            options.strategy ?? (options.client.first.map { String($0.split(separator: "/").last ?? "") } ?? "phone")
        var maker = LiveMaker(scenario, seed: seed, name: name, like: preset)
        var first: LiveMaker.FinishedLiveRun?
        for number in 0..<options.runs where !context.isInterrupted() {
            let run = try runOnce(seed, preset)
            if let code = run.outcome.failedServerCode { throw failedServer(code, run.outcome.hasServerOutput) }
            if first == nil { first = run }
            events?.write(run.records, of: name, replica: number, scenario.changeTexts)
            maker.add(run)
            if run.outcome.clientNeverStarted { break }
        }
        guard let first else { return .init(context.interruptionCode()) }
        let executor = ParallelExecutor(jobs: context.cores, isStopped: context.isInterrupted)
        let report = try maker.report(unsupported, by: executor)
        try events?.finish()
        try options.output.write(result(report, maker, first), style, to: context.output)
        if !report.isComplete {
            context.errors.write("stopped: what is shown is incomplete\n")
            return .init(context.interruptionCode())
        }
        if maker.outcomes.contains(where: \.clientNeverStarted) {
            // The report is already on standard output, so this is not thrown: scripts get one document.
            context.errors.write(
                "error[\(ToolFaultCode.runFailed.rawValue)]: the client could not be started: "
                    + "\(visible(options.client.first ?? "", atMost: 200))\n"
                    + "  = help: write the program after --, with its path: -- ./client, -- python3 client.py\n")
            return .runtime
        }
        if invocation.has(.exitZero) { return .ok }
        return report.verdict == .fail ? .gateFailed : report.isUnjudged ? .nothingMatched : .ok
    }

    /// Reports the conditions that cannot be applied, before any run. Throws with `--strict`.
    private func reportUnsupported(_ unsupported: [UnsupportedCondition]) throws {
        guard !unsupported.isEmpty else { return }
        if options.isStrict {
            throw ToolFault(
                .conflict, "parts of \(quote(scenario.name)) cannot be applied to real programs",
                help: unsupported.map { "\($0.condition): \($0.reason)" })
        }
        guard !invocation.has(.quiet) else { return }
        context.errors.write(LiveReport.unenactedText(unsupported.map { ($0.condition, $0.reason) }, style))
    }

    private func runOnce(_ seed: UInt64, _ preset: AnyStrategy?) throws(ToolFault) -> LiveMaker.FinishedLiveRun {
        var plan = LivePlan(
            world: scenario.world.ofFirstPhone, seed: seed, client: options.client, server: options.server)
        plan.privileges = preset?.privileges ?? AppPrivileges()
        plan.hooks = options.hooks(for: scenario)
        plan.namesHaveIPv6 = options.hasIPv6
        plan.forwards = options.forwards
        let errors = context.errors
        let isQuiet = invocation.has(.quiet)
        let isDrawn = !isQuiet && context.errorTerminal.isInteractive
        do throws(SystemFault) {
            var gateway: Gateway?
            if let device = options.gateway { gateway = try Gateway(device) }
            var run = try LiveRun(plan, gateway: gateway) { text in
                if !isQuiet { errors.write((isDrawn ? Array("\r\u{1B}[K".utf8) : []) + text) }
            }
            let result = try run.run(isStopped: context.isInterrupted) { moment in
                if isDrawn { errors.write("\r" + Self.line(moment, scenario.world.horizon) + "\u{1B}[K") }
            }
            if isDrawn { errors.write("\r\u{1B}[K") }
            return result
        } catch {
            throw ToolFault(.runFailed, error.message, help: Self.advice)
        }
    }

    private func failedServer(_ code: Int32, _ hasOutput: Bool) -> ToolFault {
        let what = code > 128 ? "was ended by signal \(code - 128)" : "exited with code \(code)"
        return ToolFault(
            .runFailed, "the server program \(what) before it listened: \(visible(options.server ?? "", atMost: 200))",
            help: [
                !hasOutput
                    ? "it printed nothing" : invocation.has(.quiet) ? "-q hides its output" : "its output is above",
                "the program runs in its own network as the user who runs deadzone; it must stay in the foreground",
            ])
    }

    private static let advice = [
        "live needs Linux with user namespaces or root, and /dev/net/tun",
        "in a container: --cap-add SYS_ADMIN --cap-add NET_ADMIN --device /dev/net/tun --security-opt seccomp=unconfined",
        "deadzone doctor shows what is missing",
    ]

    /// Progress line: `12.3 s of 40 s, next: coverage-off at 15.0 s, 2 attempts`
    private static func line(_ moment: LiveProgress, _ horizon: Instant) -> String {
        func seconds(_ span: TimeSpan) -> String {
            let tenths = span.nanoseconds / 100_000_000
            return "\(tenths / 10).\(tenths % 10) s"
        }
        var line = "\(seconds(moment.at)) of \(seconds(horizon - .zero))"
        if let next = moment.next { line += ", next: \(next.what) at \(seconds(next.at - .zero))" }
        return line + ", \(plural(moment.attempts, "attempt"))"
    }

    private func result(_ report: LiveReport, _ maker: LiveMaker, _ first: LiveMaker.FinishedLiveRun) -> LiveResult {
        let packets = PcapngFile(first.outcome, about: "live, by deadzone: \(scenario.name.escapedForTerminal)")
        var own = PhoneHistory(
            horizon: scenario.world.horizon - .zero, prices: scenario.prices,
            markers: scenario.world.timeline.map(\.change.labels.scene))
        var twin = own
        first.records.withUnsafeBufferPointer { own.record($0) }
        let hasTwin = maker.recordTwin(into: &twin)
        return LiveResult(report: report, histories: hasTwin ? [own, twin] : [own], packets: packets)
    }

    private var style: Style { Style(invocation, context.outputTerminal) }
}
