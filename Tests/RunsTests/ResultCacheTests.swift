import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneRuns

struct ResultCacheTests {
    private static let worlds = ["handoff/elevator", "herd/lockstep-storm", "herd/sixty-people"]

    private func scenario(_ name: String) throws -> Scenario {
        let files = try ScenarioFiles(["\(Repository.root)/Scenarios/\(name).yaml"], .standard) { _ in [] }
        return try #require(files.files.first?.loaded.scenarios.first)
    }

    private func plan(_ scenario: Scenario, seed: UInt64 = 7, replicas: Int = 2) -> SimulationPlan {
        SimulationPlan(scenario, scenario.strategies, seed: seed, replicas: replicas)
    }

    /// Everything that a report shows of a run.
    private func shown(_ scenario: Scenario, _ plan: SimulationPlan, _ cache: ResultCache?) throws -> String {
        var executor = ParallelExecutor(jobs: 2)
        executor.cache = cache
        let results = plan.run(by: executor)
        let maker = ReportMaker(scenario, scenario.strategies, seed: 7, by: executor)
        let details = results.byStrategy.map { "\($0.minutes.map(\.minutes)) \($0.replicaColumns)" }
        return "\(try #require(try maker.report(results))) \(details)"
    }

    private func withFolder(_ body: (CacheFolder) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "deadzone-cache-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(CacheFolder(path))
    }

    private func files(_ folder: CacheFolder) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains("/") }.map { folder.path + "/" + $0 }.sorted()
    }

    @Test(arguments: worlds, [false, true])
    func aKeptResultEqualsASimulatedOne(_ name: String, _ keepsDetails: Bool) throws {
        // Broken: a kept result lacks something that a report shows, such as its groups or its minutes.
        let scenario = try scenario(name)
        var plan = plan(scenario)
        plan.keepsReplicaDetails = keepsDetails
        try withFolder { folder in
            let cache = ResultCache(folder, program: "one")
            let plain = try shown(scenario, plan, nil)
            let entries = plan.partCount + plan.strategies.count * (1 + plan.reportedGroups.count)
            #expect(try shown(scenario, plan, cache) == plain)
            #expect(folder.usage.files == entries)
            #expect(try shown(scenario, plan, cache) == plain)
            #expect(folder.usage.files == entries)
        }
    }

    @Test func aKeptResultIsReadInsteadOfSimulated() throws {
        // Broken: results are stored and never read. A replica that is stored under the names of another shows it.
        let scenario = try scenario("handoff/elevator")
        let (plan, other) = (plan(scenario), plan(scenario, seed: 8))
        try withFolder { folder in
            let cache = ResultCache(folder, program: "one")
            let (plain, wanted) = (try shown(scenario, plan, nil), try shown(scenario, other, nil))
            #expect(plain != wanted)
            for (part, replaced) in zip(other.parts, plan.parts) {
                var executor = ParallelExecutor(jobs: 1)
                executor.cache = cache
                let results = other.partResults(
                    ofParts: [try #require(other.parts.firstIndex { $0 == part })], by: executor
                ) {}
                cache.store(results[0], as: try #require(plan.entryName(of: replaced, cache)))
            }
            #expect(try shown(scenario, plan, cache) == wanted)
        }
    }

    @Test func keptIntervalsAreReadInsteadOfComputed() throws {
        // Broken: intervals are stored and never read. Intervals under the name of other replicas show it.
        let scenario = try scenario("handoff/elevator")
        try withFolder { folder in
            let cache = ResultCache(folder, program: "one")
            var executor = ParallelExecutor(jobs: 1)
            executor.cache = cache
            let maker = ReportMaker(scenario, scenario.strategies, seed: 7, by: executor)
            func intervals(_ results: SimulationPlan.RunResults) throws -> [IntervalList] {
                try #require(try maker.report(results)).strategies.map(\.measurement.intervals)
            }
            let (results, others) = (plan(scenario).run(by: executor), plan(scenario, seed: 8).run(by: executor))
            let replaced = try intervals(others)
            #expect(try intervals(results) != replaced)
            for (facts, list) in zip(results.facts, replaced) {
                cache.store(list, as: cache.name(try #require(facts) + ["intervals of 7"]))
            }
            #expect(try intervals(results) == replaced)
        }
    }

    @Test func everyFactHasItsOwnName() throws {
        // Broken: another world, strategy, seed, phone or program finds an old result.
        let scenario = try scenario("handoff/elevator")
        let cache = ResultCache(CacheFolder("/nowhere"), program: "one")
        func names(_ plan: SimulationPlan, _ cache: ResultCache) -> [String] {
            plan.parts.compactMap { plan.entryName(of: $0, cache) }
        }
        var detailed = plan(scenario)
        detailed.keepsReplicaDetails = true
        var longer = scenario
        longer.worldHash = try self.scenario("doze/night").worldHash
        let focused = SimulationPlan(scenario, scenario.strategies, seed: 7, replicas: 2, focus: Focus(phone: 0))
        let all = [
            names(plan(scenario), cache), names(plan(scenario, seed: 8), cache), names(detailed, cache),
            names(plan(longer), cache), names(focused, cache),
            names(plan(scenario), ResultCache(CacheFolder("/nowhere"), program: "two")),
        ].flatMap(\.self)
        #expect(Set(all).count == all.count && all.count == 6 * plan(scenario).partCount)
        // More replicas of the same seed find the first ones.
        #expect(names(plan(scenario, replicas: 5), cache).starts(with: names(plan(scenario), cache)))
        #expect(plan(scenario).without([0]).entryName(of: plan(scenario).parts[0], cache) == nil)
    }

    @Test func aDamagedEntryIsSimulatedAgain() throws {
        // Broken: a flipped bit, a missing end or a file under another name changes a result.
        let scenario = try scenario("handoff/elevator")
        let plan = plan(scenario)
        try withFolder { folder in
            let cache = ResultCache(folder, program: "one")
            let plain = try shown(scenario, plan, cache)
            let files = files(folder)
            for (index, file) in files.enumerated() {
                let whole = try [UInt8](Data(contentsOf: URL(filePath: file)))
                let another = try [UInt8](Data(contentsOf: URL(filePath: files[(index + 1) % files.count])))
                var damaged = stride(from: 0, to: whole.count, by: max(1, whole.count / 8)).map { place in
                    var bytes = whole
                    bytes[place] ^= 1 << UInt8(place % 8)
                    return bytes
                }
                damaged += [[], Array(whole.dropLast()), whole + [0], Array(whole.prefix(32)), another]
                for bytes in damaged {
                    try Data(bytes).write(to: URL(filePath: file))
                    #expect(try shown(scenario, plan, cache) == plain)
                    #expect(try [UInt8](Data(contentsOf: URL(filePath: file))) == whole)
                }
            }
        }
    }

    @Test func aStoppedRunKeepsOnlyWholeResults() throws {
        // Broken: a part that Ctrl-C interrupted is kept as if it were complete.
        let scenario = try scenario("handoff/elevator")
        let plan = plan(scenario, replicas: 1)
        let plain = try shown(scenario, plan, nil)
        for limit in stride(from: 1, to: 400, by: 40) {
            try withFolder { folder in
                let cache = ResultCache(folder, program: "one")
                let asked = Counter()
                var executor = ParallelExecutor(jobs: 1) { asked.next() > limit }
                executor.cache = cache
                _ = plan.run(by: executor)
                let again = try shown(scenario, plan, cache)
                #expect(again == plain, "stopped at \(limit)")
            }
        }
    }
}

/// Counts calls from several threads.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
