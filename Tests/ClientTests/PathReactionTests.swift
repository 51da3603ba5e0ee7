import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct PathReactionTests {
    private let line = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), Carrier(.quic), resuming: .from(.start))

    /// Where the client stands when the event comes.
    private enum Standpoint: CaseIterable { case opening, open, waiting }

    private static let reactions = ["ignore", "hurry", "probe", "migrate", "drop", "reconnect"]
    private static let kinds: [(String, NetworkChange.Kind)] = [
        ("available", .available), ("losing", .losing), ("lost", .lost), ("validated", .validated),
        ("unvalidated", .unvalidated), ("blocked", .blocked), ("unblocked", .unblocked),
        ("capabilities", .capabilities),
    ]

    private func client(_ settings: Setting, at standpoint: Standpoint) -> ManualLane<Composed> {
        var lane = ManualLane(settings)
        _ = lane.tell(.started)
        if standpoint != .opening { _ = lane.tell(.opened(line, resumedAt: .start)) }
        if standpoint == .waiting { _ = lane.tell(.closed(line, .reset)) }
        return lane
    }

    /// Broken: an event that is taken for another, or a reaction that does other than its word says.
    @Test func doesForEachEventWhatIsWritten() {
        let combinations = withEvery { choices in
            let (word, kind) = choices.one(of: Self.kinds)
            let reaction = choices.one(of: Self.reactions)
            let standpoint = choices.one(of: Standpoint.self)
            var lane = client(
                [
                    "transport": "quic", "backoff": ["base": "1h", "jitter": "none"],
                    "on-path-change": [word: .text(reaction)],
                ], at: standpoint)
            let isReplaced = kind == .available || kind == .lost
            let actions = lane.change(to: isReplaced ? .cellular : .wifi, kind)
            switch (standpoint, reaction) {
            case (_, "ignore"), (.waiting, "drop"): #expect(actions == [])
            // The next attempt is after the wait.
            case (_, "drop"): #expect(actions == [.close(line)])
            case (.waiting, _): #expect(actions == [attempt])
            case (.open, "hurry"), (.opening, "hurry"): #expect(actions == [])
            case (.open, "probe"): #expect(actions == [.ping(line)])
            case (.open, "migrate"): #expect(actions == [.migrate(line)])
            case (.opening, "probe") where !isReplaced, (.opening, "migrate") where !isReplaced:
                #expect(actions == [])
            default: #expect(actions == [.close(line), attempt])
            }
            // No other event means anything.
            for (_, other) in Self.kinds where other != kind {
                var bystander = client(
                    ["transport": "quic", "backoff": ["base": "1h"], "on-path-change": [word: .text(reaction)]],
                    at: standpoint)
                #expect(bystander.change(to: .cellular, handle: 9, other) == [])
            }
        }
        #expect(combinations == 8 * 6 * 3)
    }

    /// Broken: a change taken for none, or none for a change. The benign-looking one is a new network under the old name.
    @Test(
        arguments: [
            ("handle", [false, true, true, true]), ("category", [false, false, true, true]),
            ("nothing", [true, true, true, true]),
        ])
    func tellsNetworksApart(word: String, expected: [Bool]) {
        let changes: [(Interface?, UInt16)] = [(.wifi, 0), (.wifi, 1), (.cellular, 2), (nil, 0)]
        let seen = changes.map { path, handle in
            var lane = ManualLane.open([
                "on-path-change": ["available": "reconnect", "lost": "reconnect", "compares": .text(word)]
            ])
            return lane.change(to: path, handle: handle, path == nil ? .lost : .available).contains(.close(line))
        }
        #expect(seen == expected)
    }

    /// Broken: a flap that costs a connection, a change that is acted on while the system still speaks, or never.
    @Test func actsWhenTheSystemHasBeenSilent() {
        var lane = ManualLane.open([
            "transport": "quic",
            "on-path-change": [
                "available": "reconnect", "lost": "reconnect", "debounce": "300ms",
            ],
        ])
        #expect(lane.change(to: nil, .lost) == [])
        #expect(lane.advance(by: .milliseconds(200)) == [])
        #expect(lane.change(to: .wifi, handle: 0) == [])
        #expect(lane.advance(by: .seconds(10)) == [])
        #expect(lane.change(to: .cellular, handle: 1) == [])
        #expect(lane.advance(by: .milliseconds(299)) == [])
        #expect(lane.change(to: .cellular, handle: 2) == [])
        #expect(lane.advance(by: .milliseconds(299)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line), attempt])
    }

    /// Broken: an attempt at the moment of the event although the network needs a while, or a full wait after the debounce.
    @Test(arguments: [("0s", 0), ("3s", 3)] as [(String, Int64)])
    func leavesANetworkTimeToWork(word: String, seconds: Int64) {
        var lane = ManualLane<Composed>([
            "transport": "quic", "backoff": ["base": "1m", "jitter": "none"],
            "on-path-change": ["available": "hurry", "debounce": .text(word)],
        ])
        lane.session.network = NetworkView()
        #expect(lane.tell(.started) == [])
        let atOnce = lane.change(to: .wifi, handle: 1)
        #expect(atOnce + lane.advance(by: .seconds(seconds)) == [attempt])
        #expect(atOnce.isEmpty == (seconds > 0))
        // Too early is expensive: the failure is followed by a whole wait.
        #expect(lane.tell(.failed(line, .unresolved)) == [])
        #expect(lane.advance(by: .seconds(59)) == [] && lane.advance(by: .seconds(1)) == [attempt])
    }

    /// Broken: a gate that stands open for a network that it should wait for, or shut for one that will do.
    @Test func opensTheGateForTheRightNetworks() {
        let combinations = withEvery { choices in
            let gate = choices.one(of: ["always", "available", "validated"])
            let hasPath = choices.flag()
            let isValidated = choices.flag()
            let isBlocked = choices.flag()
            var lane = ManualLane<Composed>(["transport": "quic", "connect": ["when": .text(gate)]])
            lane.session.network = NetworkView(path: hasPath ? .wifi : nil, isValidated: isValidated)
            lane.session.network.isBlocked = isBlocked
            let isOpen =
                gate == "always" || (hasPath && !isBlocked && (isValidated || gate == "available"))
            #expect(lane.tell(.started) == (isOpen ? [attempt] : []))
            // Whatever event comes with the network, it is not missed.
            lane.session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
            let event = NetworkChange(choices.one(of: NetworkChange.Kind.self), of: .wifi, handle: 1, now: .wifi)
            #expect(lane.tell(.network(event)) == (isOpen ? [] : [attempt]))
        }
        #expect(combinations == 3 * 8 * 8)
    }

    /// Broken: a probe without an answer that leaves the client waiting, or one with an answer that costs the connection.
    @Test func probesBeforeItDrops() {
        for isAnswered in [true, false] {
            var lane = ManualLane.open([
                "transport": "quic", "on-path-change": "probe", "probe-timeout": "1s", "backoff": ["base": "1h"],
            ])
            #expect(lane.change(to: .cellular) == [.ping(line)])
            if isAnswered { _ = lane.tell(.pong(line, after: .milliseconds(50))) }
            #expect(lane.advance(by: .seconds(1)) == (isAnswered ? [] : [.close(line), attempt]))
        }
    }

    /// Broken: what was heard before a rest is acted on after it, or an ignored event acts on what another one left.
    @Test func aRestForgetsWhatWasHeard() {
        var lane = ManualLane.open([
            "transport": "quic", "life-cycle": ["background": "close"],
            "on-path-change": ["capabilities": "reconnect", "debounce": "5s"],
        ])
        #expect(lane.change(to: .wifi, .capabilities) == [])
        lane.session.isForeground = false
        #expect(lane.tell(.app(.background)) == [.leave(line)])
        lane.session.isForeground = true
        #expect(lane.tell(.app(.foreground)) == [attempt])
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(lane.change(to: .wifi, .available) == [] && lane.advance(by: .minutes(1)) == [])
        // While it waits for silence, what it ignores is a word all the same.
        #expect(lane.change(to: .wifi, .capabilities) == [] && lane.advance(by: .seconds(4)) == [])
        #expect(lane.change(to: .wifi, .available) == [] && lane.advance(by: .seconds(4)) == [])
        #expect(lane.advance(by: .seconds(1)) == [.close(line), attempt])
    }

    /// Broken: a client whose network is blocked waits for its opening alone, though an alarm of its own would open it.
    @Test(arguments: ["none", "while-idle"])
    func anAlarmOpensWhatIsBlocked(wake: String) {
        var lane = ManualLane<Composed>([
            "transport": "quic", "backoff": ["base": "1m", "jitter": "none", "wake": .text(wake)],
        ])
        lane.session.network.isBlocked = true
        #expect(lane.tell(.started) == [])
        #expect(lane.advance(by: .seconds(59)) == [])
        // The system opens the network for the alarm.
        lane.session.network.isBlocked = false
        #expect(lane.advance(by: .seconds(1)) == (wake == "none" ? [] : [attempt]))
    }
}
