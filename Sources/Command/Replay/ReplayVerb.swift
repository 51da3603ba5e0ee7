import DeadzoneBase
import DeadzoneCaptures
import DeadzoneHost
import DeadzoneReplay
import DeadzoneReports
import DeadzoneRuns
import DeadzoneSimulator

extension Flag {
    static let profile = Flag(
        "profile", takes: .text("PROFILE"),
        "Radio profile: name from `list profiles`, or a file (default lte-verizon-2021)")
    static let rules = Flag(
        "rules", takes: .word(ReplayRules.allCases.map(\.rawValue)),
        "Radio model: Deadzone's (physical), AT&T ARO's or EnergyBox's (default physical)")
    static let stamps = Flag(
        "stamps", takes: .word(TimestampMeaning.allCases.map(\.rawValue)),
        "Uplink timestamps say when packets were sent (flowed) or queued (default flowed)")
    static let from = Flag(
        "from", takes: .text("T"), "Start of the analysed time: seconds since 1970, or +360s after the first packet")
    static let until = Flag(
        "until", takes: .text("T"), "End of the analysed time; `tail`: when the radio sleeps after the last packet")
    static let device = Flag(
        "device", takes: .text("ADDR"), repeatable: true,
        "IP address of the phone; its packets are uplink (default: inferred, with a note)")
    static let onlyInterface = Flag(
        "interface", takes: .text("INTERFACE"), "Use only packets that were captured on this network interface")
    static let filter = Flag("filter", takes: .text("EXPR"), "Use only packets that match this tcpdump expression")
}

