import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// Changes of the timeline: each one happens once, and has its own effect.
@Suite struct ServerChangeTests {
    /// Broken: a change takes effect although the server is in that state already, or has the effect of another one.
    @Test func eachChangeHappensOnce() {
        let bench = ServerBench { $0.push = .high }
        bench.open()
        #expect(bench.taking { check(bench.change(.frozen)) }.isEmpty && bench.server.isFrozen)
        #expect(bench.taking { check(!bench.change(.frozen)) }.isEmpty)
        #expect(bench.taking { check(bench.change(.thawed)) } == ["thaw 0", "announce"] && !bench.server.isFrozen)
        #expect(bench.taking { check(!bench.change(.thawed)) }.isEmpty)
        #expect(bench.taking { check(!bench.change(.up)) }.isEmpty && !bench.server.isDown)
        bench.wait(.seconds(1))
        #expect(bench.taking { check(bench.change(.down)) } == ["serverHeld 1000000000", "send reset 0"])
        check(bench.server.isDown)
        #expect(bench.taking { check(!bench.change(.down)) }.isEmpty)
        #expect(bench.taking { check(bench.change(.up)) } == ["push urgently if pending"] && !bench.server.isDown)
        #expect(bench.taking { check(bench.change(.refusingLogins)) } == ["changed"] && bench.server.refusesLogins)
        #expect(bench.taking { check(bench.change(.takingLogins)) } == ["changed"] && !bench.server.refusesLogins)
        #expect(bench.taking { check(!bench.change(.draining)) }.isEmpty, "no connection is left")
    }

    /// Broken: a thawed program sends nothing that was written meanwhile, sends it on a connection that is closing or
    /// superseded, or thaws datagrams.
    @Test func aThawedProgramCatchesUp() {
        let bench = ServerBench(.everySecond)
        bench.open()
        bench.write()
        bench.settle()
        bench.change(.frozen)
        #expect(bench.taking { bench.write() } == ["sentDown 1"])
        bench.write()
        #expect(bench.frames().isEmpty)
        bench.change(.thawed)
        bench.act { [now = bench.now] in $0.finishReading(0, .thaw(wasHeldBack: false), at: now, &$1) }
        #expect(bench.frames() == ["message 1..<3"])
        bench.settle()
        bench.change(.frozen)
        bench.write()
        bench.server.ends[0].isClosing = true
        bench.change(.thawed)
        bench.act { [now = bench.now] in $0.finishReading(0, .thaw(wasHeldBack: false), at: now, &$1) }
        #expect(bench.frames().isEmpty)
        let datagram = ServerBench(.everySecond)
        datagram.renew(.datagram)
        datagram.act { [introduction = datagram.introduction] in $0.openDatagrams(0, introduction, at: .zero, &$1) }
        datagram.change(.frozen)
        #expect(datagram.taking { datagram.change(.thawed) } == ["announce"])
        #expect(datagram.taking { datagram.change(.down) }.isEmpty && datagram.server.isHeld(0))
        #expect(datagram.taking { check(!datagram.change(.draining)) }.isEmpty)
    }

    /// Broken: a thawed long-polling server answers although no poll is held, or does not answer a held one.
    @Test(arguments: [true, false])
    func aThawedServerAnswersAHeldPoll(isHeld: Bool) {
        let bench = ServerBench(.everySecond)
        bench.open(Transport(.longPolling))
        if isHeld { bench.read(.poll) }
        bench.change(.frozen)
        bench.write()
        bench.change(.thawed)
        bench.act { [now = bench.now] in $0.finishReading(0, .thaw(wasHeldBack: false), at: now, &$1) }
        #expect(bench.frames() == (isHeld ? ["pollAnswer", "message 0"] : []))
        bench.change(.frozen)
        bench.change(.thawed)
        bench.act { [now = bench.now] in $0.finishReading(0, .thaw(wasHeldBack: false), at: now, &$1) }
        #expect(bench.frames().isEmpty)
    }

    /// Broken: the numbers of a new process begin at another message, or a session survives although it must not.
    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func aNewProcessBeginsANewEpoch(survives: Bool, names: Bool) {
        let bench = ServerBench(.everySecond) {
            $0.session.survivesRestart = survives
            $0.session.namesEpoch = names
        }
        bench.open()
        bench.read(.message, 0, upTo: 3)
        for _ in 0..<4 { bench.write() }
        #expect(bench.server.namedEpoch == (names ? 1 : 0))
        bench.change(.down)
        bench.write()
        bench.change(.up)
        bench.write()
        bench.write()
        #expect(bench.server.namedEpoch == (names ? (survives ? 1 : 2) : 0))
        #expect(bench.server.memory.receivedBelow == (survives ? 3 : 0))
        // Seven messages are written. Without survival, the first five are lost with the process.
        func position(_ cursor: UInt32, epoch: UInt32) -> UInt32? {
            bench.introduction.epoch = epoch
            return bench.position(of: cursor)
        }
        if survives {
            #expect([0, 2, 7].map { position($0, epoch: 1) } == [0, 2, 7])
            #expect(position(2, epoch: 0) == 2)
        } else if names {
            #expect(position(6, epoch: 2) == 6 && position(6, epoch: 0) == 6)
            #expect(position(6, epoch: 1) == 5, "the number belongs to another epoch")
        } else {
            // The client still counts as before: its number means another message.
            #expect(position(1, epoch: 0) == 6 && position(0, epoch: 0) == 5 && position(9, epoch: 0) == 7)
            bench.server.syncClientCount()
            #expect(position(6, epoch: 0) == 6 && position(1, epoch: 0) == 5)
        }
    }

