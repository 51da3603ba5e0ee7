import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

/// When waits begin anew, when they end, and when there are none.
@Suite struct RetryRuleTests {
    private let line = ConnectionSlot(0)
    private static let doubling: [(String, Setting)] = [("base", "1s"), ("cap", "1m"), ("jitter", "none")]

    private func lane(_ backoff: [(String, Setting)], _ more: [(String, Setting)] = []) -> ManualLane<Composed> {
        var lane = ManualLane<Composed>(.map([("backoff", .map(Self.doubling + backoff))] + more))
        _ = lane.tell(.started)
        return lane
    }

    /// How long until the next attempt; nil: none within a day.
    private func wait(_ lane: inout ManualLane<Composed>) -> TimeSpan? {
        let start = lane.session.now
        let end = start + .hours(24)
        while case let at = lane.session.timers.earliest.at, at <= end {
            if lane.advance(by: at - lane.session.now).hasAttempt { return at - start }
        }
        return nil
    }

    /// Fails `count` attempts; the wait after the last.
    private func fail(_ lane: inout ManualLane<Composed>, _ count: Int) -> TimeSpan? {
        var last: TimeSpan?
        for _ in 0..<count {
            _ = lane.tell(.failed(line, .refused))
            last = wait(&lane)
        }
        return last
    }

    /// Broken: waits that begin anew with the wrong thing: a socket that opens before the server has said a word
    /// (destinygg/chat-gui pull request 872), a message, time, or never.
    @Test(
        arguments: [
            ("open", 0, 1), ("settings", 0, 8), ("settings", 1, 1), ("message", 1, 8), ("message", 2, 1),
            ("path", 2, 8), ("never", 2, 8), ("up", 2, 8), ("up", 3, 1),
        ] as [(String, Int, Int64)])
    func beginsAnew(rule: String, stage: Int, seconds: Int64) {
        var lane = lane([("reset", rule == "up" ? ["up": "5s"] : .text(rule))])
        #expect(fail(&lane, 3) == .seconds(4))
        _ = lane.tell(.opened(line, resumedAt: .start))
        if stage >= 1 { _ = lane.tell(.greeted(line)) }
        if stage >= 2 { _ = lane.tell(.received(line, upTo: Cursor(1), bytes: 10)) }
        _ = lane.advance(by: stage >= 3 ? .seconds(5) : .seconds(4))
        _ = lane.tell(.closed(line, .reset))
        #expect(wait(&lane) == .seconds(seconds))
    }

    /// Broken: a change of network does not begin the waits anew, or does so though nothing may.
    @Test(arguments: [("open", 1), ("path", 1), ("never", 8)] as [(String, Int64)])
    func aNewPathBeginsAnew(rule: String, seconds: Int64) {
        var lane = lane([("reset", .text(rule))], [("on-path-change", "hurry")])
        #expect(fail(&lane, 3) == .seconds(4))
        _ = lane.tell(.failed(line, .refused))
        #expect(lane.change(to: .cellular).hasAttempt)
        _ = lane.tell(.failed(line, .refused))
        #expect(wait(&lane) == .seconds(rule == "never" ? 16 : seconds))
    }

