import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// Connections on which the server may not speak when it likes.
@Suite struct AskingTests {
    /// Broken: when a message is there. A poll every 30 s brings what came in between, a long poll brings it at once, and so does an
    /// answer that never ends.
    @Test(
        arguments: [
            (.polling, 20_000, 30_300), (.longPolling, 0, 300), (.serverSentEvents, 0, 300), (.webSocket, 0, 300),
        ]
            as [(Carrier.Kind, Int64, Int64)])
    func deliversWhenItMaySpeak(_ kind: Carrier.Kind, _ slowest: Int64, _ bound: Int64) {
        let world = Fixture.wifiWorld(Traffic(down: .every(.seconds(7))), horizon: .minutes(10))
        let run = Rider(Carrier(kind), ping: kind == .polling ? .seconds(30) : nil).run(world)
        let latencies = run.values(.deliveredDown).map { $0 / 1_000_000 }
        #expect(latencies.count >= 81 && latencies.allSatisfy { $0 <= bound }, "\(latencies.max() ?? -1)")
        #expect(slowest <= latencies.max() ?? -1)
    }

    /// Broken: how often a client asks. With nothing to say a short poll is asked at its interval, a long one after the hold time
    /// of the server; both cost a request and an answer.
    @Test(
        arguments: [(.polling, 15, 19), (.longPolling, 30, 9), (.longPolling, 60, 4)] as [(Carrier.Kind, Int64, Int)])
    func asksAtItsInterval(_ kind: Carrier.Kind, _ seconds: Int64, _ answers: Int) {
        var world = Fixture.wifiWorld(horizon: .minutes(5))
        world.server.hold = .seconds(seconds)
        let run = Rider(Carrier(kind), ping: kind == .polling ? .seconds(seconds) : nil).run(world)
        #expect(run.packets(.down, .poll) == answers)
        #expect((answers...answers + 1).contains(run.packets(.up, .poll)))
        #expect(run.count(.closed) == 0)
    }

    /// Broken: headers that never reach the air. 300 polls in five minutes, each with 1,000 bytes more up and 250 more down.
    @Test func paysForItsHeaders() {
        let world = Fixture.wifiWorld(horizon: .minutes(5))
        var laden = Carrier(.polling)
        laden.headers = HeaderSizes(request: 1_300, answer: 400)
        let runs = [laden, Carrier(.polling)].map { Rider($0, ping: .seconds(1)).run(world) }
        let polls = Int64(runs[1].packets(.up, .poll))
        #expect(polls >= 298 && runs[0].packets(.up, .poll) == Int(polls))
        // The set-up is the first request.
        let more = Direction.allCases.map { direction in
            runs[0].ledger.bytes(direction, on: .wifi) - runs[1].ledger.bytes(direction, on: .wifi)
        }
        let expected = [Direction.up: Int128(polls + 1) * 1_000, .down: Int128(polls + 1) * 250]
        #expect(more == Direction.allCases.map { expected[$0]! })
    }

    /// Broken: what the app says over requests, and what they are answered.
    @Test(arguments: [Carrier.Kind.polling, .longPolling, .serverSentEvents, .mqtt, .quic])
    func carriesWhatTheAppSays(_ kind: Carrier.Kind) {
        let world = Fixture.wifiWorld(Traffic(up: .every(.seconds(9))), horizon: .minutes(5))
        let run = Rider(Carrier(kind)).run(world)
        #expect(run.count(.deliveredUp) == 33 && run.count(.acknowledgedUp) == 33)
    }

    /// Broken: the broker's patience. A client that promised 60 s may be silent for 90 s.
    @Test(arguments: [(80, nil), (100, 90)] as [(Int64, Int64?)])
    func brokersHoldClientsToTheirPromise(_ ping: Int64, _ endsAt: Int64?) {
        var carrier = Carrier(.mqtt)
        carrier.keepAlive = .seconds(60)
        let run = Rider(carrier, ping: .seconds(ping)).run(Fixture.wifiWorld(horizon: .minutes(10)))
        #expect(run.times(.serverExpired).map { $0 / 1_000 } == (endsAt.map { [$0] } ?? []))
        #expect(run.tags(.closed) == (endsAt == nil ? [] : [CloseCode.ended.rawValue]))
    }
}
