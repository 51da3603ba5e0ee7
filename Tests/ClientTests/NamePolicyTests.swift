import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneClient

/// The memory of a client's library for the server's name.
@Suite struct NamePolicyTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private func policy(_ change: (inout NamePolicy) -> Void) -> NamePolicy {
        var policy = NamePolicy()
        change(&policy)
        return policy
    }

    /// Broken: an address is kept for another time, or the first attempt uses one that was never answered.
    @Test func addressesAreKept() {
        for (kept, times) in [
            (TimeSpan.zero, [(0, false)]), (.seconds(10), [(0, true), (9, true), (10, false)]),
            (.longest, [(0, true), (1_000_000, true)]),
        ] as [(TimeSpan, [(Int64, Bool)])] {
            let policy = policy { $0.keepsAddress = kept }
            var state = NamePolicy.State()
            #expect(policy.choose(&state, at: Self.at(5)) == .ask(orElse: nil))
            policy.answered(7, &state, at: Self.at(5))
            for (after, isKept) in times {
                #expect(policy.choose(&state, at: Self.at(5 + after)) == (isKept ? .use(7) : .ask(orElse: nil)))
            }
        }
    }

    /// Broken: another number of failed attempts makes the library ask, an opened connection does not count from the
    /// beginning, or another address does not.
    @Test func failedAttemptsAskAgain() {
        let policy = policy {
            $0.keepsAddress = .longest
            $0.asksAfter = 3
        }
        var state = NamePolicy.State()
        func uses() -> Int {
            for count in 0..<20 where policy.choose(&state, at: Self.at(9)) != .use(7) { return count }
            return 20
        }
        policy.answered(7, &state, at: .zero)
        // The attempt that asked is the first of three.
        #expect(uses() == 2)
        policy.opened(&state)
        #expect(uses() == 3)
        policy.unresolved(&state, at: Self.at(9))
        #expect(uses() == 0)
        policy.answered(7, &state, at: Self.at(9))
        #expect(uses() == 2)
        let endless = self.policy { $0.keepsAddress = .longest }
        endless.answered(7, &state, at: .zero)
        for _ in 0..<1_000 { #expect(endless.choose(&state, at: Self.at(9)) == .use(7)) }
    }

    /// Broken: a failure is kept for another time, is stronger than an address that is kept, or outlives an answer.
    @Test func failuresAreKept() {
        let policy = policy {
            $0.keepsFailure = .seconds(30)
            $0.keepsAddress = .seconds(100)
        }
        var state = NamePolicy.State()
        policy.unresolved(&state, at: Self.at(10))
        #expect(policy.choose(&state, at: Self.at(39)) == .fail)
        #expect(policy.choose(&state, at: Self.at(40)) == .ask(orElse: nil))
        policy.answered(7, &state, at: Self.at(40))
        policy.unresolved(&state, at: Self.at(120))
        #expect(policy.choose(&state, at: Self.at(139)) == .use(7))
        #expect(policy.choose(&state, at: Self.at(140)) == .fail)
        policy.answered(7, &state, at: Self.at(141))
        #expect(policy.choose(&state, at: Self.at(142)) == .use(7))
    }

    /// Broken: an old address is not used when the name is not resolved, or is used although it may not be.
    @Test func oldAddressesAreUsedWhenFailing() {
        for usesStale in [false, true] {
            let policy = policy {
                $0.keepsFailure = .seconds(30)
                $0.usesStale = usesStale
            }
            var state = NamePolicy.State()
            #expect(policy.choose(&state, at: .zero) == .ask(orElse: nil))
            policy.answered(7, &state, at: .zero)
            #expect(policy.choose(&state, at: Self.at(1)) == .ask(orElse: usesStale ? 7 : nil))
            policy.unresolved(&state, at: Self.at(1))
            #expect(policy.choose(&state, at: Self.at(2)) == (usesStale ? .use(7) : .fail))
        }
    }

    /// Broken: a wrong policy is accepted, or a correct one refused.
    @Test(
        arguments: [
            ("names.resolves: at-start; names.after: 3", []), ("names.cache: 10m; names.negative: 30s", []),
            ("names.resolves: at-start; names.cache: 10m", ["`cache` beside `resolves: at-start`"]),
            ("names.resolves: never", ["unknown word `never`"]), ("names.after: 0", ["`0` is out of range"]),
            ("names.stale: always", ["unknown word `always`"]), ("names.family: ipv6", ["unknown word `ipv6`"]),
            ("names.family: ipv4; names.cache: 10m", []), ("names.family: literal", []),
            ("names.family: literal; names.cache: 10m", ["`cache` beside `family: literal`"]),
            ("names.family: literal; names.after: 3", ["`after` beside `family: literal`"]),
        ] as [(String, [String])])
    func refusesWrongPolicies(line: String, faults: [String]) {
        #expect(SettingLine(line).read().faults == faults, "\(line)")
    }

    /// Broken: another policy than the written one decides.
    @Test func settingsArePolicies() {
        func names(_ line: String) -> NamePolicy? { SettingLine(line).read().client.names }
        #expect(names("") == nil)
        #expect(names("names.resolves: each-attempt") == NamePolicy())
        let once = policy {
            $0.keepsAddress = .longest
            $0.asksAfter = 3
        }
        #expect(names("names.resolves: at-start; names.after: 3") == once)
        let cache = policy {
            $0.keepsAddress = .minutes(10)
            $0.keepsFailure = .seconds(30)
            $0.usesStale = true
        }
        #expect(names("names.cache: 10m; names.negative: 30s; names.stale: when-failing") == cache)
        #expect(names("names.family: ipv4") == policy { $0.family = .ipv4 })
        #expect(names("names.family: literal") == policy { $0.family = .literal })
        #expect(names("names.family: any") == NamePolicy())
    }
}
