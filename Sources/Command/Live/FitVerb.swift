import DeadzoneBase
import DeadzoneClient
import DeadzoneFit
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Flag {
    static let like = Flag("like", takes: .text("PRESET"), "Strategy or preset to compare the client with")
    static let toPreset = Flag(
        "to-preset", takes: .text("FILE"), "Write the estimated values as a preset, or with --radio as a radio profile")
}

extension Verb {
    static let fit: Verb = Verb(
        "fit", "Estimate a client's settings, or a radio's power and timers, from a recording",
        arguments: .any(
            "RECORDING",
            "result files of `live` (--json or --out), packet captures or Perfetto traces; each file is one recording"),
        flags: [.like, .toPreset, .force, .device] + Flag.radioFlags + [.json, .exitZero],
        formats: [],
        examples: [
            Example("deadzone fit results/live.json --like grpc-core", "check if a client behaves like its preset"),
            Example("deadzone fit phone.pcapng --to-preset measured.yaml", "estimate a preset from a packet capture"),
            Example(
                "deadzone fit monday.json tuesday.json --like measured.yaml",
                "check in CI if the client still behaves like measured.yaml"),
            Example(
                "deadzone fit --radio rail.csv --capture phone.pcapng --base lte-verizon-2021 --to-preset my-lte.yaml",
                "estimate a radio profile of your own phone"),
            Example(
                "deadzone fit --radio pixel.pftrace --capture pixel.pftrace --base lte-verizon-2021",
                "estimate a radio profile from the packets and power rails of a Perfetto trace"),
        ],
        next: [
            Example("deadzone schedule measured.yaml", "print when the client retries"),
            Example("deadzone live SCENARIO -- CLIENT", "record a client"),
        ],
        details: """
            `fit` reads from each recording when connection attempts began, how they ended, and when the client sent
            unencrypted pings: WebSocket, MQTT, HTTP/2, NATS and Redis. `fit` estimates the waits between attempts with
            growth, cap and jitter, the start of each wait, the attempt timeout, the ping interval and the ping timeout.
            For a client without pings, it estimates after how long without an answer the client closes a connection.
            `fit` compares its own settings with the recordings, and writes no file that they contradict. For each
            number, `fit` prints the range of values that the recording allows: any value outside is less than 1/1000 as
            likely as the best value. A series of consecutive failed attempts tells most about the settings. To separate
            the timeouts, record one series with a refusing server and one with a silent network. Only connections to
            the server with the most attempts are used.

            Exits with 1 if the recordings contradict the preset of --like or the estimated settings themselves. Exits
            with 5 if the recordings contain nothing that the preset of --like determines, or no setting for the file of
            --to-preset. Without these two flags, a recording that determines no setting is a result, with code 0.

            A Perfetto trace with the data source android.network_packets shows attempts, but no pings: `deadzone guide
            perfetto`.

            With --radio, `fit` estimates the power values and timers of a radio profile. The power trace is a Perfetto
            trace with the power rails of android.power, or a CSV file with column names that end in their units. The
            columns are a time, and either power, or current and voltage, or an energy counter. Files of the Monsoon
            power monitor and tables of Android's power rails have this form. If the clocks of power trace and capture
            do not overlap, both are assumed to start at the same moment. --silences reads CSV files of the tool
            RRC-Probe. Confidence intervals are plus or minus three standard errors.
            """
    ) { invocation, context in
        let file = try NewFile(.toPreset, invocation)
        if RadioFitCall.isRequested(invocation) {
            let report = try RadioFitCall(invocation, context).report()
            show(report.json, report.text, invocation, context)
            try file?.write(
                report.yaml, next: "deadzone replay CAPTURE --profile \(file?.word ?? "")", invocation, context)
            return .ok
        }
        guard !invocation.arguments.isEmpty else { throw ToolFault.missingArgument(.fit) }
        let recordings = try invocation.arguments.flatMap { try Self.recordings($0, invocation) }
        let preset = try invocation.text(.like).map { try Self.preset($0, context) }
        let report = FitMaker(recordings, like: preset, read: ScenarioFiles.read).report()
        show(report.json, report.text, invocation, context)
        if let file, report.isWritable {
            try file.write(report.yaml, next: "deadzone schedule \(file.word)", invocation, context)
        } else if let file {
            let why = report.findings.isEmpty ? "determine no setting" : "contradict the estimated settings"
            context.errors.write("\(visible(file.path, atMost: 200)) is not written: the recordings \(why)\n")
        }
        return invocation.has(.exitZero) ? .ok : exitCode(report, isWriting: file != nil)
    }

    /// The comparison with a preset decides if there is one, and the estimate otherwise or if it is to be written.
    private static func exitCode(_ report: FitReport, isWriting: Bool) -> ExitCode {
        switch report.verdict {
        case .contradicted: return .gateFailed
        case .undecided: return .nothingMatched
        case .notContradicted where !isWriting: return .ok
        // A recording without attempts is a result like any other, unless a preset was wanted.
        case nil where !isWriting && report.findings.isEmpty: return .ok
        case .notContradicted, nil:
            return report.isWritable ? .ok : report.findings.isEmpty ? .nothingMatched : .gateFailed
        }
    }

    private static func show(
        _ json: JSON, _ text: (Style) -> String, _ invocation: Invocation, _ context: CommandContext
    ) {
        let style = Style(invocation, context.outputTerminal)
        context.output.write(invocation.has(.json) ? json.text() + "\n" : text(style))
    }

