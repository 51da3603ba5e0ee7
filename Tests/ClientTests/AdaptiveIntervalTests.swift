import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct AdaptiveIntervalTests {
    private let line = ConnectionSlot(0)

    /// A client in the background over a network that forgets a connection after so long: the gaps between its beats, and how many
    /// connections it lost.
    private func run(
        _ adaptive: Setting, limit: TimeSpan, pings: Int, foreground: Bool = false
    ) -> (gaps: [Int64], losses: Int) {
        var lane = ManualLane<Composed>([
            "keepalive": ["timeout": "10s", "adaptive": adaptive],
            "backoff": ["base": "1s", "jitter": "none"],
        ])
        lane.session.isForeground = foreground
        _ = lane.tell(.started)
        _ = lane.tell(.opened(line, resumedAt: .start))
        var gaps: [Int64] = []
        var losses = 0
        var lastAt = lane.session.now
        while gaps.count < pings {
            let due = lane.session.timers.earliest.at
            let actions = lane.advance(by: due - lane.session.now)
            if actions.contains(.ping(line)) {
                let gap = lane.session.now - lastAt
                lastAt = lane.session.now
                gaps.append(gap.nanoseconds / 1_000_000_000)
                if gap <= limit { _ = lane.tell(.pong(line, after: .zero)) }
            }
            if actions.contains(.close(line)) { losses += 1 }
            if actions.contains(where: { if case .connect = $0 { true } else { false } }) {
                _ = lane.tell(.opened(line, resumedAt: .start))
                lastAt = lane.session.now
            }
        }
        return (gaps, losses)
    }

    /// Broken: WeChat's steps as published: three beats at the least, five answers before each step of a minute, and after two
    /// failures a step and a margin below for good; at the top 20 s below it.
    @Test(arguments: [(390, 370, 2), (100_000, 580, 0)] as [(Int64, Int64, Int)])
    func findsWhatTheNetworkBears(limit: Int64, found: Int64, losses: Int) {
        let run = run([:], limit: .seconds(limit), pings: 80)
        #expect(run.gaps.prefix(7).allSatisfy { $0 == 210 } && run.gaps[7] == 270)
        #expect(run.gaps.last == found && run.gaps.suffix(20).allSatisfy { $0 == found }, "\(run.gaps)")
        #expect(run.losses == losses)
        #expect(run.gaps.allSatisfy { 210...600 ~= $0 })
    }

    /// Broken: the intervals that an unknown limit is found in pass their bounds, or do not come to rest below it. Clamped from
    /// below at 5 min the client never learns that the network bears less.
    @Test(arguments: [60, 120, 300, 900] as [Int64])
    func settlesBelowAnUnknownLimit(seconds: Int64) {
        let probing = run(
            [
                "min": "30s", "max": "28m", "step": "15s", "margin": "5s", "successes": "1", "failures": "1",
                "trials": "1",
            ],
            limit: .seconds(seconds), pings: 400)
        let last = probing.gaps.last ?? 0
        #expect(last <= seconds && seconds - 25 <= last, "\(last)")
        #expect(probing.losses == 1)
        let clamped = run(
            ["law": "scaled", "start": "30m", "min": "5m", "max": "30m"], limit: .seconds(seconds), pings: 60)
        #expect(clamped.gaps.allSatisfy { 300...1_800 ~= $0 })
        #expect((clamped.losses >= 50) == (seconds < 300), "\(clamped.losses)")
        #expect(clamped.losses > 0)
    }

    /// Broken: a long interval while the user looks on.
    @Test func staysShortInFront() {
        #expect(run([:], limit: .hours(1), pings: 40, foreground: true).gaps.allSatisfy { $0 == 210 })
        let bold = run(["foreground-min": "false"], limit: .hours(1), pings: 40, foreground: true)
        #expect(bold.gaps.max()! > 400)
    }

    /// Broken: what one network bears is believed of another.
    @Test func knowsNetworksApart() {
        var state = AdaptiveInterval.State()
        let law = AdaptiveInterval()
        var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .test))
        session.isForeground = false
        var keepalive = Keepalive(interval: .seconds(1), beat: TimerSlot(1), reply: TimerSlot(2))
        keepalive.adapting = law
        var whole = Keepalive.State()
        session.network.path = .wifi
        _ = keepalive.opened(&whole, &session)
        for _ in 0..<10 {
            _ = keepalive.beatFired(&whole, &session)
            _ = keepalive.heard(isPong: true, &whole, &session)
        }
        #expect(keepalive.interval(whole, &session) == .seconds(270))
        session.network.path = .cellular
        #expect(keepalive.interval(whole, &session) == .seconds(210))
        state = AdaptiveInterval.State()
        #expect(law.interval(state, session) == .seconds(210))
    }
}
