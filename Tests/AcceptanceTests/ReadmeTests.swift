import DeadzoneTestKit
import Foundation
import Testing

/// The picture on the first page is what the command prints. `DEADZONE_RECORD=1` puts in what it prints now.
struct ReadmeTests {
    private static let command = "$ deadzone run Scenarios/handoff/elevator.yaml\n"

    @Test func thePictureIsReal() throws {
        // Broken: the first page promises an output that the reader does not get.
        let path = Repository.root + "/README.md"
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let start = try #require(page.range(of: Self.command)).upperBound
        let end = try #require(page.range(of: "\n```", range: start..<page.endIndex)).lowerBound
        let outcome = try Binary.built.run(["run", "Scenarios/handoff/elevator.yaml"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let real = try shortened(outcome.text)
        if ProcessInfo.processInfo.environment["DEADZONE_RECORD"] == "1" {
            try Data((page[..<start] + real + page[end...]).utf8).write(to: URL(filePath: path), options: .atomic)
        } else {
            #expect(page[start..<end] == real, "DEADZONE_RECORD=1 swift test --filter ReadmeTests puts it right")
        }
    }

    /// Without the tables of energy and what follows the expectations.
    private func shortened(_ text: String) throws -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // A line with the names of the strategies stands above the heading.
        let energy = try #require(lines.firstIndex { $0 == "Energy by cause" }) - 1
        let expectations = try #require(lines.firstIndex { $0 == "Expectations" })
        let model = try #require(lines.firstIndex { $0 == "Model" })
        #expect(energy < expectations && expectations < model)
        let shown = (lines[..<energy] + lines[expectations..<model]).joined(separator: "\n")
        return shown.trimmingCharacters(in: .newlines)
    }

    @Test func theRecipeForPullRequestsWorks() throws {
        // Broken: who follows the page has a build that fails with nothing changed, or one that lets a worse client pass.
        let page = try String(contentsOfFile: Repository.root + "/README.md", encoding: .utf8)
        let start = try #require(page.range(of: "**Ask in the pull request")).lowerBound
        let end = try #require(page.range(of: "\n**", range: start..<page.endIndex)).lowerBound
        let recipe = Self.blocks(String(page[start..<end]))
        let yaml = try #require(recipe.first { $0.language == "yaml" }).text
        let commands = recipe.filter { $0.language == "sh" }.flatMap { Self.commands($0.text) }
        let initial = Self.blocks(page).flatMap { Self.commands($0.text) }.filter { $0.first == "init" }
        try #require(initial == [["init", "mine.yaml"]] && commands.map(\.[0]) == ["baseline", "compare", "explain"])
        let place = NSTemporaryDirectory() + "deadzone-recipe-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try Data(yaml.utf8).write(to: URL(filePath: place + "/gates.yaml"))
        for command in initial + commands {
            let outcome = try Binary.built.run(command, in: place)
            #expect(outcome.status == 0, "\(command): \(outcome.text)\(outcome.errors)")
        }
        // Pings so often that no radio ever rests.
        let mine = URL(filePath: place + "/mine.yaml")
        let scenario = try String(contentsOf: mine, encoding: .utf8)
        try #require(scenario.contains("ping: 45s"))
        try Data(
            scenario.replacing("ping: 45s", with: "ping: 8s, timeout: 5s").replacing(", timeout: 10s", with: "").utf8
        )
        .write(to: mine)
        let worse = try Binary.built.run(commands[1], in: place)
        #expect(worse.status == 1 && worse.text.contains("battery.joules of patient"), "\(worse.text)\(worse.errors)")
    }

    /// What stands in fences.
    private static func blocks(_ text: String) -> [(language: String, text: String)] {
        text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }.map { _, block in
            let lines = block.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), lines.count > 1 ? String(lines[1]) + "\n" : "")
        }
    }

    /// The words after the name of the program, without comments.
    private static func commands(_ text: String) -> [[String]] {
        text.split(separator: "\n").compactMap { line -> [String]? in
            let words = line.split(separator: " ").map(String.init)
            return words.first == "deadzone" ? Array(words.dropFirst().prefix { $0 != "#" }) : nil
        }
    }
}
