import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

@Suite struct ChannelTests {
    private let connection = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    private func call(_ index: UInt32) -> Event { .wantsToCall(Message(index: index, bytes: 100)) }

    private func network(_ kind: NetworkChange.NetworkEventKind, _ path: Interface?, _ handle: UInt16) -> Event {
        .network(NetworkChange(kind, of: path ?? .wifi, handle: handle, now: path))
    }

    /// Broken: the idle timer runs during a call, before the first call, or with an open stream. Or an idle channel
    /// stays idle when a call arrives.
    @Test(arguments: ["none", "open"])
    func goesIdleWithZeroActiveCalls(stream: String) {
        var phone = StrategyHarness(
            ["channel": ["connects": "on-demand", "idle-timeout": "5m", "stream": .text(stream)]] as Setting)
        let isStream = stream == "open"
        #expect(phone.send(.started) == (isStream ? [attempt] : []))
        #expect(phone.send(call(0)) == (isStream ? [] : [attempt]))
        #expect(phone.send(.opened(connection, resumedAt: .start)) == [.call(connection, 0)])
        #expect(phone.advance(by: .minutes(20)) == [])
        _ = phone.send(.answered(connection, call: 0))
        #expect(phone.advance(by: .minutes(4)) == [])
        _ = phone.send(call(1))
        _ = phone.advance(by: .seconds(1))
        _ = phone.send(.answered(connection, call: 1))
        #expect(phone.advance(by: .seconds(299)) == [])
        #expect(phone.advance(by: .seconds(1)) == (isStream ? [] : [.closeGracefully(connection)]))
        #expect(phone.state.channel == (isStream ? .ready : .idle))
        if !isStream { #expect(phone.send(call(2)) == [attempt]) }
    }

    /// Broken: TRANSIENT_FAILURE is not sticky (A62: the channel reconnects by itself). Or the older rule is not
    /// followed: it reconnects only for a call, after the wait.
    @Test(arguments: [("reconnect", true), ("idle", false)])
    func transientFailureIsStickyOrNot(word: String, isSticky: Bool) {
        let settings: Setting = [
            "channel": ["connects": "on-demand", "after-failure": .text(word), "stream": "none"],
            "calls": ["unready": "attempt"], "backoff": ["base": "10s", "jitter": "none"],
        ]
        var phone = StrategyHarness(settings)
        _ = phone.send(.started)
        #expect(phone.send(call(0)) == [attempt])
        #expect(phone.send(.failed(connection, .refused)) == [.abandon(call: 0, .unavailable)])
        #expect(phone.state.channel == .transientFailure)
        #expect(phone.advance(by: .seconds(10)) == (isSticky ? [attempt] : []))
        #expect(phone.state.channel == (isSticky ? .connecting : .idle))
        // A call during the wait stays pending until the next attempt, which it triggers.
        phone = StrategyHarness(settings)
        _ = phone.send(.started)
        _ = phone.send(call(0))
        _ = phone.send(.failed(connection, .refused))
        #expect(phone.send(call(1)) == [])
        #expect(phone.advance(by: .seconds(10)) == [attempt])
        #expect(phone.send(.opened(connection, resumedAt: .start)) == [.call(connection, 1)])
    }

    /// Broken: the `enterIdle` counts differ from grpc-java's `AndroidChannelBuilderTest`: offline 0, cellular 1,
    /// Wi-Fi 2, none 2, cellular 3, after shutdown 3. Without a Context, no network event arrives.
    @Test(arguments: [(true, [0, 1, 2, 2, 3, 3]), (false, [0, 0, 0, 0, 0, 0])])
    func entersIdleAsAndroidDoes(hasContext: Bool, counts: [Int]) {
        var settings: Setting = [
            "connect": ["when": "always"], "life-cycle": ["background": "close"],
            "backoff": ["base": "1h", "cap": "1h"],
            "channel": ["connects": "on-demand"],
        ]
        if hasContext {
            settings = [
                "connect": ["when": "always"], "life-cycle": ["background": "close"],
                "backoff": ["base": "1h", "cap": "1h"], "channel": ["connects": "on-demand"],
                "on-path-change": ["available": "reconnect", "unblocked": "reconnect", "compares": "nothing"],
            ]
        }
        var phone = StrategyHarness(settings)
        phone.session.network = NetworkView()
        _ = phone.send(.started)
        _ = phone.send(.failed(connection, .noPath))
        var count = 0
        var seen = [0]
        let steps: [(NetworkChange.NetworkEventKind, Interface?, UInt16)] = [
            (.available, .cellular, 1), (.available, .wifi, 2), (.lost, nil, 0), (.available, .cellular, 3),
        ]
        for (kind, path, handle) in steps {
            phone.session.network = NetworkView(path: path, handle: handle)
            count += phone.send(network(kind, path, handle)).count { $0 == attempt }
            if path != nil { _ = phone.send(.opened(connection, resumedAt: .start)) }
            seen.append(count)
        }
        phone.session.isForeground = false
        _ = phone.send(.app(.background))
        phone.session.network = NetworkView(path: .wifi, handle: 9)
        count += phone.send(network(.available, .wifi, 9)).count { $0 == attempt }
        seen.append(count)
        #expect(seen == counts)
    }

    /// Broken: some short sequence of events causes a state transition that gRPC does not have.
    @Test func makesOnlyLegalTransitions() {
        let events: [Event] = [
            .opened(connection, resumedAt: .start), .serverResponded(connection), .failed(connection, .refused),
            .closed(connection, .reset), call(0),
            .answered(connection, call: 0), .goingAway(connection, .noError), .app(.background), .app(.foreground),
            network(.available, .wifi, 7),
        ]
        var first = StrategyHarness(
            [
                "channel": ["connects": "on-demand", "stream": "none", "after-failure": "idle"],
                "on-path-change": "reconnect",
            ] as Setting)
        first.session.network = NetworkView(path: .wifi, handle: 7)
        _ = first.send(.started)
        var count = 0
        var moves = 0
        var illegal: [String] = []
        // Each history continues from a copy of the state of the shorter history.
        func goOn(from phone: StrategyHarness<Composed>, after history: [Event]) {
            count += 1
            guard history.count < 4, illegal.isEmpty else { return }
            for event in events {
                var next = phone
                let before = phone.state.channel
                let answer = next.send(event)
                var after = next.state.channel
                // A connection that is replaced at once passes through idle in between.
                if before == .ready && after == .connecting && answer.contains(attempt) { after = .idle }
                if before != after {
                    moves += 1
                    if !before.mayBecome(after) { illegal.append("\(before) to \(after) on \(event) after \(history)") }
                }
                goOn(from: next, after: history + [event])
                guard case .idle = next.state.channel else { continue }
                _ = next.advance(by: .minutes(40))
                goOn(from: next, after: history + [event])
            }
        }
        goOn(from: first, after: [])
        #expect(illegal == [])
        #expect(count > 5_000 && moves > 1_000)
    }
}

@Suite struct RefusalTests {
    /// Broken: behind a portal, the phone repeats the TLS handshake every second, or misses the event after the user
    /// has signed in. Or a server that is down is mistaken for a portal.
    @Test(arguments: [("untrusted", false), ("untrusted", true), ("refused", false)])
    func waitsForAPortalToOpen(failure: String, isSignedIn: Bool) {
        let connection = ConnectionSlot(0)
        var phone = StrategyHarness.open([
            "connect": ["at-portal": "1m"], "backoff": ["base": "1s", "multiplier": "1", "jitter": "none"],
            "on-path-change": ["validated": "hurry"],
        ])
        let again = Action.connect(connection, .webSocket, resuming: .from(.start))
        #expect(phone.send(.closed(connection, .reset)) == [])
        #expect(phone.advance(by: .seconds(1)) == [again])
        let isPortal = failure == "untrusted"
        #expect(phone.send(.failed(connection, isPortal ? .untrusted : .refused)) == [])
        #expect(phone.advance(by: .seconds(1)) == (isPortal ? [] : [again]))
        guard isPortal else { return }
        if isSignedIn {
            #expect(phone.send(.network(NetworkChange(.validated, of: .wifi, now: .wifi))) == [again])
            // A server that is down behind the portal is retried as usual.
            #expect(phone.send(.failed(connection, .refused)) == [])
        }
        #expect(phone.advance(by: .milliseconds(58_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [again])
    }

    /// Broken: a Retry-After shorter than the client's own wait shortens that wait.
    @Test(arguments: [("2s", 10), ("30s", 30)])
    func retryAfterOnlyLengthens(after: String, waited: Int64) {
        let connection = ConnectionSlot(0)
        var phone = StrategyHarness(
            ["connect": ["retry-after": "heed"], "backoff": ["base": "10s", "cap": "10s", "jitter": "none"]] as Setting)
        _ = phone.send(.started)
        let span = TimeSpan.seconds(after == "2s" ? 2 : 30)
        _ = phone.send(.sessionRefused(connection, SessionRefusal(isPermanent: false, retryAfter: span)))
        _ = phone.send(.failed(connection, .sessionRefused))
        #expect(phone.advance(by: .seconds(waited) - .nanoseconds(1)) == [])
        #expect(phone.advance(by: .nanoseconds(1)).count == 1)
    }
}
