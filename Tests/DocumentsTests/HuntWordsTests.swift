import DeadzoneBase
import DeadzoneMetrics
import Testing

@testable import DeadzoneReports

/// The sentences about a find of `hunt`.
struct HuntWordsTests {
    private static let report = HuntReport(
        tool: "1.2.3", scenario: "Chat", worldHash: "", strategy: "ours", strategyHash: "", reference: nil, seed: 1,
        demands: [], effort: HuntReport.HuntEffort(budget: 100, grace: .minutes(10), trouble: .minutes(30)))

    private func text(_ from: Int64, _ to: Int64, below: Bool = false, above: Bool = false) -> String {
        Self.report.text(
            of: HuntReport.FreeRange(
                name: "time from dead-zone to kill", value: .seconds(2), from: .seconds(from), to: .seconds(to),
                isOpenBelow: below, isOpenAbove: above))
    }

    @Test func theTransportOfTheNearestClientIsNamed() throws {
        // Broken: a polling client counts as the nearest one to a WebSocket client, although others survive as well.
        for (isSame, words) in [(true, " with the same transport"), (false, "")] {
            let demand = HuntReport.HuntDemand(
                metric: "zombie.max", unit: .seconds, threshold: try Threshold("under 2m", in: .seconds),
                bound: "under 2m", isCalm: false)
            var report = Self.report
            report.demands = [demand]
            var find = HuntReport.HuntFind(
                demand: 0, value: .never, reference: nil, world: 1, foundEntries: 1, entries: [], messages: [],
                yaml: "")
            find.survivors = [
                HuntReport.Survivor(name: "a", value: .never, distance: 9, differences: [], hasSameTransport: isSame)
            ]
            find.survivorCount = 1
            #expect(report.clients(of: find)[0].hasPrefix("Nearest shipped client\(words) that survives it: a ("))
        }
    }

    @Test func aRangeOfOneSecondSaysHowItWasTried() {
        // Broken: the text says that 2.1 s is safe, although the search tries only whole seconds.
        #expect(text(2, 2) == "time from dead-zone to kill: only 2s (tried in whole seconds)")
        #expect(text(1, 4) == "time from dead-zone to kill: anything from 1s to 4s (now 2s)")
        #expect(text(1, 4, below: true) == "time from dead-zone to kill: anything up to 4s (now 2s)")
        #expect(text(2, 4, above: true) == "time from dead-zone to kill: anything from 2s, up to 4s and more (now 2s)")
    }
}
