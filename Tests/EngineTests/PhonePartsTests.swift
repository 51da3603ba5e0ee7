import DeadzoneBase
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// The values in which a simulated phone keeps its own observations: each with its rules alone.
@Suite struct PhonePartsTests {
    /// All combinations of the facts about a connection.
    private static let facts: [ConnectionFacts] = {
        var all: [ConnectionFacts] = []
        withEvery { choices in
            all.append(
                ConnectionFacts(
                    isClosedByKernel: choices.flag(), isServed: choices.flag(), hasItsAddress: choices.flag(),
                    canMigrate: choices.flag(), middleboxes: choices.one(of: [.intact, .waitsForUplink, .cut]),
                    isDatagram: choices.flag(), serverIsDown: choices.flag(), serverIsFrozen: choices.flag(),
                    networkWorks: choices.flag()))
        }
        return all
    }()

    /// Broken: a connection counts as working although a part of its path fails, or as cut off although all parts work.
    @Test func aConnectionWorksIfNoPartOfItsPathFails() {
        for facts in Self.facts {
            let fails =
                facts.isClosedByKernel || !facts.isServed || !facts.hasItsAddress || facts.middleboxes != .intact
                || facts.serverIsDown || facts.serverIsFrozen || !facts.networkWorks
            #expect((facts.state == .working) == !fails, "\(facts)")
            #expect(facts.state != .absent)
        }
    }

    /// Broken: a connection is declared dead for a condition that passes, or returns from the dead with it.
    @Test func coverageAndAFrozenServerKillNoConnection() {
        for facts in Self.facts {
            var healed = facts
            healed.networkWorks = true
            healed.serverIsFrozen = false
            #expect((facts.state == .dead) == (healed.state == .dead), "\(facts)")
        }
    }

    /// Broken: a QUIC connection dies with its address, or a TCP connection survives it.
    @Test func onlyAConnectionThatMigratesSurvivesItsAddress() {
        for facts in Self.facts where !facts.hasItsAddress && facts.isServed && !facts.isClosedByKernel {
            #expect(facts.state == (facts.canMigrate ? .blocked : .dead), "\(facts)")
        }
    }

    /// Broken: a restart of the server ends a datagram flow, which has no connection.
    @Test func aServerThatIsDownEndsConnectionsAndNoFlows() {
        for facts in Self.facts where facts.serverIsDown && facts.hasItsAddress && facts.middleboxes == .intact {
            guard facts.isServed, !facts.isClosedByKernel else { continue }
            #expect(facts.state == (facts.isDatagram ? .blocked : .dead), "\(facts)")
        }
    }

    /// Broken: the limits count one event too many or too few, or are not reset with the instant and the second.
    @Test func eventsAreCountedPerInstantAndPerSecond() {
        var counter = EventCounter()
        counter.advance(to: .zero + .seconds(5))
        var isOver = false
        for _ in 0..<EventLimits.eventsPerInstant { isOver = counter.count() || isOver }
        #expect(!isOver && counter.excess == nil)
        isOver = counter.count()
        #expect(isOver)
        #expect(counter.excess?.code == .tooManyEventsAtOnce)
        #expect(counter.excess?.events == EventLimits.eventsPerInstant + 1)
        // A later instant of the same second has its own count.
        counter.advance(to: .zero + .seconds(5) + .milliseconds(1))
        isOver = counter.count()
        #expect(isOver && counter.excess == nil)
        var events = EventLimits.eventsPerInstant + 2
        var step: Int64 = 1
        while events < EventLimits.eventsPerSecond {
            step += 1
            counter.advance(to: .zero + .seconds(5) + .milliseconds(step))
            for _ in 0..<min(EventLimits.eventsPerInstant, EventLimits.eventsPerSecond - events) {
                _ = counter.count()
                events += 1
            }
            #expect(counter.excess == nil)
        }
        isOver = counter.count()
        #expect(isOver && counter.excess?.code == .tooManyEventsInASecond)
        counter.advance(to: .zero + .seconds(6))
        isOver = counter.count()
        #expect(!isOver && counter.excess == nil)
    }

