import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Runs a keepalive alone: its connection is opened and lost repeatedly, with streams and bytes in both directions.
private struct KeepaliveSimulation {
    var facet: Keepalive
    var state = Keepalive.State()
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    var isOpen = false
    var openedAt = Instant.zero
    var pings: [Instant] = []
    var diedAt: Instant?

    static let beat = TimerSlot(1)
    static let reply = TimerSlot(2)

    init(_ facet: Keepalive) { self.facet = facet }

    mutating func openConnection() {
        isOpen = true
        openedAt = session.now
        pings = []
        diedAt = nil
        apply(facet.opened(&state, hasStreams: true, &session))
    }

    mutating func closeConnection() {
        isOpen = false
        facet.closed(&state, &session)
        session.disarm(Self.beat)
        session.disarm(Self.reply)
    }

    mutating func apply(_ step: Keepalive.KeepaliveDecision) {
        switch step {
        case .nothing: break
        case .ping: pings.append(session.now)
        case .dead:
            diedAt = session.now
            closeConnection()
        }
    }

    mutating func receive(isPong: Bool) { if isOpen { apply(facet.received(isPong: isPong, &state, &session)) } }
    mutating func send() { if isOpen { apply(facet.sent(&state, &session)) } }

    /// - Parameter answering: Delay of the pong to every ping, unless the run ends earlier.
    mutating func run(_ span: TimeSpan, answering delay: TimeSpan? = nil) {
        let end = session.now + span
        var answered = pings.count
        while isOpen {
            let due = session.timers.earliest
            let pongAt = delay.flatMap { pings.count > answered ? pings[answered] + $0 : nil } ?? .never
            guard min(due.at, pongAt) <= end else { break }
            if pongAt <= due.at {
                session.now = pongAt
                answered += 1
                receive(isPong: true)
            } else {
                session.now = due.at
                session.disarm(due.slot)
                apply(
                    due.slot == Self.beat
                        ? facet.beatFired(&state, &session) : facet.replyFired(&state, &session))
            }
        }
        session.now = end
    }
}

@Suite struct KeepaliveLawTests {
    /// Draws any keepalive that detects failures.
    private static func facet(_ dice: inout Dice) -> Keepalive {
        func pick(_ below: UInt64) -> UInt64 { dice.next().scaled(below: below) }
        var facet = Keepalive(
            interval: .seconds(Int64(10 + pick(120))), beatSlot: KeepaliveSimulation.beat,
            replySlot: KeepaliveSimulation.reply)
        facet.timeout = .seconds(Int64(1 + pick(40)))
        facet.implementation = Keepalive.KeepaliveImplementation.allCases[Int(pick(3))]
        guard facet.implementation == .plain else { return facet }
        facet.failureDetection = [.replyDeadline, .nextBeat, .silence][Int(pick(3))]
        facet.postponement = pick(2) == 0 ? .nothing : .received
        facet.needsPong = pick(2) == 0
        facet.timerTimeout = pick(4) == 0 ? .seconds(Int64(1 + pick(90))) : nil
        facet.isFirstRandom = pick(2) == 0
        facet.coalesceWindow = pick(2) == 0 ? .zero : .seconds(Int64(pick(60)))
        if pick(4) == 0 {
            facet.budget = PingBudget()
            facet.budget?.most = 0
            facet.budget?.gap = .seconds(1)
        }
        return facet
    }

    /// The longest time from the last received byte until the keepalive must have detected the silence.
    private static func limit(_ facet: Keepalive) -> TimeSpan {
        switch facet.failureDetection {
        case _ where facet.implementation != .plain: facet.interval + facet.timeout
        case .replyDeadline: facet.interval + (facet.timerTimeout ?? facet.timeout)
        case .nextBeat: facet.interval * 2
        case .silence: facet.interval * 3 / 2
        case .never: .longest
        }
    }

    /// Broken: a client that sends much data postpones its own keepalive ping. A server that counts only pings then
    /// cuts it off (firezone/firezone#12312).
    @Test func sendingPostponesNoPing() {
        var pings = 0
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var trial = KeepaliveSimulation(Self.facet(&dice))
            trial.facet.failureDetection = .never
            trial.openConnection()
            for _ in 0..<40 where trial.isOpen && trial.pings.isEmpty {
                trial.run(.milliseconds(Int64(dice.next().scaled(below: 9_000))))
                trial.send()
            }
            trial.run(.minutes(3))
            let first = trial.pings.first ?? .never
            #expect(first <= trial.openedAt + trial.facet.interval, "\(trial.facet)")
            pings += trial.pings.count
        }
        #expect(pings > 300)
    }

    /// Broken: state of an old connection reaches the next one: a scheduled beat, a deadline or an unanswered ping
    /// (firezone/firezone PR #4361).
    @Test func nothingLeaksIntoTheNextConnection() {
        var compared = 0
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var facet = Self.facet(&dice)
            facet.isFirstRandom = false
            var used = KeepaliveSimulation(facet)
            used.openConnection()
            for _ in 0..<30 {
                used.run(.milliseconds(Int64(dice.next().scaled(below: 40_000))))
                switch dice.next().scaled(below: 6) {
                case 0: used.receive(isPong: true)
                case 1: used.receive(isPong: false)
                case 2: used.send()
                case 3: if used.isOpen { used.facet.stalled(&used.state) }
                case 4 where used.isOpen: used.closeConnection()
                default: if !used.isOpen { used.openConnection() }
                }
            }
            if used.isOpen { used.closeConnection() }
            #expect(!used.session.isArmed(KeepaliveSimulation.beat) && !used.session.isArmed(KeepaliveSimulation.reply))
            var fresh = KeepaliveSimulation(facet)
            fresh.session.now = used.session.now
            used.openConnection()
            fresh.openConnection()
            for trial in 0..<2 {
                let answer: TimeSpan? = trial == 0 ? .milliseconds(800) : nil
                used.run(.minutes(20), answering: answer)
                fresh.run(.minutes(20), answering: answer)
            }
            #expect(used.pings == fresh.pings && used.diedAt == fresh.diedAt, "\(facet)")
            compared += fresh.pings.count
        }
        #expect(compared > 300)
    }

    /// Broken: silence is detected later than the rule says, or never. Or a connection is closed although every ping
    /// was answered in time.
    @Test func onlySilenceIsDetectedAndInTime() {
        var deaths = 0
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let facet = Self.facet(&dice)
            var trial = KeepaliveSimulation(facet)
            // A long silence limit needs a server that answers often enough: the keepalive pings at least once per
            // interval.
            let answer = TimeSpan.milliseconds(Int64(1 + dice.next().scaled(below: 900)))
            trial.openConnection()
            trial.run(.minutes(Int64(dice.next().scaled(below: 30))), answering: answer)
            #expect(trial.diedAt == nil, "answered after \(answer.nanoseconds) ns: \(facet)")
            let silentSince = trial.session.now
            trial.run(.hours(1))
            let found = (trial.diedAt ?? .never) - silentSince
            #expect(found <= Self.limit(facet), "after \(found.nanoseconds) ns: \(facet)")
            deaths += trial.diedAt == nil ? 0 : 1
        }
        #expect(deaths >= 300)
    }
}
