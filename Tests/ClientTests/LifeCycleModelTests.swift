import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// Compares `LifeCyclePolicy` with a second version of its rules, and checks small policies case by case.
@Suite struct LifeCycleModelTests {
    /// The rules in milliseconds.
    private struct ReferenceLifeCycle {
        enum Phase { case quiet, flush, visit }

        let rules: LifeCyclePolicy
        var phase = Phase.quiet
        var (now, pollNow): (Int64, Int64) = (0, 0)
        var pollDue: Int64 = 0
        var visitEnds: Int64 = 0
        var serverSent: UInt32?
        var (pollAt, endAt): (Int64?, Int64?)
        var (isForeground, isPushed, isAwake) = (true, false, false)

        init(_ rules: LifeCyclePolicy) { self.rules = rules }

        var stays: Bool { rules.onBackground == .keep || rules.onBackground == .relyOnPush && !isPushed }

        mutating func end() { (phase, serverSent, pollAt, endAt) = (.quiet, nil, nil, nil) }

        mutating func poll() {
            guard let every = rules.pollInterval else { return }
            if pollDue <= pollNow { pollDue = pollNow + every.milliseconds }
            pollAt = pollDue
        }

        mutating func visit(_ stay: TimeSpan?) -> LifeCyclePolicy.LifeCycleDecision {
            guard let stay else { return .nothing }
            if !stays, !isForeground, phase != .flush {
                (phase, serverSent, visitEnds) = (.visit, nil, now + stay.milliseconds)
                endAt = visitEnds
            }
            return .visit
        }

        mutating func change(_ change: AppChange, isOpen: Bool, hasUnconfirmed: Bool)
            -> LifeCyclePolicy.LifeCycleDecision
        {
            switch change {
            case .background:
                guard !stays else { return .nothing }
                guard rules.onBackground != .close, isOpen, hasUnconfirmed else { return .park }
                (phase, endAt) = (.flush, now + rules.flushLimit.milliseconds)
                poll()
                return .nothing
            case .foreground:
                end()
                if !stays, !isOpen { return .visit }
                return rules.onForeground == .keep ? .nothing : rules.onForeground == .probe ? .probe : .reconnect
            case .expiring: return stays || isForeground ? .nothing : .park
            case .refresh: return visit(rules.refreshVisitLength)
            case .batterySaver, .serviceEnded: return .nothing
            }
        }

        mutating func pollFires() -> LifeCyclePolicy.LifeCycleDecision {
            if let every = rules.pollInterval, pollDue <= pollNow { pollDue += every.milliseconds }
            poll()
            if phase == .flush { phase = .quiet }
            return visit(rules.pollVisitLength)
        }
    }

    private func rules(_ draw: (UInt64) -> Int) -> LifeCyclePolicy {
        func maybe() -> TimeSpan? { draw(3) == 0 ? nil : .milliseconds(Int64(1 + draw(9))) }
        var life = LifeCyclePolicy(slot: TimerSlot(7), stay: TimerSlot(8))
        life.onBackground = [.keep, .close, .flush, .relyOnPush][draw(4)]
        life.onForeground = [.keep, .probe, .reconnect][draw(3)]
        life.flushLimit = maybe() ?? .milliseconds(4)
        life.freshFor = .milliseconds(Int64(draw(4)))
        life.wakeLock = [.never, .connected, .beat, .backgroundActivity][draw(4)]
        (life.pushVisitLength, life.refreshVisitLength, life.sendVisitLength) = (maybe(), maybe(), maybe())
        (life.quietLimit, life.pollInterval) = (maybe(), maybe())
        life.pollVisitLength = maybe() ?? .milliseconds(3)
        life.endsVisitWhenDone = draw(2) == 0
        life.pollTiming = TimerOptions(draw(2) == 0 ? .elapsed : .uptime)
        return life
    }

    /// A policy and its model, with the same events.
    private struct Driver {
        let life: LifeCyclePolicy
        var model: ReferenceLifeCycle
        var state = LifeCyclePolicy.State()
        var session: Session
        var dice: Dice
        var (found, expected) = (LifeCyclePolicy.LifeCycleDecision.nothing, LifeCyclePolicy.LifeCycleDecision.nothing)

