import DeadzoneClient
import DeadzoneDocuments
import DeadzoneFit
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings

extension Flag {
    static let like = Flag("like", takes: .text("PRESET"), "a strategy or preset that the client is to be like")
    static let toPreset = Flag(
        "to-preset", takes: .text("FILE"), "writes what was found as a preset, or as a profile of a radio")
}

extension Verb {
    static let fit: Verb = Verb(
        "fit", "finds the settings that explain how a recorded client behaved",
        arguments: .any("RECORDING", "what live --json printed or --out wrote, or captures; each by itself"),
        flags: [.like, .toPreset, .device] + Flag.ofRadio + [.json, .exitZero],
        formats: [],
        examples: [
            Example("deadzone fit results/live.json --like grpc-core", "whether it behaves as its preset says"),
            Example("deadzone fit phone.pcapng --to-preset mine.yaml", "a preset from an afternoon's capture"),
            Example("deadzone fit monday.json tuesday.json --like mine.yaml", "against drift, in CI"),
            Example(
                "deadzone fit --radio rail.csv --capture phone.pcapng --base lte-verizon-2021 --to-preset my-lte.yaml",
                "a radio profile from one's own phone"),
        ],
        next: [
            Example("deadzone schedule mine.yaml", "when it would try again"),
            Example("deadzone live SCENARIO -- CLIENT", "makes a recording"),
        ],
        details: """
            From when attempts to connect began, how they ended and when the client pinged in the clear it finds the waits
            between attempts, their growth, cap and jitter, what they are counted from, the limit of an attempt, and how
            often pings go and when their silence ends a connection. Each number comes with what the recording allows: no
            value outside of it is a thousandth as likely as the best. A row in which attempts fail and fail again says
            most; one with a refusing server and one with a silent network say which limit is whose. Ends with 1 where a
            preset is refuted. One server is looked at: that of most attempts.

            With --radio it finds the powers and timers of a radio profile instead. The power trace is CSV: a line of names
            that end in their unit, a time, and a power, or current and voltage, or an energy that counts up; Monsoon's and
            tables of Android's power rails are such. Its clock is the capture's, or both begin together. --silences reads
            what RRC-Probe writes. Intervals are three standard errors wide each way.
            """
    ) { invocation, surroundings in
        if RadioFitting.isAsked(invocation) {
            let report = try RadioFitting(invocation, surroundings).report()
            try show(report.json, report.text, report.yaml, invocation, surroundings)
            return .ok
        }
        guard !invocation.arguments.isEmpty else { throw ToolFault.missingArgument(.fit) }
        let recordings = try invocation.arguments.flatMap { try Self.recordings($0, invocation) }
        let preset = try invocation.text(.like).map { try Self.preset($0, surroundings) }
        let report = FitMaker(recordings, like: preset).report()
        try show(report.json, report.text, report.yaml, invocation, surroundings)
        return preset == nil || report.isLike || invocation.has(.exitZero) ? .ok : .gateFailed
    }

    private static func show(
        _ json: JSON, _ text: (Style) -> String, _ yaml: String, _ invocation: Invocation, _ surroundings: Surroundings
    ) throws {
        let style = Style(invocation, surroundings.outputTerminal)
        surroundings.output.write(invocation.has(.json) ? json.text() + "\n" : text(style))
        guard let path = invocation.text(.toPreset) else { return }
        do throws(SystemFault) { try Files.write(Array(yaml.utf8), to: path) } catch {
            throw ToolFault.unwritable(error)
        }
    }

    /// Of results no more is read: a run of an hour has a few megabytes.
    private static let limit = 1 << 28

    private static func recordings(_ path: String, _ invocation: Invocation) throws -> [Recording] {
        let name = String(path.split(separator: "/").last ?? "").visible
        guard try isText(path) else {
            var wanted = ReplayRun.Wanted([path])
            wanted.device = try ReplayOptions.devices(invocation)
            let opened = try OpenedCapture(wanted) { () throws(SystemFault) in
                throw SystemFault("cannot read", "standard input", because: "fit reads files")
            }
            return [Recording(name, opened)]
        }
        let bytes: [UInt8]
        do throws(SystemFault) { bytes = try Files.read(path, limit: limit) } catch {
            throw ToolFault.unreadable(error)
        }
        let document: JSON
        do throws(JSONFault) { document = try JSON(text: bytes) } catch {
            throw ToolFault.noResult(path, "it is no JSON: at byte \(error.offset), \(error.message)")
        }
        guard let found = Recording.all(of: document, named: name) else {
            throw ToolFault.noResult(path, "its schema is not deadzone/live/1")
        }
        return found.map { Recording($0.name, $0.lines) }
    }

    /// JSON begins with a brace, and no capture does.
    private static func isText(_ path: String) throws(ToolFault) -> Bool {
        guard Files.kind(of: path) == .file else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { buffer.deallocate() }
        do throws(SystemFault) { return try ByteFile(path).read(buffer) == 1 && buffer[0] == UInt8(ascii: "{") } catch {
            throw .unreadable(error)
        }
    }

    private static func preset(_ name: String, _ surroundings: Surroundings) throws -> FitMaker.Preset {
        let vocabulary = surroundings.vocabulary
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        guard names.contains(name) || name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw ToolFault.unknownName(name, "strategy", among: names, help: "deadzone list strategies shows them")
        }
        let reading = StrategyReading(name, with: Node(.map([])), vocabulary, read: ScenarioFiles.read)
        guard let strategy = reading.strategy else {
            throw ToolFault(
                .badFlagValue, "`--like` cannot be \(quote(name))",
                help: reading.faults.sorted.map { faultText($0, files: reading.files) })
        }
        return FitMaker.Preset(name: name, strategy, settings: reading.settings)
    }
}
