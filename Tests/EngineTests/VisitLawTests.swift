import DeadzoneClient
import DeadzoneEngine
import DeadzoneLaws
import DeadzoneServer
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

/// What a client in a pocket does with its visits; `deadzone laws` asks ten thousand of them, this some.
@Suite struct VisitLawTests {
    /// Broken: a client that is woken again and again for the same messages, since it leaves before they are there; or a message that
    /// is at the server, was handed over again, and is confirmed to nobody.
    @Test func visitsAreBoundedAndBringWhatThereIs() {
        let sweep = Sweep.visits(.init(Shipped.profiles), composed: .of(Composed.self))
        var seen = Array(repeating: 0, count: sweep.sights.count)
        var seeds = 0
        seedSweep(200) { seed in
            let finding = sweep.finding(seed)
            #expect(finding.broken == [], "\(finding.client)")
            for (place, wasSeen) in finding.seen.enumerated() where wasSeen { seen[place] += 1 }
            seeds += 1
        }
        if seeds >= 200 { #expect(seen.allSatisfy { $0 > seeds / 50 }, "\(seen) of \(seeds)") }
    }
}
