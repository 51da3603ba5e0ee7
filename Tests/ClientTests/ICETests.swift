import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// The paths of `ice`: which one it uses, how often it checks, when it gives one up and when it restarts.
@Suite struct ICETests {
    private let relay = ConnectionSlot(0)
    private let direct = ConnectionSlot(1)

    private func client(_ setting: Setting = [:]) -> StrategyHarness<ICE> {
        var reader = SettingsReader(setting.node, of: ICE.name)
        let strategy = ICE(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [])
        return StrategyHarness(strategy, seed: 1)
    }

    /// Starts the client, and opens both paths with an answer on each.
    private func open(_ client: inout StrategyHarness<ICE>) {
        _ = client.send(.started)
        _ = client.send(.opened(relay, resumedAt: .start))
        // The answer to its first check, and to the one that nominates it.
        for _ in 0..<2 { _ = client.send(.pong(relay, after: .milliseconds(90))) }
        _ = client.send(.opened(direct, resumedAt: .start))
        _ = client.send(.pong(direct, after: .milliseconds(50)))
    }

    private func route(_ actions: [Action]) -> [DatagramLayer.PeerRoute] {
        actions.compactMap { if case .connect(_, let carrier, _) = $0 { carrier.datagrams.route } else { nil } }
    }

    /// Broken: the direct path is opened before the relay has answered, the better path is not used, or a message takes
    /// another path than the selected one.
    @Test func pathsAreOpenedInOrder() {
        var client = client()
        #expect(route(client.send(.started)) == [.relay])
        let opened = client.send(.opened(relay, resumedAt: .start))
        #expect(opened == [.ping(relay)])
        client.session.produced = Cursor(1)
        #expect(client.send(.wantsToSend(Message(index: 0, bytes: 9))) == [.forget(below: Cursor(1))])
        let answered = client.send(.pong(relay, after: .milliseconds(90)))
        #expect(route(answered) == [.direct] && answered.contains(.select(relay)) && answered.last == .ping(relay))
        _ = client.send(.opened(direct, resumedAt: .start))
        #expect(client.send(.pong(direct, after: .milliseconds(50))) == [.select(direct), .ping(direct)])
        #expect(
            client.send(.wantsToSend(Message(index: 1, bytes: 9)))
                == [.send(direct, from: Cursor(1), upTo: Cursor(2)), .forget(below: Cursor(2))])
    }

    /// Broken: a client without a working path sends its messages over a path on which it has heard nothing, or over
    /// one that is closed.
    @Test(arguments: ["direct", "relay"])
    func withoutAWorkingPathMessagesAreForgotten(paths: String) {
        var client = client(["paths": .text(paths)])
        let slot = paths == "direct" ? direct : relay
        #expect(route(client.send(.started)) == [paths == "direct" ? .direct : .relay])
        _ = client.send(.opened(slot, resumedAt: .start))
        client.session.produced = Cursor(1)
        #expect(client.send(.wantsToSend(Message(index: 0, bytes: 9))) == [.forget(below: Cursor(1))])
        #expect(client.send(.pong(slot, after: .milliseconds(50))) == [.select(slot), .ping(slot)])
        #expect(
            client.send(.wantsToSend(Message(index: 1, bytes: 9)))
                == [.send(slot, from: Cursor(1), upTo: Cursor(2)), .forget(below: Cursor(2))])
        _ = client.send(.closed(slot, .pathLost))
        #expect(client.send(.wantsToSend(Message(index: 2, bytes: 9))) == [.forget(below: Cursor(3))])
    }

    /// Broken: a path is checked at another interval, used while it is silent, or kept after the consent time.
    @Test func aSilentPathIsLeftAndClosed() {
        var client = client()
        open(&client)
        var (checks, log) = ([0, 0], [(TimeSpan, Action)]())
        var elapsed = TimeSpan.zero
        while elapsed < .seconds(60) {
            elapsed = elapsed + .milliseconds(10)
            for action in client.advance(by: .milliseconds(10)) {
                if case .ping(let slot) = action {
                    checks[Int(slot.index)] += 1
                    if slot == relay { _ = client.send(.pong(relay, after: .milliseconds(90))) }
                } else {
                    log.append((elapsed, action))
                }
            }
        }
        // The first check of the direct path without an answer was sent when it was selected.
        #expect(log.map(\.1) == [.select(relay), .close(direct)])
        guard log.count == 2 else { return }
        #expect(abs(log[0].0.nanoseconds - 2_500_000_000) <= 10_000_000, "\(log[0].0)")
        #expect((30_000_000_000...56_000_000_000).contains(log[1].0.nanoseconds), "\(log[1].0)")
        // One in 2.5 s over the relay.
        #expect((22...26).contains(checks[0]) && (1...8).contains(checks[1]), "\(checks)")
    }

    /// Broken: a client without `restart-after` restarts, or one with it does at another time.
    @Test(arguments: [nil, 5] as [Int64?])
    func silenceLeadsToARestart(after: Int64?) {
        var client = client(after == nil ? [:] : ["restart-after": "5s"])
        open(&client)
        var restarts: [TimeSpan] = []
        var elapsed = TimeSpan.zero
        while elapsed < .seconds(60) && restarts.isEmpty {
            elapsed = elapsed + .milliseconds(10)
            if route(client.advance(by: .milliseconds(10))) == [.relay] { restarts.append(elapsed) }
        }
        guard after != nil else { return #expect(restarts == []) }
        // The relay answers its checks no more, which are seldom while the direct path works.
        let time = restarts.first?.nanoseconds ?? 0
        #expect((7_500_000_000...33_000_000_000).contains(time), "\(restarts)")
    }

    /// Broken: an answer within the consent time does not bring the path back, or a network event does not restart.
    @Test func answersAndEventsBringPathsBack() {
        var client = client(["climb": "10s"])
        open(&client)
        var actions: [Action] = []
        for _ in 0..<300 { actions += client.advance(by: .milliseconds(10)) }
        #expect(actions.contains(.select(relay)))
        #expect(client.send(.received(direct, upTo: Cursor(1), bytes: 9)).contains(.select(direct)))
        _ = client.send(.closed(direct, .pathLost))
        let event = NetworkChange(.available, of: .cellular, now: .cellular, replacesDefaultPath: true)
        #expect(route(client.send(.network(event))) == [.relay])
        var waits = self.client(["on-path-change": "nothing"])
        open(&waits)
        #expect(route(waits.send(.network(event))) == [])
    }
}
