import DeadzoneBase
import DeadzoneClient
import DeadzoneScenarios
import DeadzoneTransport
import Testing

/// Sentences about settings that mean something else than a reader may expect.
struct ScenarioNoteTests {
    private static let head = [
        "version: 1", "name: Notes", "duration: 45m", "phone: {radios: {wifi: test-wifi}}",
        "strategies: {a: {strategy: composed}}",
    ]

    /// Texts with the note about them, or `none`.
    private static let table = #"""
        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 10s, wake: job}}}}
        => `a`: visits of 10s, but the processor is awake for 10s. Their end waits until something wakes it. `wake-lock: visit` changes that, as Android does for a job whose code still runs

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 9s, wake: job}}}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 1s, wake: alarm}}}}
        => `a`: visits of 1s, but the processor is awake for 1s. Their end waits until something wakes it. `wake-lock: visit` changes that

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 999ms, wake: alarm}}}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 2m, wake: while-idle}}}}
        => `a`: visits of 2m, but the processor is awake for 1s. Their end waits until something wakes it. `wake-lock: visit` changes that

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 2m, wake: none}}}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 2m, wake: job}, wake-lock: visit}}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 2m, wake: job}, wake-lock: connected}}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 2m, wake: job}, wake-lock: beat}}}
        => `a`: visits of 2m, but the processor is awake for 10s. Their end waits until something wakes it. `wake-lock: visit` changes that, as Android does for a job whose code still runs

        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 2m, wake: job}}}}
        => none

        phone: {platform: {profile: android-15, processor.sleeps: false}, radios: {wifi: test-wifi}}
        strategies: {a: {strategy: composed, life-cycle: {background: close, poll: {every: 15m, stay: 2m, wake: job}}}}
        => none

        traffic: {calls: {every: 1m, size: 1B, answer: 1B}}
        strategies: {a: {strategy: eager}}
        => `a`: this client makes no calls, so the calls of the scenario stay pending

        traffic: {calls: {every: 1m, size: 1B, answer: 1B}}
        strategies: {a: {strategy: eager}, b: {strategy: composed}, c: {strategy: patient}}
        => `a`, `c`: these clients make no calls, so the calls of the scenario stay pending

        traffic: {calls: {every: 1m, size: 1B, answer: 1B}}
        strategies: {a: {strategy: eager}, b: {strategy: ice, paths: direct}, c: {strategy: patient}}
        => `a`, `b`, `c`: these clients make no calls, so the calls of the scenario stay pending

        traffic: {calls: {every: 1m, size: 1B, answer: 1B}}
        strategies: {a: {strategy: eager}, b: {strategy: datagram}, c: {strategy: patient}, d: {strategy: coap}}
        => `a`, `b`, `c` and 1 more: these clients make no calls, so the calls of the scenario stay pending

        traffic: {calls: {every: 1m, size: 1B, answer: 1B}}
        strategies: {a: {strategy: composed}}
        => none

        strategies: {a: {strategy: eager}}
        => none

        strategies: {a: {strategy: ice}}
        => `a`: the relay takes 30ms in each direction, because the scenario has no `server: {peer: {relay: …}}`

        server: {peer: {relay: 5ms}}
        strategies: {a: {strategy: ice}}
        => none

        strategies: {a: {strategy: ice, paths: direct}, b: {strategy: datagram}}
        => none

        server: {dedup: set}
        strategies: {a: {strategy: coap}}
        => `a`: `server: {dedup: …}` has no effect, because a CoAP server recognises repeats by their message id. `exchange-lifetime` says for how long

        server: {dedup: set}
        strategies: {a: {strategy: coap}, b: {strategy: composed}}
        => none

        server: {dedup: none}
        strategies: {a: {strategy: coap}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        timeline: [{at: 1m, access: refused}]
        => `access` in the timeline has no effect on android-15: its networks have no such states

        phone: {platform: ios-18, radios: {wifi: test-wifi}}
        timeline: [{at: 1m, access: refused}]
        => none

        timeline: [{at: 1m, access: refused}]
        => none

        phone: {platform: ios-18, radios: {wifi: test-wifi}}
        timeline: [{at: 1m, motion: moving}]
        => `motion` in the timeline has no effect on ios-18: only Doze depends on it

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        timeline: [{at: 1m, motion: moving}]
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        timeline: [{at: 1m, access: refused}]
        population: {x: {share: 50%}, y: {share: 50%}}
        phones: 2
        => none

        phone: {platform: ios-18, radios: {wifi: test-wifi}}
        timeline: [{at: 1m, motion: moving}]
        population: {x: {share: 50%}, y: {share: 50%}}
        phones: 2
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi}}
        timeline: [{at: 1m, app: background}]
        => none
        """#

    /// Broken: a setting without effect has no note, a note names another client or number, or a setting with an effect
    /// has a note.
    @Test func settingsWithoutEffectAreNoted() throws {
        var vocabulary = testVocabulary
        vocabulary.strategies = StrategyCatalog.strategies
        let loader = ScenarioLoader(vocabulary) { _ in .failure(FileError("no such file")) }
        func key(_ line: some StringProtocol) -> String { String(line.prefix { $0 != ":" }) }
        for row in Self.table.split(separator: "\n\n") {
            let parts = row.split(separator: "\n=> ")
            let own = parts[0].split(separator: "\n").map { key($0) }
            let text = (Self.head.filter { !own.contains(key($0)) } + [String(parts[0])]).joined(separator: "\n")
            let loaded = loader.load(Array((text + "\n").utf8), name: "notes.yaml")
            #expect(loaded.faults.isEmpty, "\(faultTexts(loaded))")
            let scenario = try #require(loaded.scenarios.first)
            #expect(scenario.notes == (parts[1] == "none" ? [] : [String(parts[1])]), "\(row)")
        }
    }

    /// Broken: the page of a middlebox names another time or another manner than its numbers.
    @Test func pagesOfMiddleboxesFollowTheirNumbers() {
        #expect(MiddleboxDescription.all.map(\.name) == Middlebox.presets.map(\.name))
        var seen: Set<String> = []
        for (page, preset) in zip(MiddleboxDescription.all, Middlebox.presets) {
            #expect(page.about == preset.about)
            for (name, idle) in [("TCP", preset.box.tcp), ("UDP", preset.box.udp)] {
                let words =
                    idle == Middlebox.blocked
                    ? "blocked, so no QUIC connection opens"
                    : idle == .longest
                        ? "never forgotten" : "forgotten after \(QuantityKind.span.text(idle.nanoseconds))"
                #expect(page.page.contains("\(name): \(words)."), "\(page.name): \(page.page)")
            }
            let manners = [
                ("dropped silently", Middlebox.ExpiryAction.drop), ("answered with RST", .reset),
                ("until the phone sends a packet", .oneWay), ("both ends are notified", .close),
            ]
            for (words, manner) in manners {
                #expect(page.page.contains(words) == (preset.box.expiryAction == manner), "\(page.name)")
            }
            seen.insert("\(preset.box.expiryAction)")
        }
        #expect(seen.count > 1)
    }
}
