import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// The presence that a server shows to other users, in complete runs.
@Suite struct PresenceRunTests {
    private func world(grace: TimeSpan?, idleLimit: TimeSpan? = nil, _ timeline: [TimelineEntry] = []) -> World {
        var world = Fixture.cellularWorld(Traffic(down: .every(.seconds(7))), horizon: .minutes(20))
        world.server.presence = grace.map { PresenceRules(grace: $0) }
        world.server.idleLimit = idleLimit
        world.timeline += timeline
        return world
    }

    private func run(_ world: World, _ settings: [(String, [(String, String)])] = []) -> AllRecords {
        let transport = [("transport", [("kind", "websocket")])]
        return Simulation(world: world, strategy: Fixture.composed(transport + settings), seed: 3).allRecords()
    }

    private func app(_ minute: Int64, _ second: Int64 = 0, inFront: Bool) -> TimelineEntry {
        TimelineEntry(at: .zero + .minutes(minute) + .seconds(second), .app(foreground: inFront))
    }

    private let closes = [("life-cycle", [("background", "close"), ("foreground", "reconnect")])]

    /// Broken: an absence below the grace time shows the user as away, a longer one does not, the time away begins before
    /// the grace time is over, or it does not end with the next session.
    @Test func absencesBeyondTheGraceTimeAreSeen() {
        // Away for 20 s, and for five minutes.
        let glances = [
            app(2, inFront: false), app(2, 20, inFront: true), app(5, inFront: false), app(10, inFront: true),
        ]
        for (grace, away) in [(0, [20, 300]), (30, [270]), (400, [])] as [(Int64, [Int64])] {
            let records = run(world(grace: .seconds(grace), glances), closes)
            #expect(records.count(.presenceAway) == away.count && records.count(.presenceBack) == away.count)
            let seconds = records.values(.presenceBack).map { Double($0) / 1e9 }
            for (found, expected) in zip(seconds, away) {
                #expect(abs(found - Double(expected)) < 5, "\(found) s with a grace of \(grace) s")
            }
            #expect(records.count(.presenceStillAway) == 0)
            // The app had no session in the background. All of the grace time was wrong, and so was each return.
            let ghost = Double(records.sum(.presenceGhost)) / 1e9
            #expect(abs(ghost - Double(min(grace, 20) + min(grace, 300))) < 8, "\(ghost) s with a grace of \(grace) s")
            #expect(records.sum(.presenceMissed) < TimeSpan.seconds(10).nanoseconds)
            #expect(away.isEmpty || records.sum(.presenceMissed) > 0)
        }
    }

    /// Broken: the server knows of a dead connection that it still holds, its limit on silence does not end the session,
    /// or the times at the horizon are not recorded.
    @Test func aSilentDeathMakesAGhost() {
        let silence = [TimelineEntry(at: .zero + .minutes(10), .coverage(.cellular, false))]
        let forever = run(world(grace: .seconds(30), silence))
        #expect(forever.count(.presenceAway) == 0)
        let ghost = Double(forever.sum(.presenceGhost)) / 1e9
        #expect((590...605).contains(ghost), "\(ghost) s")
        let pings = [("keepalive", [("interval", "60s"), ("postponed-by", "nothing")])]
        let limited = run(world(grace: .seconds(30), idleLimit: .minutes(2), silence), pings)
        #expect(limited.count(.presenceAway) == 1 && limited.count(.presenceBack) == 0)
        let cause = limited.records.first { $0.kind == .presenceAway }?.tag(of: .presenceAway)?.cause
        #expect(cause == .noPath || cause == .deadConnection)
        let short = Double(limited.sum(.presenceGhost)) / 1e9
        #expect((80...155).contains(short), "\(short) s")
        // The app is in front of its user all the time.
        #expect(limited.sum(.presenceStillAway) == limited.sum(.presenceMissed))
        #expect(limited.sum(.presenceStillAway) + limited.sum(.presenceGhost) > TimeSpan.seconds(590).nanoseconds)
    }

    /// Broken: the presence changes what the phone does, or a server without the setting records one.
    @Test func thePresenceOnlyObserves() {
        let glances = [app(2, inFront: false), app(2, 20, inFront: true)]
        let kinds: Set<RecordKind> = [
            .presenceAway, .presenceBack, .presenceStillAway, .presenceGhost, .presenceMissed,
        ]
        let (with, without) = (run(world(grace: .zero, glances), closes), run(world(grace: nil, glances), closes))
        #expect(with.records.filter { !kinds.contains($0.kind) } == without.records)
        #expect(with.records.count > without.records.count)
    }

    /// Broken: a user is away before the first session, or a connection that replaces another one counts as an absence.
    @Test func statesFollowTheSession() {
        var presence = Presence()
        let rules = PresenceRules(grace: .seconds(10))
        func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
        #expect(presence.update(sessionUntil: nil, rules, at: at(60)) == nil && presence.shown == .unseen)
        #expect(presence.deadline(rules) == .never && presence.away(at: at(60)) == nil)
        #expect(presence.update(sessionUntil: .never, rules, at: at(61)) == nil && presence.shown == .online)
        // The phone has replaced its connection; the server gives the old one up at 100 s.
        #expect(presence.update(sessionUntil: at(100), rules, at: at(90)) == nil && presence.deadline(rules) == at(110))
        #expect(presence.update(sessionUntil: .never, rules, at: at(95)) == nil && presence.deadline(rules) == .never)
        #expect(presence.update(sessionUntil: nil, rules, at: at(200)) == nil && presence.deadline(rules) == at(210))
        // Later events do not move the deadline.
        #expect(presence.update(sessionUntil: nil, rules, at: at(209)) == nil && presence.deadline(rules) == at(210))
        #expect(presence.judge(reachesApp: false, isInFront: true, at: at(209)) == nil)
        #expect(presence.update(sessionUntil: nil, rules, at: at(210)) == .away && presence.shown == .away)
        let ghost = presence.judge(reachesApp: false, isInFront: true, at: at(210))
        #expect(ghost == JournalEntry(.presenceGhost, value: 1_000_000_000))
        #expect(presence.away(at: at(215)) == .seconds(5))
        #expect(presence.update(sessionUntil: .never, rules, at: at(220)) == .back(.seconds(10)))
        let missed = presence.judge(reachesApp: true, isInFront: true, at: at(220))
        #expect(missed == JournalEntry(.presenceMissed, value: 10_000_000_000))
        #expect(presence.endMistake(at: at(230)) == nil)
    }
}