    /// Broken: the wait for a recovery begins before a path works, or goes on after the path or the outage ended.
    @Test func recoveryWaitsWhileAWorkingPathIsUnused() {
        var recovery = Recovery()
        let at = { (seconds: Int64) in Instant.zero + .seconds(seconds) }
        recovery.update(isServable: true, at: at(1))
        #expect(recovery.waited(until: at(2)) == nil && !recovery.isBroken)
        recovery.connectionLost()
        #expect(recovery.isBroken)
        recovery.update(isServable: false, at: at(3))
        #expect(recovery.waited(until: at(4)) == nil)
        recovery.update(isServable: true, at: at(5))
        recovery.update(isServable: true, at: at(7))
        #expect(recovery.waited(until: at(9)) == .seconds(4))
        recovery.update(isServable: false, at: at(10))
        #expect(recovery.waited(until: at(11)) == nil && recovery.isBroken)
        recovery.update(isServable: true, at: at(12))
        #expect(recovery.waited(until: at(13)) == .seconds(1))
        recovery.end()
        #expect(recovery.waited(until: at(14)) == nil && !recovery.isBroken)
        recovery.connectionLost()
        recovery.update(isServable: true, at: at(15))
        recovery.connectionReturned()
        recovery.update(isServable: true, at: at(16))
        #expect(recovery.waited(until: at(17)) == nil && !recovery.isBroken)
    }

    /// Broken: a phone that is still missing joins a later herd, or its return is counted from the wrong change.
    @Test func aPhoneBelongsToTheHerdThatItWasLostIn() {
        var herd = Herd()
        let at = { (seconds: Int64) in Instant.zero + .seconds(seconds) }
        var returned: TimeSpan?
        #expect(herd.missing(at: at(4)) == .seconds(4) && !herd.isFromTimeline)
        returned = herd.update(isConnected: true, at: at(5))
        #expect(returned == .seconds(5))
        returned = herd.update(isConnected: true, at: at(6))
        #expect(returned == nil)
        #expect(herd.missing(at: at(6)) == nil)
        herd.begin(isConnected: true, at: at(10))
        #expect(herd.isFromTimeline && herd.missing(at: at(11)) == nil)
        returned = herd.update(isConnected: false, at: at(11))
        #expect(returned == nil)
        herd.begin(isConnected: false, at: at(20))
        #expect(herd.missing(at: at(21)) == .seconds(11))
        returned = herd.update(isConnected: true, at: at(25))
        #expect(returned == .seconds(15))
        herd.begin(isConnected: false, at: at(30))
        #expect(herd.missing(at: at(31)) == .seconds(1))
    }

    /// Broken: an outage is charged to a change that cannot take a network away or stop an app, or to none.
    @Test func theLatestChangeOfNetworkAndAppIsRemembered() {
        var changes = RecentChanges()
        #expect(changes.network == nil && changes.app == nil && changes.active == nil)
        let table: [(ConditionChange, network: Bool, app: Bool)] = [
            (.pathDown(.wifi, .error), true, false), (.coverage(.cellular, false), true, false),
            (.coverage(.cellular, true), false, false), (.mappingsLost(.wifi), true, false),
            (.uplink(.wifi, false), true, false), (.uplink(.wifi, true), false, false),
            (.app(foreground: false), false, true), (.app(foreground: true), false, false),
            (.screen(false), false, true), (.screen(true), false, false), (.saving(true), false, true),
            (.kill, false, true), (.forceStop, false, true), (.moving(true), false, false),
            (.technology(1), true, false), (.cellHandover, false, false), (.access(.wifi, .open), true, false),
            (.readdress(.wifi, .silent), true, false), (.oneWay(.wifi, .up, passes: true), false, false),
            (.oneWay(.wifi, .up, passes: false), true, false), (.pathUp(.wifi, .plain), true, false),
        ]
        var (network, app): (UInt16?, UInt16?) = (nil, nil)
        for (index, row) in table.enumerated() {
            changes.begin(row.0, index)
            #expect(changes.active == UInt16(index))
            if row.network { network = UInt16(index) }
            if row.app { app = UInt16(index) }
            #expect(changes.network == network && changes.app == app, "\(row.0)")
            changes.end()
            #expect(changes.active == nil)
        }
        changes.resumeDeploy(70_000)
        #expect(changes.active == UInt16.max - 1 && changes.network == network && changes.activeIsOfServer)
        changes.end()
        #expect(changes.move == nil && !changes.activeIsOfServer)
        changes.begin(.serverMoved(.reset), 8)
        #expect(changes.move == 8 && !changes.activeIsOfServer)
        changes.begin(.server(.down), 9)
        #expect(changes.move == 8 && changes.network == network && changes.activeIsOfServer)
    }

