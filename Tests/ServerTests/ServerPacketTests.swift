import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

@testable import DeadzoneTransport

/// The response of the server's host to each kind of packet, in each state of the connection.
@Suite struct ServerPacketTests {
    private static let hello = Packet(.hello, cause: .connect, bytes: 60, stamp: .zero)

    private static func data(_ offset: UInt64, _ length: UInt32) -> Packet {
        var packet = Packet(.data, cause: .payload, bytes: length + Wire.tcp, stamp: .zero)
        (packet.offset, packet.length) = (offset, length)
        return packet
    }

    /// Broken: a connection is accepted twice, counts from its second hello, or is accepted by a server that is down.
    @Test func aHelloOpensAConnectionOnce() {
        let bench = ServerBench()
        bench.renew()
        #expect(!bench.server.isHeld(0) && bench.server.ends[0].heldSince == .never)
        bench.wait(.seconds(3))
        bench.hello()
        #expect(bench.take() == ["send helloReply 0"])
        #expect(bench.server.isHeld(0) && bench.server.serves(0))
        bench.wait(.seconds(4))
        bench.hello()
        #expect(bench.take() == ["send helloReply 0"])
        #expect(bench.server.ends[0].heldSince == .zero + .seconds(3))
        bench.change(.down)
        #expect(bench.take() == ["serverHeld 4000000000", "send reset 0"])
        bench.renew()
        bench.hello()
        #expect(bench.take() == ["send reset 0"])
        #expect(bench.server.isHeld(0) == false)
    }

    /// Broken: a connection that a frozen program did not see is served when the program continues, or one that it
    /// knew is not.
    @Test func aFrozenProgramNeverServesAConnectionThatItMissed() {
        let bench = ServerBench()
        bench.renew()
        bench.change(.frozen)
        bench.hello()
        #expect(!bench.server.serves(0) && !bench.server.isReading(0) && bench.server.isHeld(0))
        bench.change(.thawed)
        #expect(!bench.server.serves(0) && !bench.server.isReading(0))
        let known = ServerBench()
        known.renew()
        known.hello()
        known.change(.frozen)
        #expect(known.server.serves(0) && !known.server.isReading(0))
        known.change(.thawed)
        #expect(known.server.serves(0) && known.server.isReading(0))
    }

    /// Broken: a packet of an unknown connection gets no reset, or a reset is answered with a reset.
    @Test(
        arguments: [
            (Packet.PacketContent.data, ["send reset 0"]), (.acknowledgement, ["send reset 0"]),
            (.keepaliveProbe, ["send reset 0"]), (.reset, []),
        ])
    func anUnknownConnectionIsReset(content: Packet.PacketContent, requests: [String]) {
        let bench = ServerBench()
        bench.renew()
        bench.receive(Packet(content, cause: .payload, bytes: 100, stamp: .zero))
        #expect(bench.take() == requests)
        #expect(bench.packets.allSatisfy { $0.bytes == Wire.tcp })
    }

    /// Broken: data that arrives after the server has closed is accepted, or data that it already has is refused.
    @Test(arguments: [(100, false), (101, true), (200, true)] as [(UInt32, Bool)])
    func dataAfterTheEndIsReset(length: UInt32, isReset: Bool) {
        let bench = ServerBench { $0.idleLimit = .seconds(10) }
        bench.open()
        bench.receive(Self.data(0, 100))
        #expect(bench.take() == ["read 0 newData"])
        bench.wait(.seconds(10))
        bench.expire()
        _ = bench.take()
        bench.receive(Self.data(0, length))
        #expect(bench.take() == [isReset ? "send reset 0" : "send acknowledgement 0"])
        check(bench.server.isHeld(0), "the server still waits for the client's acknowledgement")
    }

    /// Broken: a reset of the phone leaves the session attached, is counted for another time, or starts no push.
    @Test(arguments: [PushPolicy.none, .normal, .high])
    func aResetReleasesTheSession(push: PushPolicy) {
        let bench = ServerBench { $0.push = push }
        bench.open()
        bench.wait(.seconds(7))
        bench.receive(Packet(.reset, cause: .connect, bytes: 52, stamp: bench.now))
        let pushes = push == .none ? [] : [push == .high ? "push urgently if pending" : "push if pending"]
        #expect(bench.take() == ["serverHeld 7000000000"] + pushes)
        #expect(!bench.server.isHeld(0) && !bench.server.isAttached(0) && bench.server.isUnattached)
        bench.receive(Packet(.reset, cause: .connect, bytes: 52, stamp: bench.now))
        #expect(bench.take().isEmpty, "it is counted once")
    }

