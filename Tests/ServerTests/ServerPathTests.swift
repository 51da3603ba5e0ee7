import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// Validation of a QUIC client's new address by the server.
@Suite struct ServerPathTests {
    private static let home = PhoneAddress(.wifi, addressNumber: 0)
    private static let street = PhoneAddress(.cellular, addressNumber: 2)
    private static let train = PhoneAddress(.cellular, addressNumber: 3)
    private static let probe = Kernel.quic.probeTimeout()

    private func open(_ set: (inout ServerProfile) -> Void = { _ in }) -> ServerBench {
        let bench = ServerBench(.everySecond, set)
        bench.open(Transport(.quic))
        bench.wait(.seconds(5))
        return bench
    }

    private func packet(_ bench: ServerBench, bytes: UInt32 = 600, at stamp: Instant? = nil) -> Packet {
        Packet(.acknowledgement, cause: .ack, bytes: bytes, stamp: stamp ?? bench.now)
    }

    /// Broken: a challenge is larger than three times the received bytes, is not padded, or is sent although not even
    /// the smallest one fits.
    @Test(
        arguments: [
            (21, nil), (22, 66), (100, 300), (409, 1_227), (410, 1_228), (600, 1_228),
        ] as [(UInt32, UInt32?)])
    func aChallengeFitsTheReceivedBytes(received: UInt32, sent: UInt32?) {
        let bench = open()
        bench.receive(packet(bench, bytes: received), from: Self.street)
        #expect(bench.take() == (sent == nil ? [] : ["send challenge 0 to cellular/2"]))
        if let sent { #expect(bench.packets.last?.bytes == sent && bench.packets.last?.number == 1) }
        #expect(QUICWire.challenge == 64 && QUICWire.initial == 1_228)
    }

    /// Broken: a packet that was sent before the latest one moves the connection back, or one sent at the same time
    /// does not move it.
    @Test(arguments: [(-1, false), (0, true), (1, true)] as [(Int64, Bool)])
    func onlyTheLatestPacketMovesTheConnection(later: Int64, moves: Bool) {
        let bench = open()
        bench.receive(packet(bench))
        bench.wait(.seconds(1))
        bench.receive(packet(bench, at: .zero + .seconds(5) + .nanoseconds(later)), from: Self.street)
        #expect((bench.server.ends[0].address == Self.street) == moves)
        #expect(bench.take().isEmpty != moves)
        // The next packet is compared with the latest one again.
        #expect(bench.server.ends[0].latestPacketSentAt == .zero + .seconds(5) + .nanoseconds(max(later, 0)))
    }

    /// Broken: an answer to another challenge validates the path, or the round trip is not measured.
    @Test func theAnswerValidatesThePath() {
        let bench = open()
        bench.receive(packet(bench), from: Self.street)
        #expect(bench.server.ends[0].tcp.window == 1 && bench.server.ends[0].path.state == .validating)
        bench.wait(.milliseconds(80))
        var answer = Packet(.challengeAnswer, cause: .connect, bytes: 1_228, number: 2, stamp: bench.now)
        answer.echo = .zero + .seconds(5)
        bench.receive(answer, from: Self.street)
        #expect(bench.server.ends[0].path.state == .validating)
        check(!bench.server.ends[0].tcp.timer.estimator.isMeasured)
        answer.number = 1
        bench.receive(answer, from: Self.street)
        #expect(bench.server.ends[0].path.state == .validated && bench.server.ends[0].tcp.window == 10)
        #expect(bench.server.ends[0].tcp.timer.estimator.smoothed == .milliseconds(80))
        #expect(bench.deadline() == bench.server.silenceEnds(0), "no challenge is repeated")
    }

    /// Broken: the phone's challenge is not answered with its number, time and full size, or is not counted.
    @Test func aChallengeOfThePhoneIsAnswered() {
        let bench = open()
        let question = Packet(.challenge, cause: .connect, bytes: 1_228, number: 7, stamp: .zero + .seconds(4))
        bench.receive(question)
        #expect(bench.take() == ["send challengeAnswer 0"])
        let answer = bench.packets.last
        #expect(answer?.bytes == QUICWire.initial && answer?.number == 7 && answer?.echo == .zero + .seconds(4))
        // From a new address, the answer counts against three times the received bytes.
        bench.receive(
            Packet(.challenge, cause: .connect, bytes: 1_228, number: 8, stamp: .zero + .seconds(5)), from: Self.street)
        #expect(bench.take() == ["send challenge 0 to cellular/2", "send challengeAnswer 0 to cellular/2"])
        #expect(bench.server.ends[0].path.allowance == 1_228)
    }

    /// Broken: each packet that validates a path must extend the idle timeout.
    @Test(arguments: [Packet.PacketContent.challenge, .challengeAnswer])
    func pathValidationExtendsTheIdleTimeout(content: Packet.PacketContent) {
        let bench = open()
        #expect(bench.server.silenceEnds(0) == .zero + .seconds(30))
        bench.receive(Packet(content, cause: .connect, bytes: 1_228, number: 9, stamp: bench.now))
        #expect(bench.server.silenceEnds(0) == .zero + .seconds(35))
    }

    /// Broken: a challenge is repeated at another time, without end, or a failed path does not lead back to the last
    /// validated address.
    @Test func aFailedPathLeadsBack() {
        let bench = open { $0.quicIdle = .hours(1) }
        bench.receive(packet(bench), from: Self.street)
        let moved = bench.now
        bench.wait(.milliseconds(1))
        // A second move during the validation must not make the unproven address the fallback.
        bench.receive(packet(bench), from: Self.train)
        #expect(bench.take() == ["send challenge 0 to cellular/2", "send challenge 0 to cellular/3"])
        let begun = moved + .milliseconds(1)
        #expect(bench.server.ends[0].path.challenge == 2)
        #expect(bench.deadline() == begun + Self.probe)
        bench.now = bench.deadline() - .nanoseconds(1)
        bench.expire()
        #expect(bench.take().isEmpty)
        bench.now = bench.deadline()
        bench.expire()
        // 1,800 bytes may be sent; the first challenge took 1,228 of them.
        #expect(bench.take() == ["send challenge 0 to cellular/3"] && bench.packets.last?.bytes == 572)
        #expect(bench.deadline() == begun + Self.probe * 3)
        bench.now = bench.deadline()
        bench.expire()
        #expect(bench.take().isEmpty && bench.server.ends[0].address == Self.home)
        #expect(bench.server.ends[0].path.state == .validated && bench.server.ends[0].tcp.window == 10)
        #expect(bench.deadline() == bench.server.silenceEnds(0))
    }

    /// Broken: after a validated move, a failure leads to an older address than the last validated one.
    @Test func theFallbackIsTheLastValidatedAddress() {
        let bench = open { $0.quicIdle = .hours(1) }
        bench.receive(packet(bench), from: Self.street)
        bench.receive(
            Packet(.challengeAnswer, cause: .connect, bytes: 1_228, number: 1, stamp: bench.now), from: Self.street)
        bench.receive(packet(bench), from: Self.train)
        #expect(bench.server.ends[0].provenAddress == Self.street && bench.server.ends[0].address == Self.train)
        while bench.server.ends[0].path.state == .validating {
            bench.now = bench.deadline()
            bench.expire()
        }
        #expect(bench.server.ends[0].address == Self.street)
    }

    /// Broken: data in flight is not sent again over a new path, or more than one segment is sent before it is proven.
    @Test func dataIsSentAgainOverTheNewPath() {
        let bench = open()
        for _ in 0..<30 { bench.write() }
        _ = bench.take()
        bench.wait(.milliseconds(1))
        bench.receive(packet(bench), from: Self.street)
        let sent = bench.take()
        #expect(sent == ["send challenge 0 to cellular/2", "send data 0 to cellular/2"], "\(sent)")
        #expect(bench.packets.last?.offset == bench.server.ends[0].tcp.acknowledged)
        #expect(bench.packets.last.map { $0.length <= QUICWire.segment } ?? false)
    }
}
