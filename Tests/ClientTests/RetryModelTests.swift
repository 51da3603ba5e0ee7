import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// Compares `Retry` with the rules of its settings, written down a second time in plain arithmetic.
@Suite struct RetryModelTests {
    /// The rules in milliseconds, without jitter: base times two for each failure, up to the cap.
    private struct ReferenceRetry {
        let rules: Retry
        var failed = 0
        var (startedAt, openedAt): (Int64, Int64) = (0, 0)
        var downSince: Int64?
        var drawn: Int64?
        var hasReset = false

        init(_ rules: Retry) { self.rules = rules }

        private func doubled(_ failures: Int) -> Int64 {
            let (base, cap) = (rules.backoff.base.milliseconds, rules.backoff.cap.milliseconds)
            return failures > 20 ? cap : min(base << Int64(failures), cap)
        }

        mutating func draw(_ isForeground: Bool, less elapsed: Int64 = 0) -> Int64 {
            let atCap = rules.inBackground == .longest && !isForeground
            defer { failed += 1 }
            return max((atCap ? rules.backoff.cap.milliseconds : doubled(failed)) - elapsed, 0)
        }

        mutating func reset() { (failed, drawn, hasReset) = (0, nil, true) }

        mutating func begin(_ now: Int64, _ isForeground: Bool) {
            (startedAt, hasReset) = (now, false)
            if downSince == nil { downSince = now }
            if rules.minConnectTimeout != nil { drawn = draw(isForeground) }
        }

        mutating func open(_ now: Int64) {
            (openedAt, downSince) = (now, nil)
            if rules.reset == .opened { reset() }
        }

        /// The wait before the next attempt; `nil` if there is none.
        mutating func wait(
            _ now: Int64, wasOpen: Bool, wasSilent: Bool, isUnanswered: Bool, _ isForeground: Bool
        ) -> Int64? {
            if wasOpen {
                downSince = now
                if case .up(let least) = rules.reset, now - openedAt >= least.milliseconds { reset() }
                let renewal = wasSilent ? rules.afterSilence ?? rules.afterOpen : rules.afterOpen
                if hasReset, let renewal {
                    failed += renewal.counts ? 1 : 0
                    return renewal.wait.milliseconds
                }
            }
            if isUnanswered, let suspension = rules.suspension, suspension.restarts, let since = downSince,
                since + suspension.after.milliseconds <= startedAt
            {
                downSince = startedAt
                reset()
            }
            let elapsed = now - startedAt
            var wait = drawn ?? draw(isForeground, less: rules.waitOrigin == .attemptThenJitter ? elapsed : 0)
            drawn = nil
            if rules.waitOrigin == .attempt { wait = max(wait - elapsed, 0) }
            // Without an attempt before it, the outage counts from the end of time.
            let down = downSince.map { now - $0 } ?? .min
            if let suspension = rules.suspension, let since = downSince {
                let begin = since + suspension.after.milliseconds
                let duringWait = now < begin && begin < now + wait
                if begin <= startedAt {
                    wait = suspension.wait.milliseconds
                } else if begin <= now || duringWait {
                    wait = max(begin - now + suspension.wait.milliseconds, 0)
                }
            }
            if failed > Int(rules.limit.retries) { return nil }
            if rules.limit.after != .longest, down + wait >= rules.limit.after.milliseconds { return nil }
            return wait
        }
    }

    private func rules(_ dice: inout Dice) -> Retry {
        func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
        func span() -> TimeSpan { .milliseconds(Int64(draw(40)) * 100) }
        let backoff = Backoff(base: .milliseconds(100), cap: .milliseconds(3_000), jitter: .none)
        var retry = Retry(
            backoff: backoff, waitOrigin: [.failure, .attempt, .attemptThenJitter][draw(3)],
            timing: TimerOptions([.elapsed, .uptime][draw(2)]), slot: TimerSlot(0))
        retry.reset = [.opened, .serverResponded, .received, .up(.milliseconds(1_000)), .path, .never][draw(6)]
        if draw(3) == 0 { retry.limit = Retry.RetryLimit(retries: UInt32(draw(6))) }
        if draw(3) == 0 { retry.limit.after = span() + .seconds(1) }
        if draw(3) == 0 { retry.suspension = Retry.Suspension(after: span(), wait: span()) }
        retry.suspension?.restarts = draw(2) == 0
        retry.inBackground = [.retry, .longest, .hold][draw(3)]
        if draw(2) == 0 { retry.afterOpen = Retry.WaitAfterOpen(wait: span(), counts: draw(2) == 0) }
        if draw(2) == 0 { retry.afterSilence = Retry.WaitAfterOpen(wait: span(), counts: draw(2) == 0) }
        if draw(2) == 0 { retry.minConnectTimeout = span() }
        return retry
    }

