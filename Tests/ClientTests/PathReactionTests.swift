import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct PathReactionTests {
    private let connection = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), Transport(.quic), resuming: .from(.start))

    /// State of the client when the event arrives.
    private enum ConnectionStage: CaseIterable { case opening, open, waiting }

    private static let reactions = ["ignore", "hurry", "probe", "migrate", "drop", "reconnect"]
    private static let kinds: [(String, NetworkChange.NetworkEventKind)] = [
        ("available", .available), ("losing", .losing), ("lost", .lost), ("validated", .validated),
        ("unvalidated", .unvalidated), ("blocked", .blocked), ("unblocked", .unblocked),
        ("capabilities", .capabilities),
    ]

    private func client(_ settings: Setting, at standpoint: ConnectionStage) -> StrategyHarness<Composed> {
        var phone = StrategyHarness(settings)
        _ = phone.send(.started)
        if standpoint != .opening { _ = phone.send(.opened(connection, resumedAt: .start)) }
        if standpoint == .waiting { _ = phone.send(.closed(connection, .reset)) }
        return phone
    }

    /// Broken: an event is mistaken for another, or a reaction does not do what its setting says.
    @Test func reactsToEachEventAsSet() {
        let combinations = withEvery { choices in
            let (word, kind) = choices.one(of: Self.kinds)
            let reaction = choices.one(of: Self.reactions)
            let standpoint = choices.one(of: ConnectionStage.self)
            var phone = client(
                [
                    "transport": "quic", "backoff": ["base": "1h", "jitter": "none"],
                    "on-path-change": [word: .text(reaction)],
                ], at: standpoint)
            let isReplaced = kind == .available || kind == .lost
            let actions = phone.change(to: isReplaced ? .cellular : .wifi, kind)
            switch (standpoint, reaction) {
            case (_, "ignore"), (.waiting, "drop"): #expect(actions == [])
            // The next attempt is made after the wait.
            case (_, "drop"): #expect(actions == [.close(connection)])
            case (.waiting, _): #expect(actions == [attempt])
            case (.open, "hurry"), (.opening, "hurry"): #expect(actions == [])
            case (.open, "probe"): #expect(actions == [.ping(connection)])
            case (.open, "migrate"): #expect(actions == [.migrate(connection)])
            case (.opening, "probe") where !isReplaced, (.opening, "migrate") where !isReplaced:
                #expect(actions == [])
            default: #expect(actions == [.close(connection), attempt])
            }
            // No other event has an effect.
            for (_, other) in Self.kinds where other != kind {
                var bystander = client(
                    ["transport": "quic", "backoff": ["base": "1h"], "on-path-change": [word: .text(reaction)]],
                    at: standpoint)
                #expect(bystander.change(to: .cellular, handle: 9, other) == [])
            }
        }
        #expect(combinations == 8 * 6 * 3)
    }

    /// Broken: a network change is not recognised, or an unchanged network counts as changed. The second case is a
    /// new network under the old name.
    @Test(
        arguments: [
            ("handle", [false, true, true, true]), ("category", [false, false, true, true]),
            ("nothing", [true, true, true, true]),
        ])
    func distinguishesNetworksAsSet(word: String, expected: [Bool]) {
        let changes: [(Interface?, UInt16)] = [(.wifi, 0), (.wifi, 1), (.cellular, 2), (nil, 0)]
        let seen = changes.map { path, handle in
            var phone = StrategyHarness.open([
                "on-path-change": ["available": "reconnect", "lost": "reconnect", "compares": .text(word)]
            ])
            return phone.change(to: path, handle: handle, path == nil ? .lost : .available).contains(.close(connection))
        }
        #expect(seen == expected)
    }

    /// Broken: a short flap costs a connection. Or the client reacts to a change while network events still arrive,
    /// or never.
    @Test func reactsAfterTheDebounce() {
        var phone = StrategyHarness.open([
            "transport": "quic",
            "on-path-change": [
                "available": "reconnect", "lost": "reconnect", "debounce": "300ms",
            ],
        ])
        #expect(phone.change(to: nil, .lost) == [])
        #expect(phone.advance(by: .milliseconds(200)) == [])
        #expect(phone.change(to: .wifi, handle: 0) == [])
        #expect(phone.advance(by: .seconds(10)) == [])
        #expect(phone.change(to: .cellular, handle: 1) == [])
        #expect(phone.advance(by: .milliseconds(299)) == [])
        #expect(phone.change(to: .cellular, handle: 2) == [])
        #expect(phone.advance(by: .milliseconds(299)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection), attempt])
    }

    /// Broken: an attempt is made at the moment of the event although the network needs some time, or a full backoff
    /// wait follows the debounce.
    @Test(arguments: [("0s", 0), ("3s", 3)] as [(String, Int64)])
    func givesANetworkTimeToWork(word: String, seconds: Int64) {
        var phone = StrategyHarness<Composed>([
            "transport": "quic", "backoff": ["base": "1m", "jitter": "none"],
            "on-path-change": ["available": "hurry", "debounce": .text(word)],
        ])
        phone.session.network = NetworkView()
        #expect(phone.send(.started) == [])
        let atOnce = phone.change(to: .wifi, handle: 1)
        #expect(atOnce + phone.advance(by: .seconds(seconds)) == [attempt])
        #expect(atOnce.isEmpty == (seconds > 0))
        // An attempt that is too early is expensive: its failure is followed by a full wait.
        #expect(phone.send(.failed(connection, .unresolved)) == [])
        #expect(phone.advance(by: .seconds(59)) == [] && phone.advance(by: .seconds(1)) == [attempt])
    }

    /// Broken: an attempt is made on a network that does not meet the requirement, or not made on one that does.
    @Test func followsTheNetworkRequirement() {
        let combinations = withEvery { choices in
            let gate = choices.one(of: ["always", "available", "validated"])
            let hasPath = choices.flag()
            let isValidated = choices.flag()
            let isBlocked = choices.flag()
            var phone = StrategyHarness<Composed>(["transport": "quic", "connect": ["when": .text(gate)]])
            phone.session.network = NetworkView(path: hasPath ? .wifi : nil, isValidated: isValidated)
            phone.session.network.isBlocked = isBlocked
            let isOpen =
                gate == "always" || (hasPath && !isBlocked && (isValidated || gate == "available"))
            #expect(phone.send(.started) == (isOpen ? [attempt] : []))
            // An event of any kind that brings the network starts the attempt.
            phone.session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
            let event = NetworkChange(
                choices.one(of: NetworkChange.NetworkEventKind.self), of: .wifi, handle: 1, now: .wifi)
            #expect(phone.send(.network(event)) == (isOpen ? [] : [attempt]))
        }
        #expect(combinations == 3 * 8 * 8)
    }

    /// Broken: an unanswered probe leaves the client waiting, or an answered one costs the connection.
    @Test func probesBeforeItDrops() {
        for isAnswered in [true, false] {
            var phone = StrategyHarness.open([
                "transport": "quic", "on-path-change": "probe", "probe-timeout": "1s", "backoff": ["base": "1h"],
            ])
            #expect(phone.change(to: .cellular) == [.ping(connection)])
            if isAnswered { _ = phone.send(.pong(connection, after: .milliseconds(50))) }
            #expect(phone.advance(by: .seconds(1)) == (isAnswered ? [] : [.close(connection), attempt]))
        }
    }

    /// Broken: a network event from before the client parked causes a reaction after it returns. Or an ignored event
    /// triggers the reaction to an earlier event.
    @Test func parkingDropsPendingNetworkEvents() {
        var phone = StrategyHarness.open([
            "transport": "quic", "life-cycle": ["background": "close"],
            "on-path-change": ["capabilities": "reconnect", "debounce": "5s"],
        ])
        #expect(phone.change(to: .wifi, .capabilities) == [])
        phone.session.isForeground = false
        #expect(phone.send(.app(.background)) == [.closeGracefully(connection)])
        phone.session.isForeground = true
        #expect(phone.send(.app(.foreground)) == [attempt])
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(phone.change(to: .wifi, .available) == [] && phone.advance(by: .minutes(1)) == [])
        // During the debounce, an ignored event restarts the silence as well.
        #expect(phone.change(to: .wifi, .capabilities) == [] && phone.advance(by: .seconds(4)) == [])
        #expect(phone.change(to: .wifi, .available) == [] && phone.advance(by: .seconds(4)) == [])
        #expect(phone.advance(by: .seconds(1)) == [.close(connection), attempt])
    }

    /// Broken: a client on a blocked network waits until it is unblocked, although its own alarm would unblock it.
    @Test(arguments: ["none", "while-idle"])
    func anAlarmUnblocksTheNetwork(wake: String) {
        var phone = StrategyHarness<Composed>([
            "transport": "quic", "backoff": ["base": "1m", "jitter": "none", "wake": .text(wake)],
        ])
        phone.session.network.isBlocked = true
        #expect(phone.send(.started) == [])
        #expect(phone.advance(by: .seconds(59)) == [])
        // The system opens the network for the alarm.
        phone.session.network.isBlocked = false
        #expect(phone.advance(by: .seconds(1)) == (wake == "none" ? [] : [attempt]))
    }
}