    /// Maximum file size of a recording. The result of an hour has a few megabytes.
    private static let limit = 1 << 28

    private static func recordings(_ path: String, _ invocation: Invocation) throws -> [Recording] {
        let name = String(path.split(separator: "/").last ?? "").escapedForTerminal
        try checkFolder(path)
        guard try isText(path) else {
            var wanted = ReplayRun.ReplayRequest([path])
            wanted.device = try ReplayOptions.devices(invocation)
            let opened: OpenedCapture
            do throws(ToolFault) {
                opened = try OpenedCapture(wanted) { () throws(SystemFault) in
                    throw SystemFault("cannot read", "standard input", because: "fit reads files")
                }
            } catch {
                throw Self.withOtherFormats(error)
            }
            let recording = Recording(name, opened)
            if let fault = opened.faultWithoutPackets { throw ToolFault.unreadableCapture(path, fault) }
            return [recording]
        }
        let bytes: [UInt8]
        do throws(SystemFault) { bytes = try Files.read(path, limit: limit) } catch {
            throw ToolFault.unreadable(error)
        }
        let document: JSON
        do throws(JSONFault) { document = try JSON(text: bytes) } catch {
            throw ToolFault.noResult(path, "it is not JSON: at byte \(error.offset), \(error.message)")
        }
        let found: [Recording.Read]?
        do throws(Recording.WrongTime) { found = try Recording.all(of: document, named: name) } catch {
            throw ToolFault(
                .noResult,
                "\(visible(path, atMost: 200)) is no recording: \(error.place) is not a number of seconds from 0 to "
                    + "3200000000",
                help: ["deadzone live SCENARIO --out DIR -- CLIENT writes one: DIR/live.json"])
        }
        guard let found else { throw ToolFault.noResult(path, "its schema is not \(DocumentSchema.live.rawValue)") }
        return found.map { Recording($0.name, $0.lines) }
    }

    /// The fault with the other kind of recording, if the file is no capture.
    private static func withOtherFormats(_ fault: ToolFault) -> ToolFault {
        guard [.badCapture, .nothingMatched].contains(fault.code) else { return fault }
        let other = "deadzone live SCENARIO --out DIR -- CLIENT writes another kind of recording: DIR/live.json"
        return ToolFault(fault.code, fault.message, help: fault.help + [other])
    }

    /// Refuses the folder of a live run: its capture and its trace belong to the recording in live.json.
    private static func checkFolder(_ path: String) throws(ToolFault) {
        let file = path + (path.hasSuffix("/") ? "" : "/") + LiveFormat.json.fileName
        guard Files.kind(of: path) == .folder, Files.kind(of: file) == .file else { return }
        throw ToolFault(
            .nothingMatched, "\(visible(path, atMost: 200)) is a folder with the results of a live run",
            help: ["name the recording in it: \(visible(file, atMost: 200))"])
    }

    /// `true` if the file begins with a brace. JSON does, and no capture does.
    private static func isText(_ path: String) throws(ToolFault) -> Bool {
        guard Files.kind(of: path) == .file else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { buffer.deallocate() }
        do throws(SystemFault) { return try ByteFile(path).read(buffer) == 1 && buffer[0] == UInt8(ascii: "{") } catch {
            throw .unreadable(error)
        }
    }

    private static func preset(_ name: String, _ context: CommandContext) throws -> FitMaker.ReferencePreset {
        let vocabulary = context.vocabulary
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        guard names.contains(name) || name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw ToolFault.unknownName(
                name, "strategy", among: names, help: "deadzone list strategies shows all strategies")
        }
        let reading = ParsedStrategy(name, with: Node(.map([])), vocabulary, read: ScenarioFiles.read)
        guard let strategy = reading.strategy else {
            if let scenario = Self.scenarioFault(name, names) { throw scenario }
            // A file that cannot be read is also an unknown strategy: the first fault says why.
            let cause = reading.faults.sorted.first
            throw ToolFault(
                .badFlagValue, "`--like` cannot be \(quote(name))\(cause.map { ": \($0.message)" } ?? "")",
                help: [cause?.label, cause?.help].compactMap(\.self).filter { !$0.isEmpty }
                    + ["deadzone list strategies shows all strategies"])
        }
        return FitMaker.ReferencePreset(name: name, strategy, settings: reading.settings)
    }

    /// The fault if the file is a scenario, with the known strategies in it; `nil` for other files.
    private static func scenarioFault(_ path: String, _ known: [String]) -> ToolFault? {
        guard case .success(let bytes) = ScenarioFiles.read(path),
            let strategies = compose(bytes).node?.entries?.first(where: { $0.key == "strategies" })
        else { return nil }
        let own = strategies.value.entries ?? []
        // A strategy without further settings is a name that --like accepts.
        let presets = own.filter { $0.value.entries?.count == 1 }.flatMap { $0.value.entries ?? [] }
            .filter { ["strategy", "preset"].contains($0.key) }.compactMap(\.value.scalar)
        let named = Set(presets).intersection(known).sorted()
        let names = own.prefix(5).map { quote($0.key) }.joined(separator: ", ") + (own.count > 5 ? ", …" : "")
        return ToolFault(
            .badFlagValue, "`--like` cannot be \(quote(path)): this is a scenario",
            help: (named.isEmpty ? [] : ["name one of its presets: \(named.joined(separator: ", "))"])
                + ["write the settings of one of its strategies to a preset file: \(names)"])
    }
}
