import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Confirmable messages and DTLS handshakes of `coap`.
@Suite struct CoAPTests {
    private let connection = ConnectionSlot(0)

    private func client(_ setting: Setting, seed: UInt64 = 1) -> StrategyHarness<CoAP> {
        var reader = SettingsReader(setting.node, of: CoAP.name)
        let strategy = CoAP(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [])
        return StrategyHarness(strategy, seed: seed)
    }

    /// The app produces its message with this index.
    private func produce(_ index: UInt32, _ client: inout StrategyHarness<CoAP>) -> [Action] {
        client.session.produced = Cursor(index + 1)
        return client.send(.wantsToSend(Message(index: index, bytes: 9)))
    }

    /// Naive model of RFC 7252 §4.2: the times at which a message is sent, and at which the client gives up, for the
    /// drawn first timeout.
    private func referenceTimes(first: TimeSpan, repeats: Int) -> [TimeSpan] {
        var times: [TimeSpan] = [.zero]
        for count in 0...repeats {
            var wait = first
            for _ in 0..<count { wait = wait + wait }
            times.append(times[count] + wait)
        }
        return times
    }

    /// Advances in steps of 10 ms, and returns the time of each action that `isMeant` accepts.
    private func times(
        _ client: inout StrategyHarness<CoAP>, until end: TimeSpan, _ isMeant: (Action) -> Bool
    ) -> [TimeSpan] {
        var found: [TimeSpan] = []
        var elapsed = TimeSpan.zero
        while elapsed < end {
            elapsed = elapsed + .milliseconds(10)
            found += client.advance(by: .milliseconds(10)).filter(isMeant).map { _ in elapsed }
        }
        return found
    }

    /// Broken: a repeat comes at another time than RFC 7252 says, there are more or fewer of them, the first wait is not
    /// random, or the client never gives up.
    @Test(arguments: [0, 1, 4])
    func repeatsAreThoseOfTheStandard(repeats: Int) {
        var firsts: Set<Int64> = []
        for seed in UInt64(1)...20 {
            var client = client(["max-retransmit": .text("\(repeats)")], seed: seed)
            _ = client.send(.started)
            _ = client.send(.opened(connection, resumedAt: .start))
            let sent = produce(0, &client)
            #expect(sent.count == 1)
            let found = times(&client, until: .seconds(100)) {
                switch $0 {
                case .exchange, .abandonExchange: true
                default: false
                }
            }
            let first = found[0]
            #expect(.seconds(2) <= first && first <= .milliseconds(3_010), "\(first)")
            let expected = referenceTimes(first: first, repeats: repeats).dropFirst()
            #expect(found.count == expected.count)
            for (time, wanted) in zip(found, expected) {
                // The first wait is known to 10 ms, and is doubled up to four times.
                #expect(wanted - .milliseconds(320) <= time && time <= wanted, "\(time) is not \(wanted)")
            }
            firsts.insert(first.nanoseconds)
        }
        #expect(firsts.count > 10)
    }

    /// Broken: a second message is sent before the first is confirmed, or waits after that.
    @Test func oneMessageAtATime() {
        var client = client([:])
        _ = client.send(.started)
        _ = client.send(.opened(connection, resumedAt: .start))
        let now = client.session.now
        let sent = [produce(0, &client), produce(1, &client), produce(2, &client)]
        #expect(sent == [[.exchange(connection, .start, begun: now)], [], []])
        let second = client.send(.acknowledged(connection, Cursor(1)))
        // A confirmation that was repeated ends no exchange.
        let repeated = client.send(.acknowledged(connection, Cursor(1)))
        let third = client.send(.acknowledged(connection, Cursor(2)))
        #expect(second == [.exchange(connection, Cursor(1), begun: now)] && repeated == [] && third.count == 1)
    }

