import DeadzoneCaptures
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneReplay
import DeadzoneRuns
import DeadzoneSettings
import DeadzoneWorld

extension Flag {
    static let profile = Flag(
        "profile", takes: .text("PROFILE"),
        "the radio: a shipped one by name, or a file (default lte-verizon-2021)")
    static let rules = Flag(
        "rules", takes: .word(ReplayRules.allCases.map(\.rawValue)),
        "whose idea of a radio: this program's, AT&T ARO's, EnergyBox's (default physical)")
    static let stamps = Flag(
        "stamps", takes: .word(StampMeaning.allCases.map(\.rawValue)),
        "what an uplink stamp is: data flowed, or the phone queued it (default flowed)")
    static let from = Flag("from", takes: .text("T"), "radio time from here: seconds since 1970, or +360s")
    static let until = Flag("until", takes: .text("T"), "…to here, or `tail`: until the last tail is over")
    static let device = Flag(
        "device", takes: .text("ADDR"), repeatable: true,
        "an address of the phone: what it sends is up (default: inferred, and said so)")
    static let onlyInterface = Flag(
        "interface", takes: .text("INTERFACE"), "only packets of this interface of the capture go over the radio")
    static let filter = Flag("filter", takes: .text("EXPR"), "only packets that this tcpdump expression lets through")
}

