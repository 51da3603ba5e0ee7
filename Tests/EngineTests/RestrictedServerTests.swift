import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Transports on which the server may send only in answer to a request, compared with others.
@Suite struct RestrictedServerTests {
    /// Broken: the delivery times of messages. A poll every 30 s brings everything since the last poll. A long poll
    /// brings a message at once, and so does an answer that never ends.
    @Test(
        arguments: [
            (.polling, 20_000, 30_300), (.longPolling, 0, 300), (.serverSentEvents, 0, 300), (.webSocket, 0, 300),
        ]
            as [(Transport.TransportKind, Int64, Int64)])
    func deliversWhenTheServerMaySend(_ kind: Transport.TransportKind, _ slowest: Int64, _ bound: Int64) {
        let world = Fixture.wifiWorld(Traffic(down: .every(.seconds(7))), horizon: .minutes(10))
        let run = SingleConnectionStrategy(Transport(kind), ping: kind == .polling ? .seconds(30) : nil).run(world)
        let latencies = run.values(.deliveredDown).map { $0 / 1_000_000 }
        #expect(latencies.count >= 81 && latencies.allSatisfy { $0 <= bound }, "\(latencies.max() ?? -1)")
        #expect(slowest <= latencies.max() ?? -1)
    }

    /// Broken: the number of polls. Without messages, a short poll repeats at its interval, and a long poll after the
    /// server's hold time. Each costs one request and one answer.
    @Test(
        arguments: [(.polling, 15, 19), (.longPolling, 30, 9), (.longPolling, 60, 4)]
            as [(Transport.TransportKind, Int64, Int)])
    func pollsAtItsInterval(_ kind: Transport.TransportKind, _ seconds: Int64, _ answers: Int) {
        var world = Fixture.wifiWorld(horizon: .minutes(5))
        world.server.longPollTimeout = .seconds(seconds)
        let run = SingleConnectionStrategy(Transport(kind), ping: kind == .polling ? .seconds(seconds) : nil).run(world)
        #expect(run.packets(.down, .poll) == answers)
        #expect((answers...answers + 1).contains(run.packets(.up, .poll)))
        #expect(run.count(.closed) == 0)
    }

    /// Broken: headers that are not sent over the air. 300 polls in five minutes, each with 1,000 more bytes up and 250
    /// more down.
    @Test func paysForItsHeaders() {
        let world = Fixture.wifiWorld(horizon: .minutes(5))
        var laden = Transport(.polling)
        laden.headerSizes = HTTP1HeaderSizes(request: 1_300, answer: 400)
        let runs = [laden, Transport(.polling)].map { SingleConnectionStrategy($0, ping: .seconds(1)).run(world) }
        let polls = Int64(runs[1].packets(.up, .poll))
        #expect(polls >= 298 && runs[0].packets(.up, .poll) == Int(polls))
        // Setting up the connection takes the first request.
        let more = Direction.allCases.map { direction in
            runs[0].ledger.bytes(direction, on: .wifi) - runs[1].ledger.bytes(direction, on: .wifi)
        }
        let expected = [Direction.up: Int128(polls + 1) * 1_000, .down: Int128(polls + 1) * 250]
        #expect(more == Direction.allCases.map { expected[$0]! })
    }

    /// Broken: messages that the app sends over requests, and their acknowledgements.
    @Test(arguments: [Transport.TransportKind.polling, .longPolling, .serverSentEvents, .mqtt, .quic])
    func carriesUplinkMessages(_ kind: Transport.TransportKind) {
        let world = Fixture.wifiWorld(Traffic(up: .every(.seconds(9))), horizon: .minutes(5))
        let run = SingleConnectionStrategy(Transport(kind)).run(world)
        #expect(run.count(.deliveredUp) == 33 && run.count(.acknowledgedUp) == 33)
    }

    /// Broken: the broker's timeout. A client that promised a keep-alive of 60 s may be silent for 90 s.
    @Test(arguments: [(80, nil), (100, 90)] as [(Int64, Int64?)])
    func brokersEnforceTheKeepAlive(_ ping: Int64, _ endsAt: Int64?) {
        var carrier = Transport(.mqtt)
        carrier.mqttKeepAlive = .seconds(60)
        let run = SingleConnectionStrategy(carrier, ping: .seconds(ping)).run(Fixture.wifiWorld(horizon: .minutes(10)))
        #expect(run.times(.serverExpired).map { $0 / 1_000 } == (endsAt.map { [$0] } ?? []))
        #expect(run.tags(.closed) == (endsAt == nil ? [] : [CloseCode.ended.rawValue]))
    }
}
