import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

@testable import DeadzoneTransport

/// Calls: answers, refusals and retries, alone and with a shared cluster.
@Suite struct ServerCallTests {
    private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    /// Broken: an answer is written at another time or with other bytes, or its stream stays open.
    @Test(arguments: [0, 1, 250] as [Int64])
    func anAnswerTakesTheThinkTime(think: Int64) {
        let bench = ServerBench(.everySecond) { $0.thinkTime = .milliseconds(think) }
        bench.open(Transport(.http2))
        let lines = bench.taking { bench.read(.call, 70) }
        #expect(
            lines
                == (think == 0
                    ? ["serverAsked 70", "send data 0"] : ["serverAsked 70", "schedule answer(70) 0 at \(think)"]))
        #expect(bench.server.seenCalls(0) == 1 << 6 && bench.server.lastStream(0) == 3)
        if think > 0 {
            #expect(bench.server.ends[0].openCallCount == 1)
            bench.now = Self.at(think)
            #expect(bench.taking { check(!bench.run(.answer(70))) } == ["send data 0"])
        }
        let answer = bench.ranges()
        #expect(answer.map(\.text) == ["answer 70"] && answer.first?.cause == .payload)
        #expect(answer.first?.bytes == bench.server.ends[0].config.pointee.serverRules.framing.exchange(200))
        #expect(bench.server.ends[0].openCallCount == 0 && bench.server.ends[0].callCount == 1)
        bench.server.forgetSeen(6, 0)
        #expect(bench.server.seenCalls(0) == 0)
    }

    /// Broken: a full send buffer loses an answer, retries it at another time, or counts an unchanged retry as a change.
    @Test func aFullBufferDelaysAnswers() {
        var streams = Traffic.everySecond
        streams.answer = .constant(40_000)
        let bench = ServerBench(streams) { $0.sendBuffer = 5_000 }
        bench.open(Transport(.http2))
        #expect(bench.taking { bench.read(.call, 0) }.count > 1 && bench.server.ends[0].openCallCount == 0)
        #expect(bench.taking { bench.read(.call, 1) } == ["serverAsked 1", "schedule answer(1) 0 at 1"])
        bench.wait(.milliseconds(1))
        #expect(bench.taking { check(bench.run(.answer(1))) } == ["schedule answerRetry(1) 0 at 101"])
        #expect(bench.server.ends[0].openCallCount == 1)
        bench.settle()
        bench.wait(.milliseconds(100))
        #expect(bench.taking { check(!bench.run(.answerRetry(1))) }.allSatisfy { $0 == "send data 0" })
        #expect(bench.frames() == ["answer 1"])
    }

    /// Broken: a frozen program answers or refuses, or a connection that is gone gets an answer.
    @Test func onlyARunningProgramAnswers() {
        let bench = ServerBench(.everySecond) { $0.thinkTime = .seconds(1) }
        bench.open(Transport(.http2))
        bench.read(.call, 0)
        bench.change(.frozen)
        #expect(bench.taking { check(bench.run(.answer(0))) } == ["schedule answerRetry(0) 0 at 100"])
        #expect(bench.taking { check(!bench.run(.refusal(0))) } == ["schedule refusal(0) 0 at 100"])
        bench.change(.thawed)
        #expect(bench.taking { check(!bench.run(.answer(0), generation: 9)) }.isEmpty)
        #expect(bench.taking { check(!bench.run(.refusal(0), generation: 9)) }.isEmpty)
        #expect(bench.taking { bench.run(.refusal(0)) } == ["serverRejected overloaded 0", "send data 0"])
        #expect(bench.frames() == ["refusal 0 overloaded"])
        bench.server.ends[0].isAttached = false
        #expect(bench.taking { bench.run(.answer(0)) }.isEmpty && bench.taking { bench.run(.refusal(0)) }.isEmpty)
    }

    /// Broken: a draining connection takes a call above the last stream, or refuses one below it.
    @Test func aDrainingConnectionTakesCallsUntilItsSecondGoAway() {
        let bench = ServerBench(.everySecond) { $0.thinkTime = .hours(1) }
        bench.open(Transport(.http2))
        check(bench.server.acceptsCalls(0))
        bench.read(.call, 0)
        bench.change(.draining)
        check(bench.server.acceptsCalls(0))
        #expect(bench.taking { bench.read(.call, 1) } == ["serverAsked 1", "schedule answer(1) 0 at 3600000"])
        bench.read(.pong, 0)
        #expect(!bench.server.acceptsCalls(0) && bench.taking { bench.read(.call, 2) }.isEmpty)
        #expect(bench.server.lastStream(0) == 7 && bench.server.seenCalls(0) == 3)
        _ = bench.frames()
        bench.now = Self.at(3_600_000)
        bench.run(.answer(0))
        #expect(bench.frames() == ["answer 0"], "two calls are still open")
        bench.server.ends[0].isClosing = true
        check(!bench.server.acceptsCalls(0))
    }

    /// Broken: the last answer of a draining connection does not close it, or an earlier one does.
    @Test func theLastAnswerClosesADrainingConnection() {
        let bench = ServerBench(.everySecond) { $0.thinkTime = .hours(1) }
        bench.open(Transport(.http2), 0)
        bench.read(.call, 0, 0)
        bench.read(.call, 1, 0)
        bench.change(.draining)
        bench.read(.pong, 0, 0)
        bench.open(Transport(.http2), 1)
        _ = bench.frames(0)
        bench.run(.answer(0), 0)
        #expect(bench.frames(0) == ["answer 0"] && bench.server.serves(0))
        #expect(bench.taking { bench.run(.answer(1), 0) }.contains("changed"))
        #expect(bench.frames(0) == ["answer 1", "finish"] && !bench.server.serves(0) && bench.server.isAttached(1))
    }

    // MARK: Errors

    /// Broken: a call fails at another rate than its setting, for another reason, or an error depends on more than the
    /// call and its visit. The model draws the same numbers.
    @Test func callsFailAtTheirRates() {
        let rates = (
            permanent: Probability(1, of: 8), unprocessed: Probability(1, of: 6), transient: Probability(1, of: 3),
            committed: Probability(1, of: 2)
        )
        var counts: [String: Int] = [:]
        for seed in 1...20 as ClosedRange<UInt64> {
            let bench = ServerBench(.everySecond, seed: seed) {
                $0.faults.permanent = rates.permanent
                $0.faults.unprocessed = rates.unprocessed
                $0.faults.transient = rates.transient
                $0.faults.afterHeaders = rates.committed
            }
            bench.open(Transport(.http2))
            let dice = bench.dice(.serverErrors)
            for call in 0..<12 as Range<UInt32> {
                for visit in [0, 1, 5, 6, 7, 20] as [UInt64] {
                    let base = UInt64(call) * 8
                    let (first, second) = dice.pair(at: base + 1 + min(visit, 6))
                    let expected: RefusalCode? =
                        rates.permanent.hits(dice.pair(at: base).1)
                        ? .permanent
                        : rates.unprocessed.hits(first)
                            ? .unprocessed
                            : !rates.transient.hits(second)
                                ? nil : rates.committed.hits(first) ? .committed : .transient
                    let lines = bench.taking { bench.read(.call, call, visit: visit) }
                    let frames = bench.ranges()
                    bench.settle()
                    let name = expected.map { RejectionCode($0).name }
                    #expect(lines.first == "serverAsked \(call)")
                    #expect(lines.dropFirst().first == (name.map { "serverRejected \($0) \(call)" } ?? "send data 0"))
                    #expect(frames.map(\.text) == [expected.map { "refusal \(call) \($0)" } ?? "answer \(call)"])
                    let framing = bench.server.ends[0].config.pointee.serverRules.framing
                    if let expected {
                        #expect(
                            frames.first?.bytes
                                == (expected == .unprocessed ? framing.control(13) : framing.exchange(0)))
                    }
                    #expect(bench.server.ends[0].openCallCount == 0)
                    counts[expected.map { "\($0)" } ?? "answer", default: 0] += 1
                }
            }
        }
        #expect(counts.count == 5 && counts.values.allSatisfy { $0 > 50 }, "\(counts)")
    }

    /// Broken: the rate limit is checked after other errors, or its refusals count as requests.
    @Test func theRateLimitIsCheckedFirst() {
        let bench = ServerBench(.everySecond) {
            $0.faults.rateLimit = RateLimit(every: .seconds(10), burst: 2)
            $0.faults.permanent = .one
        }
        bench.open(Transport(.http2))
        func outcome(_ call: UInt32) -> String { bench.taking { bench.read(.call, call) }[1] }
        #expect(outcome(0) == "serverRejected permanent 0" && outcome(1) == "serverRejected permanent 1")
        #expect(outcome(2) == "serverRejected rate_limited 2")
        bench.now = .zero + .seconds(10) - .nanoseconds(1)
        #expect(outcome(3) == "serverRejected rate_limited 3")
        bench.now = .zero + .seconds(10)
        #expect(outcome(4) == "serverRejected permanent 4" && outcome(5) == "serverRejected rate_limited 5")
    }

    /// Broken: a refusal is decoded as another reason, another call or another status.
    @Test func aRefusalKeepsItsReasonAndItsCall() {
        var faults = ServerFaults()
        faults.pushback = .after(.seconds(1))
        faults.rateLimitPushback = .after(.seconds(2))
        faults.overloadPushback = .stop
        let table: [(RefusalCode, RejectionCode, CallRefusal)] = [
            (.transient, .transient, CallRefusal(.unavailable, pushback: .after(.seconds(1)))),
            (.committed, .transient, CallRefusal(.unavailable, pushback: .after(.seconds(1)), isCommitted: true)),
            (.permanent, .permanent, CallRefusal(.permissionDenied)),
            (.rateLimited, .rateLimited, CallRefusal(.resourceExhausted, pushback: .after(.seconds(2)))),
            (.overloaded, .overloaded, CallRefusal(.unavailable, pushback: .stop)),
            (.unprocessed, .unprocessed, CallRefusal(.unavailable, isUnprocessed: true)),
            (.unauthenticated, .permanent, CallRefusal(.permissionDenied, needsCredentials: true)),
        ]
        #expect(table.map(\.0) == RefusalCode.allCases)
        for (code, recorded, refusal) in table {
            #expect(RejectionCode(code) == recorded && code.callRefusal(faults) == refusal)
            for call in [0, 1, 1_000_000, UInt32.max / 8 - 1] {
                #expect(RefusalCode(item: code.item(call)) == code && RefusalCode.call(ofItem: code.item(call)) == call)
            }
        }
        #expect(RefusalCode(item: 7) == nil && RefusalCode(item: 15) == nil)
        #expect(ExpiryCode(.idle) == .idle && ExpiryCode(.age) == .age)
    }

    // MARK: The shared cluster

    /// Broken: a request has another number, handshake time or instance, or a server without a cluster submits one.
    @Test func requestsGoToTheCluster() {
        let security: [(Transport.TLSMode, Int64)] = [
            (.none, 0), (.tls12, 5), (.tls12Resumed, 2), (.tls13, 5), (.tls13Resumed, 2), (.tls13Early, 2),
        ]
        for (mode, cost) in security {
            let bench = ServerBench(.everySecond) {
                $0.acceptsPerSecond = 100
                $0.handshakeCost = HandshakeCost(full: .milliseconds(5), resumed: .milliseconds(2))
            }
            bench.renew(Transport(.webSocket, security: mode))
            bench.hello()
            bench.request()
            #expect(bench.submitted.count == 1 && bench.submitted[0].kind == .session(handshake: .milliseconds(cost)))
            #expect(bench.server.ends[0].sessionRequest == .queued && bench.server.ends[0].pendingOutcomes == 1)
        }
        let plain = ServerBench(.everySecond) { $0.acceptsPerSecond = 100 }
        plain.renew()
        plain.hello()
        plain.request()
        #expect(plain.submitted.first?.kind == .session(handshake: .zero))
        let database = ServerBench(.everySecond) { $0.cluster.database = .init(queriesPerSecond: 10) }
        database.open(Transport(.http2))
        #expect(database.submitted.count == 1)
        database.decide(.served(at: .zero, by: 3), windowEnd: .zero + .nanoseconds(1))
        #expect(database.taking { database.read(.call, 4) } == ["serverAsked 4", "submit call 4 0 #1 at 0 of 3"])
        let alone = ServerBench(.everySecond)
        alone.open(Transport(.http2))
        alone.read(.call, 0)
        #expect(alone.submitted.isEmpty)
    }

    /// Broken: a setting makes the server shared that must not, or one that must does not.
    @Test func someSettingsShareTheServer() {
        func profile(_ set: (inout ServerProfile) -> Void) -> [Bool] {
            var profile = ServerProfile()
            set(&profile)
            return [profile.sharesSessions, profile.sharesCalls, profile.isShared]
        }
        #expect(profile { _ in } == [false, false, false])
        #expect(profile { $0.acceptsPerSecond = 1 } == [true, false, true])
        #expect(profile { $0.cluster.instances = 2 } == [true, false, true])
        #expect(profile { $0.cluster.connectionLimit = 2 } == [true, false, true])
        #expect(profile { $0.faults.requestsPerSecond = 2 } == [false, true, true])
        #expect(profile { $0.cluster.database = .init(queriesPerSecond: 2) } == [true, true, true])
        #expect(profile { $0.faults.queueTimeout = .seconds(1) } == [false, false, false])
        var profile = ServerProfile()
        profile.faults.retryAfter = .seconds(3)
        #expect(profile.retryAfter == .seconds(3))
        profile.cluster.shedding = .seconds(4)
        #expect(profile.retryAfter == .seconds(4) && ServerProfile().retryAfter == nil)
    }

    /// Broken: an outcome of a call is applied at another time, or as another outcome.
    @Test func eachOutcomeOfACall() {
        struct Row {
            var outcome: Cluster.ServiceOutcome
            var requests: [String]
            var frames: [String]
        }
        let overloaded = ["serverRejected overloaded 0", "send data 0"]
        // The window ends at 100 ms, the request was made at 30 ms, the think time is 10 ms.
        let rows = [
            Row(outcome: .served(at: Self.at(80), by: 0), requests: ["send data 0 at 90"], frames: ["answer 0"]),
            Row(
                outcome: .served(at: Self.at(90), by: 0), requests: ["schedule answer(0) 0 at 100"], frames: []),
            Row(
                outcome: .served(at: Self.at(300), by: 0), requests: ["schedule answer(0) 0 at 310"], frames: []),
            Row(outcome: .refused, requests: [overloaded[0], "send data 0 at 30"], frames: ["refusal 0 overloaded"]),
            Row(
                outcome: .unanswered, requests: [overloaded[0], "send data 0 at 30"], frames: ["refusal 0 overloaded"]),
            Row(outcome: .reset, requests: [overloaded[0], "send data 0 at 30"], frames: ["refusal 0 overloaded"]),
            Row(
                outcome: .dropped(at: Self.at(99)), requests: [overloaded[0], "send data 0 at 99"],
                frames: ["refusal 0 overloaded"]),
            Row(outcome: .dropped(at: Self.at(100)), requests: ["schedule refusal(0) 0 at 100"], frames: []),
        ]
        for row in rows {
            for isThere in [true, false] {
                let bench = ServerBench(.everySecond) {
                    $0.faults.requestsPerSecond = 100
                    $0.thinkTime = .milliseconds(10)
                }
                bench.open(Transport(.http2))
                bench.now = Self.at(30)
                bench.read(.call, 0)
                bench.now = Self.at(100)
                if !isThere { bench.server.ends[0].isAttached = false }
                let lines = bench.taking { bench.decide(row.outcome) }
                #expect(lines == (isThere ? row.requests : []), "\(row.outcome)")
                #expect(bench.frames() == (isThere ? row.frames : []), "\(row.outcome)")
                #expect(bench.server.ends[0].pendingOutcomes == 0)
            }
        }
    }

    /// Broken: an outcome of a session is applied at another time, or as another outcome.
    @Test func eachOutcomeOfASession() {
        struct Row {
            var outcome: Cluster.ServiceOutcome
            var requests: [String]
            var goneRequests: [String] = []
        }
        let rows = [
            Row(
                outcome: .served(at: Self.at(69), by: 4),
                requests: ["serverAccepted 1", "resumed 0 at 0", "attached", "send data 0 at 99", "thaw 0"],
                goneRequests: ["released 4", "serverAccepted 1", "thaw 0"]),
            Row(
                outcome: .served(at: Self.at(70), by: 4), requests: ["schedule session 0 at 100"],
                goneRequests: ["released 4", "schedule session 0 at 100"]),
            Row(outcome: .refused, requests: ["serverRejected overloaded 1", "changed", "send data 0"]),
            Row(outcome: .dropped(at: Self.at(70)), requests: []),
            Row(outcome: .unanswered, requests: ["serverRejected unheard 1", "changed"]),
            Row(outcome: .reset, requests: ["serverHeld \(100_000_000)", "send reset 0"]),
        ]
        for row in rows {
            for isThere in [true, false] {
                let bench = ServerBench(.everySecond) {
                    $0.authentication = .milliseconds(30)
                    $0.cluster.connectionLimit = 100
                }
                bench.renew()
                bench.hello()
                bench.request()
                bench.now = Self.at(100)
                if !isThere { bench.server.ends[0].isHeld = false }
                let lines = bench.taking { bench.decide(row.outcome) }
                #expect(lines == (isThere ? row.requests : row.goneRequests), "\(row.outcome) \(isThere)")
                if case .unanswered = row.outcome { #expect(bench.server.ends[0].isOrphaned == isThere) }
                if case .served = row.outcome { #expect(bench.server.ends[0].instance == (isThere ? 4 : nil)) }
            }
        }
    }

    /// Broken: gRPC's SETTINGS wait for the authentication, or the session does not follow them.
    @Test func settingsAreSentBeforeTheSession() {
        let bench = ServerBench {
            $0.authentication = .milliseconds(30)
            $0.acceptsPerSecond = 10
        }
        bench.renew(Transport(.grpc))
        bench.hello()
        bench.read(.flight, 0)
        _ = bench.frames()
        #expect(bench.taking { bench.read(.flight, 1) } == ["submit session 0 #0 at 0"])
        bench.now = Self.at(100)
        let answer = bench.taking { bench.decide(.served(at: Self.at(99), by: 0)) }
        #expect(answer == ["serverAccepted 1", "send data 0 at 99", "thaw 0"])
        #expect(bench.frames() == ["flight 1"] && !bench.server.isAttached(0) && bench.server.ends[0].isAccepted)
        bench.read(.flight, 2)
        #expect(bench.taking { bench.read(.flight, 3) } == ["schedule session 0 at 130"])
        bench.now = Self.at(130)
        #expect(bench.taking { bench.run(.session) }.contains("attached"))
        #expect(bench.submitted.isEmpty, "one request for each connection")
    }

    /// Broken: an outcome for an earlier connection changes the current one.
    @Test func anOutcomeOfAnEarlierConnectionIsIgnored() {
        let bench = ServerBench(.everySecond) { $0.cluster.connectionLimit = 9 }
        bench.renew()
        bench.hello()
        bench.request()
        bench.renew()
        bench.hello()
        bench.request()
        #expect(bench.submitted.map(\.sequence) == [0, 1] && bench.submitted.map(\.generation) == [1, 2])
        let request = bench.submitted[0]
        let lines = bench.taking {
            bench.act { [now = bench.now, introduction = bench.introduction] in
                $0.applyOutcome(
                    .served(at: .zero, by: 5), of: request, windowEnd: Self.at(1), introduction, at: now, &$1)
            }
        }
        #expect(lines == ["released 5"])
        #expect(bench.server.ends[0].pendingOutcomes == 1 && bench.server.ends[0].sessionRequest == .queued)
    }

    /// Broken: connections are reported to a cluster that does not count them, or not to one that does.
    @Test func onlyACountingClusterIsToldOfLostConnections() {
        func lines(_ set: (inout ServerProfile) -> Void) -> [String] {
            let bench = ServerBench { set(&$0) }
            bench.open()
            bench.server.ends[0].instance = 6
            return bench.taking { bench.receive(Packet(.reset, cause: .connect, bytes: 52, stamp: bench.now)) }
        }
        let scaling = ClusterProfile.Autoscaling(target: .one, every: .seconds(1), startUp: .zero, maximum: 2)
        #expect(lines { $0.cluster.instances = 3 } == ["serverHeld 0"])
        #expect(lines { $0.cluster.autoscaling = scaling } == ["serverHeld 0"])
        #expect(lines { $0.cluster.balance = .leastConnections } == ["serverHeld 0", "released 6"])
        #expect(lines { $0.cluster.connectionLimit = 3 } == ["serverHeld 0", "released 6"])
        #expect(
            lines {
                $0.cluster.autoscaling = scaling
                $0.cluster.autoscaling?.downAfter = .zero
            } == ["serverHeld 0", "released 6"])
    }
}
