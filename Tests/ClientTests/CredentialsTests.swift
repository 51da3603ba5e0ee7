import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// When `composed` gets another access token, and what waits for it.
@Suite struct CredentialsTests {
    private static let slot = ConnectionSlot(0)

    private func client(_ credentials: Setting, _ more: [(String, Setting)] = []) -> StrategyHarness<Composed> {
        StrategyHarness(
            .map([("credentials", credentials), ("backoff", ["base": "1s", "cap": "1s", "jitter": "none"])] + more))
    }

    private func token(_ now: Instant, _ life: Int64 = 600) -> AccessToken {
        AccessToken(issued: now, expires: now + .seconds(life))
    }

    private func refreshes(_ actions: [Action]) -> Int {
        actions.count { if case .refreshCredentials(byUser: false, _) = $0 { true } else { false } }
    }

    private func logins(_ actions: [Action]) -> Int {
        actions.count { if case .refreshCredentials(byUser: true, _) = $0 { true } else { false } }
    }

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    private func started(_ credentials: Setting, _ more: [(String, Setting)] = []) -> StrategyHarness<Composed> {
        var phone = client(credentials, more)
        _ = phone.send(.credentials(.stored(token(.zero))))
        _ = phone.send(.started)
        _ = phone.send(.opened(Self.slot, resumedAt: .start))
        return phone
    }

    /// Broken: the timer of the refresh runs at another time, by another clock, or not again after a new token.
    @Test(
        arguments: [("wall", 0, 480), ("elapsed", 0, 480), ("uptime", 0, 480), ("uptime", 1_000, 480)]
            as [(String, Int64, Int64)])
    func refreshesAtAShareOfTheLife(clock: String, slept: Int64, expected: Int64) {
        var phone = client(["refresh-at": "80%", "clock": .text(clock)])
        phone.session.slept = .seconds(slept)
        phone.session.now += .seconds(slept)
        _ = phone.send(.credentials(.stored(token(phone.session.now))))
        _ = phone.send(.started)
        if clock != "uptime" {
            #expect(refreshes(phone.advance(by: .seconds(expected - 1))) == 0)
            #expect(refreshes(phone.advance(by: .seconds(1))) == 1)
            _ = phone.send(.credentials(.renewed(token(phone.session.now))))
            #expect(refreshes(phone.advance(by: .seconds(479))) == 0)
            #expect(refreshes(phone.advance(by: .seconds(1))) == 1)
        } else {
            #expect(phone.session.timers[Composed.flowSlot].clock == .uptime)
            #expect((phone.session.timers[Composed.flowSlot].at - Instant.zero).nanoseconds == expected * 1_000_000_000)
        }
    }

    /// Broken: a share of a long life overflows.
    @Test func aLongLifeHasItsShare() {
        var phone = client(["refresh-at": "1%"])
        _ = phone.send(.credentials(.stored(token(.zero, 366 * 86_400))))
        #expect((phone.session.timers[Composed.flowSlot].at - Instant.zero).nanoseconds == 316_224_000_000_000)
    }

    /// Broken: a client connects with an expired token although it should not, waits although the token is valid, or does
    /// not connect once the new token is there.
    @Test(arguments: [(false, 601), (true, 590), (true, 601)] as [(Bool, Int64)])
    func waitsForATokenBeforeConnecting(beforeConnect: Bool, age: Int64) {
        var phone = started(["before-connect": .text(beforeConnect ? "true" : "false")])
        _ = phone.advance(by: .seconds(age))
        _ = phone.send(.closed(Self.slot, .reset))
        let actions = phone.advance(by: .seconds(1))
        let waits = beforeConnect && age > 600
        #expect(refreshes(actions) == (waits ? 1 : 0) && attempts(actions) == (waits ? 0 : 1))
        guard waits else { return }
        #expect(attempts(phone.advance(by: .minutes(5))) == 0)
        #expect(attempts(phone.send(.credentials(.renewed(token(phone.session.now))))) == 1)
    }

