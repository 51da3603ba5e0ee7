import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Decisions of the server about access tokens, and about requests for others.
@Suite struct CredentialTests {
    private static func rules(_ grace: Int64, revokes: Bool = true, singleUse: Bool = true) -> CredentialRules {
        var rules = CredentialRules(life: .minutes(10))
        (rules.isSingleUse, rules.grace, rules.replayRevokes) = (singleUse, .seconds(grace), revokes)
        return rules
    }

    /// Broken: a used refresh token works, an unused one does not, the grace is ignored, or a replay revokes too much or
    /// too little. A story is a list of requests: `+` begins one with the stored token, a number decides the request with
    /// this number after as many seconds, `*` stores its answer, `p` is a login by password.
    @Test(arguments: [
        // Requests one after the other.
        (rules(0), "+ 1:0 * + 2:0 *", "issued issued"),
        // Two at once: the second presents a used token.
        (rules(0), "+ + 1:0 2:0", "issued refused"),
        // A replay revokes what the first request got.
        (rules(0), "+ + 1:0 2:0 * + 3:0", "issued refused refused"),
        (rules(0, revokes: false), "+ + 1:0 * 2:0 + 3:0", "issued refused issued"),
        // The grace ends.
        (rules(10), "+ + 1:0 2:10", "issued issued"), (rules(10), "+ + 1:0 2:11", "issued refused"),
        // The answer was lost, and the client asks again with the same token.
        (rules(0), "+ 1:0 + 2:5", "issued refused"), (rules(10), "+ 1:0 + 2:5 * + 3:99", "issued issued issued"),
        // Two used tokens back is no grace.
        (rules(10), "+ + 1:0 * + 3:0 2:0", "issued issued refused"),
        // Without single use nothing is used up.
        (rules(0, singleUse: false), "+ + 1:0 2:0 + 3:9", "issued issued issued"),
        // The user's password helps after a revocation.
        (rules(0), "+ + 1:0 2:0 p 3:0 * + 4:0", "issued refused issued issued"),
    ])
    func decidesRequests(rules: CredentialRules, story: String, expected: String) {
        var state = CredentialState(age: .zero)
        var now = Instant.zero
        var results: [String] = []
        var last = 0
        for word in story.split(separator: " ") {
            switch word {
            case "+", "p": #expect(state.begin(byUser: word == "p", at: now, within: .hours(1)) != nil)
            case "*":
                state.stored = state.refreshes[last].granted
                state.refreshes[last].number = 0
            default:
                let parts = word.split(separator: ":").map { Int64($0)! }
                now += .seconds(parts[1])
                last = state.place(of: UInt16(parts[0]))!
                state.decide(last, rules, at: now)
                results.append("\(state.refreshes[last].result)")
            }
        }
        #expect(results.joined(separator: " ") == expected, "\(story)")
    }

    /// Broken: a call with an expired token is answered or not recorded, one with a valid token is refused because of it,
    /// or the token is checked before the rate limit or after another error.
    @Test func aCallNeedsAValidToken() {
        func bench(checksCalls: Bool = true, _ set: (inout ServerProfile) -> Void = { _ in }) -> ServerBench {
            let bench = ServerBench(.everySecond) {
                var rules = CredentialRules(life: .minutes(10))
                rules.checksCalls = checksCalls
                $0.credentials = rules
                set(&$0)
            }
            bench.open(Transport(.http2))
            bench.server.setTokenExpiry(.zero + .seconds(5))
            bench.now = .zero + .seconds(5)
            return bench
        }
        func outcome(_ call: UInt32, _ bench: ServerBench) -> [String] {
            let lines = bench.taking { bench.read(.call, call) }.filter { !$0.hasPrefix("send ") }
            defer { bench.settle() }
            return lines + bench.frames()
        }
        let expired = ["credentialsRefused call 0", "serverRejected permanent 1", "refusal 1 unauthenticated"]
        let plain = bench()
        plain.now = .zero + .seconds(5) - .nanoseconds(1)
        #expect(outcome(0, plain) == ["serverAsked 0", "answer 0"])
        plain.now = .zero + .seconds(5)
        #expect(outcome(1, plain) == ["serverAsked 1"] + expired)
        #expect(outcome(1, bench(checksCalls: false)) == ["serverAsked 1", "answer 1"])
        #expect(outcome(1, bench { $0.faults.permanent = .one }) == ["serverAsked 1"] + expired)
        #expect(
            outcome(1, bench(checksCalls: false) { $0.faults.permanent = .one })
                == ["serverAsked 1", "serverRejected permanent 1", "refusal 1 permanent"])
        let limited = bench { $0.faults.rateLimit = RateLimit(every: .seconds(10), burst: 1) }
        #expect(outcome(1, limited) == ["serverAsked 1"] + expired)
        #expect(outcome(2, limited) == ["serverAsked 2", "serverRejected rate_limited 2", "refusal 2 rateLimited"])
    }

    /// Broken: requests beyond the limit take the place of others, or a number is used twice.
    @Test func countsRequestsInFlight() {
        var state = CredentialState(age: .zero)
        let places = (0..<5).map { _ in state.begin(byUser: false, at: .zero, within: .seconds(1)) }
        #expect(places == [0, 1, 2, 3, nil])
        #expect((1...4).map { state.place(of: $0) } == [0, 1, 2, 3] && state.place(of: 0) == nil)
        state.refreshes[2].number = 0
        #expect(state.place(of: 3) == nil && state.begin(byUser: false, at: .zero, within: .seconds(1)) == 2)
        #expect(state.place(of: 5) == 2)
        state.forgetRefreshes()
        #expect((1...5).allSatisfy { state.place(of: $0) == nil })
    }
}