    /// Broken: a phone skips a timeline entry, visits one twice, or visits them out of the order of its own instants.
    @Test(arguments: 0..<40 as Range<UInt64>) func aPhoneVisitsEachEntryOnce(seed: UInt64) throws {
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
        var timeline: [TimelineEntry] = []
        var at = Instant.zero
        for index in 0..<30 {
            let (first, second) = dice.pair(at: UInt64(index))
            at = at + .seconds(Int64(first % 4))
            var entry = TimelineEntry(at: at, .moving(index % 2 == 0))
            if second % 2 == 0 {
                let delay = try #require(
                    SpanRange(.uniform(0, Int64(second % 9) * 1_000_000_000), in: .zero ... .seconds(9)))
                entry.occurrence = OccurrenceRule(drawnAt: at, extraDelay: delay, phones: Probability(7, of: 10))
            }
            timeline.append(entry)
        }
        let times = TimelineDice(seed: seed, phone: PhoneID(3))
        let expected = timeline.indices.compactMap { index in
            timeline[index].instant(times).map { (at: $0, index: index) }
        }
        .sorted { ($0.at, $0.index) < ($1.at, $1.index) }
        var position = TimelinePosition(in: timeline, maxDisplacement: timeline.maxDisplacement, times)
        for visit in expected {
            #expect(Int(position.index) == visit.index && position.at == visit.at)
            position.advance(in: timeline, maxDisplacement: timeline.maxDisplacement, times)
        }
        #expect(position.at == .never && Int(position.index) == timeline.count)
    }

    // MARK: The server's address

    /// Broken: a name keeps its old address after an update, answers with the present one before it, or a resolver that
    /// fails answers. Or a change without an effect counts.
    @Test func theResolverAnswersWithTheNamedAddress() {
        var resolver = Resolver()
        resolver.failureMode = .silent
        var location = ServerLocation(dependsOnNetwork: false)
        let query = Packet(.dnsQuery, cause: .dns, bytes: 60, stamp: .zero)
        func answer(_ location: ServerLocation) -> UInt16? {
            location.answer(to: query, over: .wifi, resolver, nil)?.number
        }
        let first = answer(location)
        var applied = [location.apply(.nameUpdated), location.apply(.names(resolve: true))]
        #expect(first == Resolver.answer(with: 0) && applied == [false, false] && location.isNamed)
        applied = [location.apply(.serverMoved(.reset))]
        #expect(applied == [true] && answer(location) == first && !location.isNamed)
        #expect(location.isOld(0, over: .wifi, nil) && !location.isOld(1, over: .wifi, nil) && location.isReset(0, nil))
        applied = [location.apply(.nameUpdated), location.apply(.names(resolve: false))]
        #expect(applied == [true, true] && location.isNamed && answer(location) == nil)
        resolver.failureMode = .refusing
        #expect(answer(location) == Resolver.failure)
    }
}
