import DeadzoneBase
import DeadzoneCaptures
import DeadzoneFit
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

extension Flag {
    static let powerTrace = Flag(
        "radio", takes: .text("POWER"),
        "Estimate a radio from this power trace (CSV or Perfetto) and --capture FILE")
    static let rail = Flag(
        "rail", takes: .text("RAIL"), repeatable: true,
        "Power rail of the power trace (default: the modem's); several are added")
    static let capture = Flag(
        "capture", takes: .text("FILE"), "Packet capture or Perfetto trace that was recorded during the power trace")
    static let silences = Flag(
        "silences", takes: .text("PROBES.csv"),
        "CSV file of RRC-Probe with round-trip times after pauses, to estimate radio timers")
    static let base = Flag(
        "base", takes: .text("PROFILE"), "Radio profile that supplies all values that were not measured")

    /// The flags that select the fit of a radio.
    static let radioFlags = [powerTrace, rail, capture, silences, base]
}

/// Executes one `fit` command that estimates a radio profile from measurements.
struct RadioFitCall {
    /// Maximum file size. A power meter at 5 kHz writes this much in a quarter of an hour.
    private static let limit = 1 << 28

    private let invocation: Invocation
    private let context: CommandContext

    init(_ invocation: Invocation, _ context: CommandContext) {
        self.invocation = invocation
        self.context = context
    }

    static func isRequested(_ invocation: Invocation) -> Bool { Flag.radioFlags.contains { invocation.has($0) } }

    func report() throws -> RadioFitReport {
        guard invocation.arguments.isEmpty else {
            throw ToolFault(
                .conflict, "recordings cannot be combined with `--radio`", help: ["estimate either a client or a radio"]
            )
        }
        guard let base = invocation.text(.base) else {
            throw ToolFault(
                .conflict, "`--radio` needs `--base`", help: ["deadzone list profiles shows the profiles to start from"]
            )
        }
        guard invocation.has(.powerTrace) == invocation.has(.capture),
            invocation.has(.powerTrace) || invocation.has(.silences)
        else {
            throw ToolFault(
                .conflict, "`--radio` needs `--capture`, and `--capture` needs `--radio`",
                help: ["write --radio POWER with --capture FILE, or --silences PROBES.csv, or both"])
        }
        var maker = try RadioFitMaker(base: base, context.vocabulary)
        if let path = invocation.text(.silences) {
            maker.fit(SilenceFit(csv: try Self.text(path)), named: Self.name(path))
        }
        if let path = invocation.text(.powerTrace), let capture = invocation.text(.capture) {
            var wanted = ReplayRun.ReplayRequest([capture])
            wanted.device = try ReplayOptions.devices(invocation)
            let opened = try OpenedCapture(wanted) { () throws(SystemFault) in
                throw SystemFault("cannot read", "standard input", because: "fit reads files")
            }
            let (trace, notes) = try trace(path)
            maker.fit(trace, named: Self.name(path), opened, Self.name(capture))
            if let fault = opened.faultWithoutPackets { throw ToolFault.unreadableCapture(capture, fault) }
            maker.add(notes: notes)
        }
        return maker.report()
    }

    private static func name(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "").escapedForTerminal
    }

    private static func text(_ path: String) throws(ToolFault) -> String {
        do throws(SystemFault) { return String(decoding: try Files.read(path, limit: limit), as: UTF8.self) } catch {
            throw .unreadable(error)
        }
    }

    /// Reads a power trace, recognised by its content.
    private func trace(_ path: String) throws -> (PowerTrace, notes: [String]) {
        let wanted = invocation.texts(.rail)
        let rails = try Self.rails(path)
        let text = rails == nil ? try Self.text(path) : ""
        if rails == nil, wanted.count > 1 {
            throw ToolFault(
                .conflict, "`--rail` can name only one rail of a CSV file", help: ["a Perfetto trace can have several"])
        }
        do throws(PowerTrace.Unreadable) {
            if let rails { return (try PowerTrace(rails, wanted: wanted), rails.notes) }
            return (try PowerTrace(csv: text, rail: wanted.first), [])
        } catch {
            throw Self.noTrace(path, error)
        }
    }

    /// The rails of a Perfetto trace; `nil` for other files.
    private static func rails(_ path: String) throws -> PowerRails? {
        let source: ByteSource
        do throws(SystemFault) { source = CaptureFiles.source(try ByteFile(path)) } catch {
            throw ToolFault.unreadable(error)
        }
        do throws(CaptureFault) { return try PowerRails(source) } catch {
            throw ToolFault.unreadableCapture(path, error)
        }
    }

    private static func noTrace(_ path: String, _ error: PowerTrace.Unreadable) -> ToolFault {
        if case .manyRails(let names) = error {
            return ToolFault(
                .noResult, "which power rails of \(visible(path, atMost: 200)) are the modem's is not clear",
                help: ["choose with --rail NAME:  \(names.joined(separator: ", ").escapedForTerminal)"])
        }
        let why =
            switch error {
            case .noTime: "no column is called time, timestamp or ts"
            case .noPower: "no column is called power, energy, or current beside voltage"
            case .manyRails: "its rails are not clear"
            case .tooShort: "it has fewer than three readings"
            case .tooLong: "it is longer than a year"
            case .outOfRange(let line, let what): "line \(line): \(what)"
            case .counterOutOfRange(let what): what
            }
        return ToolFault(
            .noResult, "\(visible(path, atMost: 200)) is not a power trace: \(why)",
            help: ["write a header line, then numbers: Time(s),Power(mW)"])
    }
}