    /// Broken: a reset of an earlier connection ends the current one, or leaves the half-open connection. Or a packet
    /// that is no reset, or belongs to a third connection, ends it.
    @Test(
        arguments: [
            (Packet.PacketContent.reset, 0, 1, true), (.reset, 0, 3, false), (.reset, 1, 1, false),
            (.data, 0, 1, false),
            (.hello, 0, 1, false),
        ] as [(Packet.PacketContent, Int, UInt16, Bool)])
    func onlyItsOwnResetEndsAHalfOpenConnection(
        content: Packet.PacketContent, slot: Int, generation: UInt16, ends: Bool
    ) {
        let bench = ServerBench { $0.session.window = .seconds(30) }
        bench.open()
        bench.wait(.seconds(5))
        bench.abandon()
        bench.renew()
        #expect(
            bench.taking {
                bench.receive(
                    Packet(content, cause: .connect, bytes: 52, stamp: bench.now), slot, generation: generation)
            } == (ends ? ["serverHeld 5000000000"] : []))
        // The session's window starts when no connection is left.
        check(bench.server.memory.isKnown(at: bench.now + .seconds(30)))
        #expect(bench.server.memory.isKnown(at: bench.now + .seconds(30) + .nanoseconds(1)) != ends)
        #expect((bench.server.halfOpenConnection == nil) == ends)
    }

    /// Broken: the session counts as left while another connection still serves it.
    @Test func aHalfOpenConnectionBesideAnotherOneDetachesNothing() {
        let bench = ServerBench { $0.session.window = .seconds(30) }
        bench.open(Transport(.http2), 0)
        bench.change(.draining)
        bench.open(Transport(.http2), 1)
        #expect(bench.server.isAttached(0) && bench.server.isAttached(1))
        let old = bench.server.ends[0].generation
        bench.abandon(0)
        bench.renew(Transport(.http2), 0)
        _ = bench.take()
        bench.receive(Packet(.reset, cause: .connect, bytes: 52, stamp: bench.now), 0, generation: old)
        #expect(bench.take() == ["serverHeld 0"])
        check(bench.server.memory.isKnown(at: .never - .nanoseconds(1)))
    }

    // MARK: Datagrams

    /// Broken: a frozen, stopped or closed server receives datagrams, or answers pings.
    @Test(arguments: [nil, ServerChange.frozen, .down])
    func datagramsReachARunningServer(change: ServerChange?) {
        let bench = ServerBench(.everySecond)
        bench.wait(.seconds(10))
        bench.renew(.datagram)
        let datagram = Packet(.datagram, cause: .payload, bytes: 128, first: 2, last: 4, stamp: bench.now)
        bench.receive(datagram)
        #expect(bench.take().isEmpty, "the connection is not open yet")
        bench.act { [now = bench.now, introduction = bench.introduction] in
            $0.openDatagrams(0, introduction, at: now, &$1)
        }
        #expect(bench.take() == ["resumed 0 at 0", "attached"])
        if let change { bench.change(change) }
        _ = bench.take()
        bench.receive(datagram)
        // The driver of the server records the loss of the skipped messages, because only it knows their cause.
        let heard = ["skipped 0..<2", "deliveredUp 7000000000", "deliveredUp 6000000000", "datagrams before 4"]
        #expect(bench.take() == (change == nil ? heard : []))
        bench.receive(Packet(.ping, cause: .keepalive, bytes: 28, stamp: .zero + .seconds(9)))
        #expect(bench.take() == (change == nil ? ["send pong 0"] : []))
        if change == nil {
            #expect(bench.packets.last?.bytes == Wire.udp && bench.packets.last?.echo == .zero + .seconds(9))
        }
        bench.receive(Packet(.data, cause: .payload, bytes: 100, stamp: bench.now))
        #expect(bench.take().isEmpty)
        bench.server.closeDatagrams(0)
        #expect(!bench.server.isHeld(0) && !bench.server.isAttached(0))
        bench.receive(datagram)
        #expect(bench.take().isEmpty)
    }

    // MARK: Captive portals

    /// Broken: a portal accepts a connection twice, lets packets reach the server, or answers for another connection.
    @Test func aPortalAcceptsInTheServersName() {
        let bench = ServerBench()
        func receive(_ packet: Packet, _ slot: Int = 0, generation: UInt16 = 1) -> [String] {
            bench.taking {
                bench.act { [now = bench.now] in
                    $0.receiveAtPortal(packet, slot: slot, generation: generation, at: now, &$1)
                }
            }
        }
        bench.renew()
        #expect(receive(Self.data(0, 517)).isEmpty, "it has not accepted the connection")
        #expect(receive(Self.hello, generation: 2).isEmpty && receive(Self.hello, 2).isEmpty)
        check(!bench.server.isHeld(0))
        #expect(receive(Self.hello) == ["captured 0", "send helloReply 0"])
        #expect(bench.server.isHeld(0) && bench.server.isCaptured(0) && bench.server.isReading(0))
        #expect(!bench.server.serves(0) && bench.server.ends[0].heldSince == .never)
        #expect(receive(Self.data(0, 517)) == ["read 0 newData"])
        let ranges = bench.taking { check(!bench.read(.flight, 0)) }
        #expect(ranges == ["send data 0"], "a portal answers the handshake and reads no further")
        #expect(bench.frames() == ["flight 0"])
        #expect(bench.taking { check(!bench.read(.message, 0)) }.isEmpty)
        #expect(bench.frames().isEmpty)
        // A packet without new data is acknowledged by the portal as well.
        #expect(receive(Self.data(0, 517)) == ["send acknowledgement 0"])
        // The server itself does not know the connection.
        bench.receive(Self.data(517, 10))
        #expect(bench.take() == ["send reset 0"])
        bench.renew(.datagram)
        #expect(receive(Self.hello, generation: 2).isEmpty)
    }

    /// Broken: a portal takes over a connection that the server holds.
    @Test func aPortalKnowsNoConnectionOfTheServer() {
        let bench = ServerBench()
        bench.open()
        for packet in [Self.hello, Self.data(0, 10)] {
            bench.act { [now = bench.now] in $0.receiveAtPortal(packet, slot: 0, generation: 1, at: now, &$1) }
        }
        #expect(bench.take().isEmpty && !bench.server.isCaptured(0) && bench.server.isAttached(0))
    }

    // MARK: Early data

    /// Broken: QUIC's early data does not open a connection, opens it twice, or a server that is down accepts it.
    @Test func earlyDataOpensAConnection() {
        let bench = ServerBench()
        bench.renew(Transport(.quic, security: .tls13Early))
        bench.receive(Self.data(0, 300))
        #expect(bench.take() == ["read 0 newData"])
        #expect(bench.server.isHeld(0) && bench.server.expected(0) == 300)
        let full = ServerBench()
        full.renew(Transport(.quic))
        full.receive(Self.data(0, 300))
        #expect(full.take() == ["send reset 0"] && full.packets.last?.bytes == QUICWire.close)
        let down = ServerBench()
        down.change(.down)
        _ = down.take()
        down.renew(Transport(.quic, security: .tls13Early))
        down.receive(Self.data(0, 300))
        // One reset answers the packet as an opening, one as data of an unknown connection.
        #expect(down.take() == ["send reset 0", "send reset 0"] && !down.server.isHeld(0))
    }

    /// Broken: QUIC runs in the kernel: a frozen program answers or sends something.
    @Test func aFrozenProgramIsSilentOverQUIC() {
        let bench = ServerBench(.everySecond)
        bench.open(Transport(.quic))
        bench.write()
        _ = bench.take()
        #expect(bench.deadline() < .never)
        bench.change(.frozen)
        bench.receive(Self.data(0, 10))
        #expect(bench.take().isEmpty && bench.deadline() == .never && bench.server.expected(0) == 0)
    }
}
