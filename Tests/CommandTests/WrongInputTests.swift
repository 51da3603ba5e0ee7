import DeadzoneCommand
import Foundation
import Testing

/// Input from outside that once ended the command by a trap, or that was accepted silently.
struct WrongInputTests {
    private static let line = """
        {"run": 0, "server": "a:1", "began_s": 1.5, "repeated_s": null, "opened_s": 1.6, "ended_s": 9, \
        "ending": "closed", "heard_s": 2, "unheard_s": 1, "unsaid_s": 1, \
        "pings": [{"at_s": 3, "heard_s": 2, "said_s": 2}]}
        """

    private func fit(_ line: String) throws -> TestWorkspace.Outcome {
        let workspace = try TestWorkspace()
        try workspace.write(
            "live.json", #"{"schema": "deadzone/live/1", "strategies": [{"lines": [\#(Self.line), \#(line)]}]}"#)
        return workspace.run("fit @live.json")
    }

    @Test(arguments: [
        ("\"began_s\": 1.5", "\"began_s\": 9.3e9", "lines[1].began_s"),
        ("\"opened_s\": 1.6", "\"opened_s\": 1e300", "lines[1].opened_s"),
        ("\"ended_s\": 9", "\"ended_s\": -1e12", "lines[1].ended_s"),
        ("\"unheard_s\": 1", "\"unheard_s\": \"long\"", "lines[1].unheard_s"),
        ("\"at_s\": 3", "\"at_s\": 1e18", "lines[1].pings[0].at_s"),
    ])
    func aTimeThatNoClockShowsIsNamed(_ old: String, _ new: String, _ place: String) throws {
        // Broken: `fit` traps on a time beyond 9.2e9 s, or ignores it.
        #expect(try fit(Self.line).code == .ok)
        let outcome = try fit(Self.line.replacing(old, with: new))
        #expect(outcome.code == .badInput && outcome.errors.contains(place), "\(outcome.errors)")
    }

    @Test func aFileOfClientsIsNoScenario() throws {
        // Broken: a file with only `strategies` is asked for a name and a radio, although `--with` reads it.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write("clients.yaml", "version: 1\nstrategies:\n  mine: {strategy: patient}\n")
        for verb in ["lint", "run"] {
            let outcome = workspace.run("\(verb) @clients.yaml")
            #expect(outcome.code == .badInput, "\(outcome.errors)")
            for words in ["this file has only strategies", "clients.yaml:2:1", "`--with`", "begins with `strategy:`"] {
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
            }
        }
        #expect(workspace.run("run @a.yaml --with @clients.yaml --exit-zero -q").code == .ok)
        try workspace.write("nameless.yaml", TestWorkspace.scenario.replacing("name: Short\n", with: ""))
        #expect(!workspace.run("lint @nameless.yaml").errors.contains("only strategies"))
    }

    private func fitRadio(_ row: (Int) -> String) throws -> TestWorkspace.Outcome {
        let workspace = try TestWorkspace()
        let rows = (0..<60).map(row)
        try workspace.write("power.csv", "Time(s),Power(mW)\n" + rows.joined(separator: "\n") + "\n")
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let run = workspace.run("run @a.yaml --exit-zero -q --format pcapng --out @out")
        #expect(run.code == .ok, "\(run.errors)")
        return workspace.run("fit --radio @power.csv --capture @out/packets.pcapng --base lte-verizon-2021")
    }

    @Test(arguments: [
        ("7,1e300", "line 9: the power"), ("7,-9e29", "line 9: the power"), ("9e29,100", "line 9: the time"),
        ("1e12,100", "line 9: the time"), ("6e7,100", "longer than a year"),
    ])
    func aPowerThatNoMeterShowsIsNamed(_ bad: String, _ says: String) throws {
        // Broken: one power of 1e300 mW traps, or a trace of a million years is simulated.
        let outcome = try fitRadio { $0 == 7 ? bad : "\($0),100" }
        #expect(outcome.code == .badInput && outcome.errors.contains(says), "\(outcome.errors)")
    }

    @Test(arguments: ["nan", "inf", "", "none"])
    func rowsWithoutANumberAreCounted(_ cell: String) throws {
        // Broken: rows without a number are left out silently.
        let outcome = try fitRadio { $0 % 20 == 7 ? "\($0),\(cell)" : "\($0),100" }
        #expect(outcome.code == .ok, "\(outcome.errors)")
        #expect(outcome.output.contains("3 rows of the power trace without a number"), "\(outcome.output)")
    }

    @Test(arguments: ["cellular: file.yaml", "cellular: {profile: file.yaml}"])
    func aFileThatIsNoProfileIsNotQuoted(_ radio: String) throws {
        // Broken: a scenario from elsewhere shows the content of any file in the error of a CI log.
        let workspace = try TestWorkspace()
        try workspace.write("file.yaml", "root:x:0:0:secret\nmail:x:8:8:secret\n")
        try workspace.write(
            "a.yaml", TestWorkspace.scenario.replacing("cellular: lte-verizon-2021", with: radio))
        let lint = workspace.run("lint @a.yaml")
        #expect(lint.code == .badInput && lint.errors.contains("contains no radio profile"), "\(lint.errors)")
        try workspace.write(
            "b.yaml", TestWorkspace.scenario.replacing("eager: {strategy: eager}", with: "eager: {strategy: file.yaml}")
        )
        let preset = workspace.run("lint @b.yaml")
        #expect(preset.code == .badInput && preset.errors.contains("contains no preset"), "\(preset.errors)")
        #expect(!(lint.errors + preset.errors).contains("secret"), "\(lint.errors)\(preset.errors)")
        try Data("secret".utf8).write(to: URL(filePath: workspace.file("capture.pcap")))
        let replay = workspace.run("replay @capture.pcap --profile \(workspace.file("file.yaml"))")
        #expect(!replay.errors.contains("secret"), "\(replay.errors)")
    }

    @Test func initWritesBothFilesOrNone() throws {
        // Broken: on a full disk the scenario is written without its schema, and the next `init` refuses.
        let workspace = try TestWorkspace()
        try FileManager.default.createDirectory(
            atPath: workspace.file("deadzone.schema.json"), withIntermediateDirectories: false)
        let outcome = workspace.run("init @mine.yaml")
        #expect(outcome.code == .runtime && outcome.errors.contains("deadzone.schema.json"), "\(outcome.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: workspace.path)
        #expect(names == ["deadzone.schema.json"])
        // A missing folder is made, but not in the place of a file.
        try workspace.write("file", "")
        #expect(workspace.run("init @file/mine.yaml").code == .runtime)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.path).sorted() == names + ["file"])
    }
}
