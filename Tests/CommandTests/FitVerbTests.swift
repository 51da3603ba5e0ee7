import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Exit codes and files of `fit`.
struct FitVerbTests {
    /// A live result with connections of one client to one server.
    private static func recording(_ lines: [String]) -> String {
        let all = lines.map { #"{"run": 0, "server": "a:1", \#($0)}"# }.joined(separator: ", ")
        return #"{"schema": "deadzone/live/1", "strategies": [{"name": "a", "lines": [\#(all)]}]}"#
    }

    /// Attempts that a closed port refuses, with waits of 1 s, 2 s and 4 s.
    private static let refused = [0, 1, 3, 7].map {
        #""began_s": \#($0), "ended_s": \#(Double($0) + 0.01), "ending": "refused""#
    }

    private static let recordings = [
        "none": recording([]), "open": recording([#""began_s": 0, "opened_s": 0.1, "heard_s": 3"#]),
        "regular": recording(refused),
        // The client waits 2 s and then 20 s after its own closes.
        "odd": recording(
            [(0, 5), (7, 12), (32, 40)].map { began, ended in
                #""began_s": \#(began), "opened_s": \#(Double(began) + 0.1), "heard_s": \#(Double(ended) - 0.1), "#
                    + #""ended_s": \#(ended), "ending": "client""#
            }),
    ]

    private func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        for (name, text) in Self.recordings { try workspace.write(name + ".json", text) }
        return workspace
    }

    @Test(
        arguments: [
            ("none", "--like grpc-core", .nothingMatched, "the recording cannot decide: it holds no attempt"),
            ("open", "--like grpc-core", .nothingMatched, "the recording cannot decide: it holds no attempt"),
            ("open", "--like grpc-core --exit-zero", .ok, "cannot decide"), ("none", "", .ok, "0 waits"),
            ("open", "", .ok, "Cannot be estimated"), ("regular", "", .ok, "backoff.base"),
            ("regular", "--like grpc-core", .gateFailed, "does not behave like it"),
        ] as [(String, String, ExitCode, String)])
    func withoutEvidenceNothingPasses(_ name: String, _ flags: String, _ code: ExitCode, _ words: String) throws {
        // Broken: a recording without an attempt passes a check in CI.
        let workspace = try workspace()
        let outcome = workspace.run("fit @\(name).json " + flags)
        #expect(outcome.code == code && outcome.output.contains(words), "\(outcome.code) \(outcome.output)")
        #expect(!outcome.output.contains("0 of 0 attempts"))
        // The code is that of JSON and of a file as well.
        #expect(workspace.run("fit @\(name).json --json " + flags).code == code)
        let written = workspace.run("fit @\(name).json --to-preset @p.yaml " + flags)
        // Without `--like` a recording without attempts is a result, but no preset.
        let wanted = flags.isEmpty && name != "regular" ? .nothingMatched : code
        #expect(written.code == wanted, "\(written.errors)")
        // The settings nearest to another client are contradicted as well.
        let isWritten = name == "regular" && flags.isEmpty
        #expect(workspace.exists("p.yaml") == isWritten)
        let said = isWritten ? "wrote \(workspace.file("p.yaml"))\nnext: deadzone schedule" : "p.yaml is not written"
        #expect(written.errors.contains(said), "\(written.errors)")
    }

    @Test func helpTellsTheCodeOfARecordingWithoutSettings() throws {
        // Broken: the help promises code 5 for a recording without attempts, and the verb exits with 0.
        let workspace = try workspace()
        #expect(workspace.run("fit @none.json").code == .ok && workspace.run("fit @none.json --json").code == .ok)
        let help = workspace.run("help fit").output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("a recording that determines no setting is a result, with code 0"), "\(help)")
    }

    @Test func estimatesThatFitNoClientFail() throws {
        // Broken: the exit code of a contradicted estimate depends on `--to-preset`, or JSON has two documents.
        let workspace = try workspace()
        let plain = workspace.run("fit @odd.json")
        try #require(plain.output.contains("Not explained by the estimated settings"), "\(plain.output)")
        let written = workspace.run("fit @odd.json --to-preset @p.yaml --json")
        #expect(plain.code == .gateFailed && written.code == .gateFailed && !workspace.exists("p.yaml"))
        #expect(written.errors.contains("the recordings contradict the estimated settings"), "\(written.errors)")
        #expect(try JSONSerialization.jsonObject(with: Data(written.output.utf8)) is [String: Any])
    }

    @Test func scenariosAreNoPresetsAndNoRecordings() throws {
        // Broken: a scenario as a preset prints all strategies, or a YAML file as a recording hides that JSON is one.
        let workspace = try workspace()
        try workspace.write("mine.yaml", TestWorkspace.scenario)
        let like = workspace.run("fit @regular.json --like @mine.yaml")
        #expect(like.code == .usage && like.errors.contains("this is a scenario"), "\(like.errors)")
        #expect(like.errors.contains("name one of its presets: eager, patient"), "\(like.errors)")
        try workspace.write(
            "own.yaml",
            TestWorkspace.scenario.replacing(
                "strategies:\n", with: "strategies:\n  ws: {strategy: composed, keepalive: {interval: 5s}}\n"))
        let own = workspace.run("fit @regular.json --like @own.yaml")
        #expect(own.errors.contains("one of its strategies to a preset file: `ws`, "), "\(own.errors)")
        #expect(!own.errors.contains("composed"), "\(own.errors)")
        #expect(like.errors.count < 400)
        let recorded = workspace.run("fit @mine.yaml")
        #expect(recorded.code == .badInput && recorded.errors.contains("live.json"), "\(recorded.errors)")
    }

    @Test func wrongPathsPointToTheLiveResult() throws {
        // Broken: a missing file, or the folder of a live run, is only told to be a packet capture.
        let workspace = try workspace()
        let missing = workspace.run("fit @absent.json")
        #expect(missing.code == .nothingMatched && missing.errors.contains("DIR/live.json"), "\(missing.errors)")
        try FileManager.default.createDirectory(atPath: workspace.file("r1"), withIntermediateDirectories: true)
        try workspace.write("r1/live.json", "{}")
        let folder = workspace.run("fit @r1")
        #expect(folder.code == .nothingMatched && folder.errors.contains("r1/live.json"), "\(folder.errors)")
    }

    // MARK: Radios

    /// A capture with a packet every second, from 1000 s to 1060 s, and a meter that starts at another time.
    private static func metered(from start: Int) throws -> TestWorkspace {
        let packet = PacketBytes.ipv4(PacketBytes.udp(50_000, 9_000, payload: [UInt8](repeating: 0, count: 100)))
        var file = PcapWriter(linkType: 101)
        for second in 1_000...1_060 as ClosedRange<UInt64> { file.add(packet, at: second * 1_000_000_000) }
        let workspace = try TestWorkspace()
        try workspace.write("a.pcap", file.bytes)
        let rows = (0..<60).map { "\(start + $0),\(100 + $0 % 7)" }
        try workspace.write("power.csv", "Time(s),Power(mW)\n" + rows.joined(separator: "\n") + "\n")
        return workspace
    }

    @Test(arguments: [(800, false), (950, true), (1_030, true), (1_059, true), (1_100, false)])
    func onlyClocksThatDoNotOverlapAreAligned(_ start: Int, _ overlaps: Bool) throws {
        // Broken: a meter that starts during the capture is moved to the first packet, so powers get other packets.
        let outcome = try Self.metered(from: start).run(
            "fit --radio @power.csv --capture @a.pcap --base lte-verizon-2021 --json")
        #expect(outcome.code == .ok && outcome.output.contains("do not overlap") != overlaps, "\(outcome)")
    }

    @Test(arguments: ["lte-verizon-2021", "lte-att-2012-aro", "nr-sa-mid-tmobile-2025"])
    func aWrittenProfileHasAllNumbersOfItsBase(_ shipped: String) throws {
        // Broken: a profile with a shipped base lacks the numbers that were not measured; one with a file as its base
        // inherits from that file, or cannot be read.
        let workspace = try Self.metered(from: 1_000)
        // The radio sleeps after silences of more than 10 s.
        let probes = (0..<200).map { 1 + $0 % 20 }.map { "\($0),\($0 > 10 ? 900 : 50)" }
        try workspace.write("probes.csv", "interval,RTT1\n" + probes.joined(separator: "\n") + "\n")
        let joules = try [(shipped, "mine.yaml"), ("@mine.yaml", "copy.yaml")].map { base, name in
            let fit = workspace.run("fit --silences @probes.csv --base \(base) --to-preset @\(name)")
            try #require(fit.code == .ok, "\(fit.errors)")
            let replay = try workspace.document("replay @a.pcap --device 10.0.0.2 --profile @\(name)")
            return ((replay["radio"] as? [String: Any])?["joules"] as? NSNumber)?.doubleValue ?? 0
        }
        #expect(joules[0] > 1 && joules[0] == joules[1], "\(joules)")
        #expect(try workspace.text("mine.yaml").contains("\ninherits: \(shipped)\n"))
        #expect(try !workspace.text("copy.yaml").contains("inherits"))
    }
}