    // MARK: Instances

    /// Broken: a change of an instance concerns a phone on another one, or has the effect of another change.
    @Test func anInstanceConcernsItsOwnConnections() {
        struct Row {
            var change: InstanceChange
            var isOwn: Bool
            var isOrphaned = false
            var isConcerned: Bool
            var requests: [String]
        }
        let rows = [
            Row(change: .down, isOwn: true, isConcerned: true, requests: ["serverHeld 0", "send reset 0"]),
            Row(change: .ejected, isOwn: true, isConcerned: true, requests: ["serverHeld 0", "send reset 0"]),
            Row(change: .frozen, isOwn: true, isConcerned: true, requests: ["changed"]),
            Row(change: .up, isOwn: true, isConcerned: true, requests: []),
            Row(
                change: .up, isOwn: true, isOrphaned: true, isConcerned: true,
                requests: ["serverHeld 0", "send reset 0"]),
            Row(change: .readmitted, isOwn: true, isConcerned: true, requests: []),
            Row(change: .down, isOwn: false, isConcerned: false, requests: []),
            Row(change: .ejected, isOwn: false, isConcerned: false, requests: []),
            Row(change: .frozen, isOwn: false, isConcerned: false, requests: []),
            Row(change: .up, isOwn: false, isConcerned: true, requests: []),
            Row(change: .readmitted, isOwn: false, isConcerned: true, requests: []),
        ]
        for row in rows {
            let bench = ServerBench { $0.session.window = .seconds(10) }
            bench.open()
            bench.server.ends[0].instance = row.isOwn ? 2 : 1
            bench.server.ends[0].isOrphaned = row.isOrphaned
            #expect(bench.server.usesInstance(2) == row.isOwn)
            let lines = bench.taking {
                let isConcerned = bench.act { [now = bench.now] in $0.apply(row.change, to: 2, at: now, &$1) }
                check(isConcerned == row.isConcerned)
            }
            #expect(lines == row.requests, "\(row.change)")
            let isFrozen = row.change == .frozen && row.isOwn
            #expect(bench.server.ends[0].isOrphaned == (isFrozen || row.isOrphaned))
            #expect(bench.server.isAttached(0) == !(isFrozen || lines.contains("send reset 0")))
            if isFrozen { check(!bench.server.memory.isKnown(at: bench.now + .seconds(11))) }
        }
    }

    /// Broken: a half-open connection outlives its instance, or ends with another one.
    @Test(arguments: InstanceChange.allCases)
    func aHalfOpenConnectionEndsWithItsInstance(change: InstanceChange) {
        for instance in [1, 2] as [UInt8] {
            let bench = ServerBench { $0.cluster.connectionLimit = 9 }
            bench.open()
            bench.decide(.served(at: bench.now, by: 1), windowEnd: bench.now + .milliseconds(1))
            bench.settle()
            bench.abandon()
            bench.renew()
            #expect(bench.server.usesInstance(1) && !bench.server.usesInstance(2))
            let lines = bench.taking {
                _ = bench.act { [now = bench.now] in $0.apply(change, to: instance, at: now, &$1) }
            }
            #expect(lines == (instance == 1 && change != .frozen ? ["serverHeld 0", "released 1"] : []))
        }
    }

    /// Broken: a cluster that counts no connections is told of one that has ended, or one that counts them is not.
    @Test(arguments: [true, false])
    func onlyAClusterThatCountsIsToldOfReleases(counts: Bool) {
        let bench = ServerBench {
            $0.acceptsPerSecond = 10
            if counts { $0.cluster.connectionLimit = 9 }
        }
        bench.open()
        bench.decide(.served(at: bench.now, by: 1), windowEnd: bench.now + .milliseconds(1))
        bench.settle()
        let lines = bench.taking { bench.act { [now = bench.now] in $0.dropClient(0, at: now, &$1) } }
        #expect(lines == ["serverHeld 0"] + (counts ? ["released 1"] : []))
        check(!bench.server.usesInstance(1))
    }

    // MARK: Deploys

