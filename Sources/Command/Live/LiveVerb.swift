import DeadzoneClient
import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneLive
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneTraces
import DeadzoneWorld

extension Verb {
    static let live: Verb = Verb(
        "live", "runs a real client and server through a scenario, on real packets",
        arguments: Arguments(
            form: "SCENARIO -- CLIENT…", meaning: "one scenario, and the client's program with its arguments",
            count: 1...Int.max),
        flags: [
            .server, .forward, .gateway, .ipv6, .strategy, .on, .repeats, .strict, .seed, .json, .format, .out, .events,
            .exitZero,
        ],
        formats: LiveFormat.names,
        examples: [
            Example("deadzone live day.yaml --server 'python3 server.py' -- python3 client.py", "your own programs"),
            Example(
                "deadzone live day.yaml --strategy grpc-core --server ./server -- ./client",
                "beside its simulated twin, with a verdict for each law"),
            Example("deadzone live day.yaml --out results -- ./client", "also a page with its lanes, and its packets"),
            Example("deadzone live day.yaml --on screen-off='adb shell input keyevent 223' -- ./client", "a hook"),
        ],
        next: [
            Example("deadzone replay out/packets.pcapng", "what the radio did, packet by packet"),
            Example("deadzone doctor", "whether this machine can"),
        ],
        details: """
            The client runs in a network of its own with the interfaces wlan0 and rmnet0, which come and go as the
            timeline says; the server in another. Between them packets cross by the scenario's radios, links and boxes,
            and vanish where it says so: what no proxy can do, whose kernel goes on acknowledging. What cannot be done to
            real programs is listed first. Programs may say what packets do not show, a line each on standard output:
            deadzone sent 17, deadzone seen 17, deadzone acked 17, deadzone connected, deadzone lost. Linux alone,
            without root where it allows user namespaces. Time is real: a result has no digest and is never a baseline.
            """
    ) { invocation, surroundings in
        let options = try LiveOptions(invocation)
        let files = try ScenarioFiles([invocation.arguments[0]], surroundings)
        guard files.areSound else {
            return try files.refuse(isJSON: options.isJSON, junit: nil, invocation, surroundings)
        }
        let scenarios = files.files.flatMap(\.loaded.scenarios)
        guard let scenario = scenarios.first, scenarios.count == 1 else {
            throw ToolFault(
                .conflict, "\(quote(invocation.arguments[0])) is \(scenarios.count) scenarios; live runs one",
                help: ["name one file without a matrix"])
        }
        return try Living(options: options, scenario: scenario, invocation: invocation, surroundings: surroundings)
            .run()
    }
}

/// One call of `live`.
private struct Living {
    let options: LiveOptions
    let scenario: Scenario
    let invocation: Invocation
    let surroundings: Surroundings

    func run() throws -> ExitCode {
        if options.hasIPv6, scenario.world.resolver != nil {
            throw ToolFault(
                .conflict, "`--ipv6` beside a resolver", help: ["the scenario says so: resolver: {ipv6: works}"])
        }
        let preset = try options.preset(scenario, surroundings)
        let unenacted = scenario.world.ofFirstPhone.unenacted(
            hasServer: options.server != nil, hooks: options.hooks.map(\.event), isGateway: options.gateway != nil)
        try tell(unenacted)
        let events = try invocation.text(.events).map { path throws(ToolFault) in try EventFile(path, surroundings) }
        let seed = options.seed ?? scenario.seed ?? 1
        let name =
            options.strategy ?? (options.client.first.map { String($0.split(separator: "/").last ?? "") } ?? "phone")
        var maker = LiveMaker(scenario, seed: seed, name: name, like: preset)
        var first: LiveMaker.Run?
        for number in 0..<options.runs where !surroundings.isInterrupted() {
            let run = try one(seed, preset)
            if first == nil { first = run }
            events?.write(run.records, of: name, replica: number, scenario.textsOfChanges)
            maker.add(run)
        }
        guard let first else { return .init(surroundings.interruptionCode()) }
        let crew = Crew(jobs: surroundings.cores, isStopped: surroundings.isInterrupted)
        let report = try maker.report(unenacted, by: crew)
        try events?.finish()
        try options.output.write(result(report, maker, first), style, to: surroundings.output)
        if !report.isComplete {
            surroundings.errors.write("stopped: what is shown is incomplete\n")
            return .init(surroundings.interruptionCode())
        }
        return report.verdict == .pass || invocation.has(.exitZero) ? .ok : .gateFailed
    }

