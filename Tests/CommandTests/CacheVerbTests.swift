import DeadzoneCommand
import DeadzoneHost
import Foundation
import Testing

struct CacheVerbTests {
    private let workspace: TestWorkspace

    init() throws {
        workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
    }

    private func run(_ line: String, _ values: [String: String]? = nil) -> TestWorkspace.Outcome {
        let values = values ?? ["DEADZONE_CACHE": workspace.file("cache")]
        return workspace.run(line) { $0.environment = Environment(values) }
    }

    private func count() throws -> Int {
        let text = run("cache --json").output
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(document?["schema"] as? String == "deadzone/cache/1" && document?["folder"] is String)
        return try #require(document?["results"] as? Int)
    }

    @Test func outputIsTheSameWithAndWithoutKeptResults() throws {
        // Broken: a second run prints other numbers, or keeps nothing.
        for line in [
            "run @a.yaml -v --jobs 1", "run @a.yaml --json", "run @a.yaml --format md", "run @a.yaml --replica 2",
        ] {
            let plain = run(line + " --no-cache")
            #expect(plain.code == .ok, "\(plain.errors)")
            for _ in 0..<2 { #expect(run(line).output == plain.output, "\(line)") }
        }
        // Two strategies with three replicas each, and their intervals; replica 2 was known.
        #expect(try count() == 8)
        #expect(run("run @a.yaml --json --replicas 4").code == .ok)
        #expect(try count() == 12)
    }

    @Test func baselinesAndComparisonsKeepTheirResults() throws {
        // Broken: a comparison takes its measurements from a result that lacks the minutes.
        let saved = run("baseline save @a.yaml --baseline @base.json --no-cache")
        #expect(saved.code == .ok, "\(saved.errors)")
        let text = try workspace.text("base.json")
        for _ in 0..<2 {
            #expect(run("baseline save @a.yaml --baseline @base.json --replace").code == .ok)
            #expect(try workspace.text("base.json") == text)
            #expect(run("baseline diff @a.yaml --baseline @base.json").code == .ok)
        }
        #expect(try count() == 8)
    }

    @Test func nothingIsKeptUnlessThereIsAPlace() throws {
        // Broken: files appear in CI, or below the current folder of a user without a home folder.
        let home = workspace.file("home")
        for values in [[:], ["HOME": home, "CI": "true"], ["HOME": home]] {
            let isKept = values == ["HOME": home]
            #expect(run("run @a.yaml --no-cache", values).code == .ok)
            #expect(!workspace.exists("home"))
            #expect(run("run @a.yaml", values).code == .ok)
            #expect(workspace.exists("home") == isKept)
            #expect(run("cache", values).output.contains("8 results") == isKept)
        }
    }

    @Test func clearRemovesTheResults() throws {
        // Broken: `cache clear` only prints.
        #expect(run("run @a.yaml").code == .ok)
        #expect(try count() == 8)
        let cleared = run("cache clear")
        #expect(cleared.code == .ok && cleared.output.hasSuffix(": 0 results, 0 bytes\n"))
        #expect(try count() == 0)
        #expect(run("cache clean").code == .usage)
    }
}
