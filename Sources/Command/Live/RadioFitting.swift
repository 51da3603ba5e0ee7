import DeadzoneDocuments
import DeadzoneFit
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneSettings

extension Flag {
    static let powerTrace = Flag(
        "radio", takes: .text("POWER.csv"), "finds the numbers of a radio instead, from a power trace beside --capture")
    static let besides = Flag("capture", takes: .text("FILE"), "the packets beside the power trace")
    static let silences = Flag(
        "silences", takes: .text("PROBES.csv"),
        "round trips after silences, as RRC-Probe writes them, to find timers from")
    static let base = Flag("base", takes: .text("PROFILE"), "the profile that gives what was not measured")

    /// Those that ask for a radio.
    static let ofRadio = [powerTrace, besides, silences, base]
}

/// `fit` of a radio.
struct RadioFitting {
    /// A meter at 5 kHz writes so much in a quarter of an hour.
    private static let limit = 1 << 28

    private let invocation: Invocation
    private let surroundings: Surroundings

    init(_ invocation: Invocation, _ surroundings: Surroundings) {
        self.invocation = invocation
        self.surroundings = surroundings
    }

    static func isAsked(_ invocation: Invocation) -> Bool { Flag.ofRadio.contains { invocation.has($0) } }

    func report() throws -> RadioFitReport {
        guard invocation.arguments.isEmpty else {
            throw ToolFault(
                .conflict, "recordings beside `--radio`", help: ["fit one or the other: a client or a radio"])
        }
        guard let base = invocation.text(.base) else {
            throw ToolFault(
                .conflict, "a radio without `--base`", help: ["deadzone list profiles shows what to begin from"])
        }
        guard invocation.has(.powerTrace) == invocation.has(.besides),
            invocation.has(.powerTrace) || invocation.has(.silences)
        else {
            throw ToolFault(
                .conflict, "half of what was measured",
                help: ["write --radio POWER.csv with --capture FILE, or --silences PROBES.csv, or both"])
        }
        var maker = try RadioFitMaker(base: base, surroundings.vocabulary)
        if let path = invocation.text(.silences) {
            maker.fit(SilenceFit(csv: try Self.text(path)), named: Self.name(path))
        }
        if let path = invocation.text(.powerTrace), let capture = invocation.text(.besides) {
            var wanted = ReplayRun.Wanted([capture])
            wanted.device = try ReplayOptions.devices(invocation)
            let opened = try OpenedCapture(wanted) { () throws(SystemFault) in
                throw SystemFault("cannot read", "standard input", because: "fit reads files")
            }
            maker.fit(try Self.trace(path), named: Self.name(path), opened, Self.name(capture))
        }
        return maker.report()
    }

    private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "").visible }

    private static func text(_ path: String) throws(ToolFault) -> String {
        do throws(SystemFault) { return String(decoding: try Files.read(path, limit: limit), as: UTF8.self) } catch {
            throw .unreadable(error)
        }
    }

    private static func trace(_ path: String) throws -> PowerTrace {
        let text = try text(path)
        do throws(PowerTrace.Unreadable) { return try PowerTrace(csv: text) } catch {
            let why =
                switch error {
                case .noTime: "no column is called time, timestamp or ts"
                case .noPower: "no column is called power, energy, or current beside voltage"
                case .manyRails(let names):
                    "which of its rails is the modem's? \(names.joined(separator: ", ").visible)"
                case .tooShort: "it has no three readings"
                }
            throw ToolFault(
                .noResult, "\(visible(path, atMost: 200)) is no power trace: \(why)",
                help: ["a line of names, then numbers: Time(s),Power(mW)"])
        }
    }
}
