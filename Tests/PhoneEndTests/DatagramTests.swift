import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

@testable import DeadzoneSimulator

/// Confirmable messages, DTLS handshakes and checks of a path over datagrams; and requests for the offset of a message.
@Suite struct DatagramTests {
    private static func transport(
        _ version: DatagramLayer.DTLSVersion = .none, hasID: Bool = false, _ route: DatagramLayer.PeerRoute = .none
    ) -> Transport {
        var transport = Transport.datagram
        transport.datagrams.version = version
        transport.datagrams.hasConnectionID = hasID
        transport.datagrams.route = route
        return transport
    }

    /// UDP and IPv4 headers (RFC 768, RFC 791).
    private static let udp: UInt32 = 28

    /// Broken: a layer adds other bytes to a message. A record of DTLS 1.2 adds 29 bytes and its connection id 7, those
    /// of DTLS 1.3 add 14 and 6, and a relay adds 4.
    @Test(
        arguments: [
            (.none, false, .none, 0), (.none, true, .relay, 4), (.none, false, .direct, 0), (.dtls12, false, .none, 29),
            (.dtls12, true, .none, 36), (.dtls13, false, .none, 14), (.dtls13, true, .relay, 24),
        ] as [(DatagramLayer.DTLSVersion, Bool, DatagramLayer.PeerRoute, UInt32)])
    func eachLayerAddsItsBytes(
        version: DatagramLayer.DTLSVersion, hasID: Bool, route: DatagramLayer.PeerRoute, overhead: UInt32
    ) {
        let bench = PhoneEndBench()
        bench.open(Self.transport(version, hasID: hasID, route))
        bench.wait(.seconds(9))
        #expect(bench.taking { bench.send(2..<3) } == ["send datagram 0"])
        #expect(bench.packets.last?.bytes == Self.udp + overhead + 100)
        for begun in [bench.now, .zero + .seconds(4)] as [Instant] {
            #expect(
                bench.taking { bench.act { $0.exchange(3, 0, begun: begun, at: $2, &$4) } } == ["send datagram 0"])
            let packet = bench.packets.last!
            // CoAP's header, token, option and marker have 15 bytes (RFC 7252 §3).
            #expect(packet.bytes == Self.udp + overhead + 15 + 100 && packet.number == 1)
            #expect(packet.first == 3 && packet.last == 4 && packet.echo == begun && packet.stamp == bench.now)
            #expect(packet.cause == (begun < bench.now ? .retransmit : .payload))
        }
        for nominates in [true, false] {
            #expect(
                bench.taking { bench.act { $0.ping(0, nominates: nominates, at: $2, &$4) } }
                    == ["pinged 0", "send ping 0"])
            // A Binding request (RFC 8489) is sent only to a peer.
            #expect(bench.packets.last?.bytes == Self.udp + overhead + (route == .none ? 0 : 88))
            #expect(bench.packets.last?.number == (nominates ? 1 : 0))
        }
        #expect(bench.phone[0].transport.datagrams.checkAnswerBytes == (route == .none ? 0 : 64))
    }

    /// Broken: a flight has other bytes, an answer to another flight ends the wait, or one answer is told twice.
    @Test(
        arguments: [
            (.dtls12, true, [179]), (.dtls12, false, [80, 112, 110]), (.dtls13, true, [192]),
            (.dtls13, false, [136, 226]),
        ] as [(DatagramLayer.DTLSVersion, Bool, [UInt32])])
    func aHandshakeAwaitsTheAnswerOfItsFlight(version: DatagramLayer.DTLSVersion, isResumed: Bool, sizes: [UInt32]) {
        let bench = PhoneEndBench()
        bench.open(Self.transport(version))
        #expect(bench.phone[0].transport.datagrams.roundTrips(isResumed: isResumed) == UInt8(sizes.count))
        for (index, size) in sizes.enumerated() {
            let flight = UInt8(index)
            #expect(
                bench.taking { bench.act { $0.sendFlight(flight, isResumed, 0, at: $2, &$4) } } == ["send hello 0"])
            let packet = bench.packets.last!
            #expect(packet.bytes == Self.udp + size && packet.cause == .tls && packet.number == UInt16(flight))
            #expect(packet.first == (isResumed ? 1 : 0))
            let (other, answer) = (
                bench.packet(.helloReply, number: UInt16(flight) + 1),
                bench.packet(.helloReply, number: UInt16(flight))
            )
            #expect(bench.taking { bench.receive(other) } == ["heard(slot: 0)"])
            #expect(bench.taking { bench.receive(answer) } == ["heard(slot: 0)", "responded 0"])
            #expect(bench.taking { bench.receive(answer) } == ["heard(slot: 0)"])
        }
        var confirmation = bench.packet(.acknowledgement)
        (confirmation.first, confirmation.last) = (3, 5)
        #expect(bench.taking { bench.receive(confirmation) } == ["heard(slot: 0)", "confirmed 0 before 5"])
    }

    /// Broken: a stream, or a connection that is not open, sends a datagram or a flight of DTLS.
    @Test func onlyOpenDatagramsAreExchanged() {
        func lines(_ bench: PhoneEndBench) -> [String] {
            bench.taking {
                bench.act { $0.exchange(3, 0, begun: $2, at: $2, &$4) }
                bench.act { $0.sendFlight(0, false, 0, at: $2, &$4) }
            }
        }
        let socket = PhoneEndBench()
        socket.open()
        #expect(lines(socket).isEmpty)
        let bench = PhoneEndBench()
        bench.connect(Self.transport(.dtls12))
        #expect(lines(bench).isEmpty, "the address is not known yet")
        bench.open(Self.transport(.dtls12))
        #expect(lines(bench) == ["send datagram 0", "send hello 0"])
        bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
        #expect(lines(bench).isEmpty)
    }

    /// Broken: the offset of a message is asked on a connection that is not open, or the rest of a message has another
    /// size.
    @Test func aMessageContinuesAtItsOffset() {
        let bench = PhoneEndBench()
        func ask() -> [String] {
            bench.act { $0.askOffset(0, at: $2, &$4) }
            return bench.frames()
        }
        func rest(_ done: UInt32) -> Bool { bench.act { $0.sendRest(of: 4, without: done, 0, at: $2, &$4) } }
        bench.connect()
        bench.receive(bench.packet(.helloReply, echo: .zero))
        #expect(ask() == ["flight 0"], "the connection is opening")
        bench.open(.datagram)
        #expect(ask().isEmpty)
        bench.open()
        #expect(ask() == ["offsetRequest"])
        bench.settle()
        let size = bench.phone[0].upward.pointee.framing.message(100)
        #expect(!rest(size) && !rest(size + 1) && bench.frames().isEmpty)
        #expect(bench.taking { check(rest(size - 60)) } == ["send data 0"])
        let sent = bench.ranges()
        #expect(sent.map(\.text) == ["message 4"] && sent.first?.bytes == 60 && sent.first?.cause == .resume)
        #expect(!rest(10), "only the first message of a connection continues another one")
    }
}
