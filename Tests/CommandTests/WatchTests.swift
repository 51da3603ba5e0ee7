import DeadzoneCommand
import DeadzoneHost
import Foundation
import Synchronization
import Testing

struct WatchTests {
    /// Runs a command with --watch. Each time it waits for a change, the next step writes a file; after the last step
    /// the user presses Ctrl-C.
    private func watch(
        _ workspace: TestWorkspace, _ line: String, _ steps: [(name: String, text: String)]
    ) -> TestWorkspace.Outcome {
        let writes = steps.map { (file: URL(filePath: workspace.file($0.name)), data: Data($0.text.utf8)) }
        let shown = Mutex<Console?>(nil)
        let done = Atomic(0)
        return workspace.run(line + " --watch") { surroundings in
            shown.withLock { $0 = surroundings.errors }
            surroundings.isInterrupted = {
                let waits = shown.withLock { $0?.text ?? "" }.components(separatedBy: "watching ").count - 1
                let next = done.load(ordering: .relaxed)
                guard waits > next else { return false }
                guard next < writes.count else { return true }
                done.store(next + 1, ordering: .relaxed)
                try? writes[next].data.write(to: writes[next].file)
                return false
            }
        }
    }

    @Test func eachChangeRunsAgain() throws {
        // Broken: a changed file is not noticed, an error ends the watch, or it stays after it was mended.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let other = TestWorkspace.scenario.replacing("every: 10s", with: "every: 20s")
        let outcome = watch(
            workspace, "run @a.yaml",
            [
                ("a.yaml", TestWorkspace.scenario.replacing("every:", with: "evry:")),
                ("a.yaml", other),
            ])
        #expect(outcome.code == .interrupted)
        let first = workspace.run("run @a.yaml").output
        #expect(outcome.output.hasSuffix(first) && outcome.output.count > first.count)
        #expect(outcome.errors.components(separatedBy: "did you mean `every`?").count == 2, "\(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "watching 1 file; Ctrl-C ends").count == 4)
    }

    @Test func allFilesThatWereReadAreWatched() throws {
        // Broken: only the named scenario is watched, not the one that it extends, or new files of a folder.
        let workspace = try TestWorkspace()
        try workspace.write("in/base.yaml", TestWorkspace.scenario)
        try workspace.write("in/b.yaml", "extends: base.yaml\nname: Longer\nduration: 4m\n")
        let outcome = watch(
            workspace, "run @in/b.yaml -q",
            [("in/base.yaml", TestWorkspace.scenario.replacing("300B", with: "400B"))])
        #expect(outcome.errors.components(separatedBy: "watching 2 files").count == 3, "\(outcome.errors)")
        let folder = watch(
            workspace, "run @in -q --exit-zero", [("in/c.yaml", TestWorkspace.scenario)])
        #expect(folder.errors.contains("watching 2 files") && folder.errors.contains("watching 3 files"))
    }

    @Test(arguments: ["run", "compare"])
    func anOpenPageNoticesANewOne(_ verb: String) throws {
        // Broken: an open page stays old, reloads although nothing has changed, or a page of a plain run has another script.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let line = verb == "run" ? "run @a.yaml" : "compare @a.yaml --against eager"
        let page = verb == "run" ? "report.html" : "compare.html"
        func picture(_ steps: [(name: String, text: String)]) throws -> (width: String, text: String) {
            _ = watch(workspace, line + " --exit-zero -q --format html --out @out", steps)
            let picture = try workspace.text("out/\(page).svg")
            let width = try #require(picture.firstMatch(of: /width="(\d+)"/)?.1)
            return (String(width), try workspace.text("out/" + page))
        }
        let first = try picture([])
        #expect(first.text.contains("naturalWidth !== \(first.width)") && first.text.contains("'\(page).svg?'"))
        #expect(try picture([("a.yaml", TestWorkspace.scenario + "# a comment\n")]).width == first.width)
        let other = try picture([("a.yaml", TestWorkspace.scenario.replacing("300B", with: "400B"))])
        #expect(other.width != first.width && other.text.contains("naturalWidth !== \(other.width)"))
        // The policy allows the added script, and pictures of the folder.
        let policy = try #require(other.text.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.1)
        #expect(policy.contains("img-src 'self' file:;") && policy.matches(of: /sha256-/).count == 3, "\(policy)")
        #expect(workspace.run(line + " --exit-zero -q --format html --out @plain").code == .ok)
        #expect(try !workspace.text("plain/" + page).contains("naturalWidth") && !workspace.exists("plain/\(page).svg"))
    }

    @Test func comparisonsAreWatched() throws {
        // Broken: `compare --watch` does not notice a new baseline or changed gates.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        #expect(workspace.run("baseline save @a.yaml --baseline @base.json").code == .ok)
        try workspace.write("gates.yaml", "version: 1\ngates:\n  - {scenarios: \"*\", zombie.max: under 1h}\n")
        let outcome = watch(
            workspace,
            "compare @a.yaml --baseline \(workspace.file("base.json")) --gates \(workspace.file("gates.yaml"))",
            [("gates.yaml", "version: 1\ngates:\n  - {scenarios: \"*\", zombie.max: under 1ms}\n")])
        #expect(outcome.errors.components(separatedBy: "watching 3 files").count == 3, "\(outcome.errors)")
    }

    @Test func standardInputCannotBeWatched() throws {
        // Broken: the watch reads standard input once, and never again.
        let outcome = try TestWorkspace().run("run - --watch", input: TestWorkspace.scenario)
        #expect(outcome.code == .usage && outcome.errors.contains("standard input cannot be watched"))
    }
}
