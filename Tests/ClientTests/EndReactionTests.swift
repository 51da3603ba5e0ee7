import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// Reactions to an end, by kind of end and by code.
@Suite struct EndReactionTests {
    private static let slot = ConnectionSlot(0)
    /// Every reaction with its word, and the waits in seconds after three equal ends of attempts; `nil` for no attempt.
    private static let reactions: [(word: String, waits: [Int64?])] = [
        ("usual", [1, 2, 4]), ("uncounted", [1, 1, 1]), ("longest-wait", [8, 8, 8]), ("3s", [3, 3, 3]),
        ("0s", [0, 0, 0]), ("stop", [nil]), ("until-foreground", [nil]), ("until-path", [nil]), ("never", [nil]),
    ]

    private func client(_ end: [(String, Setting)], _ more: [(String, Setting)] = []) -> StrategyHarness<Composed> {
        let backoff: [(String, Setting)] = [
            ("base", "1s"), ("cap", "8s"), ("jitter", "none"), ("reset", "never"), ("on-end", .map(end)),
        ]
        return StrategyHarness(
            .map([("backoff", .map(backoff)), ("connect", ["when": "always"]), ("keepalive", "30s")] + more))
    }

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    /// Lets an attempt, or the connection that it opens, end in this way. Returns the client's actions.
    private func end(_ kind: EndKind, code: UInt16 = 0, _ phone: inout StrategyHarness<Composed>) -> [Action] {
        var actions: [Action] = []
        func open() { actions += phone.send(.opened(Self.slot, resumedAt: .start)) }
        func state() { if code != 0 { actions += phone.send(.codeStated(Self.slot, code)) } }
        func fail(_ failure: ConnectFailure) {
            state()
            actions += phone.send(.failed(Self.slot, failure))
        }
        func close(_ reason: CloseReason) {
            open()
            state()
            actions += phone.send(.closed(Self.slot, reason))
        }
        switch kind {
        case .noPath: fail(.noPath)
        case .unanswered: fail(.timedOut)
        case .refused: fail(.refused)
        case .unresolved: fail(.unresolved)
        case .untrusted: fail(.untrusted)
        case .turnedAway, .forbidden:
            state()
            actions += phone.send(.sessionRefused(Self.slot, SessionRefusal(isPermanent: kind == .forbidden)))
            actions += phone.send(.failed(Self.slot, .sessionRefused))
        case .pathLost: close(.pathLost)
        case .timedOut: close(.timedOut)
        case .reset: close(.reset)
        case .ended: close(.ended)
        case .denied: close(.denied)
        case .completed: close(.completed)
        case .silent:
            open()
            actions += phone.advance(by: .seconds(40))
        case .goAway, .tooManyPings:
            open()
            actions += phone.send(.goingAway(Self.slot, kind == .goAway ? .noError : .tooManyPings))
        }
        return actions
    }

    /// Seconds until the next attempt; `nil` if there is none within an hour.
    private func wait(
        after actions: [Action] = [], _ phone: inout StrategyHarness<Composed>
    ) -> Int64? {
        if attempts(actions) > 0 { return 0 }
        for second in 0...Int64(3_600) {
            if attempts(phone.advance(by: second == 0 ? .zero : .seconds(1))) > 0 { return second }
        }
        return nil
    }

    /// Broken: a kind of end is taken for another one, a reaction for another one, or a reaction applies to an end that
    /// it is not for. Every kind is combined with every reaction, and with a reaction to all other kinds.
    @Test(arguments: EndKind.allCases)
    func everyEndHasItsReaction(kind: EndKind) {
        for (word, waits) in Self.reactions {
            var phone = client([(kind.word, .text(word))])
            _ = phone.send(.started)
            for expected in waits {
                let actions = end(kind, &phone)
                #expect(wait(after: actions, &phone) == expected, "\(kind.word): \(word)")
            }
            let others = EndKind.allCases.filter { $0 != kind }.map { ($0.word, Setting.text(word)) }
            var other = client(others)
            _ = other.send(.started)
            _ = end(kind, &other)
            #expect(wait(&other) == 1, "all but \(kind.word): \(word)")
        }
    }

    /// Broken: a code is ignored, or applies to the next end as well. Or a word decides before the code.
    @Test func codesDecideBeforeKinds() {
        let stated = EndKind.allCases.filter {
            [.turnedAway, .forbidden, .ended, .denied, .completed].contains($0)
        }
        for kind in stated {
            for (code, expected) in [(0, nil), (4399, nil), (4400, 3), (4450, 3), (4499, 3), (4500, nil), (4501, 5)]
                as [(UInt16, Int64?)]
            {
                var phone = client([(kind.word, "stop"), ("4400-4499", "3s"), ("4501", "5s")])
                _ = phone.send(.started)
                _ = end(kind, code: code, &phone)
                #expect(wait(&phone) == expected, "\(kind.word) with \(code)")
                guard expected != nil else { continue }
                _ = end(.reset, &phone)
                #expect(wait(&phone) == 1, "after \(kind.word) with \(code)")
            }
        }
    }

