import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
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
        (rules(0), "+ + 1:0 * 2:0 + 3:0", "issued refused refused"),
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
        var rules = rules
        rules.roundTrips = 1
        var state = CredentialState(age: .zero)
        var now = Instant.zero
        var results: [String] = []
        var last: UInt16 = 0
        for word in story.split(separator: " ") {
            switch word {
            case "+", "p":
                let step = state.begin(byUser: word == "p", rules, at: now, within: .hours(1))
                #expect(Self.text(step, now).hasPrefix("send"))
            case "*":
                let step = state.receive(Self.answer(last, round: 0, at: now), rules, at: now)
                #expect(Self.text(step, now).hasPrefix("renewed"))
            default:
                let parts = word.split(separator: ":").map { Int64($0)! }
                now += .seconds(parts[1])
                last = UInt16(parts[0])
                results.append("\(state.decide(last, isServed: true, rules, at: now)!)")
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

    private static func answer(_ number: UInt16, round: UInt32, at now: Instant) -> Packet {
        Packet(.tokenResponse, cause: .connect, bytes: 100, number: number, first: round, stamp: now)
    }

    private static func request(_ number: UInt16, round: UInt32, at now: Instant) -> Packet {
        Packet(.tokenRequest, cause: .connect, bytes: 100, number: number, first: round, stamp: now)
    }

    private static func text(_ step: CredentialState.PhoneStep, _ now: Instant) -> String {
        func seconds(_ span: TimeSpan) -> Int64 { span.nanoseconds / 1_000_000_000 }
        switch step {
        case .nothing: return "nothing"
        case .loaded(let change): return "loaded \(change)"
        case .send(let trip):
            let packet = trip.packet
            #expect(packet.content == .tokenRequest && packet.stamp == now)
            return
                "send \(packet.number)/\(packet.first), \(packet.bytes) B, check after \(seconds(trip.checkedAt - now)) "
                + "of \(seconds(trip.wait)) s"
        case .unanswered: return "unanswered"
        case .renewed(let token, let after, let loggedOutFor):
            return "renewed from \(seconds(token.issued - .zero)) until \(seconds(token.expires - .zero)) "
                + "after \(seconds(after)) s"
                + (loggedOutFor.map { " logged out for \(seconds($0)) s" } ?? "")
        case .refused(let isFirst): return "refused" + (isFirst ? " first" : "")
        }
    }

    /// Broken: a lost packet is sent again at another time, after the deadline, or although it was answered. Or the waits
    /// of a later round trip do not begin anew, an answer counts twice, or the last one is no larger than the others.
    @Test func roundTripsFollowEachOther() {
        let rules = Self.rules(0)
        var state = CredentialState(age: .zero)
        func at(_ second: Int64) -> Instant { .zero + .seconds(second) }
        func begin(_ second: Int64, within timeout: Int64) -> String {
            Self.text(state.begin(byUser: false, rules, at: at(second), within: .seconds(timeout)), at(second))
        }
        func check(_ number: UInt16, _ round: UInt32, after wait: Int64, at second: Int64) -> String {
            let packet = Self.request(number, round: round, at: .zero)
            return Self.text(state.check(packet, after: .seconds(wait), rules, at: at(second)), at(second))
        }
        func receive(_ number: UInt16, _ round: UInt32, at second: Int64) -> String {
            let packet = Self.answer(number, round: round, at: .zero)
            return Self.text(state.receive(packet, rules, at: at(second)), at(second))
        }
        func arrive(_ number: UInt16, _ round: UInt32) -> CredentialState.ServerStep {
            state.receiveAtServer(Self.request(number, round: round, at: .zero), rules)
        }
        #expect(begin(0, within: 20) == "send 1/0, 500 B, check after 1 of 1 s")
        #expect(check(1, 0, after: 1, at: 1) == "send 1/0, 500 B, check after 2 of 2 s")
        #expect(check(1, 0, after: 2, at: 3) == "send 1/0, 500 B, check after 4 of 4 s")
        #expect(arrive(1, 0) == .answer && arrive(1, 0) == .answer && arrive(2, 0) == .nothing)
        #expect(receive(1, 0, at: 4) == "send 1/1, 500 B, check after 1 of 1 s")
        #expect(check(1, 0, after: 4, at: 7) == "nothing" && receive(1, 0, at: 7) == "nothing")
        #expect(receive(1, 1, at: 7) == "send 1/2, 1000 B, check after 1 of 1 s")
        #expect(arrive(1, 2) == .work && arrive(1, 2) == .nothing)
        #expect(state.decide(1, isServed: true, rules, at: at(8)) == .issued && arrive(1, 2) == .answer)
        #expect(receive(1, 2, at: 9) == "renewed from 8 until 608 after 9 s")
        #expect(receive(1, 2, at: 9) == "nothing" && check(1, 2, after: 1, at: 9) == "nothing")
        #expect(arrive(1, 2) == .nothing && state.decide(1, isServed: true, rules, at: at(9)) == nil)
        // The deadline ends a request before its next repeat.
        #expect(begin(10, within: 2) == "send 2/0, 500 B, check after 1 of 1 s")
        #expect(check(2, 0, after: 1, at: 11) == "send 2/0, 500 B, check after 1 of 2 s")
        #expect(check(2, 0, after: 2, at: 12) == "unanswered")
        #expect(receive(2, 0, at: 12) == "nothing" && check(2, 0, after: 2, at: 12) == "nothing")
        // An answer of any round trip does not move the deadline.
        #expect(begin(20, within: 1) == "send 3/0, 500 B, check after 1 of 1 s")
        #expect(receive(3, 0, at: 20) == "send 3/1, 500 B, check after 1 of 1 s")
        #expect(check(3, 0, after: 1, at: 21) == "unanswered")
    }

    /// Broken: a user is logged out twice, a request goes on after a logout, a new process believes that its user is
    /// logged in, or the time logged out begins or ends at another moment. A server without capacity refuses, or one
    /// that has revoked the tokens accepts them from a new process.
    @Test func refusalsLogOut() {
        var rules = Self.rules(0)
        rules.roundTrips = 1
        var state = CredentialState(age: .seconds(30))
        func at(_ second: Int64) -> Instant { .zero + .seconds(second) }
        func request(_ number: UInt16, byUser: Bool = false, isServed: Bool = true, at second: Int64) -> String {
            _ = state.begin(byUser: byUser, rules, at: at(second), within: .hours(1))
            _ = state.decide(number, isServed: isServed, rules, at: at(second))
            return Self.text(state.receive(Self.answer(number, round: 0, at: .zero), rules, at: at(second)), at(second))
        }
        #expect(state.load(rules) == .stored(AccessToken(issued: at(-30), expires: at(570))))
        #expect(request(1, isServed: false, at: 1) == "unanswered" && state.endLogout(at: at(2)) == nil)
        // Two requests present the same token. The second one revokes all tokens.
        _ = state.begin(byUser: false, rules, at: at(3), within: .hours(1))
        #expect(request(3, at: 4) == "renewed from 4 until 604 after 0 s")
        _ = state.decide(2, isServed: true, rules, at: at(5))
        #expect(state.isRevoked)
        // A process that starts before the refusal arrives has a token that the server refuses.
        var restarted = state
        let stored = AccessToken(issued: at(4), expires: at(604))
        #expect(restarted.load(rules) == .stored(stored) && restarted.acceptedUntil(stored) == .zero)
        _ = state.begin(byUser: false, rules, at: at(5), within: .hours(1))
        #expect(
            Self.text(state.receive(Self.answer(2, round: 0, at: .zero), rules, at: at(6)), at(6)) == "refused first")
        #expect(state.refresh(4) == nil && state.load(rules) == .refused)
        #expect(request(5, at: 7) == "refused")
        #expect(request(6, byUser: true, at: 10) == "renewed from 10 until 610 after 0 s logged out for 4 s")
        #expect(!state.isRevoked && state.endLogout(at: at(11)) == nil && state.acceptedUntil(stored) == at(604))
    }

    /// Broken: requests beyond the limit take the place of others, a number is used twice, or a new process knows requests
    /// of the one before.
    @Test func countsRequestsInFlight() {
        let rules = Self.rules(0)
        var state = CredentialState(age: .zero)
        func begin() -> UInt16? {
            let step = state.begin(byUser: false, rules, at: .zero, within: .seconds(1))
            guard case .send(let trip) = step else { return nil }
            return trip.packet.number
        }
        #expect((0..<5).map { _ in begin() } == [1, 2, 3, 4, nil])
        #expect((1...4).allSatisfy { state.refresh($0) != nil } && state.refresh(0) == nil)
        _ = state.check(Self.request(3, round: 0, at: .zero), after: .seconds(1), rules, at: .zero + .seconds(1))
        #expect(state.refresh(3) == nil && begin() == 5)
        #expect((1...5).filter { state.refresh($0) != nil } == [1, 2, 4, 5])
        _ = state.load(rules)
        #expect((1...5).allSatisfy { state.refresh($0) == nil } && begin() == 6)
    }

    /// Broken: a server that does not run answers a request, the answer goes to another address or has another size, a
    /// decision is recorded wrongly, or a revoked token still counts.
    @Test func theServerAnswersEachRoundTrip() {
        let bench = ServerBench {
            var rules = Self.rules(0)
            rules.issueTime = .seconds(2)
            $0.credentials = rules
        }
        let state = StableValue(CredentialState(age: .zero))
        let address = PhoneAddress(.cellular, addressNumber: 3)
        func arrive(_ number: UInt16, _ round: UInt32) -> [String] {
            bench.taking {
                bench.act { [now = bench.now] in
                    let packet = Self.request(number, round: round, at: now)
                    $0.receiveTokenRequest(packet, from: address, state.pointer, at: now, &$1)
                }
            }
        }
        func decide(_ number: UInt16, isServed: Bool = true) -> [String] {
            bench.taking {
                bench.act { [now = bench.now] in
                    $0.decideTokenRequest(number, isServed: isServed, from: address, state.pointer, at: now, &$1)
                }
            }
        }
        for _ in 0..<3 {
            _ = state.pointer.pointee.begin(byUser: false, Self.rules(0), at: .zero, within: .hours(1))
        }
        for stop in [{ $0.isDown = $1 }, { $0.isFrozen = $1 }] as [(inout Server, Bool) -> Void] {
            stop(&bench.server, true)
            #expect(arrive(1, 0).isEmpty && arrive(1, 2).isEmpty)
            stop(&bench.server, false)
        }
        #expect(arrive(1, 0) == ["send tokenResponse 1/0 1250 B to cellular/3"])
        #expect(arrive(1, 2) == ["schedule token(1, isServed: true) 0 at 2000"] && arrive(1, 2).isEmpty)
        #expect(decide(1) == ["send tokenResponse 1/2 2500 B to cellular/3"])
        #expect(arrive(1, 2) == ["send tokenResponse 1/2 2500 B to cellular/3"] && decide(9).isEmpty)
        bench.server.setTokenExpiry(.zero + .hours(1))
        #expect(arrive(2, 2).count == 1 && decide(2, isServed: false).count == 1)
        check(!bench.server.hasExpiredToken(at: bench.now))
        // The first request has used the token up.
        #expect(arrive(3, 2).count == 1)
        #expect(decide(3) == ["credentialsRefused refresh 0", "send tokenResponse 3/2 2500 B to cellular/3"])
        check(bench.server.hasExpiredToken(at: bench.now))
    }
}
