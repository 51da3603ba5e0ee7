import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Foundation
import Testing

/// When the backoff restarts, when retries end, and when there is no wait.
@Suite struct RetryRuleTests {
    private let connection = ConnectionSlot(0)
    private static let doubling: [(String, Setting)] = [("base", "1s"), ("cap", "1m"), ("jitter", "none")]

    private func phone(_ backoff: [(String, Setting)], _ more: [(String, Setting)] = []) -> StrategyHarness<Composed> {
        var phone = StrategyHarness<Composed>(.map([("backoff", .map(Self.doubling + backoff))] + more))
        _ = phone.send(.started)
        return phone
    }

    /// Time until the next attempt; `nil` if there is none within a day.
    private func wait(_ phone: inout StrategyHarness<Composed>) -> TimeSpan? {
        let start = phone.session.now
        let end = start + .hours(24)
        while case let at = phone.session.timers.earliest.at, at <= end {
            if phone.advance(by: at - phone.session.now).hasAttempt { return at - start }
        }
        return nil
    }

    /// Fails `count` attempts and returns the wait after the last.
    private func fail(_ phone: inout StrategyHarness<Composed>, _ count: Int) -> TimeSpan? {
        var last: TimeSpan?
        for _ in 0..<count {
            _ = phone.send(.failed(connection, .refused))
            last = wait(&phone)
        }
        return last
    }

    /// Broken: the backoff restarts on the wrong event: a socket that opens before the server has sent anything
    /// (destinygg/chat-gui pull request 872), a message, elapsed time, or never.
    @Test(
        arguments: [
            ("open", 0, 1), ("settings", 0, 8), ("settings", 1, 1), ("message", 1, 8), ("message", 2, 1),
            ("path", 2, 8), ("never", 2, 8), ("up", 2, 8), ("up", 3, 1),
        ] as [(String, Int, Int64)])
    func restartsTheBackoff(rule: String, stage: Int, seconds: Int64) {
        var phone = phone([("reset", rule == "up" ? ["up": "5s"] : .text(rule))])
        #expect(fail(&phone, 3) == .seconds(4))
        _ = phone.send(.opened(connection, resumedAt: .start))
        if stage >= 1 { _ = phone.send(.serverResponded(connection)) }
        if stage >= 2 { _ = phone.send(.received(connection, upTo: Cursor(1), bytes: 10)) }
        _ = phone.advance(by: stage >= 3 ? .seconds(5) : .seconds(4))
        _ = phone.send(.closed(connection, .reset))
        #expect(wait(&phone) == .seconds(seconds))
    }

    /// Broken: a network change does not restart the backoff, or does so although the setting forbids it.
    @Test(arguments: [("open", 1), ("path", 1), ("never", 8)] as [(String, Int64)])
    func aNewPathRestartsTheBackoff(rule: String, seconds: Int64) {
        var phone = phone([("reset", .text(rule))], [("on-path-change", "hurry")])
        #expect(fail(&phone, 3) == .seconds(4))
        _ = phone.send(.failed(connection, .refused))
        #expect(phone.change(to: .cellular).hasAttempt)
        _ = phone.send(.failed(connection, .refused))
        #expect(wait(&phone) == .seconds(rule == "never" ? 16 : seconds))
    }

