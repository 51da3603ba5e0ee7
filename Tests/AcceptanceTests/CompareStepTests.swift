import DeadzoneTestKit
import Foundation
import Testing

/// The script that action.yml and the GitLab job run, tested without their servers.
struct CompareStepTests {
    private static let script = Repository.root + "/.ci/compare"

    private func folder() throws -> String {
        let path = NSTemporaryDirectory() + "deadzone-step-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func read(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    @Test func theStepReportsAndDecides() throws {
        // Broken: the workflow passes a failure, shows nothing, or executes the content of its inputs.
        let place = try folder()
        defer { try? FileManager.default.removeItem(atPath: place) }
        let text = read(Repository.root + "/Scenarios/handoff/elevator.yaml").replacing("140%", with: "300%")
        let scenario = place + "/a $(touch oops) b.yaml"
        try Data(text.utf8).write(to: URL(filePath: scenario))
        let base = place + "/base.json"
        #expect(
            try Binary.built.run(["baseline", "save", scenario, "--baseline", base, "--replicas", "3", "-q"]).status
                == 0)
        func step(_ change: [String: String]) throws -> Binary.Outcome {
            let variables = [
                "DEADZONE_SCENARIOS": scenario + "\r\n", "DEADZONE_BASELINE": base,
                "DEADZONE_COMMAND": Binary.built.path,
                "DEADZONE_OUT": place + "/out", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": place + "/summary",
                "GITHUB_OUTPUT": place + "/output",
            ]
            return try Binary(path: Self.script).run([], in: place, variables.merging(change) { $1 })
        }
        let same = try step([:])
        #expect(same.status == 0, "\(same.errors)")
        #expect(read(place + "/output") == "verdict=pass\nreport=\(place)/out\n")
        #expect(read(place + "/summary").hasPrefix("## Deadzone: pass"))
        #expect(read(place + "/out/compare.xml").contains("<testsuites"))

        // Three replicas are too few to decide whether this is worse.
        try Data(text.replacing("ping: 5m", with: "ping: 25s").utf8).write(to: URL(filePath: scenario))
        #expect(try step([:]).status == 0)
        #expect(read(place + "/output").contains("verdict=undecided\n"))

        try Data(text.replacing("ping: 5m", with: "ping: 2m").utf8).write(to: URL(filePath: scenario))
        try Data("version: 1\ngates: [{scenarios: \"*\", keepalive.pings: within 1% of baseline}]\n".utf8)
            .write(to: URL(filePath: place + "/gates.yaml"))
        let other = try step(["DEADZONE_GATES": place + "/gates.yaml", "DEADZONE_ARGUMENTS": "--verbose\n"])
        #expect(other.status == 1 && other.errors.contains("::error file="), "\(other.errors)")
        #expect(read(place + "/output").contains("verdict=fail"))
        #expect(read(place + "/summary").contains("keepalive.pings"))

        let none = try step(["DEADZONE_BASELINE": place + "/none.json"])
        #expect(none.status == 3 && read(place + "/output").contains("verdict=error"))
        #expect(!FileManager.default.fileExists(atPath: place + "/out/compare.json"))
        let files = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(!files.contains("oops") && files.contains("out"))
    }

    @Test func theActionAndTheJobRunThatScript() {
        // Broken: an input is pasted into a script, or the script that is tested above is never called.
        let action = read(Repository.root + "/action.yml")
        #expect(action.contains("run: '\"$DEADZONE_SOURCES/.ci/compare\"'") && action.contains("using: composite"))
        let job = read(Repository.root + "/.ci/gitlab.yml")
        #expect(
            job.contains("'\"$DEADZONE_SOURCES/.ci/compare\"'") && job.contains("junit: deadzone-report/compare.xml"))
        for line in action.split(separator: "\n") where line.contains("run:") { #expect(!line.contains("${{")) }
    }
}
