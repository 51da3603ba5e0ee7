import DeadzoneCompare
import DeadzoneJournal
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneTestKit
import DeadzoneWorld
import Testing

@testable import DeadzoneRuns

/// What each group of a population came to, told apart while it runs.
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

    private func scenario(_ server: String) throws -> Scenario { try .alone(Self.text(server: server)) }

    private func assignment(_ scenario: Scenario, phone: Int? = nil) -> Assignment {
        Assignment(
            scenario, scenario.strategies.map(\.strategy), seed: 3, replicas: 3, focus: Focus(phone: phone))
    }

    @Test(
        "Else a group's numbers would be those of other phones", arguments: ["accepts-per-second: 20", ""],
        [false, true])
    func aGroupIsItsPhones(_ server: String, _ sorts: Bool) throws {
        let scenario = try scenario(server)
        var assignment = assignment(scenario)
        assignment.sortsByPhone = sorts
        for jobs in [1, 3] {
            let crops = assignment.run(by: Crew(jobs: jobs)).crops
            for (strategy, crop) in crops.enumerated() {
                #expect(crop.groups.count == 3 && crop.groups.allSatisfy { $0.count == 3 })
                for (group, found) in zip(scenario.world.groups, crop.groups) {
                    var expected = PhoneFolds(of: [group.phones])
                    for replica in 0..<3 { assignment.again(strategy, replica, into: &expected) { false } }
                    #expect(found.whole == expected.whole, "\(group.name)")
                }
                let sum = crop.groups.reduce(into: RunFold()) { $0.merge($1.whole) }
                #expect(sum == crop.replicas.whole)
            }
        }
    }

    @Test("Else who runs the compared strategy would be shown the numbers of who does not")
    func ofOnePhoneNothingIsToldApart() throws {
        let scenario = try scenario("")
        let crops = assignment(scenario, phone: 3).run(by: Crew(jobs: 1)).crops
        #expect(crops.count == 2 && crops[0].groups.isEmpty && crops[1].groups.isEmpty)
    }

    @Test("Else a report would leave out who ran what")
    func theReportNamesThem() throws {
        let scenario = try scenario("accepts-per-second: 20")
        let crew = Crew(jobs: 2)
        let yield = assignment(scenario).run(by: crew)
        let report = try #require(
            try ReportMaker(scenario, scenario.strategies, seed: 3, by: crew).report(yield))
        #expect(report.model.population[0].hasSuffix("always eager") && !report.model.population[1].contains("always"))
        for strategy in report.strategies {
            #expect(strategy.groups.map(\.name) == ["old", "new", "talkative"])
            #expect(
                strategy.groups.map(\.phones) == [12, 20, 8] && strategy.groups.map(\.strategy) == ["eager", nil, nil])
            #expect(
                strategy.groups.map { $0.measurement.figure("delivery.up.sent")?.isSomething } == [false, false, true])
        }
        // Who runs the same beside others who do not is another phone at the same server.
        let old = report.strategies.map { $0.groups[0].measurement.figure("connection.attempts") }
        #expect(
            report.strategies[1].groups[1].measurement.figure("connection.attempts") != nil
                && old.allSatisfy { $0 != nil })
    }
}