        init(_ life: LifeCyclePolicy, _ dice: Dice) {
            (self.life, self.dice) = (life, dice)
            model = ReferenceLifeCycle(life)
            session = Session(random: dice)
        }

        mutating func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
        private mutating func cursor(_ below: UInt64) -> Cursor { Cursor(UInt32(draw(below))) }
        private var isConfirmed: Bool { session.acknowledged >= session.produced }

        mutating func step() {
            session.now += .milliseconds(Int64(draw(4)))
            if draw(5) == 0 { session.slept += .milliseconds(Int64(draw(3))) }
            (session.isForeground, session.canBePushed) = (draw(4) == 0, draw(4) > 0)
            (session.produced, session.acknowledged, session.cursor) = (cursor(4), cursor(4), cursor(5))
            (model.isForeground, model.isPushed) = (session.isForeground, session.canBePushed)
            model.now = (session.now - Instant.zero).milliseconds
            model.pollNow = (session.now(life.pollTiming.clock) - Instant.zero).milliseconds
            (found, expected) = (.nothing, .nothing)
            switch draw(14) {
            case 0:
                found = life.started(session)
                expected = model.stays || model.isForeground ? .visit : .park
            case 1...4:
                let change = [AppChange.background, .background, .foreground, .expiring, .refresh, .batterySaver][
                    draw(6)]
                let isOpen = draw(3) > 0
                found = life.appChanged(change, isOpen: isOpen, &state, &session)
                expected = model.change(change, isOpen: isOpen, hasUnconfirmed: !isConfirmed)
            case 5:
                found = life.pushReceived(&state, &session)
                expected = model.visit(life.pushVisitLength)
            case 6:
                found = life.appRequested(&state, &session)
                expected = model.visit(life.sendVisitLength)
            case 7...10: hearServer()
            case 11:
                life.parked(&state, &session)
                model.end()
                model.poll()
            case 12:
                session.disarm(life.slot)
                model.pollAt = nil
                found = life.pollTimerFired(&state, &session)
                expected = model.pollFires()
            default:
                found = life.visitEndFired(state)
                expected = model.phase == .quiet ? .nothing : .park
            }
        }

        private mutating func hearServer() {
            switch draw(3) {
            case 0:
                let answer = ResumeResponse(sent: cursor(5), received: .start, next: cursor(5))
                life.resumeResponded(answer, &state, session)
                if model.phase == .visit, answer.next >= session.cursor { model.serverSent = answer.sent.position }
            case 1:
                found = life.confirmed(state, session)
                expected = model.phase == .flush && isConfirmed ? .park : .nothing
            default:
                let upTo = draw(3) == 0 ? nil : cursor(5)
                let isResumed = draw(3) > 0
                life.extendVisit(receivedUpTo: upTo, isResumed: isResumed, state, &session)
                guard let quiet = life.quietLimit, model.phase == .visit else { return }
                let hasAll = isResumed && upTo.map { $0.position >= model.serverSent ?? 0 } ?? false
                let end = hasAll ? min(model.now + quiet.milliseconds, model.visitEnds) : model.visitEnds
                model.endAt = max(end, model.now)
            }
        }

        func isDone(_ received: Cursor) -> Bool {
            life.endsVisitWhenDone && model.phase == .visit && isConfirmed
                && model.serverSent.map { received.position >= $0 } ?? false
        }

        func isSame(_ received: Cursor) -> Bool {
            func at(_ slot: TimerSlot) -> Int64? {
                session.isArmed(slot) ? (session.timers[slot].at - Instant.zero).milliseconds : nil
            }
            return found == expected && at(life.slot) == model.pollAt && at(life.visitEndSlot) == model.endAt
                && life.isVisitDone(received: received, state, session) == isDone(received)
                && state.isFlushing == (model.phase == .flush)
                && state.isActiveInBackground == (model.phase != .quiet)
        }

        /// The wake lock changes only at its own moment, and only if it is another state.
        mutating func setWakeLock() -> Bool {
            let moment = [LifeCyclePolicy.WakeLockPolicy.never, .connected, .beat, .backgroundActivity][draw(4)]
            let isHeld = draw(2) == 0
            var out = Outbox()
            life.setWakeLock(moment, isHeld, &state, &out)
            let changes = moment == life.wakeLock && model.isAwake != isHeld
            if changes { model.isAwake = isHeld }
            return (0..<out.count).map { out[$0] } == (changes ? [.stayAwake(isHeld)] : [])
        }
    }

