import DeadzoneTestKit
import Foundation
import Testing

/// Every shipped scenario gives the result that lies under Results/golden; those of claims are judged by `ClaimsTests`. Results are exact, so a changed number is a
/// changed behaviour. `DEADZONE_RECORD=1` writes them anew; the difference is then read in version control.
@Suite(.enabled(if: Binary.release != nil, "no optimised binary; `make test` builds it"))
struct GoldenTests {
    static let scenarios =
        (try? FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/Scenarios"))?
        .filter { path in
            path.hasSuffix(".yaml") && !["claims/", "profiles/", "strategies/"].contains { path.hasPrefix($0) }
        }.sorted() ?? []

    @Test(arguments: scenarios)
    func givesTheSameResult(_ scenario: String) throws {
        // Broken: a number of a shipped scenario has changed and nobody said so, or an expectation of it does not hold.
        let outcome = try #require(Binary.release).run(["run", "Scenarios/" + scenario])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let name = scenario.replacingOccurrences(of: "/", with: "-").replacingOccurrences(of: ".yaml", with: ".txt")
        expectSnapshot(outcome.text, name, under: Repository.root + "/Results/golden")
    }

    @Test func thereAreEnoughOfThem() throws {
        // Broken: a result whose scenario is gone, or a folder that was not found.
        let results = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Results/golden")
        #expect(Self.scenarios.count >= 6 && results.count == Self.scenarios.count)
    }
}
