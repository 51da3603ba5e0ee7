import DeadzoneBase
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand

/// Tries every example of the guide. The words behind the fence select how: see Sources/Command/Guide/README.md.
struct GuideExampleTests {
    @Test(arguments: GuidePage.prose.map(\.name))
    func examplesDoWhatThePageSays(_ name: String) throws {
        // Broken: a copied example fails, or prints other numbers than the page shows.
        let page = try #require(GuidePage.prose.first { $0.name == name })
        let runner = try ExampleRunner()
        for case .code(let code, let fence) in page.blocks {
            let words = fence.split(separator: " ").map(String.init)
            switch words.prefix(2).joined(separator: " ") {
            case "console": runner.perform(code)
            case "sh": runner.parse(code)
            case "yaml run": try runner.run(code, as: words.count > 2 ? words[2] : nil)
            case "yaml part": runner.loadBlock(code)
            case "yaml gates":
                try runner.checkGates(code, as: words.count > 2 ? words[2] : "gates.yaml", checkedBy: "compare")
            case "yaml preset": try runner.preset(code, as: words.count > 2 ? words[2] : "my-client.yaml")
            // `ArchiveTests` runs these queries.
            case "sql": break
            case "yaml workflow", "swift", "text": break
            default: Issue.record("a block is `\(fence)`, which no test tries")
            }
        }
    }

    @Test func theFirstStepsInCIWork() throws {
        // Broken: the first commands of the page need a file that they do not write, the job for GitLab has another
        // baseline, or the table of exit codes differs from the program.
        let page = try #require(GuidePage.prose.first { $0.name == "ci" })
        let blocks = page.blocks.compactMap { block -> (code: String, fence: String)? in
            if case .code(let code, let fence) = block { (code, fence) } else { nil }
        }
        let workspace = try TestWorkspace()
        let first = try #require(blocks.first { $0.fence == "sh" }).code
        for line in first.split(separator: "\n") {
            let words = line.split(separator: " ").dropFirst().map { word in
                ["Scenarios", "base.json"].contains(word) || word.hasSuffix(".yaml") ? "@" + word : word
            }
            let outcome = workspace.run(words.joined(separator: " "))
            #expect(outcome.code == .ok, "\(line): \(outcome.output)\(outcome.errors)")
        }
        let job = try String(contentsOfFile: Repository.root + "/.ci/gitlab.yml", encoding: .utf8)
        #expect(job.contains("DEADZONE_BASELINE: base.json\n"))
        try workspace.write("none.yaml", "version: 1\ngates: [{scenarios: Nope, zombie.max: 0}]\n")
        try workspace.write("broken.yaml", "gates: [\n")
        let line = "compare @Scenarios/first.yaml --baseline"
        for (words, code) in [
            ("\(line) @base.json --gates @missing.yaml", ExitCode.runtime),
            ("\(line) @missing.json", .badInput), ("\(line) @base.json --gates @broken.yaml", .badInput),
            ("\(line) @base.json --gates @none.yaml", .nothingMatched),
            ("compare @missing.yaml --baseline @base.json", .nothingMatched),
        ] {
            #expect(workspace.run(words).code == code, "\(words)")
        }
    }

    @Test func blocksOfTablesAreRead() throws {
        // Broken: the YAML on the page of a link or a middlebox is refused.
        let runner = try ExampleRunner()
        var tried = 0
        for page in Guide.standard(.memory()).pages where [.links, .middleboxes].contains(page.section) {
            for case .code(let code, "yaml each") in page.blocks {
                for line in code.split(separator: "\n") { runner.loadBlock(String(line)) }
                tried += 1
            }
        }
        #expect(tried > 30)
    }

    @Test func wrongExampleFails() throws {
        // Broken: the test above passes whatever a page contains.
        let runner = try ExampleRunner()
        withKnownIssue { runner.perform("$ deadzone explain zombie.max\nIt means nothing.") }
        withKnownIssue { runner.perform("$ deadzone explain nonsense") }
        withKnownIssue { runner.parse("deadzone run --nonsense x.yaml") }
        withKnownIssue { runner.loadBlock("phone: {radio: {}}") }
        withKnownIssue {
            try runner.run(TestWorkspace.scenario.replacing("at most 100% of eager", with: "under 1ms"), as: nil)
        }
    }
}

/// Workspace in which the examples of one page are tried, one after the other.
private struct ExampleRunner {
    let workspace = try! TestWorkspace()

    init() throws {}

    /// Returns the path for a word that names a file of the checkout or of this workspace, and any other word
    /// unchanged.
    private func resolvedPath(_ word: String) -> String {
        if word.contains("/"), FileManager.default.fileExists(atPath: Repository.root + "/" + word) {
            return Repository.root + "/" + word
        }
        let isFile = word.hasSuffix(".yaml") || word.hasSuffix(".json") || word.hasSuffix(".ndjson")
        return isFile && !word.hasPrefix("-") || ["results", "shards", "corpus"].contains(word)
            ? workspace.file(word) : word
    }

