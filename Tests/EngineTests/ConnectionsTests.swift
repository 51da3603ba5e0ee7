import DeadzoneBase
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// The true state of connections, without a phone around it.
@Suite struct ConnectionsTests {
    /// The part alone, with its placeholder, its clock and its effects.
    private final class Bench {
        let unused = UnsafeMutablePointer<ConnectionTruth>.allocate(capacity: 1)
        var connections: Connections
        var effects = EffectQueue<ConnectionsEffect>()
        var now = Instant.zero

        init(hasPeer: Bool = false) {
            unused.initialize(to: ConnectionTruth())
            connections = Connections(unused: unused, hasPeer: hasPeer)
        }

        deinit { unused.deallocate() }

        /// Calls the part and returns the records that it requests.
        func call(
            _ body: (inout Connections, Instant, inout EffectQueue<ConnectionsEffect>) -> Void
        ) -> [JournalEntry] {
            body(&connections, now, &effects)
            let batch = effects.begin()
            var notes: [JournalEntry] = []
            for index in batch { if case .note(let note) = effects[index] { notes.append(note) } }
            effects.end(batch)
            return notes
        }

        /// Opens a connection in the slot, with the true state that follows from the facts.
        func open(_ slot: Int, _ facts: ConnectionFacts = ConnectionFacts()) {
            connections.renew(slot, isDatagram: facts.isDatagram)
            _ = call { $0.open(slot, facts, number: 1, isStopped: false, at: $1, &$2) }
        }

        func advance(seconds: Int64) { now = now + .seconds(seconds) }
    }

    private static let dead = ConnectionFacts(isServed: false)
    private static let blocked = ConnectionFacts(networkWorks: false)

    // MARK: The cause of an outage

