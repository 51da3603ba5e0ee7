import DeadzoneTestKit
import Foundation
import Testing

/// Every shipped scenario gives the result that is saved under Results/golden. `ClaimsTests` judges the scenarios of
/// claims. Results are exact, so a changed number is a changed behaviour. `DEADZONE_RECORD=1` writes them anew; the
/// difference is then reviewed in version control.
@Suite(.enabled(if: Binary.release != nil, "no optimised binary; `make test` builds it"))
struct GoldenTests {
    static let scenarios =
        (try? FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/Scenarios"))?
        .filter { path in
            path.hasSuffix(".yaml") && !["claims/", "profiles/", "strategies/"].contains { path.hasPrefix($0) }
        }.sorted() ?? []

    @Test(arguments: scenarios)
    func givesTheSameResult(_ scenario: String) throws {
        // Broken: a number of a shipped scenario has changed without a new saved result, or one of its expectations
        // fails.
        let outcome = try #require(Binary.release).run(["run", "Scenarios/" + scenario])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let name = scenario.replacingOccurrences(of: "/", with: "-").replacingOccurrences(of: ".yaml", with: ".txt")
        expectSnapshot(outcome.text, name, under: Repository.root + "/Results/golden")
    }

    @Test func everyScenarioHasASavedResult() throws {
        // Broken: a saved result has no scenario, or the folder was not found.
        let results = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Results/golden")
        #expect(Self.scenarios.count >= 6 && results.count == Self.scenarios.count)
    }
}