    /// Broken: a visit, a flush or a poll begins or ends in another case, or at another time.
    @Test func visitsByItsRules() {
        var decisions: [LifeCyclePolicy.LifeCycleDecision: Int] = [:]
        var done = 0
        seedSweep(1_500) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let life = rules { Int(dice.next().scaled(below: $0)) }
            var driver = Driver(life, dice)
            for step in 0..<50 {
                driver.step()
                decisions[driver.found, default: 0] += 1
                let received = Cursor(UInt32(driver.draw(5)))
                done += driver.isDone(received) ? 1 : 0
                guard driver.isSame(received), driver.setWakeLock() else {
                    Issue.record("seed \(seed), step \(step): \(driver.state) or \(driver.model)")
                    return
                }
            }
            for silence in 0..<5 as Range<Int64> {
                #expect(life.needsProbe(silence: .milliseconds(silence)) == (silence >= life.freshFor.milliseconds))
            }
        }
        for decision in [LifeCyclePolicy.LifeCycleDecision.nothing, .park, .visit, .probe, .reconnect] {
            #expect(decisions[decision, default: 0] > 500, "\(decisions)")
        }
        #expect(done > 300, "\(done)")
    }

    /// Broken: a write limit counts bytes of a socket that takes data, or closes at its limit instead of above it.
    @Test func limitsWaitingBytes() {
        let limit = WriteLimit(limit: .seconds(3), bytes: 100, slot: TimerSlot(6))
        var (state, session) = (WriteLimit.State(), Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .test)))
        #expect(!limit.addWaiting(500, &state) && !session.isArmed(TimerSlot(6)))
        limit.stalled(&state, &session)
        session.now += .seconds(1)
        limit.stalled(&state, &session)
        #expect(session.timers[TimerSlot(6)].at == .zero + .seconds(3), "a second stall does not restart the limit")
        let seen = [60, 40, 1].map { limit.addWaiting($0, &state) }
        #expect(seen == [false, false, true])
        limit.writable(&state, &session)
        #expect(!session.isArmed(TimerSlot(6)) && state == WriteLimit.State() && !limit.addWaiting(101, &state))
        let unlimited = WriteLimit(slot: TimerSlot(6))
        unlimited.stalled(&state, &session)
        #expect(!session.isArmed(TimerSlot(6)) && !unlimited.addWaiting(.max, &state))
    }

    /// Broken: an attempt is made on a network that its setting excludes.
    @Test func anAttemptNeedsItsNetwork() {
        for requirement in ConnectLimits.NetworkRequirement.allCases {
            let limits = ConnectLimits(requirement: requirement, slot: TimerSlot(3))
            for (path, isBlocked, isValidated) in [
                (nil, false, false), (nil, false, true), (.wifi, false, false), (.wifi, false, true),
                (.cellular, true, true),
                (.cellular, true, false),
            ] as [(Interface?, Bool, Bool)] {
                for isMetered in [false, true] {
                    var network = NetworkView(path: path, isValidated: isValidated)
                    (network.isBlocked, network.isMetered) = (isBlocked, isMetered)
                    let isUsable = path != nil && !isBlocked
                    let expected =
                        switch requirement {
                        case .open: true
                        case .available: isUsable
                        case .validated: isUsable && isValidated
                        case .unmetered: isUsable && !isMetered
                        }
                    #expect(limits.allows(network) == expected, "\(requirement) \(network)")
                }
            }
        }
    }

    /// Broken: a wait that the server or a captive portal requires is shortened, or applied although the client ignores
    /// it.
    @Test func limitsAttempts() {
        for (honours, portal, waited) in [(true, nil, 9), (false, nil, 2), (false, 5, 5), (true, 5, 9), (true, 12, 12)]
            as [(Bool, Int64?, Int64)]
        {
            var limits = ConnectLimits(slot: TimerSlot(3))
            limits.honoursRetryAfter = honours
            limits.portalWait = portal.map { .seconds($0) }
            var (state, session) = (
                ConnectLimits.State(), Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .test))
            )
            session.now += .seconds(100)
            session.slept = .seconds(30)
            limits.extendWait(TimerSlot(0), state, &session)
            #expect(!session.isArmed(TimerSlot(0)))
            limits.sessionRefused(SessionRefusal(isPermanent: false, retryAfter: .seconds(9)), &state, session)
            limits.failed(.refused, &state, session)
            limits.failed(.untrusted, &state, session)
            session.arm(TimerSlot(0), after: .seconds(2), on: .uptime, wake: .alarm)
            limits.extendWait(TimerSlot(0), state, &session)
            let timer = session.timers[TimerSlot(0)]
            #expect(timer.at == .zero + .seconds(70 + waited) && timer.clock == .uptime && timer.wake == .alarm)
            // A longer wait stays.
            session.arm(TimerSlot(0), after: .seconds(13))
            limits.extendWait(TimerSlot(0), state, &session)
            #expect(session.timers[TimerSlot(0)].at == .zero + .seconds(113))
            for isPermanent in [false, true] {
                var state = ConnectLimits.State()
                limits.codeStated(403, &state)
                limits.sessionRefused(SessionRefusal(isPermanent: isPermanent, retryAfter: nil), &state, session)
                limits.codeStated(1000, &state)
                let end = limits.ended(.refused, &state)
                #expect(end.kind == (isPermanent ? .forbidden : .turnedAway) && end.code == 403)
                #expect(limits.ended(.refused, &state) == (.refused, 0))
            }
            limits.began(insteadOf: nil, &session)
            #expect(session.timers[TimerSlot(3)].at == .zero + .seconds(120))
            limits.began(insteadOf: .seconds(4), &session)
            #expect(session.timers[TimerSlot(3)].at == .zero + .seconds(104))
        }
    }

    /// Broken: a new process keeps a value that was not stored, or loses one that was. Or a timer survives that it
    /// must not.
    @Test(arguments: [false, true])
    func aProcessEndsWithItsSession(keepsAlarms: Bool) {
        for stored in 4...6 as ClosedRange<UInt32> {
            var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .test))
            (session.cursor, session.persisted) = (Cursor(9), Cursor(7))
            (session.acknowledged, session.forgotten) = (Cursor(2), Cursor(3))
            (session.produced, session.storedOutgoing) = (Cursor(5), Cursor(stored))
            (session.epoch, session.persistedEpoch) = (8, 6)
            for (slot, wake) in [WakePolicy.none, .alarm, .whileIdle, .job].enumerated() {
                session.arm(TimerSlot(UInt8(slot)), after: .seconds(1), wake: wake)
                session.arm(TimerSlot(UInt8(slot) + 8), after: .seconds(1), wake: wake)
            }
            session.restart(keepsAlarms: keepsAlarms)
            let armed = (0..<12).filter { session.isArmed(TimerSlot($0)) } as [UInt8]
            #expect(armed == (keepsAlarms ? [1, 2, 3, 9, 10, 11] : []))
            #expect(session.cursor == Cursor(7) && session.persisted == Cursor(7) && session.epoch == 6)
            let isLost = stored < 5
            #expect(session.acknowledged == Cursor(isLost ? 5 : 2) && session.forgotten == Cursor(isLost ? 5 : 3))
            #expect(session.produced == Cursor(5))
        }
    }

    /// Broken: two timers that are due at once do not fire in the order of their slots, or a slot reads another one.
    @Test func keepsEachTimerApart() {
        var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .test))
        for slot in 0..<12 as Range<UInt8> { session.arm(TimerSlot(slot), after: .seconds(40 - Int64(slot % 6))) }
        var order: [UInt8] = []
        while session.timers.earliest.at != .never {
            let slot = session.timers.earliest.slot
            #expect(session.popTimer(slot).at == .zero + .seconds(40 - Int64(slot.index % 6)))
            #expect(session.popTimer(slot).at == .never)
            order.append(slot.index)
        }
        #expect(order == [5, 11, 4, 10, 3, 9, 2, 8, 1, 7, 0, 6])
    }
}

extension TimeSpan {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
