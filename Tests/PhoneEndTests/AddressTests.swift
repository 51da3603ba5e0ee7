import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

@testable import DeadzoneSimulator

/// Resolution of the server's name, and migration to another address.
@Suite struct AddressTests {
    // MARK: Names

    private func answer(
        _ bench: PhoneEndBench, hasAddress: Bool = true, generation: UInt16? = nil, addressNumber: UInt16 = 1
    ) {
        let packet = bench.packet(.dnsResponse, number: hasAddress ? 1 : 0)
        bench.act { phone, _, now, session, out in
            phone.receiveResolution(
                packet, 0, generation: generation ?? phone[0].generation, over: .wifi, addressNumber: addressNumber,
                at: now, session,
                &out)
        }
    }

    private func expire(_ bench: PhoneEndBench) { bench.act { $0.expireResolution(0, at: $2, $3, &$4) } }

    /// Broken: a query is repeated at another time or too often, or a resolution without an answer does not fail.
    @Test func queriesAreRepeatedAndFail() {
        let bench = PhoneEndBench(resolver: Resolver(timeout: .seconds(5), attempts: 2))
        #expect(bench.taking { bench.connect() } == ["send dnsQuery 0"])
        #expect(bench.packets.last?.bytes == Resolver.questionBytes && bench.packets.last?.cause == .dns)
        #expect(bench.phone.resolutionDeadline(0) == .zero + .seconds(5) && bench.phone[0].belief == .opening)
        bench.wait(.seconds(5))
        #expect(bench.taking { expire(bench) } == ["send dnsQuery 0"])
        #expect(bench.phone.resolutionDeadline(0) == .zero + .seconds(10))
        bench.wait(.seconds(5))
        #expect(
            bench.taking { expire(bench) } == [
                "resolved failed 10000000000", "failed unresolved 1", "failed 0 unresolved",
            ])
        #expect(bench.phone.resolutionDeadline(0) == .never && bench.phone[0].resolution == nil)
        #expect(bench.taking { expire(bench) }.isEmpty && bench.taking { answer(bench) }.isEmpty)
    }

    /// Broken: an answer starts no handshake, is recorded twice, or is cached for another time or network.
    @Test func anAnswerIsUsedAndCached() {
        let bench = PhoneEndBench(resolver: Resolver(ttl: .seconds(60)))
        bench.connect()
        bench.wait(.milliseconds(40))
        #expect(bench.taking { answer(bench) } == ["resolved answered 40000000", "send hello 0"])
        #expect(bench.taking { answer(bench) }.isEmpty, "a second answer")
        let expiry = bench.now + .seconds(60)
        bench.now = expiry - .nanoseconds(1)
        #expect(bench.taking { bench.connect() } == ["resolved cached 0", "send hello 0"])
        bench.now = expiry
        #expect(bench.taking { bench.connect() } == ["send dnsQuery 0"])
        answer(bench)
        bench.session.network.handle = 2
        #expect(bench.taking { bench.connect() } == ["send dnsQuery 0"])
        bench.session.network.handle = 1
        bench.session.network.path = .cellular
        #expect(bench.taking { bench.connect() } == ["send dnsQuery 0"])
        // An answer for a connection that is gone is cached as well.
        #expect(bench.taking { answer(bench, generation: 1) }.isEmpty)
        bench.session.network.path = .wifi
        #expect(bench.taking { bench.connect() } == ["resolved cached 0", "send hello 0"])
        bench.now = expiry + .hours(1)
        bench.connect()
        #expect(
            bench.taking { answer(bench, hasAddress: false) }.dropLast() == [
                "resolved failed 0", "failed unresolved 7",
            ])
        #expect(bench.taking { bench.connect() } == ["send dnsQuery 0"], "a failure is not cached")
    }

    /// Broken: the last address is used on a network without a route to it, or is not used although there is a route.
    @Test(arguments: [true, false])
    func theLastAddressNeedsARoute(hasRoute: Bool) {
        var resolver = Resolver(timeout: .seconds(5), attempts: 2)
        // A network without IPv4: the last address is one of IPv4.
        if !hasRoute { resolver.wifi.translates = true }
        let bench = PhoneEndBench(resolver: resolver)
        #expect(bench.taking { bench.connect(choosing: .ask(orElse: 0)) } == ["send dnsQuery 0"])
        let lines = bench.taking { answer(bench, hasAddress: false) }
        #expect(lines.contains("send hello 0") == hasRoute, "\(lines)")
        #expect(lines.contains("failed 0 noPath") == !hasRoute, "\(lines)")
        #expect((bench.phone[0].belief == .opening) == hasRoute)
    }

    /// Broken: a broken address gets no SYN, or the next address is tried at another time.
    @Test(arguments: [true, false])
    func aBrokenAddressIsTriedFirst(races: Bool) {
        let bench = PhoneEndBench(resolver: Resolver(ipv4: .works, ipv6: .broken))
        var transport = Transport(.webSocket)
        transport.racesAddresses = races
        transport.addressTimeout = .seconds(2)
        bench.connect(transport)
        #expect(bench.taking { answer(bench) } == ["resolved answered 0", "send unansweredSYN 0"])
        #expect(bench.packets.last?.bytes == Resolver.synBytes && bench.packets.last?.cause == .connect)
        if !races {
            #expect(bench.phone.resolutionDeadline(0) == .zero + .seconds(1))
            bench.wait(.seconds(1))
            #expect(bench.taking { expire(bench) } == ["send unansweredSYN 0"])
        }
        let next = Instant.zero + (races ? .milliseconds(250) : .seconds(2))
        #expect(bench.phone.resolutionDeadline(0) == next)
        bench.now = next
        #expect(bench.taking { expire(bench) } == ["send hello 0"], "the resolution is recorded once")
        #expect(bench.phone.resolutionDeadline(0) == .never && bench.phone[0].resolution == nil)
    }

    /// Broken: an attempt with only broken addresses does not time out, or a wait of the resolver sends something.
    @Test func allAddressesMayBeBroken() {
        let bench = PhoneEndBench(resolver: Resolver(ipv4: .broken))
        var transport = Transport(.webSocket)
        transport.addressTimeout = .milliseconds(500)
        bench.connect(transport)
        answer(bench)
        bench.now = bench.phone.resolutionDeadline(0)
        #expect(bench.now == .zero + .milliseconds(500))
        #expect(bench.taking { expire(bench) } == ["failed timed_out 1", "failed 0 timedOut"])
        let waiting = PhoneEndBench(resolver: Resolver(ipv6: .unanswered))
        waiting.connect()
        #expect(
            waiting.taking { answer(waiting) }.isEmpty
                && waiting.phone.resolutionDeadline(0) == .zero + .milliseconds(50))
        waiting.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
        waiting.wait(.milliseconds(50))
        #expect(waiting.taking { expire(waiting) }.isEmpty && waiting.phone.resolutionDeadline(0) == .never)
    }

    /// Broken: the set-up has no limit of its own, its limit begins before the TCP connection, or it ends a connection
    /// that has opened in time.
    @Test(arguments: [true, false])
    func theSetUpHasItsOwnLimit(isAnswered: Bool) {
        let bench = PhoneEndBench()
        var transport = Transport(.webSocket)
        transport.setupTimeout = .seconds(2)
        bench.connect(transport)
        #expect(bench.phone.resolutionDeadline(0) == .never)
        bench.wait(.seconds(5))
        bench.receive(bench.packet(.helloReply, echo: .zero))
        #expect(bench.phone.resolutionDeadline(0) == .zero + .seconds(7))
        bench.wait(.seconds(1))
        bench.readFlight(0)
        if isAnswered { bench.readFlight(1) }
        #expect(bench.phone.resolutionDeadline(0) == (isAnswered ? .never : .zero + .seconds(7)))
        bench.wait(.seconds(1))
        let lines = bench.taking { expire(bench) }
        #expect(lines == (isAnswered ? [] : ["send reset 0", "failed timed_out 1", "failed 0 timedOut"]))
    }

    // MARK: Migration

    private static let street = NetworkView(path: .cellular, handle: 4)

    private func migrate(_ bench: PhoneEndBench) -> Bool { bench.act { $0.migrate(0, $1, at: $2, $3, &$4) } }

    /// Broken: a connection migrates without a network, a permission or a new address, or over TCP.
    @Test func aConnectionMigratesOnlyToANewAddress() {
        func migrates(_ kind: Transport.TransportKind = .quic, _ set: (PhoneEndBench) -> Void) -> Bool {
            let bench = PhoneEndBench()
            bench.open(Transport(kind))
            set(bench)
            var isMoved = false
            #expect(bench.taking { isMoved = migrate(bench) }.isEmpty)
            return isMoved
        }
        #expect(migrates { $0.session.network = Self.street })
        #expect(migrates { $0.session.network.handle = 2 } && migrates { $0.session.network.path = .cellular })
        #expect(!migrates { _ in } && !migrates(.webSocket) { $0.session.network = Self.street })
        #expect(!migrates { $0.session.network.path = nil })
        #expect(
            !migrates {
                $0.session.network = Self.street
                $0.permissions.mayUseNetwork = false
            })
        #expect(
            !migrates { bench in
                bench.session.network = Self.street
                bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
                _ = bench.taking {}
            })
    }

    /// Broken: a connection that may not migrate survives, or one without a spare connection ID does.
    @Test func aConnectionThatMayNotMigrateIsLost() {
        let lost = ["died(slot: 0)", "believedClosed(slot: 0)", "closed path_lost 1", "closed 0 pathLost"]
        let bench = PhoneEndBench(migrates: false)
        bench.open(Transport(.quic))
        check(!bench.phone[0].canMigrate)
        bench.session.network = Self.street
        #expect(bench.taking { check(!migrate(bench)) } == lost && !bench.phone.reads(0))
        let spent = PhoneEndBench()
        spent.open(Transport(.quic))
        check(spent.phone[0].canMigrate)
        spent.session.network = Self.street
        #expect(migrate(spent))
        spent.session.network = NetworkView(path: .wifi, handle: 5)
        #expect(spent.taking { check(!migrate(spent)) } == lost, "the only spare ID is used")
    }

    /// Broken: a challenge has another size or number, is repeated at another time, or its answer brings no new ID.
    @Test func aNewPathIsValidated() {
        let bench = PhoneEndBench()
        bench.open(Transport(.quic))
        bench.send(0..<1)
        bench.wait(.seconds(3))
        bench.session.network = Self.street
        #expect(migrate(bench))
        #expect(
            bench.phone[0].interface == .cellular && bench.phone[0].addressNumber == 4
                && bench.phone[0].tcp.window == 10)
        #expect(bench.taking { bench.act { $0.validatePath(0, at: $2, &$4) } } == ["send challenge 0", "send data 0"])
        let challenge = bench.packets[bench.packets.count - 2]
        #expect(challenge.bytes == QUICWire.initial && challenge.number == 1)
        let probe = Kernel.quic.probeTimeout()
        #expect(bench.phone[0].protocolState.pathMigration.path.dueAt == bench.now + probe)
        bench.now += .milliseconds(90)
        #expect(
            bench.taking { bench.receive(bench.packet(.challengeAnswer, number: 2, echo: .zero + .seconds(3))) }
                == ["heard(slot: 0)"])
        #expect(bench.phone[0].protocolState.pathMigration.spare.count == 0)
        bench.receive(bench.packet(.challengeAnswer, number: 1, echo: .zero + .seconds(3)))
        #expect(bench.phone[0].protocolState.pathMigration.spare.count == 1)
        #expect(bench.phone[0].tcp.timer.estimator.smoothed == .milliseconds(90))
        #expect(bench.phone[0].protocolState.pathMigration.path.dueAt == .never)
        #expect(
            bench.taking { bench.receive(bench.packet(.challenge, number: 8)) } == [
                "heard(slot: 0)", "send challengeAnswer 0",
            ])
        #expect(bench.packets.last?.number == 8 && bench.packets.last?.bytes == QUICWire.initial)
        #expect(bench.packets.last?.echo == bench.now)
    }

    /// Broken: a path packet does not restart the idle timer.
    @Test(arguments: [Packet.PacketContent.challenge, .challengeAnswer])
    func pathPacketsRestartTheIdleTimer(content: Packet.PacketContent) {
        let bench = PhoneEndBench()
        bench.open(Transport(.quic))
        bench.wait(.seconds(9))
        bench.receive(bench.packet(content, number: 77))
        #expect(bench.phone[0].tcp.idleDeadline == .zero + .seconds(39))
    }

    /// Broken: a path without an answer is tried for ever, or its challenges come at other times.
    @Test func aPathWithoutAnAnswerIsLost() {
        let bench = PhoneEndBench()
        bench.open(Transport(.quic))
        bench.session.network = Self.street
        #expect(migrate(bench))
        bench.act { $0.validatePath(0, at: $2, &$4) }
        let probe = Kernel.quic.probeTimeout()
        #expect(bench.phone.deadline(0) == Instant.zero + probe)
        bench.now = .zero + probe - .nanoseconds(1)
        #expect(bench.taking { bench.expire() }.isEmpty)
        bench.now = .zero + probe
        #expect(bench.taking { bench.expire() } == ["send challenge 0"])
        bench.now = .zero + probe * 3
        #expect(bench.phone.deadline(0) == bench.now)
        #expect(
            bench.taking { bench.expire() } == [
                "gaveUp(slot: 0)", "died(slot: 0)", "believedClosed(slot: 0)", "closed timed_out 1",
                "closed 0 timedOut",
            ])
    }
}