extension Verb {
    static let replay: Verb = Verb(
        "replay", "shows what a real capture cost the radio",
        arguments: .some(
            "CAPTURE", "pcap or pcapng files of one capture, gzip or plain, or a folder of them; - is standard input"),
        flags: [
            .profile, .rules, .stamps, .from, .until, .device, .filter, .onlyInterface, .strategies, .toScenario, .jobs,
            .out, .format, .json, .verbose,
        ], formats: ReplayFormat.names,
        examples: [
            Example("deadzone replay phone.pcap phone.pcap1 phone.pcap2", "one capture, as tcpdump -C wrote it"),
            Example(
                "deadzone replay phone.pcapng", "energy by state, flows and names of a tcpdump or PCAPdroid capture"),
            Example("deadzone replay phone.pcap --profile nr-sa-low-tmobile-2021 --until tail", "on another radio"),
            Example(
                "deadzone replay phone.pcap --rules aro --profile lte-att-2012-aro", "as AT&T Video Optimizer would"),
            Example("deadzone replay phone.pcap --strategies mine.yaml", "what other clients would have cost"),
            Example("deadzone replay phone.pcap --to-scenario phone.yaml", "its world, to edit and to run"),
            Example("deadzone replay phone.pcap --format html,csv --out report", "a page to look at, and its numbers"),
            Example("deadzone replay rvi.pcap --device 10.0.0.7", "where the phone cannot be inferred"),
            Example("deadzone replay phone.pcap --filter tcp[13]&2!=0", "only packets that open connections"),
            Example("deadzone replay - --json", "what `tcpdump -U -w -` pipes in, for a script"),
        ],
        next: [
            Example("deadzone list profiles", "the radios there are"),
            Example("deadzone run Scenarios/handoff/elevator.yaml", "what strategies cost in a made-up world"),
        ],
        details: """
            Reads files of any size in constant memory, once, in the order of the file. Several files are one capture, in the
            order of their first packets; where one begins before another ends they are refused. Counts are of the outermost IP
            header and of original lengths; later fragments carry no ports and belong to no flow; a flow is an undirected
            5-tuple. A file that breaks off is used up to there, and the place is named. Joules are those of the
            profile's phone and network: compare profiles before you trust one.

            The page of `--format html` shows the radio's power, packets and bursts on one time axis,
            in at most 4,096 columns however long the capture is, and who pays; it has them by physical rules.

            What hosts of one link say to each other (ARP, DHCP, mDNS, broadcast …) no cellular network carries: it is priced
            apart, and bursts, beacons, advice and what-if leave it out. A Wi-Fi profile hears it. Flows come the dearest
            first; in JSON `neighbours` says of each whether it is of these.

            What-if: segments that carry something new become messages (joined within 250 ms), keepalives and handshakes
            are left to the client under test; changes of address and interface become moves, and a silence that ends in
            data sent again and new connections a dead zone. One client carries the messages of all flows. Beside the
            strategies stands what was captured, on the same radio by physical rules and over the same time: the capture
            and 30 s for its tails (`as_captured` in JSON).
            """
    ) { invocation, surroundings in
        let options = try ReplayOptions(invocation)
        let output = try TextOutput<ReplayFormat>(invocation)
        let wanted = options.wanted
        let opened = try OpenedCapture(wanted) { () throws(SystemFault) in
            if let input = surroundings.inputFile { return CaptureFiles.source(input) }
            return CaptureFiles.source(of: try surroundings.input(.max))
        }
        var run = try ReplayRun(
            opened, wanted,
            ReplayRadio(wanted, surroundings.vocabulary, isDrawn: output.wanted.contains(where: \.isDrawn)),
            isCompared: invocation.text(.strategies) != nil)
        let jobs = invocation.number(.jobs) ?? surroundings.cores
        run.readAll(jobs: jobs, isStopped: surroundings.isInterrupted)
        if !run.holdsAnything { throw ToolFault.unreadableCapture(wanted.shownPath, run.fault) }
        if let overlap = run.overlap { throw ToolFault.overlap(overlap) }
        if let name = wanted.interface, !run.interfaceNames.contains(name) {
            throw ToolFault.unknownName(
                name, "interface", among: run.interfaceNames, help: "the capture names its interfaces, or does not")
        }
        let whatIf = try Verb.whatIf(run, invocation, surroundings)
        if invocation.text(.strategies) == nil, invocation.text(.toScenario) != nil, output.isOnTerminal,
            !invocation.has(.verbose)
        {
            return run.isComplete ? .ok : ExitCode(surroundings.interruptionCode())
        }
        let crew = Crew(jobs: jobs, invocation, surroundings)
        var comparison: ReplayResult.WhatIf?
        if invocation.text(.strategies) != nil, let whatIf, let compared = try whatIf.run(by: crew),
            let captured = run.asCaptured(lasting: whatIf.duration)
        {
            comparison = .init(run: compared, captured: captured)
        }
        let result = ReplayResult(run.report, whatIf: comparison)
        if let fault = run.fault, !invocation.has(.quiet) {
            surroundings.errors.write(
                "warning: \(visible(wanted.shownPath, atMost: 200)): \(fault.text)\n"
                    + (fault.help.map { "  = help: \($0)\n" } ?? ""))
        }
        let style = Style(invocation, surroundings.outputTerminal)
        try output.write(result)
        surroundings.output.write(output.printed?.make(result) ?? result.report.text(style))
        if let comparison, output.printed == nil {
            surroundings.output.write("\n" + result.whatIfText(style) + "\n")
            surroundings.output.write(
                comparison.run.terminalText(
                    style, reproduce: options.command, isVerbose: invocation.has(.verbose)))
        }
        return result.report.isComplete ? .ok : ExitCode(surroundings.interruptionCode())
    }

    /// Nil where nobody asks; the scenario is written where somebody wants it.
    private static func whatIf(
        _ run: ReplayRun, _ invocation: Invocation, _ surroundings: Surroundings
    ) throws(ToolFault) -> WhatIfMaker? {
        let path = invocation.text(.toScenario)
        guard invocation.text(.strategies) != nil || path != nil else { return nil }
        let whatIf = try WhatIfMaker(
            run.world, strategies: invocation.text(.strategies), name: path ?? "what-if.yaml", surroundings.vocabulary)
        let isQuiet = invocation.has(.quiet)
        for note in whatIf.notes where !isQuiet { surroundings.errors.write("note: \(note)\n") }
        guard let path else { return whatIf }
        do throws(SystemFault) {
            try Files.write(Array(whatIf.text.utf8), to: path)
        } catch {
            throw .unwritable(error)
        }
        if !isQuiet {
            surroundings.errors.write(
                "wrote \(visible(path, atMost: 200)): \(whatIf.summary)\nnext: deadzone run \(ShellWord.text(path))\n")
        }
        return whatIf
    }
}
