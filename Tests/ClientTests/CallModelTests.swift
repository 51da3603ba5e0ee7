import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// Compares `Deadlines`, its table of calls and its schedule with a naive list of calls under random events.
@Suite struct CallModelTests {
    private struct Driver {
        let facet: Deadlines
        var model: ReferenceCalls
        var calls = CallTable()
        var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
        var dice: Dice
        var next: UInt32 = 0
        var log: [Action] = []

        init(_ facet: Deadlines, _ dice: Dice) {
            self.facet = facet
            self.dice = dice
            model = ReferenceCalls(facet)
        }

        mutating func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }

        mutating func step() {
            let span = draw(900)
            session.now += .milliseconds(Int64(span))
            if draw(5) == 0 { session.slept += .milliseconds(Int64(draw(UInt64(span) + 1))) }
            let readiness = [Deadlines.Readiness.open, .open, .opening, .down][draw(4)]
            // Mostly a recent call.
            let call = UInt32(max(Int(next) - 1 - draw(6), 0))
            var out = Outbox()
            var decisions: [Deadlines.DeadlineDecision] = []
            switch draw(16) {
            case 0...4:
                facet.callRequested(next, over: ReferenceCalls.connection, readiness, &calls, &session, &out)
                model.request(next, readiness, session)
                next += 1
            case 5:
                facet.answered(call, &calls, &session)
                model.answer(call, session)
            case 6:
                facet.opened(ReferenceCalls.connection, &calls, &session, &out)
                model.open(session)
            case 7:
                facet.closed(&calls, &session, &out)
                model.close(session)
            case 8 where draw(2) == 0:
                #expect(calls.isSent(below: call) == model.isSent(below: call))
                facet.closed(below: call, &calls, &session, &out)
                model.close(below: call)
            case 8:
                facet.wentDown(&calls, &session, &out)
                model.goDown(session)
            case 9:
                session.network.path = draw(3) == 0 ? nil : .wifi
                facet.networkChanged(&calls, &session, &out)
                model.changeNetwork(session)
            case 10...11:
                decisions = [facet.deadlineFired(&calls, &session, &out), model.deadline(session)]
            case 12...13:
                facet.retryFired(over: ReferenceCalls.connection, readiness, &calls, &session, &out)
                model.retry(readiness, session)
            case 14:
                session.isForeground.toggle()
                session.isBatterySaverOn = draw(2) == 0
            default:
                let refusal = CallRefusal(
                    CallFailure.allCases[1 + draw(3)],
                    pushback: [.none, .none, .stop, .after(.milliseconds(Int64(draw(2_000))))][draw(4)],
                    isCommitted: draw(6) == 0, isUnprocessed: draw(3) == 0, isConnectionDraining: draw(2) == 0)
                facet.rejected(
                    call, refusal, over: ReferenceCalls.connection, readiness, &calls, &session, &out)
                model.reject(call, refusal, readiness, session)
            }
            log += (0..<out.count).map { out[$0] }
            #expect(decisions.first == decisions.last)
        }

        /// `true` if the table, the timers and all actions are those of the model.
        var isSame: Bool {
            let kept = (0..<32).map { place -> ReferenceCalls.WaitingCall? in
                guard calls.occupied[place] else { return nil }
                return ReferenceCalls.WaitingCall(
                    index: calls.index(place), due: calls.due(place), isSent: calls.isSent[place],
                    made: Int(calls.attemptsMade(place)), failed: Int(calls.attemptsFailed(place)),
                    wasUnprocessed: calls.wasUnprocessed[place], mayNotRepeat: calls.hasNoMoreAttempts[place])
            }
            let due = kept.compactMap { $0?.due }.min() ?? .never
            let retryAt = model.schedule.compactMap { $0?.due }.min() ?? .never
            return kept == model.places && log.count == model.actions.count
                && log.suffix(40) == model.actions.suffix(40) && calls.isEmpty == kept.allSatisfy { $0 == nil }
                && calls.count == kept.count { $0 != nil } && calls.isNetworkSlow == model.isSlow
                && Int(calls.throttle.spent) == model.spent && Int(calls.missedDeadlines) == model.missed
                && calls.schedule.earliest == retryAt && isArmed(facet.slot, at: due, onItsClock: true)
                && (facet.retry == nil || isArmed(TimerSlot(10), at: retryAt, onItsClock: false))
        }

        /// `true` if the timer is armed for this time. If this time has passed, the last event that can change the
        /// timer armed it for its own time.
        private func isArmed(_ slot: TimerSlot, at due: Instant, onItsClock: Bool) -> Bool {
            guard due != .never else { return !session.isArmed(slot) }
            let timer = session.timers[slot]
            let now = onItsClock ? session.now(facet.timing.clock) : session.now
            return timer.at == due || due <= now && due <= timer.at && timer.at <= now
        }
    }

    private func facet(_ dice: inout Dice) -> Deadlines {
        func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
        func span() -> TimeSpan { .milliseconds(Int64(1 + draw(8_000))) }
        var facet = Deadlines(limit: draw(4) == 0 ? nil : span(), slot: TimerSlot(5))
        facet.backgroundLimit = draw(2) == 0 ? nil : span()
        facet.batterySaverLimit = draw(2) == 0 ? nil : span()
        facet.slowNetwork = draw(2) == 0 ? nil : .init(threshold: span(), limit: span())
        facet.timing = TimerOptions([.elapsed, .uptime][draw(2)])
        facet.whenNotConnected = [.wait, .attempt, .fail][draw(3)]
        facet.retriesAfterReconnect = draw(2) == 0
        facet.failsOffline = draw(2) == 0
        facet.probeAfter = UInt8(draw(3))
        facet.reconnectAfter = UInt8(draw(4))
        let codes: CallFailures = [[.unavailable], [.unavailable, .resourceExhausted]][draw(2)]
        let attempts = UInt8(2 + draw(4))
        switch draw(3) {
        case 0: break
        case 1:
            let backoff = Backoff(base: span(), cap: .seconds(9), jitter: .none)
            facet.retry = CallRetry(.retry(backoff, .none), attempts: attempts, codes: codes, slot: TimerSlot(10))
        default: facet.retry = CallRetry(.hedge(span()), attempts: attempts, codes: codes, slot: TimerSlot(10))
        }
        if draw(2) == 0 { facet.throttle = RetryThrottle(tokens: UInt16(1 + draw(12)), ratio: UInt32(1 + draw(1_500))) }
        return facet
    }

    /// Broken: a call gets another attempt, deadline or end than in a naive list of calls. Or a counter, a timer or an
    /// action differs.
    @Test func behavesLikeAListOfCalls() {
        var kinds: [String: Int] = [:]
        seedSweep(150) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let facet = facet(&dice)
            var driver = Driver(facet, dice)
            driver.session.network.path = .wifi
            for step in 0..<150 {
                driver.step()
                guard driver.isSame else {
                    Issue.record(
                        "seed \(seed), step \(step): \(driver.log.suffix(4)) or \(driver.model.actions.suffix(4))")
                    return
                }
            }
            for action in driver.log { kinds["\(action)".prefix { $0 != "(" }.description, default: 0] += 1 }
            kinds["full", default: 0] += driver.calls.count == 32 ? 1 : 0
        }
        #expect(kinds["call", default: 0] > 2_000 && kinds["abandon", default: 0] > 2_000, "\(kinds)")
    }
}