    /// Broken: a client that was to stop after so many attempts, or after so long, goes on, or stops for good although a new
    /// network gives reason to try.
    @Test(
        arguments: [
            (["retries": "0"], 0), (["retries": "4"], 4), (["after": "7s"], 2), (["after": "7001ms"], 3),
            (["retries": "2", "after": "1h"], 2),
        ] as [(Setting, Int)])
    func givesUp(limit: Setting, retries: Int) {
        var lane = lane([("give-up", limit)], [("on-path-change", "hurry")])
        for _ in 0..<retries { #expect(fail(&lane, 1) != nil) }
        #expect(fail(&lane, 1) == nil)
        #expect(lane.change(to: .cellular).hasAttempt)
        if retries > 0 { #expect(fail(&lane, 1) == .seconds(1)) }
    }

    /// Broken: a connection that stood does not begin the count of attempts or the time without one anew.
    @Test func aConnectionRestoresPatience() {
        var lane = lane([("give-up", ["retries": "2", "after": "10s"])])
        #expect(fail(&lane, 2) == .seconds(2))
        _ = lane.tell(.opened(line, resumedAt: .start))
        _ = lane.advance(by: .minutes(5))
        _ = lane.tell(.closed(line, .reset))
        #expect(wait(&lane) == .seconds(1))
        #expect(fail(&lane, 1) == .seconds(2))
        #expect(fail(&lane, 1) == nil)
    }

    /// Broken: after long enough waits are still those of the law, or they change too soon.
    @Test func isSuspended() {
        let suspended: Setting = ["after": "7s", "wait": "30s"]
        var lane = lane([("suspended", suspended)])
        #expect(fail(&lane, 3) == .seconds(4))
        #expect(fail(&lane, 1) == .seconds(30))
        #expect(fail(&lane, 5) == .seconds(30))
        _ = lane.tell(.opened(line, resumedAt: .start))
        _ = lane.tell(.closed(line, .reset))
        #expect(wait(&lane) == .seconds(1))
    }

    /// Broken: a connection that was good is followed by a wait meant for failures, or counts as one.
    @Test func connectsAtOnceAfterAGoodConnection() {
        var lane = lane([("after-open", "0s"), ("reset", "settings")])
        _ = lane.tell(.opened(line, resumedAt: .start))
        _ = lane.tell(.closed(line, .ended))
        // Nothing of the server's was ever heard: a failure like any other.
        #expect(wait(&lane) == .seconds(1))
        _ = lane.tell(.opened(line, resumedAt: .start))
        _ = lane.tell(.greeted(line))
        _ = lane.tell(.closed(line, .ended))
        #expect(wait(&lane) == .zero)
        #expect(fail(&lane, 1) == .seconds(1))
    }

    /// Broken: an app in the background tries on where it was to wait, or is not there at once when it is in front again.
    @Test(arguments: [("retry", 1), ("longest-wait", 60), ("hold", nil)] as [(String, Int64?)])
    func waitsInTheBackground(word: String, seconds: Int64?) {
        var lane = lane([("in-background", .text(word))])
        lane.session.isForeground = false
        _ = lane.tell(.app(.background))
        _ = lane.tell(.failed(line, .refused))
        #expect(wait(&lane) == seconds.map { .seconds($0) })
        if seconds != nil { _ = lane.tell(.failed(line, .refused)) }
        lane.session.isForeground = true
        #expect(lane.tell(.app(.foreground)).hasAttempt == (word != "retry"))
    }

    /// Broken: the limit of an attempt is not the wait that follows it, with its jitter, so that a client that gets no answer
    /// waits longer than its law says.
    @Test func anAttemptMayTakeAsLongAsItsWait() {
        var shorter = 0
        for seed in 0..<50 as Range<UInt64> {
            var lane = ManualLane<Composed>(
                [
                    "backoff": [
                        "base": "30s", "multiplier": "1", "jitter": "50%", "from": "attempt",
                        "min-connect-timeout": "20s",
                    ]
                ], seed: seed)
            _ = lane.tell(.started)
            let limit = lane.session.timers[TimerSlot(3)].at - lane.session.now
            #expect(.seconds(20) <= limit && limit <= .seconds(45))
            #expect(wait(&lane) == limit)
            shorter += limit < .seconds(29) ? 1 : 0
        }
        #expect(5 < shorter && shorter < 45)
    }

    /// Broken: an attempt has another limit than its wait, or than the least one where that is more (grpc/grpc-swift
    /// `Tests/GRPCTests/ConnectionBackoffTests.swift`).
    @Test func hasTheLimitsOfItsLaw() {
        var lane = ManualLane<Composed>([
            "backoff": [
                "base": "1s", "cap": "16s", "jitter": "none", "from": "attempt", "min-connect-timeout": "4200ms",
            ]
        ])
        _ = lane.tell(.started)
        for limit in [4_200, 4_200, 4_200, 8_000, 16_000, 16_000] as [Int64] {
            let due = lane.session.timers[TimerSlot(3)].at
            #expect(due == lane.session.now + .milliseconds(limit))
            #expect(fail(&lane, 1) != nil)
        }
        #expect(lane.session.now.nanoseconds == 47_000_000_000)
    }

    /// Broken: the first attempt after a connection does not count where it should, or does where it should not; one that was
    /// found dead waits as one that was ended (ably-js; pusher-js).
    @Test func knowsHowAConnectionEnded() {
        for (counts, wait) in [("true", 20_000), ("false", 15_000)] as [(Setting, Int64)] {
            var lane = ManualLane<Composed>.open([
                "backoff": [
                    "base": "15s", "step": "5s", "cap": "30s", "jitter": "none",
                    "after-open": ["wait": "0s", "counts": counts], "after-silence": "3s",
                ],
                "keepalive": ["interval": "10s", "timeout": "1s"],
            ])
            _ = lane.tell(.closed(line, .reset))
            #expect(lane.advance(by: .zero).hasAttempt)
            #expect(fail(&lane, 1) == .milliseconds(wait))
            _ = lane.tell(.opened(line, resumedAt: .start))
            #expect(lane.advance(by: .seconds(11)) == [.ping(line), .close(line)])
            #expect(!lane.advance(by: .milliseconds(2_999)).hasAttempt)
            #expect(lane.advance(by: .milliseconds(1)).hasAttempt)
        }
    }

    /// Broken: jitter of what is left of a wait is drawn of the whole of it.
    @Test func jittersWhatIsLeft() {
        var longest = TimeSpan.zero
        for seed in 0..<200 as Range<UInt64> {
            var lane = ManualLane<Composed>(
                ["backoff": ["base": "10s", "jitter": "full", "from": "attempt-then-jitter"]], seed: seed)
            _ = lane.tell(.started)
            _ = lane.advance(by: .seconds(8))
            longest = max(longest, fail(&lane, 1) ?? .longest)
        }
        #expect(.milliseconds(1_900) < longest && longest <= .seconds(2))
    }

    /// Broken: settings that cannot both be meant are taken without a word.
    @Test(
        arguments: [
            ["backoff": ["reset": "path"], "on-path-change": ["available": "hurry", "resets-backoff": "false"]],
            ["backoff": ["suspended": ["after": "2m", "wait": "30s"], "give-up": ["after": "1m"]]],
        ] as [Setting])
    func refusesWhatContradictsItself(setting: Setting) {
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
