import DeadzoneScenarios
import DeadzoneTestKit
import Synchronization
import Testing

@testable import DeadzoneLaws
@testable import DeadzoneRuns

struct LawSearchTests {
    /// Result of a search. The worlds in `storms` have a storm, and those in `broken` break a law.
    private func search(
        _ worlds: Int, storms: Set<UInt64>, broken: Set<UInt64> = [], strategies: [String] = []
    ) throws -> (holds: Bool, said: [String]) {
        let said = Mutex<[String]>([])
        let wanted = LawSearch.LawSearchScope(
            seeds: 1...UInt64(worlds), histories: 1...1, maximumHistoryLength: 0, disconnects: 0, strategies: strategies
        )
        let search = try LawSearch(wanted, .standard, by: ParallelExecutor(jobs: 2)) { line in
            said.withLock { $0.append(line) }
        }
        let sweep = Sweep(of: "seas", one: "sea", coverageGoals: ["ships", "storms"]) { seed in
            Sweep.SeedResult(
                seed: seed, client: "boat", broken: broken.contains(seed) ? ["it sank"] : [],
                seen: [true, storms.contains(seed)])
        }
        let result = search.search(sweep, .worlds)
        return (result.holds, said.withLock { $0 } + [result.coverage])
    }

    @Test func uncoveredConditionIsAFailure() throws {
        // Broken: `deadzone laws` passes although what it looks for never happens in its worlds.
        let all = CoverageCounters.minimumWorlds
        let missed = try search(all, storms: [])
        #expect(!missed.holds && missed.said.contains { $0.contains("storms: in 0 worlds") })
        #expect(missed.said.contains { $0.contains("never tested, because it did not occur: storms") })
        #expect(try search(all, storms: [UInt64(all)]).holds, "once is enough")
        // A search over fewer worlds, or over some clients only, need not cover everything. It reports what it covered.
        let short = try search(all - 1, storms: [])
        #expect(short.holds && short.said.contains { $0.contains("storms: in 0 worlds") })
        #expect(try search(all, storms: [], strategies: ["patient"]).holds)
    }

    @Test(arguments: [1, 11] as [UInt64])
    func brokenLawFailsWhateverWasCovered(_ failures: UInt64) throws {
        // Broken: a failure among thousands is missed, or cannot be repeated.
        let found = try search(100, storms: [3], broken: Set(90...(89 + failures)))
        #expect(!found.holds && found.said.contains("100 seas, \(failures) broke a law"))
        #expect(found.said.contains("worlds, seed 90, boat: it sank"))
        #expect(found.said.contains("  repeat with: deadzone laws worlds 90"))
        // The seed chooses among the named strategies, so the command that repeats it names them, too.
        let named = try search(100, storms: [3], broken: [7], strategies: ["patient"])
        #expect(named.said.contains("  repeat with: deadzone laws worlds 7 --strategy patient"))
        #expect(found.said.count { $0.contains("it sank") } == Int(min(failures, 10)))
    }

    /// The lines and the verdict of a search in short histories of these strategies.
    private func strategies(_ names: [String], length: Int) throws -> (holds: Bool, said: [String]) {
        let said = Mutex<[String]>([])
        let wanted = LawSearch.LawSearchScope(
            seeds: 1...1, histories: 1...1, maximumHistoryLength: length, disconnects: 0, strategies: names)
        let search = try LawSearch(wanted, .standard, by: ParallelExecutor(jobs: 2)) { line in
            said.withLock { $0.append(line) }
        }
        let holds = search.search(.strategies).holds
        return (holds, said.withLock { $0 })
    }

    @Test func knownViolationsMustStillOccur() throws {
        // Broken: a preset that no longer breaks a law as its original does passes, a wait without a limit is not told,
        // or one strategy counts as another one.
        let waits = try strategies(["patient", "eager", "nats"], length: 1)
        #expect(waits.holds && waits.said.count == 3, "\(waits.said)")
        #expect(
            waits.said.contains(
                "eager: known violation: it has no timeouts of its own, and the kernel ends the attempt\n"
                    + "  known violation: it waits for no pong"), "\(waits.said)")
        #expect(waits.said.contains { $0.hasPrefix("nats: known violation: its limits, ") })
        let counts = try #require(waits.said.last)
        #expect(
            counts.hasPrefix("3 strategies in ") && counts.hasSuffix(": 2 have a known violation, 0 an unknown one"),
            "\(counts)")
        // Without any event, the client is never seen to wait for minutes.
        let short = try strategies(["discord.py"], length: 0)
        #expect(
            !short.holds && short.said[0] == "discord.py: the known violation `not connected` no longer occurs",
            "\(short)")
        #expect(short.said.last?.hasSuffix(": 0 have a known violation, 1 an unknown one") == true)
        #expect(throws: ToolFault.self) { try strategies(["patientt"], length: 0) }
    }

    @Test func oneWorldIsSingular() throws {
        // Broken: a repeated case is counted as `1 worlds`.
        let one = try search(1, storms: [1])
        #expect(one.said.contains("1 sea, 0 broke a law"), "\(one.said)")
        #expect(one.said.contains { $0.contains("storms: in 1 world\n") }, "\(one.said)")
    }
}
