import DeadzoneBase
import Testing

@testable import DeadzoneFit

/// Rules by which clients close silent connections, estimated from recordings with outages.
struct SilenceRuleTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64((seconds * 1e9).rounded())) }

    /// A connection that the client closed.
    private static func closed(
        _ ended: Double, began: Double = 0, heard: Double, asked: Double? = nil, pings: [(Double, Bool)] = []
    ) -> Recording.RecordedConnection {
        var line = Recording.RecordedConnection(at: at(began))
        line.openedAt = at(began + 0.1)
        line.lastReceivedAt = at(heard)
        line.askedAt = asked.map(at)
        (line.endedAt, line.ending) = (at(ended), .client)
        line.heartbeats = pings.map { second, isLate in
            Recording.RecordedHeartbeat(
                at: at(second), lastReceivedAt: at(second - 0.5), lastActivityAt: at(second - 0.4),
                wasHeldBack: isLate, followsRepeats: isLate)
        }
        return line
    }

    @Test func pingsInAnOutageDoNotLengthenTheInterval() throws {
        // Broken: a client that pings every 20 s has an interval of 40 s, because one ping fell into an outage.
        var line = Recording.RecordedConnection(at: Self.at(50.45))
        line.openedAt = Self.at(50.79)
        line.heartbeats = [(76.2, true), (90.87, false)].map { second, isLate in
            Recording.RecordedHeartbeat(
                at: Self.at(second), lastReceivedAt: Self.at(second - 0.8), lastActivityAt: Self.at(second - 0.8),
                wasHeldBack: isLate, followsRepeats: isLate)
        }
        let fit = try #require(PingFit([Recording("one", [line])], preferring: (nil, nil)))
        let found = try #require(fit.intervals.first { $0.model == .nothing }, "\(fit.intervals)")
        #expect(found.range.contains(20) && !found.range.contains(40), "\(found)")
    }

    @Test func anOutageMayHideSeveralPings() throws {
        // Broken: only one hidden ping between two others is considered.
        let lines = [Self.closed(200, heard: 199.9, pings: [(25.1, false), (50.1, true), (100.1, false)])]
        let fit = try #require(PingFit([Recording("one", lines)], preferring: (nil, nil)))
        #expect(fit.intervals.first { $0.model == .nothing }?.range.contains(25) == true, "\(fit.intervals)")
    }

    @Test func unseenPingsStartTheTimeout() throws {
        // Broken: the timeout is unknown if the unanswered ping never left the kernel. Here pings are due every 5 s.
        let lines = [
            Self.closed(25.15, heard: 11, pings: [(5.1, false), (10.1, false)]),
            Self.closed(
                61.15, began: 26, heard: 50.2, pings: [(31.1, false), (36.1, false), (41.1, false), (46.1, false)]),
        ]
        let fit = try #require(PingFit([Recording("one", lines)], preferring: (nil, nil)))
        let rules = Dictionary(uniqueKeysWithValues: fit.verdicts.map { ($0.model, $0) })
        // The first unanswered pings were due at 15.1 s and at 51.1 s.
        #expect(rules[.timeout]?.range.contains(10) == true && rules[.nextBeat]?.beats == 2, "\(fit.verdicts)")
        #expect(rules[.timeout].map { $0.range.upperBound - $0.range.lowerBound < 0.6 } == true, "\(fit.verdicts)")
    }

    @Test(arguments: [(true, "calls.deadline", 3.0), (false, "keepalive.silence", 6.0)])
    func aClientWithoutPingsHasALimitOfSilence(asks: Bool, setting: String, limit: Double) throws {
        // Broken: read timeouts and deadlines of requests are not found.
        let lines = [(10.0, 11.0), (40.0, 40.6), (70.0, 70.3)].map { heard, asked in
            Self.closed(
                (asks ? asked : heard) + limit, began: heard - 5, heard: heard, asked: asks ? asked : nil)
        }
        let fitting = ClientFit([Recording("one", lines)], preset: [:], numbers: [:])
        let found = try #require(fitting.findings.first { $0.setting == setting }, "\(fitting.findings)")
        #expect(found.range.map { $0.contains(limit) && $0.upperBound - $0.lowerBound < 0.3 } == true, "\(found)")
        #expect(fitting.findings.contains { $0.setting == "calls.reconnect-after" } == asks)
        #expect(fitting.findings.contains { $0.setting == "keepalive.pings" && $0.value == "false" } == !asks)
        // Broken: in a world without calls, a client with a deadline never closes a dead connection.
        let assumed = Dictionary(uniqueKeysWithValues: fitting.assumed.map { ($0.setting, $0.value) })
        #expect(assumed["keepalive.verdict"] == (asks ? "silence" : nil))
        let silence = try #require(asks ? assumed["keepalive.silence"] : "3.3s")
        #expect(silence.hasSuffix("s") && (3.3...4).contains(Double(silence.dropLast()) ?? 0), "\(silence)")
    }

    @Test func aSilenceThatWasSurvivedIsNoLimit() {
        // Broken: a limit is reported that the recording itself contradicts.
        var calm = Self.closed(300, began: 100, heard: 299.9)
        calm.longestReceiveGap = .seconds(20)
        let lines = [Self.closed(16, heard: 10), calm]
        #expect(AnswerFit([Recording("one", lines)])?.rules.isEmpty == true)
        // A client that closes after an answer is done.
        #expect(AnswerFit([Recording("one", [Self.closed(10.1, heard: 10, asked: nil)])]) == nil)
        // Different silences have no common limit.
        let different = [Self.closed(16, heard: 10), Self.closed(49, began: 30, heard: 40)]
        #expect(AnswerFit([Recording("one", different)])?.rules.isEmpty == true)
    }
}