    /// Broken: a wait, a limit or a reset differs from its rule, at the boundary or far from it.
    @Test func waitsByItsRules() {
        var (armed, stopped) = (0, 0)
        seedSweep(1_000) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let retry = rules(&dice)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            var model = ReferenceRetry(retry)
            var state = Retry.State()
            var session = Session(random: dice)
            for step in 0..<40 {
                // A grid of 100 ms, so that times meet the limits exactly.
                session.now += .milliseconds(Int64(draw(12)) * 100)
                if draw(6) == 0 { session.slept += .milliseconds(100) }
                session.isForeground = draw(3) > 0
                let now = (session.now(retry.timing.clock) - Instant.zero).milliseconds
                #expect(retry.holds(session) == (retry.inBackground == .hold && !session.isForeground))
                switch draw(8) {
                case 0...1:
                    retry.began(&state, &session)
                    model.begin(now, session.isForeground)
                    #expect(!session.isArmed(retry.slot))
                    let limit = retry.minConnectTimeout.map { max($0.milliseconds, model.drawn ?? -1) }
                    #expect(retry.connectTimeout(state)?.milliseconds == limit, "seed \(seed)")
                case 2:
                    retry.opened(&state, session)
                    model.open(now)
                case 3:
                    retry.serverResponded(&state)
                    if retry.reset == .serverResponded, !model.hasReset { model.reset() }
                case 4:
                    retry.received(&state)
                    if retry.reset == .received, !model.hasReset { model.reset() }
                case 5 where draw(3) == 0:
                    retry.restartBackoff(&state)
                    model.downSince = nil
                    if retry.reset != .never { model.reset() }
                default:
                    let (wasOpen, wasSilent) = (draw(2) == 0, draw(2) == 0)
                    let isUnanswered = !wasOpen && draw(2) == 0
                    // A failure follows an attempt.
                    guard wasOpen || model.downSince != nil else { continue }
                    session.disarm(retry.slot)
                    let goesOn = retry.wait(
                        wasOpen: wasOpen, wasSilent: wasSilent, isUnanswered: isUnanswered, &state, &session)
                    let wait = model.wait(
                        now, wasOpen: wasOpen, wasSilent: wasSilent, isUnanswered: isUnanswered, session.isForeground)
                    let at = session.isArmed(retry.slot) ? session.timers[retry.slot].at : nil
                    let isSame = goesOn == (wait != nil) && at == wait.map { .zero + .milliseconds(now + $0) }
                    #expect(isSame, "seed \(seed), step \(step): \(at as Any) or \(wait as Any) after \(now)")
                    if wait == nil { stopped += 1 } else { armed += 1 }
                }
                #expect(Int(state.attempts.failed) == model.failed, "seed \(seed), step \(step)")
            }
        }
        #expect(armed > 2_000 && stopped > 200, "\(armed), \(stopped)")
    }

    /// Broken: a client without a permitted attempt counts a failure, or is not woken although its timer can wake it.
    @Test(arguments: [WakePolicy.none, .alarm, .whileIdle, .job])
    func waitsUncountedIfItsTimerWakes(wake: WakePolicy) {
        let backoff = Backoff(base: .seconds(2), cap: .seconds(9), jitter: .none)
        let retry = Retry(backoff: backoff, timing: TimerOptions(wake: wake), slot: TimerSlot(0))
        var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
        for _ in 0..<3 {
            retry.waitIfItWakes(Retry.State(), &session)
            #expect(session.isArmed(TimerSlot(0)) == (wake != .none))
            guard wake != .none else { continue }
            #expect(session.timers[TimerSlot(0)].at == .zero + .seconds(2) && session.timers[TimerSlot(0)].wake == wake)
        }
    }
}

extension TimeSpan {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