    /// Broken: an outage has another cause than the first one that applies: the app, a broken connection, the server,
    /// the token, the network, the address.
    @Test func theFirstCauseThatAppliesIsCharged() {
        let order: [(OutageFacts, LossCause)] = [
            (OutageFacts(appLives: false), .processEnded), (OutageFacts(appIsStopped: true), .appStopped),
            (OutageFacts(serverAcceptsSessions: false), .serverUnavailable),
            (OutageFacts(tokenIsExpired: true), .credentialsExpired), (OutageFacts(networkWorks: false), .noPath),
            (OutageFacts(latestAddressIsOld: true), .oldAddress), (OutageFacts(), .notConnected),
        ]
        let bench = Bench()
        for (first, cause) in order { #expect(bench.connections.missingConnectionCause(first) == cause) }
        var all = OutageFacts(
            appLives: false, appIsStopped: true, networkWorks: false, serverAcceptsSessions: false,
            tokenIsExpired: true, latestAddressIsOld: true)
        let heal: [(inout OutageFacts) -> Void] = [
            { $0.appLives = true }, { $0.appIsStopped = false }, { $0.serverAcceptsSessions = true },
            { $0.tokenIsExpired = false }, { $0.networkWorks = true }, { $0.latestAddressIsOld = false },
        ]
        for (index, (_, cause)) in order.enumerated() {
            #expect(bench.connections.missingConnectionCause(all) == cause)
            if index < heal.count { heal[index](&all) }
        }
    }

    /// Broken: an outage with a connection that the client believes open is not charged to the condition that broke it.
    @Test func aBrokenConnectionIsCharged() {
        func cause(_ connection: ConnectionFacts, _ change: (inout OutageFacts) -> Void = { _ in }) -> LossCause {
            let bench = Bench()
            bench.open(0, connection)
            // None of these matters beside a connection that is broken.
            var facts = OutageFacts(
                networkWorks: false, serverAcceptsSessions: false, tokenIsExpired: true, latestAddressIsOld: true,
                connection: connection)
            change(&facts)
            return bench.connections.missingConnectionCause(facts)
        }
        var waiting = ConnectionFacts(middleboxes: .waitsForUplink)
        #expect(cause(waiting) == .mappingForgotten)
        waiting.networkWorks = false
        #expect(cause(waiting) == .noPath)
        #expect(cause(Self.blocked) == .noPath)
        #expect(cause(Self.blocked) { $0.tunnelMappingIsForgotten = true } == .mappingForgotten)
        #expect(cause(ConnectionFacts(serverIsFrozen: true)) == .serverUnavailable)
        #expect(cause(ConnectionFacts(isDatagram: true, serverIsDown: true)) == .serverUnavailable)
        #expect(cause(ConnectionFacts(isCutOffFromPeer: true)) == .noPath)
        #expect(cause(ConnectionFacts(middleboxes: .cut)) == .mappingForgotten)
        #expect(cause(ConnectionFacts(middleboxes: .cut, isUDP: true)) == .deadConnection)
        #expect(cause(ConnectionFacts(middleboxes: .cut, isAtOldAddress: true)) == .oldAddress)
        #expect(cause(ConnectionFacts(isClosedByKernel: true, isAtOldAddress: true)) == .deadConnection)
        #expect(cause(ConnectionFacts(isClosedByKernel: true, serverIsDown: true)) == .deadConnection)
        #expect(cause(ConnectionFacts(hasItsAddress: false, serverIsDown: true)) == .deadConnection)
        #expect(cause(ConnectionFacts(isAtOldPeerAddress: true)) == .deadConnection)
        #expect(cause(ConnectionFacts(serverIsDown: true)) == .serverUnavailable)
        #expect(cause(Self.dead) { $0.appIsStopped = true } == .appStopped)
    }

    /// Broken: with a dead connection and one that is cut off, the outage is charged to the latter, or the facts of the
    /// wrong slot are used.
    @Test func aDeadConnectionComesFirst() {
        for slot in 0..<2 {
            let bench = Bench()
            #expect(bench.connections.brokenSlot == nil)
            bench.open(1 - slot, Self.blocked)
            #expect(bench.connections.brokenSlot == 1 - slot)
            bench.open(slot, Self.dead)
            #expect(bench.connections.brokenSlot == slot && !bench.connections.isConnected)
        }
    }

    /// Broken: a server that ends a connection by itself is not the cause, or is the cause when it got no answers.
    @Test func aServerIsChargedForAnEndByItself() {
        let bench = Bench()
        bench.open(0, Self.dead)
        let facts = OutageFacts(connection: Self.dead)
        #expect(bench.connections.missingConnectionCause(facts) == .deadConnection)
        bench.connections.beginChange(.server(.down), number: 3, isCommon: true, at: bench.now)
        #expect(bench.connections.missingConnectionCause(facts) == .serverUnavailable)
        bench.connections.recentChanges.end()
        #expect(bench.connections.missingConnectionCause(facts) == .deadConnection)
        bench.connections.outage = nil
        #expect(bench.connections.missingConnectionCause(facts) == .serverUnavailable)
        var isDown = facts
        isDown.connection.serverIsDown = true
        _ = bench.call { $0.updateOutage(OutageFacts(), cause: .noPath, at: $1, &$2) }
        #expect(bench.connections.missingConnectionCause(isDown) == .serverUnavailable)
    }

    // MARK: The change behind it

    /// Broken: an outage is charged to another change than the one that led to it, or its first change is forgotten
    /// while it goes on.
    @Test func anOutageKeepsItsFirstChange() {
        func change(
            _ cause: LossCause, active: Bool = false, isOn: Bool = false, hasMoved: Bool = false, hasLost: Bool = false
        ) -> UInt16? {
            let bench = Bench()
            bench.connections.outage = isOn ? OngoingOutage(since: .zero, change: 7, cause: .deduplicated) : nil
            let earlier: [ConditionChange] = [
                .pathDown(.wifi, .error), .screen(false), .serverMoved(.silent), .moving(true),
            ]
            for (index, change) in earlier.enumerated() {
                bench.connections.beginChange(change, number: index + 1, isCommon: true, at: bench.now)
                if index < 3 || !active { bench.connections.recentChanges.end() }
            }
            let facts = OutageFacts(hasMoved: hasMoved, hasLostAddress: hasLost)
            _ = bench.call { $0.updateOutage(facts, cause: cause, at: $1, &$2) }
            return bench.connections.outage?.change
        }
        #expect(change(.noPath) == 1 && change(.noPath, isOn: true) == 7 && change(.noPath, active: true) == 4)
        #expect(change(.appStopped, isOn: true) == 2 && change(.processEnded, active: true, isOn: true) == 4)
        #expect(change(.oldAddress, active: true, isOn: true) == 3)
        #expect(change(.notConnected, active: true, isOn: true) == 7 && change(.notConnected) == nil)
        #expect(change(.notConnected, hasMoved: true) == 1 && change(.notConnected, active: true, hasMoved: true) == 4)
        #expect(change(.deadConnection, hasMoved: true) == nil && change(.deadConnection, hasLost: true) == 1)
        #expect(change(.deadConnection, isOn: true, hasLost: true) == 7)
        #expect(change(.serverUnavailable, active: true, isOn: true) == 4 && change(.serverUnavailable) == nil)
    }

    /// Broken: silence is counted twice or not at all when the cause of an outage changes, or goes on after its end.
    @Test func silenceIsSplitByCause() {
        let bench = Bench()
        func update(_ facts: OutageFacts) -> [JournalEntry] { bench.call { $0.updateOutage(facts, at: $1, &$2) } }
        func silence(_ cause: LossCause, seconds: Int64) -> [JournalEntry] {
            let tag = SilenceTag(cause, change: nil)
            return [JournalEntry(.silent, tag, value: TimeSpan.seconds(seconds).nanoseconds)]
        }
        bench.advance(seconds: 3)
        var notes = update(OutageFacts())
        #expect(notes.isEmpty && bench.connections.outage?.cause == .notConnected)
        notes = update(OutageFacts(networkWorks: false))
        #expect(notes == silence(.notConnected, seconds: 3) && bench.connections.outage?.cause == .noPath)
        bench.advance(seconds: 5)
        notes = bench.call { $0.endOutage(at: $1, &$2) }
        #expect(notes == silence(.noPath, seconds: 5) && bench.connections.outage == nil)
        bench.advance(seconds: 1)
        notes = bench.call { $0.endOutage(at: $1, &$2) } + bench.call { $0.finish(isStopped: false, at: $1, &$2) }
        #expect(notes.isEmpty)
        notes = update(OutageFacts())
        bench.advance(seconds: 2)
        notes += bench.call { $0.finish(isStopped: false, at: $1, &$2) }
        #expect(notes == silence(.notConnected, seconds: 2))
    }

    /// Broken: an outage begins or ends without an effect, so that no lost message is charged to it.
    @Test func eachChangeOfAnOutageIsAnEffect() {
        let bench = Bench()
        func changes(_ body: (inout Connections, Instant, inout EffectQueue<ConnectionsEffect>) -> Void) -> Int {
            body(&bench.connections, bench.now, &bench.effects)
            let batch = bench.effects.begin()
            let count = batch.count { if case .outageChanged = bench.effects[$0] { true } else { false } }
            bench.effects.end(batch)
            return count
        }
        let facts = OutageFacts(networkWorks: false)
        #expect(changes { $0.updateOutage(OutageFacts(), at: $1, &$2) } == 0)
        #expect(changes { $0.updateOutage(facts, at: $1, &$2) } == 1)
        #expect(changes { $0.updateOutage(facts, at: $1, &$2) } == 0)
        #expect(changes { $0.endOutage(at: $1, &$2) } == 1 && changes { $0.endOutage(at: $1, &$2) } == 0)
        #expect(changes { $0.updateOutage(facts, cause: .processEnded, at: $1, &$2) } == 1)
    }

    /// Broken: a working connection that the client gives up is no false drop, or one that a box blocks can return.
    @Test func aGoodConnectionIsGivenUpByMistake() {
        let given = AbandonedConnection(interface: .wifi, addressNumber: 1, number: 4, until: .zero + .seconds(60))
        /// Numbers of mistakes that are recorded at once, and of connections that may become one.
        func giveUp(_ facts: ConnectionFacts, isProtocolBlocked: Bool = false) -> [Int] {
            let bench = Bench()
            bench.open(0, facts)
            let notes = bench.call { connections, _, out in
                connections.giveUp(0, given, isProtocolBlocked: isProtocolBlocked, &out)
            }
            let mistakes = notes.filter { $0.kind == .falseDrop && $0.value == 4 }.count
            return [mistakes, bench.connections.truths[0].abandoned == nil ? 0 : 1]
        }
        #expect(giveUp(ConnectionFacts()) == [1, 0] && giveUp(Self.dead) == [0, 0])
        #expect(giveUp(Self.blocked) == [0, 1])
        #expect(giveUp(Self.blocked, isProtocolBlocked: true) == [0, 0])
    }

    // MARK: Periods

    /// Broken: the recorded periods of a connection do not cover its life, or overlap. Or the time in which both paths
    /// to a peer work counts twice.
    @Test(arguments: 0..<60 as Range<UInt64>, [false, true]) func periodsCoverTheLife(seed: UInt64, hasPeer: Bool) {
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
        let bench = Bench(hasPeer: hasPeer)
        let states: [ConnectionFacts] = [ConnectionFacts(), Self.blocked, Self.dead]
        var notes: [JournalEntry] = []
        var expected: [RecordKind: Int64] = [:]
        var current: [ConnectionTruth.State] = [.absent, .absent]
        for step in 0..<40 as Range<UInt64> {
            let (first, second) = dice.pair(at: step)
            let span = Int64(second % 5)
            for slot in 0..<2 {
                let isTwice = hasPeer && slot == 1 && current == [.working, .working]
                switch current[slot] {
                case .absent: break
                case .working: if !isTwice { expected[.available, default: 0] += span }
                case .blocked: expected[.blocked, default: 0] += span
                case .dead: expected[.zombie, default: 0] += span
                }
            }
            bench.advance(seconds: span)
            let slot = Int(first % 2)
            var facts = states[Int(first / 2 % 3)]
            facts.isDatagram = true
            if current[slot] == .absent {
                bench.connections.renew(slot, isDatagram: true)
                notes += bench.call { $0.open(slot, facts, number: 1, isStopped: false, at: $1, &$2) }
            } else if first / 6 % 4 == 0 {
                notes += bench.call { $0.close(slot, isStopped: false, at: $1, &$2) }
            } else {
                notes += bench.call { $0.reassess(slot, facts, isStopped: false, at: $1, &$2) }
            }
            current = (0..<2).map { bench.connections.truths[$0].state }
        }
        notes += bench.call { $0.finish(isStopped: false, at: $1, &$2) }
        for kind in [RecordKind.available, .blocked, .zombie] {
            let sum = notes.filter { $0.kind == kind }.reduce(0) { $0 + $1.value }
            #expect(sum == expected[kind, default: 0] * 1_000_000_000, "\(kind)")
        }
    }
}
