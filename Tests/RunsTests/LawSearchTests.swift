import DeadzoneScenarios
import DeadzoneTestKit
import Synchronization
import Testing

@testable import DeadzoneLaws
@testable import DeadzoneRuns

struct LawSearchTests {
    /// What a search came to that meets storms in these of its worlds, and in which these break a law.
    private func search(
        _ worlds: Int, storms: Set<UInt64>, broken: Set<UInt64> = [], strategies: [String] = []
    ) throws -> (holds: Bool, said: [String]) {
        let said = Mutex<[String]>([])
        let wanted = LawSearch.Wanted(
            seeds: 1...UInt64(worlds), histories: 1...1, length: 0, disconnects: 0, strategies: strategies)
        let search = try LawSearch(wanted, .standard, by: Crew(jobs: 2)) { line in said.withLock { $0.append(line) } }
        let sweep = Sweep(of: "seas", sights: ["ships", "storms"]) { seed in
            Sweep.Finding(
                seed: seed, client: "boat", broken: broken.contains(seed) ? ["it sank"] : [],
                seen: [true, storms.contains(seed)])
        }
        return (search.holds(sweep, .worlds), said.withLock { $0 })
    }

    @Test func aSightThatIsNeverMetIsAFailure() throws {
        // Broken: `deadzone laws` is content with worlds in which what it looks for never happens.
        let all = Sights.worlds
        let missed = try search(all, storms: [])
        #expect(!missed.holds && missed.said.contains { $0.contains("storms: in 0 worlds") })
        #expect(missed.said.contains { $0.contains("never met, so that nothing is known of it: storms") })
        #expect(try search(all, storms: [UInt64(all)]).holds, "once is enough")
        // Fewer worlds, and some clients alone, need not meet everything; they say what they met.
        let short = try search(all - 1, storms: [])
        #expect(short.holds && short.said.contains { $0.contains("storms: in 0 worlds") })
        #expect(try search(all, storms: [], strategies: ["patient"]).holds)
    }

    @Test(arguments: [1, 11] as [UInt64])
    func aBrokenLawIsAFailureHoweverMuchWasMet(_ failures: UInt64) throws {
        // Broken: a failure among thousands is overlooked, or cannot be had again.
        let found = try search(100, storms: [3], broken: Set(90...(89 + failures)))
        #expect(!found.holds && found.said.last?.contains("100 seas, \(failures) broke a law") == true)
        #expect(found.said.contains("worlds, seed 90, boat: it sank"))
        #expect(found.said.contains("  to repeat: deadzone laws worlds 90"))
        #expect(found.said.count { $0.contains("it sank") } == Int(min(failures, 10)))
    }
}
