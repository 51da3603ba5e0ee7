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
        let outcome = try Binary.debug.run(["run", "Scenarios/handoff/elevator.yaml"])
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
}
