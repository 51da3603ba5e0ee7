import Foundation
import Testing

@testable import DeadzoneCommand

/// Presets compared with the real clients that they are named after.
struct MeasuredClientTests {
    private struct Schedule: Decodable {
        struct Attempt: Decodable {
            let atS: Double
            let delayS: Double
            let delayMinS: Double
            let delayMaxS: Double
            let timeoutS: Double?
            let timeoutMinS: Double?
            let timeoutMaxS: Double?
        }
        let attempts: [Attempt]
    }

    @Test(arguments: MeasuredAttempts.all)
    func attemptsLieWithinThePresetsBounds(_ measured: MeasuredAttempts) throws {
        // Broken: a preset tries at another time than the measured client.
        let outcome = try TestWorkspace().run(
            "schedule \(measured.preset) --failure \(measured.failure) --for 12h --json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let attempts = try decoder.decode(Schedule.self, from: Data(outcome.output.utf8)).attempts
        #expect(measured.after + measured.gaps.count < attempts.count)
        for (index, gap) in measured.gaps.enumerated() {
            let (before, next) = (attempts[measured.after + index], attempts[measured.after + index + 1])
            let (low, high) = bounds(before, next, isRefused: measured.failure == "refused")
            #expect(
                low - measured.earlyTolerance <= gap && gap <= high * 1.01 + measured.lateTolerance,
                "gap \(measured.after + index): \(gap), and not \(low) to \(high)")
        }
    }

    /// Bounds of the time from the beginning of one attempt to the next. It is the duration of the attempt plus the
    /// wait after it, or the longer of the two.
    private func bounds(
        _ before: Schedule.Attempt, _ next: Schedule.Attempt, isRefused: Bool
    ) -> (Double, Double) {
        guard !isRefused, let usual = before.timeoutS, let least = before.timeoutMinS, let most = before.timeoutMaxS
        else { return (next.delayMinS, next.delayMaxS) }
        let isAdded = abs(next.atS - before.atS - usual - next.delayS) < 0.001
        if isAdded { return (least + next.delayMinS, most + next.delayMaxS) }
        return (max(least, next.delayMinS), max(most, next.delayMaxS))
    }

    @Test(arguments: MeasuredSilence.all)
    func silenceIsDetectedWhenTheClientDetectedIt(_ measured: MeasuredSilence) throws {
        // Broken: a preset detects a dead connection at another time than the measured client.
        let run = try TestWorkspace.metrics(
            of:
                """
                duration: 10m
                phone: {radios: {wifi: wifi-galaxy-s2}}
                middleboxes: {wifi: [{tcp: 2h, udp: 30s}]}
                timeline:
                  - {at: 0s, wifi: home, app: foreground}
                  - {at: 15s, wan-cut: 1ms, nat: forget}
                server: \(measured.server)
                strategies: {client: {strategy: \(measured.preset)}}
                """)
        let client = try #require(run["client"])
        let found = try #require(client["zombie.max"])
        for tried in measured.reconnectTimes {
            let range = (tried - measured.waits.upperBound - 0.6)...(tried - measured.waits.lowerBound + 0.6)
            #expect(range.contains(found), "\(found) s, and not \(range)")
        }
        #expect(client["connection.handshakes"] == 2)
    }
}