    /// Broken: a deploy reaches the connection at another time than its instance, or more often than it has instances.
    @Test(arguments: [true, false])
    func aDeployReplacesEachInstanceOnce(isAbrupt: Bool) {
        var cuts: [Int: Int] = [:]
        for seed in 1...60 as ClosedRange<UInt64> {
            let bench = ServerBench(seed: seed)
            let deploy = Deploy(over: .seconds(90), instances: 9, isAbrupt: isAbrupt)
            bench.open()
            bench.wait(.seconds(100))
            bench.server.begin(deploy, entry: 3, at: bench.now)
            #expect(bench.server.deployEntry == 3)
            var model = UInt64(bench.dice(.deploy).at(3 << 16).scaled(below: 9))
            var count = 0
            while bench.server.deployAt < .never {
                #expect(bench.server.deployAt == .zero + .seconds(100 + 10 * Int64(model)), "seed \(seed)")
                bench.now = bench.server.deployAt
                let lines = bench.taking {
                    bench.act { [now = bench.now] in $0.advance(deploy, at: now, &$1) }
                }
                #expect(lines.contains(isAbrupt ? "send reset 0" : "changed"))
                count += 1
                let next = bench.dice(.deploy).at(3 << 16 | UInt64(count)).scaled(below: 9)
                #expect((bench.server.deployAt == .never) == (next <= model))
                model = next
                bench.abandon()
                bench.open()
            }
            cuts[count, default: 0] += 1
        }
        #expect(cuts[1, default: 0] > 20 && cuts[2, default: 0] > 5, "\(cuts)")
    }

    /// Broken: a deploy closes connections of a server that is down.
    @Test func aDeployOfAServerThatIsDownClosesNothing() {
        let bench = ServerBench()
        let deploy = Deploy(over: .zero, isAbrupt: true)
        bench.open()
        bench.server.begin(deploy, entry: 0, at: bench.now)
        bench.server.isDown = true
        #expect(bench.taking { bench.act { [now = bench.now] in $0.advance(deploy, at: now, &$1) } }.isEmpty)
    }

    // MARK: Writing and push

    /// Broken: a message is pushed although the phone has a connection, is not pushed although it has none, or a frozen
    /// server pushes.
    @Test func aMessageWithoutAConnectionIsPushed() {
        for push in PushPolicy.allCases {
            let bench = ServerBench(.everySecond) { $0.push = push }
            let pushes = push == .none ? [] : [push == .high ? "push urgently" : "push"]
            #expect(bench.taking { bench.write() } == ["sentDown 0"] + pushes + ["written"])
            bench.act { $0.announcePendingMessages(&$1) }
            #expect(bench.take() == pushes.map { "\($0) if pending" })
            bench.open()
            #expect(bench.taking { bench.write() } == ["sentDown 1", "written", "send data 0"])
            bench.act { $0.announcePendingMessages(&$1) }
            #expect(bench.take().isEmpty)
            bench.change(.frozen)
            #expect(bench.taking { bench.write() } == ["sentDown 2"])
            bench.change(.thawed)
            bench.change(.down)
            #expect(bench.taking { bench.write() } == ["sentDown 3", "written"])
            bench.change(.frozen)
            bench.server.isDown = false
            bench.act { $0.announcePendingMessages(&$1) }
            #expect(bench.take().last?.hasPrefix("push") != true)
        }
    }

    /// Broken: a datagram has other bytes or numbers, or is sent by a server that is down.
    @Test func messagesGoOutAsDatagrams() {
        let bench = ServerBench(.everySecond)
        bench.renew(.datagram)
        bench.act { [introduction = bench.introduction] in $0.openDatagrams(0, introduction, at: .zero, &$1) }
        _ = bench.take()
        bench.write()
        #expect(bench.taking { bench.write() } == ["sentDown 1", "written", "send datagram 0"])
        let packet = bench.packets.last
        #expect(packet?.first == 1 && packet?.last == 2 && packet?.bytes == Wire.udp + 100 && packet?.cause == .payload)
        bench.change(.down)
        #expect(bench.taking { bench.write() } == ["sentDown 2", "written"])
        let silent = ServerBench()
        #expect(silent.taking { silent.write() }.isEmpty, "no message stream")
    }

    /// Broken: a message of an HTTP/2 server without a stream is sent, or does not clear the strikes where it is.
    @Test func messagesNeedAStream() {
        var transport = Transport(.http2)
        let bench = ServerBench(.everySecond) { $0.pingFloor = .hours(1) }
        bench.open(transport)
        for ping in 0..<3 as Range<UInt32> { bench.read(.ping, ping) }
        #expect(bench.server.ends[0].pingPolicy.strikes == 1, "the second ping is free")
        bench.write()
        #expect(bench.server.ends[0].pingPolicy.strikes == 0)
        #expect(bench.frames() == ["pong 0..<3", "message 0"])
        transport.keepsStreamOpen = false
        bench.open(transport)
        bench.write()
        #expect(bench.frames().isEmpty)
    }
}
