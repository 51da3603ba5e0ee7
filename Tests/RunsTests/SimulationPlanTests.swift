import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneTestKit
import Synchronization
import Testing

@testable import DeadzoneRuns

struct SimulationPlanTests {
    /// Independent phones with the same history: nothing is drawn at random.
    private static let alike = """
        version: 1
        name: Alike
        about: Three phones in the same street.
        duration: 200s
        phones: 3
        replicas: 4
        phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
        timeline:
          - {at: 0s, cellular: street}
          - {at: 20s, server: down}
          - {at: 50s, server: up}
        traffic:
          down: {every: 9s, size: 300B}
        strategies:
          eager: {strategy: eager}
          patient: {strategy: patient}
        """

    @Test func interruptedPartsDoNotCount() throws {
        // Broken: a part that was interrupted by Ctrl-C is compared as if it were complete.
        let scenario = try Scenario.standalone(Self.alike)
        func partResult(_ replicas: Int, _ isStopped: @escaping @Sendable () -> Bool = { false })
            -> SimulationPlan.RunResults
        {
            SimulationPlan(scenario, scenario.strategies.map(\.strategy), seed: 3, replicas: replicas)
                .run(by: ParallelExecutor(jobs: 1, isStopped: isStopped))
        }
        let whole = (1...4).map { partResult($0).byStrategy.map(\.digest) }
        let asked = Atomic(0)
        _ = partResult(4) { asked.wrappingAdd(1, ordering: .relaxed).newValue < 0 }
        let most = asked.load(ordering: .relaxed)
        var found: Set<Int> = []
        for limit in stride(from: 0, through: most, by: max(1, most / 150)) {
            let asked = Atomic(0)
            let cut = partResult(4) { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            found.insert(cut.replicaCount)
            #expect(
                cut.byStrategy.map(\.digest) == (cut.replicaCount == 0 ? [] : whole[cut.replicaCount - 1]),
                "stopped at \(limit)")
            #expect(cut.isComplete == (cut.replicaCount == 4))
        }
        #expect(found.isSuperset(of: [0, 1, 2, 3]), "\(found)")
    }

    @Test func namedPhoneIsTheWitness() throws {
        // Broken: the witness of a named phone's maximum is searched among all phones. All of them have the same
        // history here.
        let scenario = try Scenario.standalone(Self.alike)
        for phone in 0..<3 {
            let focus = Focus(phone: phone)
            let executor = ParallelExecutor(jobs: 1)
            let simulationPlan = SimulationPlan(
                scenario, scenario.strategies.map(\.strategy), seed: 3, replicas: 2, focus: focus)
            let results = simulationPlan.run(by: executor)
            let report = try #require(
                try ReportMaker(scenario, scenario.strategies, seed: 3, focus: focus, by: executor).report(results))
            let witnessed = WitnessFinder(simulationPlan, results, by: executor).addingWitnesses(
                report, onlyFailed: false)
            let found = witnessed.strategies.flatMap(\.witnesses.values).map(\.phone)
            #expect(found.count > 5 && found.allSatisfy { $0 == phone }, "\(phone): \(found)")
        }
    }

    @Test func mergedPartsEqualTheWhole() {
        // Broken: with more threads, the digest of a minute differs from that of the same minute in an equal run.
        let records = (0..<40 as Range<Int64>).map {
            Record(at: .zero + .seconds($0 * 7), phone: UInt32($0 % 5), kind: .pinged, value: $0)
        }
        func partResult(_ lanes: Range<UInt32>) -> SimulationPlan.PartResult {
            var partResult = SimulationPlan.PartResult(minutes: MinuteDigests(until: .zero + .minutes(5)))
            records.filter { lanes.contains($0.phone) }.withUnsafeBufferPointer { partResult.record($0) }
            return partResult
        }
        let whole = partResult(0..<5)
        for cut in 0...5 as ClosedRange<UInt32> {
            var parts = partResult(0..<cut)
            parts.merge(partResult(cut..<5))
            #expect(parts.minutes?.minutes == whole.minutes?.minutes && parts.fold == whole.fold, "\(cut)")
        }
    }
}
