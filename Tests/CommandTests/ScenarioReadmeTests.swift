import DeadzoneBase
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand

@Test func theScenarioInTheReadmeCanBeRun() throws {
    // Broken: the first example that a newcomer copies has a fault.
    let text = try String(contentsOfFile: Repository.root + "/Scenarios/README.md", encoding: .utf8)
    let blocks = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
        $0.components(separatedBy: "```").first
    }
    let whole = try #require(blocks.first)
    let loader = ScenarioLoader(.standard) { _ in .success(Array(whole.utf8)) }
    let first = loader.load(Array(whole.utf8), name: "README.md")
    #expect(first.faults.sorted.map { faultText($0, files: first.files) }.joined() == "")
    #expect(first.scenarios.count == 1)

    // Every other block extends a plain scenario, so that the same reader checks its keys.
    let plain = """
        version: 1
        name: Plain
        duration: 45m
        phone: {radios: {wifi: wifi-aro, cellular: lte-verizon-2021}}
        strategies: {nervous: {strategy: patient}, eager: {strategy: eager}, naive: {strategy: eager}}
        """
    let over = ScenarioLoader(.standard) { _ in .success(Array(plain.utf8)) }
    var laid = 0
    for block in blocks.dropFirst() where !block.hasPrefix("every:") {
        let body = block.hasPrefix("extends:") ? block : "extends: plain.yaml\n" + block
        let loaded = over.load(Array(body.utf8), name: "block.yaml")
        #expect(loaded.faults.sorted.map { faultText($0, files: loaded.files) }.joined() == "", "\(body)")
        laid += 1
    }
    #expect(laid >= 7)
}
