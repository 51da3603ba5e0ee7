import DeadzoneCompare
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

/// Whose a longest is, where phones meet: sorted while they run, or by running again.
@Suite struct PhoneFoldsTests {
    /// More phones than there are folds.
    private static let herd = """
        version: 1
        name: A herd
        about: More than a thousand come back at once.
        duration: 40s
        phones: 1100
        replicas: 1
        phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
        timeline:
          - {at: 0s, cellular: street}
          - {at: 10s, server: down}
          - {at: 11s, server: up}
        server: {accepts-per-second: 200}
        traffic:
          down: {every: 9s, arrivals: poisson, size: 300B}
        strategies:
          eager: {strategy: eager}
          patient: {strategy: patient}
        """

    private func report(sorts: Bool, jobs: Int) throws -> (RunReport, hasSorted: Bool) {
        let scenario = try Scenario.alone(Self.herd)
        var assignment = Assignment(scenario, scenario.strategies.map(\.strategy), seed: 3, replicas: 1)
        assignment.sortsByPhone = sorts
        let crew = Crew(jobs: jobs)
        let yield = assignment.run(by: crew)
        let report = try #require(
            try ReportMaker(scenario, scenario.strategies, seed: 3, by: crew).report(yield))
        let finder = WitnessFinder(assignment, yield, by: crew)
        return (finder.witnessed(report, onlyFailed: false), yield.crops.allSatisfy { !$0.sorted.isEmpty })
    }

    @Test("Else a longest would be another phone's, or a number another one, where phones are sorted while they run")
    func sortedWhileTheyRunOrAgain() throws {
        let (again, hasAgain) = try report(sorts: false, jobs: 1)
        #expect(!hasAgain)
        for jobs in [1, 3] {
            let (sorted, hasSorted) = try report(sorts: true, jobs: jobs)
            #expect(hasSorted)
            for (one, other) in zip(sorted.strategies, again.strategies) {
                #expect(one.witnesses == other.witnesses && one.witnesses.count > 5)
                #expect(one.digest == other.digest && one.stops == other.stops)
                #expect(one.measurement.figures == other.measurement.figures)
            }
        }
    }

    @Test("Else there would be more folds than memory was meant for, or a phone in none or in two")
    func cellsAreAFairShare() {
        let ranges: [[Range<UInt32>]] = [
            [0..<1], [0..<1_024], [0..<1_025], [0..<1_100], [0..<2_048], [0..<1_000_000], [3..<9, 20..<5_000],
            (0..<600).map { 10 * $0..<(10 * $0 + 7) }, (0..<1_500).map { 2 * $0..<(2 * $0 + 2) },
        ]
        for wanted in ranges {
            let cells = PhoneFolds(of: wanted).cells
            #expect(cells.count <= max(PhoneFolds.most, wanted.count), "\(wanted.count)")
            #expect(cells.flatMap { Array($0) } == wanted.flatMap { Array($0) })
        }
    }
}
