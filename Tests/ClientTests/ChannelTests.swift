import DeadzoneClient
import DeadzonePrimitives
@testable import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct ChannelTests {
    private let line = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    private func call(_ index: UInt32) -> Event { .wantsToCall(Message(index: index, bytes: 100)) }

    private func network(_ kind: NetworkChange.Kind, _ path: Interface?, _ handle: UInt16) -> Event {
        .network(NetworkChange(kind, of: path ?? .wifi, handle: handle, now: path))
    }

    /// Broken: an idle timer that runs during a call, from the first call on, or with an open stream; a channel that stays
    /// idle for a call.
    @Test(arguments: ["none", "open"])
    func idlesWithZeroActiveCalls(stream: String) {
        var lane = ManualLane(
            ["channel": ["connects": "on-demand", "idle-timeout": "5m", "stream": .text(stream)]] as Setting)
        let isStream = stream == "open"
        #expect(lane.tell(.started) == (isStream ? [attempt] : []))
        #expect(lane.tell(call(0)) == (isStream ? [] : [attempt]))
        #expect(lane.tell(.opened(line, resumedAt: .start)) == [.call(line, 0)])
        #expect(lane.advance(by: .minutes(20)) == [])
        _ = lane.tell(.answered(line, call: 0))
        #expect(lane.advance(by: .minutes(4)) == [])
        _ = lane.tell(call(1))
        _ = lane.advance(by: .seconds(1))
        _ = lane.tell(.answered(line, call: 1))
        #expect(lane.advance(by: .seconds(299)) == [])
        #expect(lane.advance(by: .seconds(1)) == (isStream ? [] : [.leave(line)]))
        #expect(lane.state.channel == (isStream ? .ready : .idle))
        if !isStream { #expect(lane.tell(call(2)) == [attempt]) }
    }

    /// Broken: sticky transient failure (A62: it connects by itself), or the older rule (only for a call, after the wait).
    @Test(arguments: [("reconnect", true), ("idle", false)])
    func failsStickilyOrNot(word: String, isSticky: Bool) {
        let settings: Setting = [
            "channel": ["connects": "on-demand", "after-failure": .text(word), "stream": "none"],
            "calls": ["unready": "attempt"], "backoff": ["base": "10s", "jitter": "none"],
        ]
        var lane = ManualLane(settings)
        _ = lane.tell(.started)
        #expect(lane.tell(call(0)) == [attempt])
        #expect(lane.tell(.failed(line, .refused)) == [.abandon(call: 0, .unavailable)])
        #expect(lane.state.channel == .transientFailure)
        #expect(lane.advance(by: .seconds(10)) == (isSticky ? [attempt] : []))
        #expect(lane.state.channel == (isSticky ? .connecting : .idle))
        // During the wait a call waits for the next attempt, which it brings about.
        lane = ManualLane(settings)
        _ = lane.tell(.started)
        _ = lane.tell(call(0))
        _ = lane.tell(.failed(line, .refused))
        #expect(lane.tell(call(1)) == [])
        #expect(lane.advance(by: .seconds(10)) == [attempt])
        #expect(lane.tell(.opened(line, resumedAt: .start)) == [.call(line, 1)])
    }

    /// Broken: counts of `enterIdle` in grpc-java's `AndroidChannelBuilderTest`: offline 0, cellular 1, Wi-Fi 2, none 2,
    /// cellular 3, after shutdown 3; without a Context nothing is heard.
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
        var lane = ManualLane(settings)
        lane.session.network = NetworkView()
        _ = lane.tell(.started)
        _ = lane.tell(.failed(line, .noPath))
        var count = 0
        var seen = [0]
        let steps: [(NetworkChange.Kind, Interface?, UInt16)] = [
            (.available, .cellular, 1), (.available, .wifi, 2), (.lost, nil, 0), (.available, .cellular, 3),
        ]
        for (kind, path, handle) in steps {
            lane.session.network = NetworkView(path: path, handle: handle)
            count += lane.tell(network(kind, path, handle)).count { $0 == attempt }
            if path != nil { _ = lane.tell(.opened(line, resumedAt: .start)) }
            seen.append(count)
        }
        lane.session.isForeground = false
        _ = lane.tell(.app(.background))
        lane.session.network = NetworkView(path: .wifi, handle: 9)
        count += lane.tell(network(.available, .wifi, 9)).count { $0 == attempt }
        seen.append(count)
        #expect(seen == counts)
    }

    /// Broken: a move between states that gRPC does not know, in any short history.
    @Test func movesLegally() {
        let events: [Event] = [
            .opened(line, resumedAt: .start), .greeted(line), .failed(line, .refused), .closed(line, .reset), call(0),
            .answered(line, call: 0), .goingAway(line, .noError), .app(.background), .app(.foreground),
            network(.available, .wifi, 7),
        ]
        var first = ManualLane(
            [
                "channel": ["connects": "on-demand", "stream": "none", "after-failure": "idle"],
                "on-path-change": "reconnect",
            ] as Setting)
        first.session.network = NetworkView(path: .wifi, handle: 7)
        _ = first.tell(.started)
        var count = 0
        var moves = 0
        var illegal: [String] = []
        // Each history goes on from a copy of the one that it continues.
        func goOn(from lane: ManualLane<Composed>, after history: [Event]) {
            count += 1
            guard history.count < 4, illegal.isEmpty else { return }
            for event in events {
                var next = lane
                let before = lane.state.channel
                let answer = next.tell(event)
                var after = next.state.channel
                // What is dropped for another connection at once has been idle in between.
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
    /// Broken: a phone behind a portal that shakes hands with it every second, or one that does not hear when somebody has signed
    /// in; or a server that is down, which is taken for a portal.
    @Test(arguments: [("untrusted", false), ("untrusted", true), ("refused", false)])
    func waitsForAPortalToOpen(failure: String, isSignedIn: Bool) {
        let line = ConnectionSlot(0)
        var lane = ManualLane.open([
            "connect": ["at-portal": "1m"], "backoff": ["base": "1s", "multiplier": "1", "jitter": "none"],
            "on-path-change": ["validated": "hurry"],
        ])
        let again = Action.connect(line, .webSocket, resuming: .from(.start))
        #expect(lane.tell(.closed(line, .reset)) == [])
        #expect(lane.advance(by: .seconds(1)) == [again])
        let isPortal = failure == "untrusted"
        #expect(lane.tell(.failed(line, isPortal ? .untrusted : .refused)) == [])
        #expect(lane.advance(by: .seconds(1)) == (isPortal ? [] : [again]))
        guard isPortal else { return }
        if isSignedIn {
            #expect(lane.tell(.network(NetworkChange(.validated, of: .wifi, now: .wifi))) == [again])
            // A server that is down behind it is tried as ever.
            #expect(lane.tell(.failed(line, .refused)) == [])
        }
        #expect(lane.advance(by: .milliseconds(58_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [again])
    }

    /// Broken: a longer wait of the client's own that Retry-After cuts short.
    @Test(arguments: [("2s", 10), ("30s", 30)])
    func retryAfterOnlyLengthens(after: String, waited: Int64) {
        let line = ConnectionSlot(0)
        var lane = ManualLane(
            ["connect": ["retry-after": "heed"], "backoff": ["base": "10s", "cap": "10s", "jitter": "none"]] as Setting)
        _ = lane.tell(.started)
        let span = TimeSpan.seconds(after == "2s" ? 2 : 30)
        _ = lane.tell(.turnedAway(line, SessionRefusal(isPermanent: false, retryAfter: span)))
        _ = lane.tell(.failed(line, .turnedAway))
        #expect(lane.advance(by: .seconds(waited) - .nanoseconds(1)) == [])
        #expect(lane.advance(by: .nanoseconds(1)).count == 1)
    }
}