extension Verb {
    static let replay: Verb = Verb(
        "replay", "Show the radio energy of a packet capture, and of other strategies with the same messages",
        arguments: .some(
            "CAPTURE",
            "files of one capture (pcap or pcapng, plain or gzip), a Perfetto trace, or a folder; - is standard input"),
        flags: [
            .profile, .rules, .stamps, .from, .until, .device, .filter, .onlyInterface, .strategies, .toScenario,
            .force,
            .jobs, .out, .format, .json, .verbose,
        ], formats: ReplayFormat.names,
        examples: [
            Example(
                "deadzone replay phone.pcap phone.pcap1 phone.pcap2",
                "analyse one capture in several files, as `tcpdump -C` writes them"),
            Example(
                "deadzone replay phone.pcapng", "print the energy by radio state, flow and host name"),
            Example(
                "deadzone replay phone.pcap --profile nr-sa-low-tmobile-2021 --until tail",
                "compute the energy on another radio"),
            Example(
                "deadzone replay phone.pcap --rules aro --profile lte-att-2012-aro",
                "use the radio model of AT&T Video Optimizer (ARO)"
            ),
            Example(
                "deadzone replay phone.pcap --strategies mine.yaml",
                "compute the energy of other strategies for the same messages"),
            Example(
                "deadzone replay phone.pcap --to-scenario phone.yaml",
                "write the capture as a scenario that you can edit and run"),
            Example(
                "deadzone replay phone.pcap --format html,csv --out report",
                "write an HTML page, and its numbers as CSV"),
            Example(
                "deadzone replay phone.pftrace --interface rmnet_data1",
                "use the packets of a Perfetto trace that went over the cellular network"),
            Example("deadzone replay rvi.pcap --device 10.0.0.7", "name the phone's address if it cannot be inferred"),
            Example(
                "deadzone replay phone.pcap --filter 'tcp[13]&2!=0'", "analyse only packets that open TCP connections"),
            Example("deadzone replay - --json", "read the output of `tcpdump -U -w -` from a pipe, and print JSON"),
        ],
        next: [
            Example("deadzone list profiles", "list the radio profiles"),
            Example("deadzone run Scenarios/handoff/elevator.yaml", "compare strategies in a simulation"),
        ],
        details: """
            `replay` reads capture files of any size in constant memory, from start to end. Several files are treated as
            one capture, in the order of their first packets. Files that overlap in time are refused. Byte counts use
            the outermost IP header and the original packet lengths. IP fragments after the first have no ports and
            belong to no flow. A flow is an undirected 5-tuple: the packets between two addresses and ports in both
            directions. A truncated file is used up to the truncation, and a note reports this position. Energy in
            joules is valid for the phone and network of the profile; compare several profiles before you trust a
            number.

            The page of `--format html` shows the radio's power, packets and bursts on one time axis, with at most 4,096
            columns. The page also shows which app or flow causes the energy.

            With `--rules aro` or `energybox`, `replay` computes the energy by radio state only. Energy by flow, bursts,
            advice, the timeline of the page, `--strategies` and `--to-scenario` need `--rules physical`. Without
            `--profile`, these rules use a profile of their own program, because EnergyBox has no LTE and ARO no 5G. A
            note names the profile.

            A cellular network does not carry traffic between hosts of one link (ARP, DHCP, mDNS, broadcast …). The
            energy without such local traffic comes first, and the energy that it adds stands beside it. States, own
            flows, bursts, beacons (periodic bursts), advice and the comparison with other strategies (what-if) exclude
            local traffic. With a Wi-Fi profile, local traffic is included. Flows are sorted by energy, the highest
            first. In JSON, `radio` is the energy of all packets, and `neighbours` marks the flows of local traffic.

            A Perfetto trace with Android's data source android.network_packets is read like a capture: `deadzone guide
            perfetto`. Such a trace has no addresses and payloads, so payload sizes are estimates, and `--device` and
            `--filter` are refused.

            Times in the text and on the page count from the earliest packet; JSON has both `at_s` (since 1970) and
            `from_start_s`.

            Comparison with other strategies (what-if): TCP segments with new data become messages; segments within 250
            ms are joined. The simulated client makes its own keepalives and handshakes. Changes of address and
            interface become network changes. A silence that ends with retransmissions and new connections becomes a
            dead zone. A steady stream of small UDP packets in both directions for at least five seconds is a voice
            call: no strategy sends its packets, and the captured column leaves them out. One client carries the
            messages of all flows. The table also shows the captured traffic on the same radio, with the physical rules
            and for the same time. This time is the duration of the capture plus 30 s, in which the radio can fall
            asleep (`as_captured` in JSON).
            """
    ) { invocation, context in
        let options = try ReplayOptions(invocation)
        let file = try NewFile(.toScenario, invocation)
        let output = try TextOutput<ReplayFormat>(invocation)
        try checkScenarioOutput(invocation, isAlone: output.isOnTerminal)
        let request = options.request
        let opened = try OpenedCapture(request) { () throws(SystemFault) in
            if let input = context.inputFile { return CaptureFiles.source(input) }
            return CaptureFiles.source(of: try context.input(.max))
        }
        var run = try ReplayRun(
            opened, request,
            ReplayRadio(
                request, context.vocabulary, recordsTimeline: output.request.contains(where: \.recordsTimeline)),
            isCompared: invocation.text(.strategies) != nil)
        let jobs = invocation.number(.jobs) ?? context.cores
        run.readAll(jobs: jobs, isStopped: context.isInterrupted)
        if !run.isReadable { throw ToolFault.unreadableCapture(request.shownPath, run.fault) }
        if let overlap = run.overlap { throw ToolFault.overlap(overlap) }
        if let name = request.interface, !run.interfaceNames.contains(name) {
            throw ToolFault.unknownName(
                name, "interface", among: run.interfaceNames,
                help: "the name must be one of the interfaces in the capture")
        }
        let whatIf = try Verb.whatIf(run, file, invocation, context)
        if let file, file.isPrinted { return run.isComplete ? .ok : ExitCode(context.interruptionCode()) }
        if invocation.text(.strategies) == nil, file != nil, output.isOnTerminal,
            !invocation.has(.verbose)
        {
            return run.isComplete ? .ok : ExitCode(context.interruptionCode())
        }
        let executor = ParallelExecutor(jobs: jobs, invocation, context)
        var comparison: ReplayResult.WhatIf?
        if invocation.text(.strategies) != nil, let whatIf, let compared = try whatIf.run(by: executor),
            let captured = try run.asCaptured(
                lasting: whatIf.duration, isStopped: context.isInterrupted,
                reopened: { try OpenedCapture(request) { () throws(SystemFault) in CaptureFiles.source(of: []) } })
        {
            comparison = .init(
                run: compared, captured: captured.cost, content: whatIf.summary, includesCalls: captured.includesCalls)
        }
        let result = ReplayResult(run.report, whatIf: comparison)
        if let fault = run.fault, !invocation.has(.quiet) {
            context.errors.write(
                "warning: \(visible(request.shownPath, atMost: 200)): \(fault.text)\n"
                    + (fault.help.map { "  = help: \($0)\n" } ?? ""))
        }
        let style = Style(invocation, context.outputTerminal)
        try output.write(result)
        context.output.write(output.printed?.make(result) ?? result.report.text(style))
        if let comparison, output.printed == nil {
            context.output.write("\n" + result.whatIfText(style) + "\n")
            context.output.write(
                comparison.run.terminalText(
                    style, reproduce: options.command, isVerbose: invocation.has(.verbose)))
        }
        return result.report.isComplete ? .ok : ExitCode(context.interruptionCode())
    }

    /// Builds the what-if scenario, and writes it to a file for `--to-scenario`. `nil` if no flag requests it.
    private static func whatIf(
        _ run: ReplayRun, _ file: NewFile?, _ invocation: Invocation, _ context: CommandContext
    ) throws(ToolFault) -> WhatIfMaker? {
        guard invocation.text(.strategies) != nil || file != nil else { return nil }
        let whatIf = try WhatIfMaker(
            run.capturedScenario, strategies: invocation.text(.strategies),
            name: file.flatMap { $0.isPrinted ? nil : $0.path } ?? "what-if.yaml",
            context.vocabulary)
        let isQuiet = invocation.has(.quiet)
        for note in whatIf.notes where !isQuiet { context.errors.write("note: \(note)\n") }
        try file?.write(
            whatIf.text, about: whatIf.summary, next: "deadzone run \(file?.word ?? "")", invocation, context)
        return whatIf
    }
}
