import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Several subscriptions on one connection, from the server's ends to the records.
@Suite struct SubscriptionRunTests {
    /// A message every second for ten minutes, then a minute of silence.
    private func world(
        _ changes: [(Int64, ConditionChange)] = [], until end: Int64 = 10,
        _ set: (inout SubscriptionRules) -> Void = { _ in }
    ) -> World {
        var rules = SubscriptionRules()
        set(&rules)
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(1), bytes: 300, until: .zero + .minutes(end))), horizon: .minutes(11))
        world.timeline += changes.map { TimelineEntry(at: .zero + .seconds($0.0), $0.1) }
        world.server.streams = rules
        return world
    }

    private func run(_ world: World, _ streams: String, _ more: String = ", resume: nothing") -> AllRecords {
        Simulation(
            world: world, strategy: Fixture.composed("{keepalive: 30s, streams: \(streams)\(more)}"), seed: 3
        ).allRecords()
    }

    private static let lost = ConditionChange.subscriptionsEnded(SubscriptionEnd(isSilent: true, count: 1))
    private static let ended = ConditionChange.subscriptionsEnded(SubscriptionEnd(isSilent: false, count: 1))

    private func seconds(_ run: AllRecords, _ kind: RecordKind) -> Int64 { run.sum(kind) / 1_000_000_000 }

    /// Every message is shown, lost or pending, and nothing else.
    private func expectBalance(_ run: AllRecords, _ note: String) {
        #expect(
            Int64(run.count(.deliveredDown)) + run.sum(.lostDown) + run.sum(.pendingDown)
                == Int64(run.count(.sentDown)), "\(note)")
    }

    /// Broken: without an end, a message is lost, a join is repeated, or streams change the run of other clients.
    @Test func withoutEndsAllMessagesArrive() {
        let run = run(world(), "{count: 20}")
        #expect(run.count(.subscriptionJoining) == 20 && run.count(.subscriptionJoined) == 20)
        #expect(run.count(.subscriptionRejoining) == 0 && run.count(.opened) == 1)
        // The server leaves out messages of a stream that it has not joined yet.
        #expect(run.sum(.lostDown) <= 3, "\(run.sum(.lostDown))")
        #expect(run.count(.subscriptionDeaf) == 0 && seconds(run, .subscriptionOut) < 20 * 3)
        expectBalance(run, "no ends")
        var plain = world()
        let other = Fixture.composed("{keepalive: 30s, resume: nothing}")
        let beside = Simulation(world: plain, strategy: other, seed: 3).allRecords()
        plain.server.streams = nil
        #expect(beside.records == Simulation(world: plain, strategy: other, seed: 3).allRecords().records)
        let unused = Fixture.composed("{keepalive: 30s, resume: nothing, streams: {count: 20}}")
        #expect(beside.records == Simulation(world: plain, strategy: unused, seed: 3).allRecords().records)
    }

    /// Broken: a silent end is noticed, does not cost a quarter of the messages, has another cause, or ends the
    /// connection. Or the deaf time is another one than that from the end to the horizon.
    @Test func aSilentEndIsNeverNoticed() {
        let run = run(world([(100, Self.lost)]), "{count: 4}")
        #expect(run.count(.subscriptionEnded) == 1 && run.count(.opened) == 1 && run.count(.subscriptionRejoining) == 0)
        #expect(seconds(run, .subscriptionDeaf) == 560 && run.count(.subscriptionDeaf) == 1)
        let losses = run.records.compactMap(\.loss).filter { $0.first >= 100 }
        #expect(losses.allSatisfy { $0.cause == .streamDead && $0.place == .stream && $0.first % 4 == 0 }, "\(losses)")
        #expect(losses.reduce(0) { $0 + $1.count } == 125, "\(losses.count)")
        #expect(losses.allSatisfy { $0.change == 1 }, "\(losses)")
        expectBalance(run, "silent")
    }

    /// Broken: a client that is told does not join again after its wait, loses more than the messages of the wait, or
    /// counts as deaf.
    @Test func aToldEndIsRepaired() {
        let run = run(world([(100, Self.ended), (200, Self.ended)]), "{count: 4, backoff: {base: 8s, cap: 8s}}")
        #expect(run.count(.subscriptionEnded) == 2 && run.count(.subscriptionRejoining) == 2)
        #expect(run.count(.subscriptionDeaf) <= 2 && seconds(run, .subscriptionDeaf) == 0)
        let losses = run.records.compactMap(\.loss).filter { $0.first >= 100 }
        #expect((2...6).contains(losses.reduce(0) { $0 + $1.count }), "\(losses)")
        #expect(losses.allSatisfy { $0.cause == .streamDead })
        #expect((16...24).contains(seconds(run, .subscriptionOut)), "\(seconds(run, .subscriptionOut))")
        expectBalance(run, "told")
        let again = run.records.filter { $0.kind == .subscriptionRejoining }.map {
            ($0.at - Instant.zero).nanoseconds / 1_000_000_000
        }
        #expect(again == [108, 208], "\(again)")
    }

    /// Broken: a loss is charged to an entry of the timeline that ended another stream, or an earlier connection; or a
    /// loss without an entry is charged to one.
    @Test func eachLossIsChargedToItsEntry() {
        let both = ConditionChange.subscriptionsEnded(SubscriptionEnd(isSilent: true, count: 2))
        let run = run(world([(100, Self.lost), (200, both)]), "{count: 4}")
        func changes(_ number: UInt32) -> Set<UInt16?> {
            Set(run.records.compactMap(\.loss).filter { $0.first >= 100 && $0.first % 4 == number }.map(\.change))
        }
        #expect(changes(0) == [1] && changes(1) == [2] && changes(2).isEmpty && changes(3).isEmpty)
        // On the next connection, nothing is lost because of the entry; what its joins miss has no entry.
        let move = [(100, Self.lost), (Int64(200), ConditionChange.readdress(.cellular, .error))]
        let moved = self.run(
            world(move), "{count: 4, on-open: nothing}", ", resume: nothing, on-path-change: reconnect")
        let late = moved.records.compactMap(\.loss).filter { $0.first + $0.count > 300 && $0.cause == .streamDead }
        #expect(late.reduce(0) { $0 + $1.count } > 100 && late.allSatisfy { $0.change == nil }, "\(late)")
        let own = self.run(
            world {
                $0.endsEvery = .seconds(60)
                $0.silent = Probability(1, of: 1)
            }, "{count: 4}")
        let dead = own.records.compactMap(\.loss).filter { $0.cause == .streamDead }
        #expect(!dead.isEmpty && dead.allSatisfy { $0.change == nil })
    }

    /// Broken: a client that takes no notice, or does not join on a new connection, is not deaf. Or one that reconnects
    /// keeps its connection.
    @Test func reactionsDecideAboutTheConnection() {
        let ignoring = run(world([(100, Self.ended)]), "{count: 4, on-end: ignore}")
        #expect(ignoring.count(.subscriptionRejoining) == 0 && seconds(ignoring, .subscriptionDeaf) == 560)
        let reconnecting = run(world([(100, Self.ended)]), "{count: 4, on-end: reconnect}")
        #expect(reconnecting.count(.opened) == 2 && reconnecting.count(.subscriptionRejoining) == 4)
        #expect(seconds(reconnecting, .subscriptionDeaf) == 0)
        let move = [(Int64(100), ConditionChange.readdress(.cellular, .error))]
        let naive = run(world(move), "{count: 4, on-open: nothing}", ", resume: nothing, on-path-change: reconnect")
        #expect(naive.count(.opened) == 2 && naive.count(.subscriptionRejoining) == 0)
        #expect((555...560).contains(seconds(naive, .subscriptionDeaf)), "\(seconds(naive, .subscriptionDeaf))")
        #expect(naive.count(.deliveredDown) < 102, "\(naive.count(.deliveredDown))")
        let careful = run(world(move), "{count: 4}", ", resume: nothing, on-path-change: reconnect")
        #expect(careful.count(.opened) == 2 && careful.count(.subscriptionRejoining) == 4)
        #expect(careful.count(.subscriptionDeaf) == 0 && careful.count(.deliveredDown) > 580)
        for run in [ignoring, reconnecting, naive, careful] { expectBalance(run, "reaction") }
    }

    /// Broken: a client that reconnects after a refused stream calls a server that refuses again and again after the
    /// first wait. Or a connection with all streams joined does not reset the backoff.
    @Test func refusedStreamsKeepTheBackoff() {
        let common = ", resume: nothing, backoff: {base: 1s, cap: 32s, jitter: none}"
        for reset in ["", ", reset: {up: 10ms}", ", after-open: 0s", ", reset: message, min-connect-timeout: 1s"] {
            let settings = String(common.dropLast()) + reset + "}"
            let refused = run(world { $0.refused = .one }, "{count: 8, on-refusal: reconnect}", settings)
            let times = refused.times(.connecting)
            let waits = zip(times, times.dropFirst()).map { ($1 - $0) / 1_000 }
            #expect(waits.prefix(7) == [1, 2, 4, 8, 16, 32, 32], "\(reset): \(waits.prefix(9))")
            #expect(times.count - refused.count(.opened) <= 1)
        }
        let ended = run(
            world([(100, Self.ended), (200, Self.ended), (300, Self.ended)]), "{count: 8, on-end: reconnect}", common)
        #expect(ended.times(.connecting).map { $0 / 1_000 } == [0, 101, 201, 301])
    }

    /// Broken: all messages of the only stream are lost although a client that resumes from its cursor gets them on its
    /// next connection; or they are charged to another cause, or counted twice.
    @Test func whatIsLeftOutLastHasItsCause() {
        let move = [(100, Self.lost), (Int64(200), ConditionChange.readdress(.cellular, .error))]
        let fresh = run(world(move), "{count: 1}", ", resume: nothing, on-path-change: reconnect")
        let dead = fresh.records.compactMap(\.loss).filter { $0.cause == .streamDead }
        #expect((95...103).contains(dead.reduce(0) { $0 + $1.count }), "\(dead)")
        #expect((95...108).contains(fresh.sum(.lostDown)), "\(fresh.sum(.lostDown))")
        let resumed = run(world(move), "{count: 1}", ", resume: cursor, on-path-change: reconnect")
        #expect(resumed.sum(.lostDown) <= 3, "\(resumed.sum(.lostDown))")
        let atTheEnd = run(world([(100, Self.lost)]), "{count: 1}")
        #expect((498...503).contains(atTheEnd.sum(.lostDown)) && atTheEnd.sum(.pendingDown) == 0)
        for run in [fresh, resumed, atTheEnd] { expectBalance(run, "last") }
    }

    /// Broken: two strategies meet other ends, a share is another one, or a refused or unanswered join is not repeated.
    @Test func faultsAreWeather() {
        let hard = world {
            $0.endsEvery = .seconds(20)
            $0.silent = Probability(1, of: 2)
            $0.refused = Probability(1, of: 10)
            $0.unanswered = Probability(1, of: 10)
        }
        let rejoining = run(hard, "{count: 8}")
        let sharing = run(hard, "{count: 8, timer: shared, join: {timeout: 2s}}")
        for run in [rejoining, sharing] {
            #expect(run.count(.subscriptionEnded) > 5 && run.count(.subscriptionRefused) > 1)
            #expect(run.count(.subscriptionRejoining) > 5 && run.count(.subscriptionDeaf) > 0)
            expectBalance(run, "faults")
        }
        func ends(_ run: AllRecords) -> Set<Int64> {
            Set(run.records.filter { $0.kind == .subscriptionEnded }.map { ($0.at - Instant.zero).nanoseconds })
        }
        // A stream that is not joined cannot end, so one run may miss an end of the other.
        #expect(ends(rejoining).intersection(ends(sharing)).count > 5)
        let tags = rejoining.records.filter { $0.kind == .subscriptionEnded }.map { $0.tag(of: .subscriptionEnded) }
        #expect(tags.contains(.silent) && tags.contains(.told))
    }

    /// Broken: on a connection of another protocol a burst of 64 requests, or of 64 ends, does not fit.
    @Test func burstsFitOnEveryTransport() {
        for transport in ["websocket", "http2", "grpc", "quic", "mqtt", "sse"] {
            let all = ConditionChange.subscriptionsEnded(SubscriptionEnd(isSilent: false, count: 64))
            let run = run(
                world([(100, all)]) { $0.refused = Probability(1, of: 3) }, "{count: 64}",
                ", resume: nothing, transport: \(transport)")
            #expect(run.count(.subscriptionJoining) == 64 && run.count(.subscriptionEnded) == 64, "\(transport)")
            // Each connection joins all of them, and so does the end of all.
            let joined = run.count(.subscriptionJoined)
            #expect(joined == 64 * (1 + run.count(.opened)), "\(transport): \(joined)")
            #expect(64 + run.count(.subscriptionRejoining) == joined + run.count(.subscriptionRefused), "\(transport)")
            expectBalance(run, transport)
        }
    }
}
