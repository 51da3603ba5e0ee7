import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

/// Results of each group of a population, separated during the run.
@Suite struct GroupFoldsTests {
    private static func text(server: String) -> String {
        """
        version: 1
        name: Old among new
        duration: 3m
        phones: 40
        replicas: 3
        phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
        population:
          old: {share: 30%, strategy: eager}
          new: {share: 50%}
          talkative: {share: 20%, traffic: {up: {every: 5s, size: 100B}}}
        timeline:
          - {at: 0s, cellular: street}
          - {at: 1m, server: down, for: 10s}
        server: {\(server)}
        traffic: {down: {every: 9s, arrivals: poisson, size: 300B}}
        strategies: {patient: {strategy: patient}, eager: {strategy: eager}}
        """
    }

    private func scenario(_ server: String) throws -> Scenario { try .standalone(Self.text(server: server)) }

    private func simulationPlan(_ scenario: Scenario, phone: Int? = nil) -> SimulationPlan {
        SimulationPlan(
            scenario, scenario.strategies.map(\.strategy), seed: 3, replicas: 3, focus: Focus(phone: phone))
    }

    @Test(
        "The numbers of a group are those of its phones", arguments: ["accepts-per-second: 20", ""],
        [false, true])
    func groupEqualsItsPhones(_ server: String, _ sorts: Bool) throws {
        let scenario = try scenario(server)
        var simulationPlan = simulationPlan(scenario)
        simulationPlan.foldsByPhone = sorts
        for jobs in [1, 3] {
            let byStrategy = simulationPlan.run(by: ParallelExecutor(jobs: jobs)).byStrategy
            for (strategy, result) in byStrategy.enumerated() {
                #expect(result.groups.count == 3 && result.groups.allSatisfy { $0.count == 3 })
                for (group, found) in zip(scenario.world.groups, result.groups) {
                    var expected = PhoneFolds(of: [group.phones])
                    for replica in 0..<3 { simulationPlan.rerun(strategy, replica, into: &expected) { false } }
                    #expect(found.merged == expected.combined, "\(group.name)")
                }
                let sum = result.groups.reduce(into: RunFold()) { $0.merge($1.merged) }
                #expect(sum == result.replicas.merged)
            }
        }
    }

    @Test("A run of a single phone has no groups")
    func singlePhoneHasNoGroups() throws {
        let scenario = try scenario("")
        let byStrategy = simulationPlan(scenario, phone: 3).run(by: ParallelExecutor(jobs: 1)).byStrategy
        #expect(byStrategy.count == 2 && byStrategy[0].groups.isEmpty && byStrategy[1].groups.isEmpty)
    }

    @Test("A report names the groups and the strategy that each of them runs")
    func reportNamesTheGroups() throws {
        let scenario = try scenario("accepts-per-second: 20")
        let executor = ParallelExecutor(jobs: 2)
        let results = simulationPlan(scenario).run(by: executor)
        let report = try #require(
            try ReportMaker(scenario, scenario.strategies, seed: 3, by: executor).report(results))
        #expect(report.model.population[0].hasSuffix("always eager") && !report.model.population[1].contains("always"))
        for strategy in report.strategies {
            #expect(strategy.groups.map(\.name) == ["old", "new", "talkative"])
            #expect(
                strategy.groups.map(\.phones) == [12, 20, 8] && strategy.groups.map(\.strategy) == ["eager", nil, nil])
            #expect(
                strategy.groups.map { $0.measurement.figure("delivery.up.sent")?.isNonzero } == [false, false, true])
        }
        // Group `old` runs `eager` in both cases, but beside different clients at the same server. Each case has its
        // own figures.
        let old = report.strategies.map { $0.groups[0].measurement.figure("connection.attempts") }
        #expect(
            report.strategies[1].groups[1].measurement.figure("connection.attempts") != nil
                && old.allSatisfy { $0 != nil })
    }
}
