import DeadzoneBase
import DeadzoneClient
import DeadzoneScenarios
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Confirmable messages and DTLS sessions between a client and its server.
@Suite struct CoAPRunTests {
    private static func client(_ yaml: String) -> AnyStrategy {
        guard let node = compose(Array(yaml.utf8)).node else { preconditionFailure("not YAML: \(yaml)") }
        var reader = SettingsReader(node, of: CoAP.name)
        let strategy = CoAP(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty, "\(reader.faults)")
        return AnyStrategy(strategy)
    }

    private func run(
        _ settings: String, loss: Int64 = 0, box: TimeSpan? = nil, every gap: TimeSpan = .seconds(30),
        lifetime: TimeSpan? = nil, dedup: Dedup = .none
    ) -> AllRecords {
        var world = Fixture.cellularWorld(
            Traffic(up: .every(gap, bytes: 100, until: .zero + .minutes(110))), horizon: .minutes(120))
        if loss > 0 { world.cellularLink = Fixture.link(loss: .independent(Probability(UInt64(loss), of: 1_000_000))) }
        if let lifetime { world.server.exchangeLifetime = lifetime }
        world.server.dedup = dedup
        if let box { world.middleboxes.cellular = [Middlebox(udp: box)] }
        return Simulation(world: world, strategy: Self.client(settings), seed: 2).allRecords()
    }

    /// Broken: a lost message is not repeated, a repeat is delivered twice, or a lost confirmation loses the message.
    @Test func everyMessageArrivesOnce() {
        let run = run("{max-retransmit: 6}", loss: 150_000)
        #expect(run.count(.deliveredUp) == run.count(.sentUp) && run.count(.sentUp) > 200)
        #expect(run.sum(.duplicatedUp) == 0 && run.sum(.lostUp) == 0)
        #expect(run.count(.exchangeRepeated) > 50 && run.sum(.suppressedUp) > 20)
        #expect(run.count(.acknowledgedUp) == run.count(.sentUp))
        let plain = self.run("{}")
        #expect(plain.count(.exchangeRepeated) == 0 && plain.sum(.suppressedUp) == 0)
    }

    /// Broken: a message that was given up counts as confirmed, or is not counted as lost.
    @Test func aMessageThatWasGivenUpIsLost() {
        let run = run("{max-retransmit: 0}", loss: 300_000)
        let abandoned = run.count(.exchangeAbandoned)
        #expect(abandoned > 50 && run.sum(.lostUp) > 30 && run.sum(.lostUp) <= Int64(abandoned))
        #expect(run.count(.acknowledgedUp) == run.count(.sentUp) - abandoned)
        #expect(Int64(run.count(.deliveredUp)) + run.sum(.lostUp) == Int64(run.count(.sentUp)))
    }

    /// Broken: a repeat after EXCHANGE_LIFETIME is still recognised, or one before it is delivered again.
    @Test func repeatsAreRecognisedForALifetime() {
        let short = run("{ack-timeout: 20s, random: 1, max-retransmit: 3}", loss: 500_000, every: .minutes(10))
        #expect(short.count(.exchangeRepeated) > 5 && short.sum(.suppressedUp) > 0 && short.sum(.duplicatedUp) == 0)
        let long = run("{ack-timeout: 5m, random: 1, max-retransmit: 3}", loss: 500_000, every: .minutes(40))
        #expect(long.count(.exchangeRepeated) > 0 && long.sum(.suppressedUp) == 0)
    }

    /// Broken: a server that stores no message ids recognises a repeat, or one with a short memory a late one. Or
    /// `dedup` of the program does not help.
    @Test func serversWithoutMessageIDsTakeRepeats() {
        let settings = "{max-retransmit: 6}"
        let usual = run(settings, loss: 150_000)
        let none = run(settings, loss: 150_000, lifetime: .zero)
        #expect(none.sum(.suppressedUp) == 0 && none.sum(.duplicatedUp) == usual.sum(.suppressedUp))
        #expect(none.sum(.duplicatedUp) > 20 && none.count(.exchangeRepeated) == usual.count(.exchangeRepeated))
        let short = run(settings, loss: 150_000, lifetime: .seconds(4))
        #expect(short.sum(.suppressedUp) > 0 && short.sum(.duplicatedUp) > 0)
        let program = run(settings, loss: 150_000, lifetime: .zero, dedup: .set(window: 100))
        #expect(program.sum(.duplicatedUp) == 0 && program.sum(.suppressedUp) == usual.sum(.suppressedUp))
    }

    /// Broken: a server answers a session that it finds by an address which the NAT has changed, or ignores one that it
    /// finds by its connection id.
    @Test func aForgottenMappingEndsASession() {
        let address = run("{dtls: {version: 1.2}}", box: .seconds(60), every: .minutes(10))
        let ids = run("{dtls: {version: 1.2, session: connection-id}}", box: .seconds(60), every: .minutes(10))
        #expect(address.count(.mappingExpired) >= 10 && ids.count(.mappingExpired) >= 10)
        #expect(ids.count(.dtlsOpened) == 1 && ids.count(.dtlsIgnored) == 0 && ids.count(.exchangeRepeated) == 0)
        #expect(address.count(.dtlsOpened) >= 10 && address.count(.dtlsIgnored) >= 50)
        #expect(address.count(.exchangeAbandoned) >= 10 && address.sum(.lostUp) == 0)
        let waits = address.values(.deliveredUp).map { $0 / 1_000_000_000 }
        #expect(waits.max()! > 60 && ids.values(.deliveredUp).max()! < 5_000_000_000, "\(waits)")
        // Without DTLS a new mapping is no matter.
        #expect(run("{}", box: .seconds(60), every: .minutes(10)).count(.exchangeRepeated) == 0)
    }

    /// Broken: a connection id, the record headers of DTLS or the handshake cost no bytes.
    @Test func securityCostsBytes() {
        func bytes(_ settings: String) -> Int64 { run(settings).sum(.bytes) }
        let (plain, dtls12) = (bytes("{}"), bytes("{dtls: {version: 1.2}}"))
        let ids = bytes("{dtls: {version: 1.2, session: connection-id}}")
        #expect(plain < dtls12 && dtls12 < ids && bytes("{dtls: {version: 1.3}}") < dtls12)
    }
}