    /// Broken: a client with a limit on retries or on time continues beyond it, or stops for good although a new
    /// network is available.
    @Test(
        arguments: [
            (["retries": "0"], 0), (["retries": "4"], 4), (["after": "7s"], 2), (["after": "7001ms"], 3),
            (["retries": "2", "after": "1h"], 2),
        ] as [(Setting, Int)])
    func givesUp(limit: Setting, retries: Int) {
        var phone = phone([("give-up", limit)], [("on-path-change", "hurry")])
        for _ in 0..<retries { #expect(fail(&phone, 1) != nil) }
        #expect(fail(&phone, 1) == nil)
        #expect(phone.change(to: .cellular).hasAttempt)
        if retries > 0 { #expect(fail(&phone, 1) == .seconds(1)) }
    }

    /// Broken: a client that has given up connects by itself on an event to which it does not react, or does not connect
    /// on one to which it reacts; or the page of the scenario language says otherwise.
    @Test(
        arguments: [
            ([], []), ([("on-path-change", "hurry")], ["path"]), ([("on-path-change", ["lost": "reconnect"])], []),
            ([("life-cycle", ["foreground": "probe"])], ["foreground"]),
            ([("life-cycle", ["background": "close"])], ["foreground"]),
            ([("life-cycle", ["background": "close", "on-push": "10s"])], ["foreground", "push"]),
        ] as [([(String, Setting)], [String])])
    func reactsAfterItHasGivenUp(settings: [(String, Setting)], events: [String]) throws {
        for limit in [("give-up", ["retries": "0"]), ("on-end", ["refused": "stop"])] as [(String, Setting)] {
            for event in ["path", "foreground", "push"] {
                var phone = phone([limit], settings)
                #expect(fail(&phone, 1) == nil)
                if event == "path" {
                    #expect(phone.change(to: .cellular).hasAttempt == events.contains(event), "\(settings)")
                    continue
                }
                phone.session.isForeground = false
                #expect(!phone.send(.app(.background)).hasAttempt)
                phone.session.isForeground = event == "foreground"
                let actions = phone.send(event == "push" ? .pushWoken : .app(.foreground))
                #expect(actions.hasAttempt == events.contains(event), "\(settings) \(event)")
            }
        }
        let page = try String(contentsOfFile: Repository.root + "/Scenarios/README.md", encoding: .utf8)
        let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `give-up` |") })
        for word in ["`on-path-change`", "`life-cycle: {foreground: probe}`", "`{background: close}`", "`on-push`"] {
            #expect(row.contains(word), "\(word)")
        }
    }

    /// Broken: an established connection does not reset the retry count and the time without a connection.
    @Test func aConnectionResetsTheRetryLimit() {
        var phone = phone([("give-up", ["retries": "2", "after": "10s"])])
        #expect(fail(&phone, 2) == .seconds(2))
        _ = phone.send(.opened(connection, resumedAt: .start))
        _ = phone.advance(by: .minutes(5))
        _ = phone.send(.closed(connection, .reset))
        #expect(wait(&phone) == .seconds(1))
        #expect(fail(&phone, 1) == .seconds(2))
        #expect(fail(&phone, 1) == nil)
    }

    /// Broken: after the time limit, the waits still follow the backoff, or they change too early.
    @Test func usesTheSuspendedWait() {
        let suspended: Setting = ["after": "7s", "wait": "30s"]
        var phone = phone([("suspended", suspended)])
        #expect(fail(&phone, 3) == .seconds(4))
        #expect(fail(&phone, 1) == .seconds(30))
        #expect(fail(&phone, 5) == .seconds(30))
        _ = phone.send(.opened(connection, resumedAt: .start))
        _ = phone.send(.closed(connection, .reset))
        #expect(wait(&phone) == .seconds(1))
    }

    /// Broken: the client is not suspended at its time but after the wait that is under way, or a suspension during an
    /// attempt begins at the end of that attempt.
    @Test func isSuspendedAtItsTime() {
        let suspended: Setting = ["after": "5s", "wait": "30s"]
        var phone = phone([("suspended", suspended)])
        // The third wait of 4 s begins at 3 s, and ends at 5 s.
        #expect(fail(&phone, 3) == .seconds(32))
        #expect(fail(&phone, 1) == .seconds(30))
        var slow = self.phone([("suspended", suspended)], [("connect", ["timeout": "7s"])])
        #expect(wait(&slow) == .seconds(35))
        #expect(wait(&slow) == .seconds(37))
    }

    /// Broken: an attempt without an answer leaves the client suspended, or a refused one does not.
    @Test func anUnansweredAttemptStartsAgain() {
        let suspended: Setting = ["after": "5s", "wait": "30s", "restarts": "unanswered"]
        var phone = phone([("suspended", suspended)], [("connect", ["timeout": "2s"])])
        #expect(fail(&phone, 3) == .seconds(32))
        #expect(fail(&phone, 1) == .seconds(30))
        // Each attempt takes two seconds. The first wait is one second long; the second attempt ends suspended.
        #expect((0..<3).map { _ in wait(&phone) } == [.seconds(3), .seconds(32), .seconds(3)])
    }

    /// Broken: a good connection is followed by a wait for failures, or counts as a failure.
    @Test func connectsAtOnceAfterAGoodConnection() {
        var phone = phone([("after-open", "0s"), ("reset", "settings")])
        _ = phone.send(.opened(connection, resumedAt: .start))
        _ = phone.send(.closed(connection, .ended))
        // No byte arrived from the server: a failure like any other.
        #expect(wait(&phone) == .seconds(1))
        _ = phone.send(.opened(connection, resumedAt: .start))
        _ = phone.send(.serverResponded(connection))
        _ = phone.send(.closed(connection, .ended))
        #expect(wait(&phone) == .zero)
        #expect(fail(&phone, 1) == .seconds(1))
    }

    /// Broken: an app in the background retries where it should wait, or does not connect at once when it is in the
    /// foreground again.
    @Test(arguments: [("retry", 1), ("longest-wait", 60), ("hold", nil)] as [(String, Int64?)])
    func waitsInTheBackground(word: String, seconds: Int64?) {
        var phone = phone([("in-background", .text(word))])
        phone.session.isForeground = false
        _ = phone.send(.app(.background))
        _ = phone.send(.failed(connection, .refused))
        #expect(wait(&phone) == seconds.map { .seconds($0) })
        if seconds != nil { _ = phone.send(.failed(connection, .refused)) }
        phone.session.isForeground = true
        #expect(phone.send(.app(.foreground)).hasAttempt == (word != "retry"))
    }

    /// Broken: the time limit of an attempt is not the wait that follows it, with its jitter. A client without an
    /// answer then waits longer than its backoff says.
    @Test func anAttemptMayTakeAsLongAsItsWait() {
        var shorter = 0
        for seed in 0..<50 as Range<UInt64> {
            var phone = StrategyHarness<Composed>(
                [
                    "backoff": [
                        "base": "30s", "multiplier": "1", "jitter": "50%", "from": "attempt",
                        "min-connect-timeout": "20s",
                    ]
                ], seed: seed)
            _ = phone.send(.started)
            let limit = phone.session.timers[TimerSlot(3)].at - phone.session.now
            #expect(.seconds(20) <= limit && limit <= .seconds(45))
            #expect(wait(&phone) == limit)
            shorter += limit < .seconds(29) ? 1 : 0
        }
        #expect(5 < shorter && shorter < 45)
    }

    /// Broken: the limit of an attempt is neither its wait nor the minimum, if that is longer (grpc/grpc-swift
    /// `Tests/GRPCTests/ConnectionBackoffTests.swift`).
    @Test func hasTheAttemptLimitsOfGRPC() {
        var phone = StrategyHarness<Composed>([
            "backoff": [
                "base": "1s", "cap": "16s", "jitter": "none", "from": "attempt", "min-connect-timeout": "4200ms",
            ]
        ])
        _ = phone.send(.started)
        for limit in [4_200, 4_200, 4_200, 8_000, 16_000, 16_000] as [Int64] {
            let due = phone.session.timers[TimerSlot(3)].at
            #expect(due == phone.session.now + .milliseconds(limit))
            #expect(fail(&phone, 1) != nil)
        }
        #expect(phone.session.now.nanoseconds == 47_000_000_000)
    }

    /// Broken: the first attempt after a connection counts where it should not, or does not count where it should. Or
    /// a connection that was found dead has the wait of one that was closed (ably-js; pusher-js).
    @Test func waitDependsOnHowAConnectionEnded() {
        for (counts, wait) in [("true", 20_000), ("false", 15_000)] as [(Setting, Int64)] {
            var phone = StrategyHarness<Composed>.open([
                "backoff": [
                    "base": "15s", "step": "5s", "cap": "30s", "jitter": "none",
                    "after-open": ["wait": "0s", "counts": counts], "after-silence": "3s",
                ],
                "keepalive": ["interval": "10s", "timeout": "1s"],
            ])
            _ = phone.send(.closed(connection, .reset))
            #expect(phone.advance(by: .zero).hasAttempt)
            #expect(fail(&phone, 1) == .milliseconds(wait))
            _ = phone.send(.opened(connection, resumedAt: .start))
            #expect(phone.advance(by: .seconds(11)) == [.ping(connection), .close(connection)])
            #expect(!phone.advance(by: .milliseconds(2_999)).hasAttempt)
            #expect(phone.advance(by: .milliseconds(1)).hasAttempt)
        }
    }

    /// Broken: jitter applies to the whole wait instead of to the remaining time.
    @Test func jittersTheRemainingTime() {
        var longest = TimeSpan.zero
        for seed in 0..<200 as Range<UInt64> {
            var phone = StrategyHarness<Composed>(
                ["backoff": ["base": "10s", "jitter": "full", "from": "attempt-then-jitter"]], seed: seed)
            _ = phone.send(.started)
            _ = phone.advance(by: .seconds(8))
            longest = max(longest, fail(&phone, 1) ?? .longest)
        }
        #expect(.milliseconds(1_900) < longest && longest <= .seconds(2))
    }

    /// Broken: contradictory settings are accepted without an error.
    @Test(
        arguments: [
            ["backoff": ["reset": "path"], "on-path-change": ["available": "hurry", "resets-backoff": "false"]],
            ["backoff": ["suspended": ["after": "2m", "wait": "30s"], "give-up": ["after": "1m"]]],
        ] as [Setting])
    func refusesContradictorySettings(setting: Setting) {
        var reader = SettingsReader(setting.node, of: "composed")
        _ = Composed(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.code) == [.contradiction])
    }
}

extension [Action] {
    fileprivate var hasAttempt: Bool {
        contains { action in
            if case .connect = action { true } else { false }
        }
    }
}