    /// Broken: a message without a confirmation blocks all later ones, or is never reported as given up.
    @Test func aMessageIsGivenUp() {
        var client = client(["max-retransmit": "1", "random": "1"])
        _ = client.send(.started)
        _ = client.send(.opened(connection, resumedAt: .start))
        let begun = client.session.now
        _ = produce(0, &client)
        _ = produce(1, &client)
        let repeated = client.advance(by: .seconds(2))
        let givenUp = client.advance(by: .seconds(4))
        #expect(repeated == [.exchange(connection, .start, begun: begun)])
        #expect(
            givenUp == [
                .abandonExchange(connection, upTo: Cursor(1)), .forget(below: Cursor(1)),
                .exchange(connection, Cursor(1), begun: client.session.now),
            ])
    }

    /// Broken: a message is sent before the DTLS session, a handshake has other round trips, or a lost flight is never
    /// repeated.
    @Test(arguments: [("1.2", 3), ("1.3", 2)])
    func aSessionComesFirst(version: String, roundTrips: UInt8) {
        var client = client(["dtls": ["version": .text(version)]])
        _ = client.send(.started)
        _ = produce(0, &client)
        func flight(_ number: UInt8, isResumed: Bool = false) -> Action {
            .handshake(connection, flight: number, isResumed: isResumed)
        }
        let flights = [
            client.send(.opened(connection, resumedAt: .start)), client.advance(by: .seconds(1)),
            client.advance(by: .seconds(1)), client.advance(by: .seconds(1)),
        ]
        #expect(flights == [[flight(0)], [flight(0)], [], [flight(0)]])
        for number in 1..<roundTrips {
            let next = client.send(.serverResponded(connection))
            #expect(next == [flight(number)])
        }
        let begun = client.session.now
        let sent = client.send(.serverResponded(connection))
        #expect(sent == [.exchange(connection, .start, begun: begun)])
        // An unanswered message shows that the session is dead: it is resumed, and the message is sent again.
        let actions = client.advance(by: .seconds(94))
        #expect(
            actions.contains(.abandonExchange(connection, upTo: .start)) && actions.contains(flight(0, isResumed: true))
        )
        #expect(!actions.contains { if case .forget = $0 { true } else { false } })
        let again = client.send(.serverResponded(connection))
        #expect(again == [.exchange(connection, .start, begun: client.session.now)])
    }

    /// Broken: a session that is found by its connection id is set up again on another network, or one that is found by
    /// the address is not.
    @Test(arguments: [("address", true), ("connection-id", false)])
    func anotherNetwork(kept: String, isSetUpAgain: Bool) {
        var client = client(["dtls": ["version": "1.3", "session": .text(kept)]])
        _ = client.send(.started)
        _ = client.send(.opened(connection, resumedAt: .start))
        _ = produce(0, &client)
        _ = client.send(.serverResponded(connection))
        let sent = client.send(.serverResponded(connection))
        #expect(sent.count == 1)
        let moved = client.send(
            .network(NetworkChange(.available, of: .wifi, now: .wifi, replacesDefaultPath: true)))
        #expect(moved.count == 1)
        let opened = client.send(.opened(connection, resumedAt: .start))
        guard case .handshake? = opened.first else {
            #expect(!isSetUpAgain && opened.count == 1)
            return
        }
        #expect(isSetUpAgain && opened == [.handshake(connection, flight: 0, isResumed: true)])
    }

    /// Broken: pings end after the first one, come at another interval, or come without a connection. Or another
    /// connection moves them or adds further ones.
    @Test func pingsComeAtTheirInterval() {
        var client = client(["ping": "10s"])
        func pings(for span: TimeSpan) -> [TimeSpan] { times(&client, until: span) { $0 == .ping(connection) } }
        _ = client.send(.started)
        _ = client.send(.opened(connection, resumedAt: .start))
        #expect(pings(for: .seconds(35)) == [10, 20, 30].map(TimeSpan.seconds))
        _ = client.send(.closed(connection, .pathLost))
        #expect(pings(for: .seconds(10)) == [])
        _ = client.send(.opened(connection, resumedAt: .start))
        #expect(pings(for: .seconds(20)) == [5, 15].map(TimeSpan.seconds))
    }

    /// Broken: a client without resumption resumes, or a ping is sent without a connection.
    @Test func otherSettings() {
        var client = client(["dtls": ["resumes": "false"], "ping": "10s"])
        _ = client.send(.started)
        _ = client.send(.opened(connection, resumedAt: .start))
        let pings = client.advance(by: .seconds(10))
        _ = client.send(.closed(connection, .pathLost))
        let silence = client.advance(by: .minutes(5))
        #expect(pings.contains(.ping(connection)) && silence == [])
        var layer = DatagramLayer()
        #expect(layer.roundTrips(isResumed: false) == 0)
        layer.version = .dtls12
        #expect(layer.roundTrips(isResumed: false) == 3 && layer.roundTrips(isResumed: true) == 1)
        layer.version = .dtls13
        #expect(layer.roundTrips(isResumed: false) == 2 && layer.roundTrips(isResumed: true) == 1)
    }
}
