import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

@testable import DeadzoneTransport

/// How the server starts, resumes, refuses and ends a session.
@Suite struct ServerSessionTests {
    // MARK: Start

    /// Broken: the flights of the set-up are answered in another order, the session starts with the wrong flight, or
    /// too early.
    @Test(
        arguments: [
            (Transport.TransportKind.webSocket, [["flight 0"], ["flight 1"]], 1),
            (.http2, [["flight 0"], ["flight 1"]], 1), (.mqtt, [["flight 0"], ["flight 1"]], 1),
            (.grpc, [["flight 0"], ["flight 1"], ["flight 2"]], 2), (.quic, [["flight 0"]], 0),
            (.serverSentEvents, [["flight 0"], ["flight 1"]], 1),
        ] as [(Transport.TransportKind, [[String]], Int)])
    func theLastFlightStartsTheSession(kind: Transport.TransportKind, frames: [[String]], session: Int) {
        let bench = ServerBench()
        bench.renew(Transport(kind))
        bench.hello()
        for (index, answer) in frames.enumerated() {
            let lines = bench.taking { bench.read(.flight, UInt32(index)) }
            let start = index == session ? ["resumed 0 at 0", "attached"] : []
            #expect(lines == start + ["send data 0"] && bench.server.isAttached(0) == (index == session))
            #expect(bench.frames() == answer)
            #expect(
                bench.server.ends[0].isAccepted == (kind == .grpc && index >= 1 || index == session && kind == .grpc))
        }
    }

    /// Broken: authentication takes no time, or a client without it waits.
    @Test func authenticationTakesItsTime() {
        let bench = ServerBench { $0.authentication = .milliseconds(120) }
        bench.renew()
        bench.hello()
        for index in 0..<2 as Range<UInt32> { bench.read(.flight, index) }
        #expect(bench.frames() == ["flight 0", "flight 1"] && !bench.server.isAttached(0))
        #expect(bench.taking { bench.read(.flight, 2) } == ["schedule session 0 at 120"])
        bench.wait(.milliseconds(120))
        #expect(bench.taking { bench.run(.session) } == ["resumed 0 at 0", "attached", "send data 0", "thaw 0"])
        #expect(bench.frames() == ["flight 2"] && bench.server.ends[0].lastReadAt == bench.now)
        #expect(bench.taking { bench.run(.session, generation: 7) }.isEmpty, "another connection")
        let quick = ServerBench { $0.authentication = .zero }
        quick.renew()
        quick.hello()
        for index in 0..<3 as Range<UInt32> { quick.read(.flight, index) }
        check(quick.server.isAttached(0))
    }

    /// Broken: an orphaned or released connection gets a session.
    @Test func aConnectionThatIsGoneGetsNoSession() {
        let bench = ServerBench { $0.authentication = .milliseconds(120) }
        bench.renew()
        bench.hello()
        bench.server.ends[0].isOrphaned = true
        #expect(bench.taking { bench.run(.session) }.isEmpty && !bench.server.isAttached(0))
        bench.server.ends[0].isOrphaned = false
        bench.server.ends[0].isHeld = false
        #expect(bench.taking { bench.run(.session) }.isEmpty && !bench.server.isAttached(0))
    }

    /// Broken: a refused login opens a session, starts a window of its own, or tells another position.
    @Test(arguments: [(ResumeRequest.fresh, 3), (.from(Cursor(1)), 1), (.snapshot, 3)] as [(ResumeRequest, UInt32)])
    func aRefusedLoginEndsTheConnection(resuming: ResumeRequest, position: UInt32) {
        let bench = ServerBench(.everySecond)
        for _ in 0..<3 { bench.write() }
        #expect(bench.change(.refusingLogins) && !bench.change(.refusingLogins))
        bench.renew(Transport(.http2), resuming: resuming, window: HTTP2SendWindows(stream: HTTP2Window(9)))
        bench.hello()
        bench.read(.flight, 0)
        #expect(bench.taking { bench.read(.flight, 1) }.allSatisfy { $0 == "send data 0" })
        #expect(bench.frames() == ["flight 0", "flight 1", "loginRefused", "finish"])
        #expect(!bench.server.serves(0) && !bench.server.isAttached(0) && bench.server.start(0).resumedAt == position)
        #expect(bench.windows == [65_535, 9])
        #expect(bench.change(.takingLogins) && !bench.change(.takingLogins))
        bench.open(Transport(.http2))
        check(bench.server.isAttached(0))
    }

    /// Broken: a session request fails at another rate than its setting, or a permanent failure succeeds later.
    @Test func sessionRequestsFailAtTheirRate() {
        var failures: [String: Int] = [:]
        for seed in 1...400 as ClosedRange<UInt64> {
            let bench = ServerBench(seed: seed) {
                $0.faults.sessionTransient = Probability(1, of: 4)
                $0.faults.sessionPermanent = Probability(1, of: 10)
            }
            var outcomes: [String] = []
            for _ in 0..<4 {
                bench.renew()
                bench.hello()
                bench.read(.flight, 0)
                let lines = bench.taking { bench.read(.flight, 1) }
                let rejected = lines.first { $0.hasPrefix("serverRejected") }
                #expect(rejected == nil || lines.contains("changed"))
                outcomes.append(rejected.map { String($0.split(separator: " ")[1]) } ?? "served")
                #expect((rejected == nil) == bench.server.isAttached(0))
                let refusal = bench.frames().dropFirst(1).first
                let words = [
                    "served": "flight 1", "transient": "sessionRefused", "permanent": "sessionRefusedPermanently",
                ]
                #expect(refusal == words[outcomes[outcomes.count - 1]])
            }
            let dice = bench.dice(.serverErrors)
            let isPermanent = Probability(1, of: 10).hits(dice.at(1 << 40))
            let model = (1...4 as ClosedRange<UInt64>).map { request in
                isPermanent
                    ? "permanent" : Probability(1, of: 4).hits(dice.at(1 << 40 + request)) ? "transient" : "served"
            }
            #expect(outcomes == model, "seed \(seed)")
            for outcome in outcomes { failures[outcome, default: 0] += 1 }
        }
        #expect(failures.count == 3 && failures.values.allSatisfy { $0 > 50 }, "\(failures)")
        let transient = ServerBench { $0.faults.sessionTransient = .one }
        transient.open()
        check(!transient.server.isAttached(0))
        let permanent = ServerBench { $0.faults.sessionPermanent = .one }
        permanent.open()
        check(!permanent.server.isAttached(0))
    }

    // MARK: A second connection

    /// Broken: a new connection is refused although the server replaces old ones, or accepted although it does not.
    /// The half-open connection counts until exactly the time at which the server gives it up.
    @Test(
        arguments: [(true, 0, false), (false, -1, true), (false, 0, false), (false, 1, false)] as [(Bool, Int64, Bool)])
    func aSecondConnectionIsRefusedOrReplaces(replaces: Bool, late: Int64, isRefused: Bool) {
        let bench = ServerBench {
            $0.session.replaces = replaces
            $0.idleLimit = .seconds(60)
        }
        bench.open()
        bench.wait(.seconds(10))
        bench.abandon()
        #expect(bench.server.halfOpenConnection?.until == .zero + .seconds(60))
        bench.now = .zero + .seconds(60) + .nanoseconds(late)
        bench.renew()
        bench.hello()
        bench.read(.flight, 0)
        let lines = bench.taking { bench.read(.flight, 1) }
        #expect(
            lines
                == (isRefused
                    ? ["sessionRefused 2", "changed", "send data 0"]
                    : ["serverHeld \(60_000_000_000)", "resumed 0 at 0", "attached", "send data 0"]))
    }

    /// Broken: an attached connection in the other slot does not count as the session's connection.
    @Test func theOtherSlotCountsAsInUse() {
        let bench = ServerBench { $0.session.replaces = false }
        bench.open(.webSocket, 1)
        bench.renew(.webSocket, 0)
        bench.hello(0)
        bench.read(.flight, 0, 0)
        #expect(bench.taking { bench.read(.flight, 1, 0) } == ["sessionRefused 2", "changed", "send data 0"])
        #expect(bench.server.isAttached(1) && !bench.server.isAttached(0))
    }

    /// Broken: an older connection stays attached, or a draining one loses its calls.
    @Test func aNewConnectionSupersedesTheOldOne() {
        let bench = ServerBench(.everySecond)
        bench.open(.webSocket, 0)
        bench.wait(.seconds(4))
        bench.renew(.webSocket, 1)
        bench.hello(1)
        bench.read(.flight, 0, 1)
        #expect(
            bench.taking { bench.read(.flight, 1, 1) }
                == ["serverHeld 4000000000", "resumed 1 at 0", "attached", "send data 1"])
        #expect(!bench.server.isHeld(0) && bench.server.isAttached(1))
        for (stage, stays) in [
            (HTTP2Draining.DrainStage.serving, false), (.sentFirstGoAway, true), (.sentFinalGoAway, true),
        ] {
            let draining = ServerBench(.everySecond) { $0.thinkTime = .seconds(9) }
            draining.open(Transport(.http2), 0)
            draining.read(.call, 0, 0)
            if stage != .serving { draining.change(.draining) }
            if stage == .sentFinalGoAway { draining.read(.pong, 0, 0) }
            #expect(draining.server.ends[0].draining.stage == stage)
            draining.open(Transport(.http2), 1)
            #expect(draining.server.isAttached(0) == stays && draining.server.ends[0].isSuperseded == stays)
            _ = draining.frames(0)
            draining.write()
            #expect(draining.frames(0).isEmpty && draining.frames(1) == ["message 0"])
        }
    }

    // MARK: Half-open connections

    /// Broken: the server gives up a silent connection at another time. Unacknowledged data limits it to 924.6 s.
    @Test func aSilentConnectionIsGivenUp() {
        let idle = ServerBench { $0.idleLimit = .hours(1) }
        idle.open()
        idle.wait(.seconds(10))
        idle.read(.ping, 0)
        #expect(idle.server.giveUpTime(0, at: idle.now) == idle.now + .milliseconds(924_600))
        idle.settle()
        #expect(idle.server.giveUpTime(0, at: idle.now + .seconds(1)) == idle.now + .hours(1))
        let limitless = ServerBench(.everySecond)
        limitless.open()
        #expect(limitless.server.giveUpTime(0, at: limitless.now) == .never)
        limitless.wait(.seconds(10))
        limitless.abandon()
        #expect(limitless.server.halfOpenConnection?.until == .never)
        limitless.wait(.seconds(10))
        limitless.write()
        let until = Instant.zero + .seconds(20) + .milliseconds(924_600)
        #expect(limitless.server.halfOpenConnection?.until == until)
        limitless.wait(.seconds(10))
        limitless.write()
        #expect(limitless.server.halfOpenConnection?.until == until, "the first write starts the limit")
        limitless.renew()
        limitless.now = until + .seconds(5)
        #expect(
            limitless.taking { limitless.act { [now = limitless.now] in $0.finish(at: now, &$1) } }
                == ["serverHeld \((until - Instant.zero).nanoseconds)"])
    }

    /// Broken: an abandoned connection that was not attached is counted as half-open, or its hold is not recorded.
    @Test func onlyAnAttachedConnectionStaysHalfOpen() {
        let bench = ServerBench()
        bench.renew()
        bench.wait(.seconds(1))
        bench.hello()
        bench.wait(.seconds(2))
        #expect(bench.taking { bench.abandon() } == ["send helloReply 0", "serverHeld 2000000000"].suffix(1))
        #expect(bench.server.halfOpenConnection == nil)
        bench.renew()
        #expect(bench.taking { bench.abandon() }.isEmpty)
        bench.open()
        bench.wait(.seconds(3))
        #expect(bench.taking { bench.abandon() }.isEmpty, "the hold continues")
        #expect(bench.server.halfOpenConnection?.heldSince == .zero + .seconds(3))
        bench.open()
        bench.wait(.seconds(1))
        bench.abandon()
        bench.renew(.datagram)
        bench.act { [now = bench.now, introduction = bench.introduction] in
            $0.openDatagrams(0, introduction, at: now, &$1)
        }
        #expect(bench.server.halfOpenConnection == nil)
        #expect(bench.taking { bench.abandon() }.isEmpty && bench.server.halfOpenConnection == nil)
    }

    // MARK: Resuming

    /// Broken: the drift, the position or the snapshot of a resumed session is wrong, or is told to the client wrongly.
    @Test func aSessionResumesWhereTheClientIs() {
        #expect(SessionStart() == told(0, 0, sent: 0), "before the session")
        struct Row {
            var resuming: ResumeRequest
            var start: [String]
            var frames: [String]
            var told: SessionStart
        }
        func told(_ at: UInt32, _ up: UInt32, _ snapshot: Bool = false, sent: UInt32 = 5) -> SessionStart {
            var start = SessionStart()
            (start.resumedAt, start.confirmedUp, start.sent, start.bringsSnapshot) = (at, up, sent, snapshot)
            return start
        }
        let rows = [
            Row(resuming: .fresh, start: ["resumed 0 at 5"], frames: ["flight 1"], told: told(5, 0)),
            Row(
                resuming: .from(Cursor(2)), start: ["drift 3", "resumed 0 at 2"],
                frames: ["flight 1", "message 2..<5"],
                told: told(2, 4)),
            Row(
                resuming: .from(Cursor(5)), start: ["drift 0", "resumed 0 at 5"], frames: ["flight 1"], told: told(5, 4)
            ),
            // A cursor beyond the last message is limited to it.
            Row(
                resuming: .from(Cursor(9)), start: ["drift 0", "resumed 0 at 5"], frames: ["flight 1"],
                told: told(5, 4)),
            Row(
                resuming: .snapshot, start: ["restarted 0 at 5 as asked", "fullSync 20480"],
                frames: ["flight 1", "snapshot 5"], told: told(5, 4, true)),
        ]
        for row in rows {
            let bench = ServerBench(.everySecond)
            bench.open()
            bench.read(.message, 0, upTo: 4)
            for _ in 0..<5 { bench.write() }
            bench.abandon()
            bench.renew(resuming: row.resuming)
            bench.hello()
            bench.read(.flight, 0)
            _ = bench.frames()
            let lines = bench.taking { bench.read(.flight, 1) }
            let expected = ["serverHeld 0"] + row.start
            #expect(lines.filter { $0 != "send data 0" && $0 != "attached" } == expected, "\(row.resuming)")
            #expect(lines.contains("attached"))
            #expect(bench.frames() == row.frames && bench.server.start(0) == row.told, "\(row.resuming)")
        }
    }

    /// Broken: a session counts its time without a connection from another moment, or is not forgotten at its end.
    @Test(arguments: [(0, true), (1, false)] as [(Int64, Bool)])
    func aSessionIsKnownForItsWindow(late: Int64, isKnown: Bool) {
        let bench = ServerBench(.everySecond) { $0.session.window = .seconds(30) }
        bench.open()
        bench.read(.message, 0, upTo: 2)
        for _ in 0..<3 { bench.write() }
        bench.wait(.seconds(8))
        bench.receive(Packet(.reset, cause: .connect, bytes: 52, stamp: bench.now))
        bench.wait(.seconds(30) + .nanoseconds(late))
        #expect(bench.position(of: 1) == (isKnown ? 1 : 3))
        bench.open(resuming: .from(Cursor(1)))
        #expect(bench.server.start(0).resumedAt == (isKnown ? 1 : 3))
        #expect(bench.server.start(0).confirmedUp == (isKnown ? 2 : 0))
        // An attached session does not age.
        bench.wait(.hours(2))
        check(bench.server.memory.isKnown(at: bench.now))
    }

    // MARK: The horizon

    // Broken: a message counts as lost although a connection carries it or a new one would deliver it, or as pending
    // although none would. Or it is lost at another place than the one that skips it.
    @Test func messagesThatNoSessionDelivers() {
        func unreachable(
            _ first: ResumeRequest?, _ second: ResumeRequest? = nil, isAlive: Bool = false, known: UInt32 = 1,
            _ set: (inout ServerProfile) -> Void = { _ in }
        ) -> [Int64] {
            let bench = ServerBench(.everySecond) {
                $0.history.replay = 2
                set(&$0)
            }
            bench.now = .zero + .seconds(5)
            bench.open()
            for _ in 0..<5 { bench.write() }
            func latest(_ resuming: ResumeRequest?) -> LatestConnection? {
                resuming.map { LatestConnection(resuming: $0, next: $0, isAlive: isAlive) }
            }
            let (count, place) = bench.server.unreachable(
                from: known, (latest(first), latest(second)), bench.introduction, at: bench.now)
            return count == 0 ? [] : [count, Int64(place.rawValue)]
        }
        func lost(_ count: Int64, _ place: LossPlace) -> [Int64] { [count, Int64(place.rawValue)] }
        #expect(unreachable(nil) == [] && unreachable(.fresh, known: 5) == [] && unreachable(.snapshot) == [])
        #expect(unreachable(.fresh) == lost(2, .sessionStart) && unreachable(.fresh, isAlive: true) == [])
        #expect(
            unreachable(nil, .fresh) == lost(2, .sessionStart)
                && unreachable(.fresh, .from(Cursor(2))) == lost(1, .serverHistory))
        #expect(unreachable(.from(Cursor(1))) == [] && unreachable(.fresh, .snapshot) == [])
        #expect(unreachable(.from(Cursor(1))) { $0.history.messages = 1 } == lost(3, .serverHistory))
    }
}
