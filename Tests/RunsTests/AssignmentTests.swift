import DeadzoneCompare
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneTestKit
import Synchronization
import Testing

@testable import DeadzoneRuns

struct AssignmentTests {
    /// Phones that do not meet, and that all live the same day: nothing is drawn.
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

    @Test func whatWasCutShortCountsForNothing() throws {
        // Broken: a part in whose midst somebody pressed Ctrl-C is compared as if it were whole.
        let scenario = try Scenario.alone(Self.alike)
        func harvest(_ replicas: Int, _ isStopped: @escaping @Sendable () -> Bool = { false }) -> Assignment.Yield {
            Assignment(scenario, scenario.strategies.map(\.strategy), seed: 3, replicas: replicas)
                .run(by: Crew(jobs: 1, isStopped: isStopped))
        }
        let whole = (1...4).map { harvest($0).crops.map(\.digest) }
        let asked = Atomic(0)
        _ = harvest(4) { asked.wrappingAdd(1, ordering: .relaxed).newValue < 0 }
        let most = asked.load(ordering: .relaxed)
        var found: Set<Int> = []
        for limit in stride(from: 0, through: most, by: max(1, most / 150)) {
            let asked = Atomic(0)
            let cut = harvest(4) { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            found.insert(cut.count)
            #expect(cut.crops.map(\.digest) == (cut.count == 0 ? [] : whole[cut.count - 1]), "stopped at \(limit)")
            #expect(cut.isComplete == (cut.count == 4))
        }
        #expect(found.isSuperset(of: [0, 1, 2, 3]), "\(found)")
    }

    @Test func whoNamesAPhoneGetsThatOne() throws {
        // Broken: the longest of the phone that was named is looked for among all of them, which live the same day.
        let scenario = try Scenario.alone(Self.alike)
        for phone in 0..<3 {
            let focus = Focus(phone: phone)
            let crew = Crew(jobs: 1)
            let assignment = Assignment(
                scenario, scenario.strategies.map(\.strategy), seed: 3, replicas: 2, focus: focus)
            let yield = assignment.run(by: crew)
            let report = try #require(
                try ReportMaker(scenario, scenario.strategies, seed: 3, focus: focus, by: crew).report(yield))
            let witnessed = WitnessFinder(assignment, yield, by: crew).witnessed(report, onlyFailed: false)
            let found = witnessed.strategies.flatMap(\.witnesses.values).map(\.phone)
            #expect(found.count > 5 && found.allSatisfy { $0 == phone }, "\(phone): \(found)")
        }
    }

    @Test func aHarvestIsWhatItsPartsAre() {
        // Broken: more threads, and a minute of a run is told from the same minute of another.
        let records = (0..<40 as Range<Int64>).map {
            Record(at: .zero + .seconds($0 * 7), lane: UInt32($0 % 5), kind: .pinged, value: $0)
        }
        func harvest(_ lanes: Range<UInt32>) -> Assignment.Harvest {
            var harvest = Assignment.Harvest(minutes: MinuteDigests(until: .zero + .minutes(5)))
            records.filter { lanes.contains($0.lane) }.withUnsafeBufferPointer { harvest.record($0) }
            return harvest
        }
        let whole = harvest(0..<5)
        for cut in 0...5 as ClosedRange<UInt32> {
            var parts = harvest(0..<cut)
            parts.merge(harvest(cut..<5))
            #expect(parts.minutes?.minutes == whole.minutes?.minutes && parts.fold == whole.fold, "\(cut)")
        }
    }
}
