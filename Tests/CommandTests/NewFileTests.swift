import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Verbs that write a file which a flag names.
struct NewFileTests {
    private static let verbs = [
        "replay @a.pcap --to-scenario", "day \(Repository.root)/Scenarios/days/office.txt --to-scenario",
        "fit @live.json --to-preset", "init",
    ]

    @Test func namesOfCapturesKeepTheirSpaces() throws {
        // Broken: the scenario of `replay -` is called "Messages of standardinput".
        let workspace = try TestWorkspace.replaying(ReplayReportTests.capture(seconds: 300))
        try FileManager.default.copyItem(
            atPath: workspace.file("a.pcap"), toPath: workspace.file("my  day (2) #1.pcap"))
        let line = "replay @my\u{a0}\u{a0}day\u{a0}(2)\u{a0}#1.pcap --to-scenario -"
        let scenario = workspace.run(line).output
        #expect(scenario.contains("\nname: Messages of my day 2 1.pcap\n"), "\(scenario.prefix(300))")
    }

    @Test(arguments: ["a.yaml", "b.yaml", "notes.txt", "result.json", "cut.ndjson"])
    func eventsReplaceEventsAlone(_ name: String) throws {
        // Broken: `--events` replaces the scenario that it runs, the file of --with, or any other file.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write(
            "b.yaml", TestWorkspace.scenario.replacing("eager: {", with: "one: {").replacing("patient:", with: "two:"))
        try workspace.write("notes.txt", "\n")
        try workspace.write("result.json", #"{"schema": "deadzone/run/1", "events": 1}"#)
        try workspace.write("cut.ndjson", #"{"event": "sent", "at_ns""#)
        let before = try workspace.data(name)
        let refused = workspace.run("run @a.yaml --with @b.yaml --replicas 1 --events @\(name)")
        #expect(refused.code == .runtime && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.errors.contains("error[E0404]") && refused.errors.contains("not a file of events"))
        #expect(try workspace.data(name) == before)
        try workspace.write("empty.ndjson", "")
        for file in ["empty.ndjson", "empty.ndjson", "new.ndjson"] {
            #expect(workspace.run("run @a.yaml --replicas 1 --events @\(file)").code == .ok)
            #expect(try workspace.text(file).contains(#""event": "finished""#))
        }
    }

    @Test(arguments: verbs)
    func existingFilesNeedForce(_ verb: String) throws {
        // Broken: a command replaces a file that the user wrote, without a question.
        let workspace = try TestWorkspace.replaying(ReplayReportTests.capture(seconds: 300))
        let lines = [0, 1, 3, 7].map {
            #"{"run": 0, "server": "a", "began_s": \#($0), "ended_s": \#(Double($0) + 0.01), "ending": "refused"}"#
        }
        try workspace.write(
            "live.json",
            #"{"schema": "deadzone/live/1", "strategies": [{"lines": [\#(lines.joined(separator: ", "))]}]}"#)
        try workspace.write("mine.yaml", "my own work\n")
        let refused = workspace.run("\(verb) @mine.yaml")
        #expect(refused.code == .runtime && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.errors.contains("error[E0404]") && refused.errors.contains("--force replaces it"))
        #expect(try workspace.text("mine.yaml") == "my own work\n")
        for line in ["\(verb) @mine.yaml --force", "\(verb) @new.yaml"] {
            let written = workspace.run(line)
            #expect(written.code == .ok, "\(written.errors)")
            let file = line.hasSuffix("--force") ? "mine.yaml" : "new.yaml"
            #expect(written.errors.contains("wrote \(workspace.file(file))"), "\(written.errors)")
            #expect(written.errors.contains("\nnext: deadzone "), "\(written.errors)")
            #expect(try workspace.text(file).contains("version: 1"))
        }
        #expect(workspace.run("\(verb) @mine.yaml --force -q").errors.isEmpty)
    }
}