    /// Before anything runs.
    private func tell(_ unenacted: [Unenacted]) throws {
        guard !unenacted.isEmpty else { return }
        if options.isStrict {
            throw ToolFault(
                .conflict, "not everything of \(quote(scenario.name)) can be done to real programs",
                help: unenacted.map { "\($0.what): \($0.why)" })
        }
        guard !invocation.has(.quiet) else { return }
        surroundings.errors.write(LiveReport.unenactedText(unenacted.map { ($0.what, $0.why) }, style))
    }

    private func one(_ seed: UInt64, _ preset: AnyStrategy?) throws(ToolFault) -> LiveMaker.Run {
        var plan = LivePlan(
            world: scenario.world.ofFirstPhone, seed: seed, client: options.client, server: options.server)
        plan.standing = preset?.standing ?? AppStanding()
        plan.hooks = options.hooks
        plan.namesHaveIPv6 = options.hasIPv6
        plan.forwards = options.forwards
        let errors = surroundings.errors
        let isQuiet = invocation.has(.quiet)
        let isDrawn = !isQuiet && surroundings.errorTerminal.isInteractive
        do throws(SystemFault) {
            var gateway: Gateway?
            if let device = options.gateway { gateway = try Gateway(device) }
            var run = try LiveRun(plan, gateway: gateway) { text in
                if !isQuiet { errors.write((isDrawn ? Array("\r\u{1B}[K".utf8) : []) + text) }
            }
            let result = try run.run(isStopped: surroundings.isInterrupted) { moment in
                if isDrawn { errors.write("\r" + Self.line(moment, scenario.world.horizon) + "\u{1B}[K") }
            }
            if isDrawn { errors.write("\r\u{1B}[K") }
            return result
        } catch {
            throw ToolFault(.runFailed, error.message, help: Self.advice)
        }
    }

    private static let advice = [
        "live needs Linux that lets you make user namespaces, or root, and /dev/net/tun",
        "in a container: --cap-add SYS_ADMIN --cap-add NET_ADMIN --device /dev/net/tun --security-opt seccomp=unconfined",
        "deadzone doctor says what this machine lacks",
    ]

    /// `12.3 s of 40 s, next: coverage-off at 15.0 s, 2 attempts`
    private static func line(_ moment: LiveMoment, _ horizon: Instant) -> String {
        func seconds(_ span: TimeSpan) -> String {
            let tenths = span.nanoseconds / 100_000_000
            return "\(tenths / 10).\(tenths % 10) s"
        }
        var line = "\(seconds(moment.at)) of \(seconds(horizon - .zero))"
        if let next = moment.next { line += ", next: \(next.what) at \(seconds(next.at - .zero))" }
        return line + ", \(plural(moment.attempts, "attempt"))"
    }

    private func result(_ report: LiveReport, _ maker: LiveMaker, _ first: LiveMaker.Run) -> LiveResult {
        let packets = PacketFile(first.course, about: "live, by deadzone: \(scenario.name.visible)")
        var own = Story(
            horizon: scenario.world.horizon - .zero, prices: scenario.prices,
            scenes: scenario.world.timeline.map(\.change.row.scene))
        var twin = own
        first.records.withUnsafeBufferPointer { own.record($0) }
        let hasTwin = maker.twin(into: &twin, surroundings.isInterrupted)
        return LiveResult(report: report, stories: hasTwin ? [own, twin] : [own], packets: packets)
    }

    private var style: Style { Style(invocation, surroundings.outputTerminal) }
}