    /// Broken: a refused session is not followed by a refresh, the new token is not used, or a new token that is refused
    /// leads to requests without a wait.
    @Test func refreshesAfterARefusedSession() {
        var phone = started([:])
        #expect(refreshes(phone.send(.closed(Self.slot, .denied))) == 1)
        #expect(attempts(phone.advance(by: .minutes(1))) == 0)
        #expect(attempts(phone.send(.credentials(.renewed(token(phone.session.now))))) == 1)
        _ = phone.send(.opened(Self.slot, resumedAt: .start))
        #expect(refreshes(phone.send(.closed(Self.slot, .denied))) == 0)
        #expect(attempts(phone.advance(by: .seconds(1))) == 1)
        _ = phone.send(.opened(Self.slot, resumedAt: .start))
        #expect(refreshes(phone.send(.closed(Self.slot, .denied))) == 1)
        // Without a token, or without the setting, it only retries.
        var plain = started(["on-refusal": "false"])
        #expect(
            refreshes(plain.send(.closed(Self.slot, .denied))) == 0 && attempts(plain.advance(by: .seconds(1))) == 1)
        var without = client([:])
        _ = without.send(.started)
        _ = without.send(.opened(Self.slot, resumedAt: .start))
        #expect(refreshes(without.send(.closed(Self.slot, .denied))) == 0)
        #expect(attempts(without.advance(by: .seconds(1))) == 1)
    }

    /// Broken: requests at once are not limited, or are limited to another number. Or a refused call is lost, or is sent
    /// without end.
    @Test(arguments: [("one", 1), ("many", 3)])
    func refusedCallsShareARequest(flights: String, expected: Int) {
        var phone = started(["flights": .text(flights)])
        let refusal = CallRefusal(.permissionDenied, needsCredentials: true)
        var asked = 0
        for call in 0..<UInt32(3) { _ = phone.send(.wantsToCall(Message(index: call, bytes: 10))) }
        for call in 0..<UInt32(3) { asked += refreshes(phone.send(.rejected(Self.slot, call: call, refusal))) }
        #expect(asked == expected)
        let again = phone.send(.credentials(.renewed(token(.zero))))
        #expect(again.count { if case .call = $0 { true } else { false } } == 3)
        // The second refusal is final.
        let actions = phone.send(.rejected(Self.slot, call: 1, refusal))
        #expect(refreshes(actions) == 0 && actions.contains(.abandon(call: 1, .permissionDenied)))
    }

    /// Broken: a client that is logged out connects, asks for a token by itself, or does not come back with its user.
    @Test func isLoggedOutUntilTheUserReturns() {
        var phone = started(["refresh-at": "50%"], [("life-cycle", ["foreground": "probe"])])
        phone.session.isForeground = false
        _ = phone.send(.app(.background))
        #expect(refreshes(phone.advance(by: .seconds(300))) == 1)
        let actions = phone.send(.credentials(.refused))
        #expect(actions.contains(.closeGracefully(Self.slot)))
        let idle = phone.advance(by: .hours(2)) + phone.change(to: .cellular, handle: 4) + phone.send(.pushWoken)
        #expect(attempts(idle) == 0 && refreshes(idle) == 0 && logins(idle) == 0)
        phone.session.isForeground = true
        let back = phone.send(.app(.foreground))
        #expect(logins(back) == 1 && attempts(back) == 0)
        #expect(attempts(phone.send(.credentials(.renewed(token(phone.session.now))))) == 1)
    }

    /// Broken: a request without an answer is not repeated after its wait, or blocks later ones.
    @Test func repeatsARequestWithoutAnAnswer() {
        var phone = started(["refresh-at": "50%", "retry": "7s"])
        #expect(refreshes(phone.advance(by: .seconds(300))) == 1)
        _ = phone.send(.credentials(.unanswered))
        #expect(refreshes(phone.advance(by: .seconds(6))) == 0)
        #expect(refreshes(phone.advance(by: .seconds(1))) == 1)
    }

    /// Broken: the timer of the next token still runs after another cause has requested a token. With several requests
    /// at once it makes a request too many, and with one it wakes the phone for nothing.
    @Test(arguments: ["one", "many"], [20, 50, 95])
    func aRequestEndsTheTimer(flights: String, share: Int) {
        var phone = started(["flights": .text(flights), "refresh-at": .text("\(share)%")])
        _ = phone.advance(by: .seconds(60))
        #expect(phone.session.isArmed(Composed.flowSlot))
        #expect(refreshes(phone.send(.closed(Self.slot, .denied))) == 1)
        #expect(!phone.session.isArmed(Composed.flowSlot))
        #expect(refreshes(phone.advance(by: .minutes(20))) == 0)
        _ = phone.send(.credentials(.renewed(token(phone.session.now))))
        #expect(phone.session.isArmed(Composed.flowSlot))
    }

    /// Broken: `refresh` without the facet is accepted, or the facet beside the message flow, which uses the same timer.
    @Test func refusesContradictions() {
        #expect(SettingLine("backoff.on-end.reset: refresh").read().faults == ["`refresh` without `credentials`"])
        #expect(SettingLine("backoff.on-end.reset: refresh; credentials.retry: 1s").read().faults == [])
        #expect(SettingLine("credentials.retry: 1s; flow: enabled").read().faults == ["`credentials` beside `flow`"])
        for (denied, isRefused) in [("5s", true), ("stop", true), ("usual", false), ("refresh", false)] {
            let line = "credentials.retry: 1s; backoff.on-end.denied: \(denied)"
            let faults = isRefused ? ["`on-end: {denied}` beside `credentials: {on-refusal: true}`"] : []
            #expect(SettingLine(line).read().faults == faults, "\(denied)")
            #expect(SettingLine(line + "; credentials.on-refusal: false").read().faults == [])
        }
    }

    /// Broken: a client that sends no credentials needs more memory than before.
    @Test func theStateTakesTheGapsOfTheOthers() {
        #expect(MemoryLayout<Credentials.State>.size <= 7 && MemoryLayout<ConnectLimits.State>.size == 16)
    }
}
