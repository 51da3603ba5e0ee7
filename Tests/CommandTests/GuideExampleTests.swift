import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand
@testable import DeadzoneGuide

/// Every example of the guide is tried. What is tried how stands behind the fence: see Sources/Guide/README.md.
struct GuideExampleTests {
    @Test(arguments: GuidePage.prose.map(\.name))
    func examplesDoWhatThePageSays(_ name: String) throws {
        // Broken: who copies an example gets a fault, or other numbers than the page shows.
        let page = try #require(GuidePage.prose.first { $0.name == name })
        let bench = try Bench()
        for case .code(let code, let fence) in page.blocks {
            let words = fence.split(separator: " ").map(String.init)
            switch words.prefix(2).joined(separator: " ") {
            case "console": bench.perform(code)
            case "sh": bench.parse(code)
            case "yaml run": try bench.run(code, as: words.count > 2 ? words[2] : nil)
            case "yaml part": bench.lay(code)
            case "yaml gates": try bench.keep(code, as: words.count > 2 ? words[2] : "gates.yaml", checkedBy: "compare")
            case "yaml preset": try bench.preset(code, as: words.count > 2 ? words[2] : "my-client.yaml")
            // `ArchiveTests` asks what is asked there.
            case "sql": break
            case "yaml workflow", "swift", "text": break
            default: Issue.record("a block is `\(fence)`, which nobody tries")
            }
        }
    }

    @Test func blocksOfTablesAreRead() throws {
        // Broken: what the page of a link or a middlebox shows is refused.
        let bench = try Bench()
        var tried = 0
        for page in Guide.standard(.memory()).pages where [.links, .middleboxes].contains(page.shelf) {
            for case .code(let code, "yaml each") in page.blocks {
                for line in code.split(separator: "\n") { bench.lay(String(line)) }
                tried += 1
            }
        }
        #expect(tried > 30)
    }

    @Test func aWrongExampleIsSeen() throws {
        // Broken: the test above passes whatever stands on a page.
        let bench = try Bench()
        withKnownIssue { bench.perform("$ deadzone explain zombie.max\nIt means nothing.") }
        withKnownIssue { bench.perform("$ deadzone explain nonsense") }
        withKnownIssue { bench.parse("deadzone run --nonsense x.yaml") }
        withKnownIssue { bench.lay("phone: {radio: {}}") }
        withKnownIssue {
            try bench.run(Workshop.scenario.replacing("at most 100% of eager", with: "under 1ms"), as: nil)
        }
    }
}

/// Where the examples of one page are tried, one after the other.
private struct Bench {
    let shop = try! Workshop()

    init() throws {}

    /// A word that names a file of the checkout or of this page's own means that.
    private func place(_ word: String) -> String {
        if word.contains("/"), FileManager.default.fileExists(atPath: Repository.root + "/" + word) {
            return Repository.root + "/" + word
        }
        let isFile = word.hasSuffix(".yaml") || word.hasSuffix(".json") || word.hasSuffix(".ndjson")
        return isFile && !word.hasPrefix("-") || word == "results" || word == "shards" ? shop.file(word) : word
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
        return words.filter { !$0.isEmpty }.dropFirst().map(place)
    }

    /// Commands behind `$`, each with lines that have to come out in this order, one right below the other unless `…` stands between.
    func perform(_ code: String) {
        var lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        while let line = lines.popFirst() {
            guard line.hasPrefix("$ deadzone ") else {
                Issue.record("`\(line)` is no command")
                return
            }
            let surroundings = Surroundings.memory()
            let code = DeadzoneCommand.run(words(String(line.dropFirst(2))), in: surroundings)
            let expected = line.components(separatedBy: "# ends with ").dropFirst().first.flatMap { Int32($0) } ?? 0
            #expect(code.number == expected, "\(line)\n\(surroundings.errors.text)")
            let shown = lines.prefix { !$0.hasPrefix("$ ") }
            lines = lines.dropFirst(shown.count)
            // A line of talk counts as well.
            let real = (surroundings.output.text + surroundings.errors.text)
                .replacing(shop.path + "/", with: "").replacing(Repository.root + "/", with: "")
            compare(
                Array(shown), with: real.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), line
            )
        }
    }

    private func compare(_ shown: [String], with real: [String], _ command: String) {
        var next = 0
        var isFree = false
        for line in shown {
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
        try shop.write(name ?? "scenario.yaml", code + "\n")
        let outcome = shop.run("run @\(name ?? "scenario.yaml") --replicas 1")
        #expect(outcome.code == .ok, "\(outcome.errors)\(outcome.output.suffix(900))")
    }

    /// Over a plain scenario, as the blocks of Scenarios/README.md are.
    func lay(_ code: String) {
        let plain = """
            version: 1
            name: Plain
            duration: 45m
            phone: {radios: {wifi: wifi-aro, cellular: lte-verizon-2021}}
            strategies: {nervous: {strategy: patient}, eager: {strategy: eager}, naive: {strategy: eager}}
            """
        let loader = ScenarioLoader(.standard) { _ in .success(Array(plain.utf8)) }
        let body = code.hasPrefix("extends:") ? code : "extends: plain.yaml\n" + code
        let loaded = loader.load(Array(body.utf8), name: "block.yaml")
        #expect(loaded.faults.sorted.map { faultText($0, files: loaded.files) }.joined() == "", "\(code)")
    }

    func preset(_ code: String, as name: String) throws {
        try shop.write(name, code + "\n")
        try shop.write("uses.yaml", Workshop.scenario.replacing("{strategy: eager}", with: "{strategy: ./\(name)}"))
        let outcome = shop.run("lint @uses.yaml")
        #expect(outcome.code == .ok, "\(outcome.errors)")
    }

    /// Gates are read, and refused if they are wrong, before anything runs.
    func keep(_ code: String, as name: String, checkedBy verb: String) throws {
        try shop.write(name, code + "\n")
        let read = try GateFile.read(shop.file(name))
        if case .faults(let faults, let texts) = read {
            Issue.record("\(faults.sorted.map { faultText($0, files: texts) }.joined())")
        }
    }
}
