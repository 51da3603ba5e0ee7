import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// Compares the keepalives of grpc-java and grpc-go with second versions: Java's as a list of its states, Go's as a loop
/// over the times of its last read.
@Suite struct MachineModelTests {
    private static let (beatSlot, replySlot) = (TimerSlot(1), TimerSlot(2))

    /// The state machine of `KeepAliveManager`, in milliseconds.
    private struct ReferenceJava {
        let (interval, timeout): (Int64, Int64)
        let pingsWithoutCalls: Bool
        var now: Int64 = 0
        var phase = Keepalive.GRPCJavaPhase.disconnected
        /// Time of the last read.
        var readAt: Int64 = 0
        var (taskAt, shutdownAt): (Int64?, Int64?)
        var hasStreams = false

        init(_ facet: Keepalive) {
            interval = facet.interval.nanoseconds / 1_000_000
            timeout = (facet.timerTimeout ?? facet.timeout).nanoseconds / 1_000_000
            pingsWithoutCalls = facet.pingsWithoutCalls
        }

        mutating func open(_ hasStreams: Bool) {
            (phase, readAt, self.hasStreams) = (.idle, now, hasStreams)
            if hasStreams || pingsWithoutCalls { activate() }
        }

        private mutating func activate() {
            if phase == .idle {
                phase = .pingScheduled
                if taskAt == nil { taskAt = max(readAt + interval, now) }
            } else if phase == .idleAndPingSent {
                phase = .pingSent
            }
        }

        mutating func setStreams(_ areOpen: Bool) {
            guard areOpen != hasStreams else { return }
            hasStreams = areOpen
            if areOpen { return activate() }
            if pingsWithoutCalls { return }
            let next: [Keepalive.GRPCJavaPhase: Keepalive.GRPCJavaPhase] = [
                .pingScheduled: .idle, .pingDelayed: .idle, .pingSent: .idleAndPingSent,
            ]
            phase = next[phase] ?? phase
        }

        mutating func read() {
            readAt = now
            if phase != .disconnected { shutdownAt = nil }
            if phase == .pingScheduled {
                phase = .pingDelayed
            } else if phase == .pingSent {
                (phase, taskAt) = (.pingScheduled, now + interval)
            } else if phase == .idleAndPingSent {
                phase = .idle
            }
        }

        /// Returns `true` if a ping is sent.
        mutating func runTask() -> Bool {
            taskAt = nil
            if phase == .pingDelayed {
                (phase, taskAt) = (.pingScheduled, max(readAt + interval, now))
            } else if phase == .pingScheduled {
                phase = .pingSent
                if shutdownAt == nil { shutdownAt = now + timeout }
                return true
            }
            return false
        }
    }

    /// The loop of `http2Client.keepalive`, in milliseconds.
    private struct ReferenceGo {
        let (interval, timeout): (Int64, Int64)
        let pingsWithoutCalls: Bool
        var now: Int64 = 0
        var (readAt, seenAt): (Int64, Int64) = (0, 0)
        var wakesAt: Int64?
        /// Time that is left for the answer to the ping; `nil` if no ping is pending.
        var left: Int64?
        var (isDormant, hasStreams) = (false, false)

        init(_ facet: Keepalive) {
            interval = facet.interval.nanoseconds / 1_000_000
            timeout = (facet.timerTimeout ?? facet.timeout).nanoseconds / 1_000_000
            pingsWithoutCalls = facet.pingsWithoutCalls
        }

        mutating func open(_ hasStreams: Bool) {
            (readAt, seenAt, left, isDormant) = (now, now, nil, false)
            (self.hasStreams, wakesAt) = (hasStreams, now + interval)
        }

        mutating func setStreams(_ areOpen: Bool) -> Keepalive.KeepaliveDecision {
            guard areOpen != hasStreams else { return .nothing }
            hasStreams = areOpen
            guard areOpen, isDormant else { return .nothing }
            isDormant = false
            return sleep()
        }

        mutating func wake() -> Keepalive.KeepaliveDecision {
            wakesAt = nil
            if readAt > seenAt {
                (left, seenAt, wakesAt) = (nil, readAt, max(readAt + interval, now))
                return .nothing
            }
            if let left, left <= 0 { return .dead }
            guard hasStreams || pingsWithoutCalls else {
                (left, isDormant) = (nil, true)
                return .nothing
            }
            return sleep()
        }

        private mutating func sleep() -> Keepalive.KeepaliveDecision {
            let pings = left == nil
            let wait = min(left ?? timeout, interval)
            left = (left ?? timeout) - wait
            wakesAt = now + wait
            return pings ? .ping : .nothing
        }
    }