    private func words(_ line: String) -> [String] {
        let command = line.components(separatedBy: "   #")[0]
        var words = [""]
        var isQuoted = false
        for character in command {
            if character == "'" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }.dropFirst().map(resolvedPath)
    }

    /// Runs the commands behind `$`. The lines below a command must appear in its output in this order, and directly
    /// one below the other unless `…` stands between them.
    func perform(_ code: String) {
        var lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        while let line = lines.popFirst() {
            guard line.hasPrefix("$ deadzone ") else {
                Issue.record("`\(line)` is no command")
                return
            }
            let surroundings = CommandContext.memory()
            let code = DeadzoneCommand.run(words(String(line.dropFirst(2))), in: surroundings)
            let expected = line.components(separatedBy: "# ends with ").dropFirst().first.flatMap { Int32($0) } ?? 0
            #expect(code.number == expected, "\(line)\n\(surroundings.errors.text)")
            let shown = lines.prefix { !$0.hasPrefix("$ ") }
            lines = lines.dropFirst(shown.count)
            // Progress messages count as well.
            let real = (surroundings.output.text + surroundings.errors.text)
                .replacing(workspace.path + "/", with: "").replacing(Repository.root + "/", with: "")
            compare(
                Array(shown), with: real.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), line
            )
        }
    }

    /// Compares words, not the width of columns, which depends on rows that a page leaves out.
    private func compare(_ shown: [String], with real: [String], _ command: String) {
        func squeezed(_ line: String) -> String { line.split(separator: " ").joined(separator: " ") }
        let real = real.map(squeezed)
        var next = 0
        var isFree = false
        for line in shown.map(squeezed) {
            if line == "…" {
                isFree = true
                continue
            }
            let rest = real.dropFirst(next)
            guard let found = isFree ? rest.firstIndex(of: line) : rest.first == line ? next : nil else {
                Issue.record("\(command) does not say: \(line)\nbut:\n\(rest.prefix(70).joined(separator: "\n"))")
                return
            }
            next = found + 1
            isFree = false
        }
    }

    func parse(_ code: String) {
        for line in code.split(separator: "\n").map(String.init) where line.hasPrefix("deadzone ") {
            let words = Array(words(line.replacing("  #", with: "   #")).prefix { ![">", "|", "&&"].contains($0) })
            #expect(throws: Never.self, "\(line)") { try CommandLineReader.read(words, .standard) }
        }
    }

    func run(_ code: String, as name: String?) throws {
        try workspace.write(name ?? "scenario.yaml", code + "\n")
        let outcome = workspace.run("run @\(name ?? "scenario.yaml") --replicas 1")
        #expect(outcome.code == .ok, "\(outcome.errors)\(outcome.output.suffix(900))")
    }

    /// Loads a block on top of the scenario that it extends, if it is shipped, or of a plain scenario, as Scenarios/README.md
    /// has them.
    func loadBlock(_ code: String) {
        let plain = """
            version: 1
            name: Plain
            duration: 45m
            phone: {radios: {wifi: wifi-aro, cellular: lte-verizon-2021}}
            strategies: {nervous: {strategy: patient}, eager: {strategy: eager}, naive: {strategy: eager}}
            """
        let loader = ScenarioLoader(.standard) { path in
            .success(Array(FileManager.default.contents(atPath: Repository.root + "/" + path) ?? Data(plain.utf8)))
        }
        let body = code.hasPrefix("extends:") ? code : "extends: plain.yaml\n" + code
        let loaded = loader.load(Array(body.utf8), name: "block.yaml")
        #expect(loaded.faults.sorted.map { faultText($0, files: loaded.files) }.joined() == "", "\(code)")
    }

    func preset(_ code: String, as name: String) throws {
        try workspace.write(name, code + "\n")
        try workspace.write(
            "uses.yaml", TestWorkspace.scenario.replacing("{strategy: eager}", with: "{strategy: ./\(name)}"))
        let outcome = workspace.run("lint @uses.yaml")
        #expect(outcome.code == .ok, "\(outcome.errors)")
    }

    /// Checks gates. They are read, and refused if they are wrong, before anything runs.
    func checkGates(_ code: String, as name: String, checkedBy verb: String) throws {
        try workspace.write(name, code + "\n")
        let read = try GateFile.read(workspace.file(name))
        if case .faults(let faults, let texts) = read {
            Issue.record("\(faults.sorted.map { faultText($0, files: texts) }.joined())")
        }
    }
}
