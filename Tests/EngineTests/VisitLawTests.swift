import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// Short connections ("visits") of a client in a pocket. `deadzone laws` tests ten thousand clients; this suite tests a
/// sample.
@Suite struct VisitLawTests {
    /// Broken: a client is woken again and again for the same messages, because it disconnects before they arrive. Or a
    /// message that is at the server, and was sent again, is never confirmed.
    @Test func visitsAreBoundedAndDeliverEverything() {
        let sweep = Sweep.visits(.init(ShippedRadios.profiles), composed: .of(Composed.self))
        var seen = Array(repeating: 0, count: sweep.coverageGoals.count)
        var seeds = 0
        seedSweep(200) { seed in
            let finding = sweep.result(seed)
            #expect(finding.broken == [], "\(finding.client)")
            for (place, wasSeen) in finding.seen.enumerated() where wasSeen { seen[place] += 1 }
            seeds += 1
        }
        if seeds >= 200 { #expect(seen.allSatisfy { $0 > seeds / 50 }, "\(seen) of \(seeds)") }
    }
}
