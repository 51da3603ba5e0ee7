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
