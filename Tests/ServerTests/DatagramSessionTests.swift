import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// The server's end of DTLS sessions and confirmable messages, and of requests for access tokens.
@Suite struct DatagramSessionTests {
    private static func transport(_ version: DatagramLayer.DTLSVersion, hasID: Bool = false) -> Transport {
        var transport = Transport.datagram
        transport.datagrams.version = version
        transport.datagrams.hasConnectionID = hasID
        return transport
    }

    /// UDP and IPv4 headers (RFC 768, RFC 791).
    private static let udp: UInt32 = 28

    private func open(_ bench: ServerBench, _ transport: Transport) {
        bench.renew(transport)
        bench.act { [now = bench.now, introduction = bench.introduction] in
            $0.openDatagrams(0, introduction, at: now, &$1)
        }
        _ = bench.take()
    }

    private func hello(_ flight: UInt16, isResumed: Bool, _ bench: ServerBench) -> [String] {
        bench.taking {
            bench.receive(
                Packet(
                    .hello, cause: .tls, bytes: 100, number: flight, first: isResumed ? 1 : 0, stamp: bench.now))
        }
    }

    private func send(_ message: UInt32, begun: Instant, _ bench: ServerBench) -> [String] {
        var packet = Packet(
            .datagram, cause: .payload, bytes: 200, number: 1, first: message, last: message + 1, stamp: bench.now)
        packet.echo = begun
        return bench.taking { bench.receive(packet) }
    }

    // MARK: Sessions

    /// Broken: a session opens with another flight than the last one, an answer has another size, or a message without
    /// a session is received or sent.
    @Test(
        arguments: [
            (.dtls12, false, [60, 120, 67]), (.dtls12, true, [162]), (.dtls13, false, [92, 153]),
            (.dtls13, true, [153]),
        ] as [(DatagramLayer.DTLSVersion, Bool, [UInt32])])
    func theLastFlightOpensTheSession(version: DatagramLayer.DTLSVersion, isResumed: Bool, answers: [UInt32]) {
        let bench = ServerBench(.everySecond)
        bench.now = .zero + .seconds(10)
        open(bench, Self.transport(version))
        for (flight, bytes) in answers.enumerated() {
            #expect(send(0, begun: bench.now, bench) == ["dtlsIgnored 1"])
            #expect(bench.taking { bench.write() } == ["sentDown \(flight)", "written"])
            let isLast = flight == answers.count - 1
            let lines = hello(UInt16(flight), isResumed: isResumed, bench)
            #expect(lines == (isLast ? ["dtlsOpened 1"] : []) + ["send helloReply 0"])
            let packet = bench.packets.last
            #expect(packet?.bytes == Self.udp + bytes && packet?.cause == .tls && packet?.number == UInt16(flight))
        }
        // A repeated flight is answered, and opens nothing.
        #expect(hello(UInt16(answers.count - 1), isResumed: isResumed, bench) == ["send helloReply 0"])
        #expect(send(0, begun: bench.now, bench) == ["deliveredUp 9000000000", "send acknowledgement 0"])
        // The header and the token of CoAP have 8 bytes (RFC 7252 §3); a record has 29 or 14.
        let record: UInt32 = version == .dtls12 ? 29 : 14
        #expect(bench.packets.last?.bytes == Self.udp + record + 8 && bench.packets.last?.cause == .ack)
        #expect(bench.packets.last?.first == 0 && bench.packets.last?.last == 1)
        #expect(bench.taking { bench.write() } == ["sentDown \(answers.count)", "written", "send datagram 0"])
        #expect(bench.packets.last?.bytes == Self.udp + record + 100)
    }

    /// Broken: a session that the server finds by the address survives another address, or one with a connection id
    /// does not. Or a connection without DTLS needs a session.
    @Test func onlyAConnectionIDOutlivesTheAddress() {
        for (version, hasID) in [(.none, false), (.dtls12, false), (.dtls12, true), (.dtls13, true)]
            as [(DatagramLayer.DTLSVersion, Bool)]
        {
            let bench = ServerBench(.everySecond)
            let transport = Self.transport(version, hasID: hasID)
            open(bench, transport)
            for flight in 0..<3 as Range<UInt16> { _ = hello(flight, isResumed: false, bench) }
            check(bench.server.ends[0].hasDatagramSession)
            bench.server.changeSource(0)
            #expect(bench.server.ends[0].hasDatagramSession == (version == .none || hasID))
            open(bench, transport)
            #expect(bench.server.ends[0].hasDatagramSession == (version == .none || hasID), "a new connection")
            open(bench, Self.transport(.dtls12))
            check(!bench.server.ends[0].hasDatagramSession, "a connection without an id")
        }
    }

    // MARK: Messages

