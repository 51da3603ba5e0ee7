import DeadzoneBase
import Testing
@testable import DeadzoneSimulator

/// Decisions of the server about requests for another access token.
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