    /// Broken: a client that has stopped is started by the wrong event, or by none.
    @Test(arguments: [
        ("stop", true, true), ("until-foreground", true, false), ("until-path", false, true), ("never", false, false),
    ])
    func stoppedClientsStartAtTheirEvent(word: String, atForeground: Bool, atPath: Bool) {
        for kind in [EndKind.refused, .denied] {
            for isForeground in [true, false] {
                var phone = client(
                    [(kind.word, .text(word))],
                    [("life-cycle", ["foreground": "probe"]), ("on-path-change", "reconnect"), ("resume", "cursor")])
                _ = phone.send(.started)
                phone.session.isForeground = false
                _ = phone.send(.app(.background))
                _ = end(kind, &phone)
                #expect(attempts(phone.send(.pushWoken)) == 0)
                _ = phone.send(.wantsToSend(Message(index: 0, bytes: 10)))
                #expect(wait(&phone) == nil)
                // Another event of the network in use brings no other network.
                let capabilities = NetworkChange(.capabilities, of: .wifi, now: .wifi)
                #expect(attempts(phone.send(.network(capabilities))) == 0, "\(kind.word): \(word)")
                let event: Event
                if isForeground {
                    phone.session.isForeground = true
                    event = .app(.foreground)
                } else {
                    phone.session.network = NetworkView(path: .cellular, handle: 7)
                    event = .network(
                        NetworkChange(.available, of: .cellular, handle: 7, now: .cellular, replacesDefaultPath: true))
                }
                let expected = isForeground ? atForeground : atPath
                #expect(attempts(phone.send(event)) == (expected ? 1 : 0), "\(kind.word): \(word), \(event)")
                guard expected else { continue }
                // The barrier is gone, and the backoff starts again.
                _ = end(.unresolved, &phone)
                #expect(wait(&phone) == 1)
            }
        }
    }

    /// Broken: a client that waits for another network starts only if it also reacts to path changes, or a client that
    /// waits for something else starts with a network.
    @Test(arguments: [("until-path", 1), ("until-foreground", 0), ("stop", 0), ("never", 0)])
    func aNetworkStartsItsWaitingClient(word: String, expected: Int) {
        for kind in [EndKind.refused, .denied] {
            var phone = client([(kind.word, .text(word))], [("on-path-change", "ignore")])
            _ = phone.send(.started)
            _ = end(kind, &phone)
            #expect(attempts(phone.advance(by: .hours(1))) == 0)
            #expect(attempts(phone.change(to: .cellular, handle: 7)) == expected, "\(kind.word): \(word)")
        }
    }

    /// Broken: a client that counts its retries stops after ends that do not count, or the time limit is ignored.
    @Test func uncountedEndsKeepTheRetries() {
        for (word, expected) in [("usual", 3), ("uncounted", 50), ("1s", 50), ("longest-wait", 3)] {
            var phone = StrategyHarness(
                [
                    "backoff": [
                        "base": "1s", "cap": "8s", "jitter": "none", "give-up": ["retries": "2"],
                        "on-end": ["refused": .text(word)],
                    ]
                ] as Setting)
            var made = attempts(phone.send(.started))
            while made < 50 {
                _ = phone.send(.failed(Self.slot, .refused))
                guard wait(&phone) != nil else { break }
                made += 1
            }
            #expect(made == expected, "\(word)")
        }
    }

    /// Broken: a wrong table is accepted, or a correct one refused.
    @Test(
        arguments: [
            ("backoff.on-end.4400-4499: stop; backoff.on-end.4500: 1s", []),
            ("backoff.on-end.0: stop", ["`0` is no code"]), ("backoff.on-end.5000: stop", ["`5000` is no code"]),
            ("backoff.on-end.4499-4400: stop", ["`4499-4400` is no code"]),
            ("backoff.on-end.4400-: stop", ["`4400-` is no code"]),
            ("backoff.on-end.4400-4499: stop; backoff.on-end.4450: 1s", ["`4450` beside `4400-4499`"]),
            ("backoff.on-end.denies: stop", ["unknown setting `denies`"]),
            ("backoff.on-end.denied: halt", ["unknown word `halt`"]),
            ("backoff.when-denied: stop; backoff.on-end.denied: 1s", ["`when-denied` beside `on-end: {denied}`"]),
            (
                "connect.when-denied: stop; backoff.on-end.forbidden: 1s",
                ["`when-denied: stop` beside `on-end: {forbidden}`"]
            ),
            ("on-goaway: drain; backoff.on-end.goaway: 1s", ["`on-goaway` beside `on-end: {goaway}`"]),
            (
                "backoff.min-connect-timeout: 1s; backoff.on-end.refused: uncounted",
                ["`uncounted` beside `min-connect-timeout`"]
            ),
        ] as [(String, [String])])
    func refusesWrongTables(line: String, faults: [String]) {
        #expect(SettingLine(line).read().faults == faults, "\(line)")
    }

    /// Broken: a strategy without the table has another canonical text, or the short forms have.
    @Test func theShortFormsKeepTheirText() {
        for (line, text) in [
            ("", "when-denied: retry"), ("backoff.when-denied: stop", "when-denied: stop"),
            ("connect.when-denied: stop", "when-denied: stop"),
        ] {
            let resolved = flowText(SettingLine(line).read().resolved)
            #expect(resolved.contains(text) && !resolved.contains("on-end"), "\(line)")
        }
        let table = flowText(SettingLine("backoff.on-end.4401: 1s; backoff.on-end.denied: stop").read().resolved)
        #expect(
            table.contains("on-end: {\"4401\": 1s, denied: stop}")
                || table.contains("on-end: {4401: 1s, denied: stop}"), "\(table)")
    }
}