    /// Broken: a repeat is delivered again, or a message at the end of the lifetime of its id is not.
    @Test func aRepeatIsKnownForItsLifetime() {
        let bench = ServerBench(.everySecond) { $0.exchangeLifetime = .seconds(100) }
        bench.now = .zero + .seconds(10)
        open(bench, Self.transport(.none))
        let begun = bench.now
        #expect(send(0, begun: begun, bench) == ["deliveredUp 9000000000", "send acknowledgement 0"])
        #expect(send(0, begun: begun, bench) == ["suppressedUp 1", "send acknowledgement 0"])
        #expect(send(1, begun: begun, bench) == ["deliveredUp 8000000000", "send acknowledgement 0"])
        bench.now = begun + .seconds(100) - .nanoseconds(1)
        #expect(send(1, begun: begun, bench) == ["suppressedUp 1", "send acknowledgement 0"])
        bench.now = begun + .seconds(100)
        #expect(send(1, begun: begun, bench) == ["duplicatedUp 1", "send acknowledgement 0"])
        #expect(send(0, begun: begun, bench) == ["duplicatedUp 1", "reorderedUp 1", "send acknowledgement 0"])
        #expect(bench.server.arrived.index == 2)
        // A message that does not ask for a confirmation gets none.
        let plain = Packet(.datagram, cause: .payload, bytes: 128, first: 2, last: 3, stamp: bench.now)
        #expect(
            bench.taking { bench.receive(plain) } == ["deliveredUp 107000000000", "datagrams before 3"])
    }

    // MARK: Tokens

    /// Broken: a token expires at another second, or the server's leeway does not count.
    @Test func aTokenExpiresAtItsSecond() {
        func server(_ leeway: Int64?) -> ServerBench {
            ServerBench {
                $0.credentials = leeway.map {
                    var rules = CredentialRules(life: .minutes(10))
                    rules.leeway = .seconds($0)
                    return rules
                }
            }
        }
        func isExpired(_ bench: ServerBench, at time: Instant) -> Bool { bench.server.hasExpiredToken(at: time) }
        for leeway in [0, 5] as [Int64] {
            let bench = server(leeway)
            #expect(!isExpired(bench, at: .zero + .hours(1_000)), "no token is known")
            // A token stores the time of its expiry in seconds, without a fraction.
            bench.server.setTokenExpiry(.zero + .milliseconds(90_900))
            let due = Instant.zero + .seconds(90 + leeway)
            #expect(!isExpired(bench, at: due - .nanoseconds(1)) && isExpired(bench, at: due))
            bench.server.setTokenExpiry(.never)
            #expect(!isExpired(bench, at: .zero + .hours(1_000)))
        }
        let plain = server(nil)
        plain.server.setTokenExpiry(.zero + .seconds(1))
        #expect(!isExpired(plain, at: .zero + .seconds(2)))
    }

    /// Broken: a token is issued at another time, or a request that the cluster did not serve gets one. The window of
    /// requests ends at 1,100 ms, and to issue a token takes 50 ms.
    @Test(
        arguments: [
            (nil, 1_050, true), (.served(at: .zero + .milliseconds(1_040), by: 0), 1_100, true),
            (.served(at: .zero + .milliseconds(1_080), by: 0), 1_130, true),
            (.dropped(at: .zero + .milliseconds(1_250)), 1_250, false),
            (.dropped(at: .zero + .milliseconds(1_050)), 1_100, false), (.refused, 1_100, false),
            (.unanswered, 1_100, false), (.reset, 1_100, false),
        ] as [(Cluster.ServiceOutcome?, Int64, Bool)])
    func aTokenIsIssuedWhenItIsServed(outcome: Cluster.ServiceOutcome?, due: Int64, isServed: Bool) {
        let rules = CredentialRules(life: .minutes(10))
        let state = StableValue(CredentialState(age: .zero))
        _ = state.pointer.pointee.begin(byUser: false, rules, at: .zero, within: .hours(1))
        let bench = ServerBench {
            $0.credentials = rules
            $0.faults.requestsPerSecond = outcome == nil ? nil : 10
        }
        bench.now = .zero + .seconds(1)
        let lines = bench.taking {
            bench.act { [now = bench.now] in
                let packet = Packet(
                    .tokenRequest, cause: .connect, bytes: 1_000, number: 1, first: UInt32(rules.roundTrips - 1),
                    stamp: now)
                $0.receiveTokenRequest(
                    packet, from: PhoneAddress(.wifi, addressNumber: 0), state.pointer, at: now, &$1)
            }
            guard let outcome else { return }
            bench.decide(outcome, windowEnd: .zero + .milliseconds(1_100))
        }
        let submitted = outcome == nil ? [] : ["submit token 1 0 #0 at 1000"]
        #expect(lines == submitted + ["schedule token(1, isServed: \(isServed)) 0 at \(due)"])
    }
}