    private func facet(_ machine: Keepalive.KeepaliveImplementation, _ draw: (UInt64) -> Int) -> Keepalive {
        var facet = Keepalive(
            interval: .milliseconds(Int64(1 + draw(9))), beatSlot: Self.beatSlot, replySlot: Self.replySlot)
        facet.implementation = machine
        facet.timeout = .milliseconds(Int64(1 + draw(9)))
        facet.timerTimeout = draw(3) == 0 ? .milliseconds(Int64(1 + draw(9))) : nil
        facet.pingsWithoutCalls = draw(2) == 0
        return facet
    }

    private func at(_ slot: TimerSlot, _ session: Session) -> Int64? {
        session.isArmed(slot) ? (session.timers[slot].at - Instant.zero).nanoseconds / 1_000_000 : nil
    }

    /// Broken: a state, a timer or a ping differs from Java's.
    @Test func javaStepsThroughItsStates() {
        var (pings, deaths, phases) = (0, 0, Set<Keepalive.GRPCJavaPhase>())
        seedSweep(1_500) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            let facet = facet(.java, draw)
            var (model, state, session) = (ReferenceJava(facet), Keepalive.State(), Session(random: dice))
            for step in 0..<60 {
                session.now += .milliseconds(Int64(draw(3)))
                model.now = (session.now - Instant.zero).nanoseconds / 1_000_000
                let (due, slot) = session.timers.earliest
                switch step == 0 ? 0 : draw(10) {
                case 0 where step == 0 || model.phase == .disconnected:
                    session.disarmAll()
                    (model.taskAt, model.shutdownAt) = (nil, nil)
                    let hasStreams = draw(2) == 0
                    #expect(facet.opened(&state, hasStreams: hasStreams, &session) == .nothing)
                    model.open(hasStreams)
                case 1...3:
                    let areOpen = draw(2) == 0
                    #expect(facet.streamsChanged(areOpen, &state, &session) == .nothing)
                    model.setStreams(areOpen)
                case 4...5:
                    #expect(facet.received(isPong: draw(2) == 0, &state, &session) == .nothing)
                    model.read()
                case _ where due <= session.now && slot == Self.beatSlot:
                    session.disarm(slot)
                    let isPinged = model.runTask()
                    #expect(facet.beatFired(&state, &session) == (isPinged ? .ping : .nothing), "seed \(seed)")
                    pings += isPinged ? 1 : 0
                case _ where due <= session.now && slot == Self.replySlot:
                    session.disarm(slot)
                    (model.shutdownAt, model.phase) = (nil, .disconnected)
                    #expect(facet.replyFired(&state, &session) == .dead)
                    deaths += 1
                default: break
                }
                phases.insert(state.phase)
                let isSame =
                    state.phase == model.phase && at(Self.beatSlot, session) == model.taskAt
                    && at(Self.replySlot, session) == model.shutdownAt && state.hasStreams == model.hasStreams
                #expect(isSame, "seed \(seed), step \(step): \(state) or \(model)")
                guard isSame else { return }
            }
        }
        #expect(pings > 2_000 && deaths > 500 && phases.count == 6, "\(pings), \(deaths), \(phases)")
    }

    /// Broken: a sleep, a ping or the detection of a dead connection differs from Go's.
    @Test func goSleepsInItsLoop() {
        var counts: [Keepalive.KeepaliveDecision: Int] = [:]
        seedSweep(1_500) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            let facet = facet(.go, draw)
            var (model, state, session) = (ReferenceGo(facet), Keepalive.State(), Session(random: dice))
            for step in 0..<60 {
                session.now += .milliseconds(Int64(draw(3)))
                model.now = (session.now - Instant.zero).nanoseconds / 1_000_000
                var (found, expected) = (Keepalive.KeepaliveDecision.nothing, Keepalive.KeepaliveDecision.nothing)
                switch step == 0 ? 0 : draw(10) {
                case 0 where step == 0 || draw(4) == 0:
                    session.disarmAll()
                    let hasStreams = draw(2) == 0
                    found = facet.opened(&state, hasStreams: hasStreams, &session)
                    model.open(hasStreams)
                case 1...2:
                    let areOpen = draw(2) == 0
                    found = facet.streamsChanged(areOpen, &state, &session)
                    expected = model.setStreams(areOpen)
                case 3...4:
                    found = facet.received(isPong: draw(2) == 0, &state, &session)
                    model.readAt = model.now
                case _ where session.timers.earliest.at <= session.now:
                    session.disarm(Self.beatSlot)
                    found = facet.beatFired(&state, &session)
                    expected = model.wake()
                default: break
                }
                counts[found, default: 0] += 1
                let isSame = found == expected && at(Self.beatSlot, session) == model.wakesAt
                #expect(isSame, "seed \(seed), step \(step): \(state) or \(model)")
                guard isSame else { return }
            }
        }
        #expect(counts[.ping, default: 0] > 2_000 && counts[.dead, default: 0] > 300, "\(counts)")
    }
}
