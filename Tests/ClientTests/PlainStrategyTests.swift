import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Self-contained strategies, where they differ from `composed`.
@Suite struct PlainStrategyTests {
    private let connection = ConnectionSlot(0)

    private func phone<S: Strategy>(_ type: S.Type, _ setting: Setting, seed: UInt64 = 1) -> StrategyHarness<S> {
        var reader = SettingsReader(setting.node, of: S.name)
        let strategy = S(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [])
        return StrategyHarness(strategy, seed: seed)
    }

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    /// Broken: a full queue drops other messages than its older half, or is full at another count.
    @Test(arguments: [2, 3, 4, 9, 10] as [UInt32])
    func aFullQueueLosesItsOlderHalf(bound: UInt32) {
        var socket = phone(IntervalSocket.self, ["queue": .text("\(bound)")])
        _ = socket.send(.started)
        for index in 0..<bound { #expect(socket.send(.wantsToSend(Message(index: index, bytes: 9))) == [], "\(index)") }
        let half = (bound + 1) / 2
        #expect(socket.send(.wantsToSend(Message(index: bound, bytes: 9))) == [.forget(below: Cursor(half))])
        // Full again once as many messages have arrived as were dropped.
        for index in (bound + 1)..<(bound + half) {
            #expect(socket.send(.wantsToSend(Message(index: index, bytes: 9))) == [])
        }
        #expect(socket.send(.wantsToSend(Message(index: bound + half, bytes: 9))).count == 1)
    }

    /// Broken: a new socket is closed because of a missing pong of the old socket.
    @Test func aNewSocketExpectsNoOldPong() {
        var socket = phone(IntervalSocket.self, ["tick": "8s", "age": "10s"])
        _ = socket.send(.started)
        _ = socket.send(.opened(connection, resumedAt: .start))
        #expect(socket.advance(by: .seconds(8)) == [.ping(connection)])
        _ = socket.send(.pong(connection, after: .zero))
        #expect(socket.advance(by: .seconds(9)) == [.ping(connection)])
        _ = socket.send(.closed(connection, .reset))
        #expect(attempts(socket.advance(by: .seconds(1))) == 1)
        _ = socket.advance(by: .seconds(4))
        _ = socket.send(.opened(connection, resumedAt: .start))
        #expect(socket.advance(by: .seconds(2)) == [.ping(connection)])
    }

    /// Broken: a second network postpones the ping, or gets its own ping.
    @Test func aSecondNetworkDoesNotMoveThePing() {
        var datagrams = phone(Datagrams.self, ["ping": "10s"])
        _ = datagrams.send(.started)
        _ = datagrams.send(.opened(connection, resumedAt: .start))
        #expect(datagrams.advance(by: .seconds(6)) == [])
        #expect(
            attempts(
                datagrams.send(
                    .network(NetworkChange(.available, of: .cellular, now: .cellular, replacesDefaultPath: true)))) == 1
        )
        _ = datagrams.send(.opened(connection, resumedAt: .start))
        #expect(datagrams.advance(by: .seconds(4)) == [.ping(connection)])
        #expect(datagrams.advance(by: .seconds(19)) == [.ping(connection)])
    }

    /// Broken: a client pings without a connection.
    @Test func noPingWithoutAConnection() {
        var eager = phone(Eager.self, [:])
        _ = eager.send(.started)
        _ = eager.send(.opened(connection, resumedAt: .start))
        _ = eager.advance(by: .seconds(15))
        _ = eager.send(.closed(connection, .reset))
        let actions = eager.advance(by: .minutes(1))
        #expect(attempts(actions) == 1 && !actions.contains(.ping(connection)))
    }

    /// Broken: on a new network, a client still waits as long as after the repeated failures on the old network.
    @Test func aNewNetworkRestartsTheBackoff() {
        var patient = phone(Patient.self, ["backoff": ["base": "500ms", "cap": "1h", "jitter": "none"]])
        _ = patient.send(.started)
        for _ in 0..<8 {
            _ = patient.send(.failed(connection, .refused))
            _ = patient.advance(by: .hours(1))
        }
        patient.session.network.path = .cellular
        let change = NetworkChange(.available, of: .cellular, now: .cellular, replacesDefaultPath: true)
        #expect(attempts(patient.send(.network(change))) == 1)
        _ = patient.send(.failed(connection, .refused))
        #expect(attempts(patient.advance(by: .milliseconds(500))) == 1)
    }
}

/// A connection that received a GOAWAY, beside the connection that replaces it.
@Suite struct DrainingTests {
    private let old = ConnectionSlot(0)
    private let new = ConnectionSlot(1)

    private func draining(_ more: [(String, Setting)] = []) -> StrategyHarness<Composed> {
        let settings: [(String, Setting)] = [
            ("transport", "grpc"), ("on-goaway", "drain"), ("calls", ["deadline": "60s", "retry": "false"]),
        ]
        var phone = StrategyHarness.open(.map(settings + more))
        for index in 0..<2 as Range<UInt32> { _ = phone.send(.wantsToCall(Message(index: index, bytes: 100))) }
        return phone
    }

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    /// Broken: calls on the old connection end with the first of them that is answered.
    @Test func theOldConnectionStaysForAllItsCalls() {
        var phone = draining()
        let moved = phone.send(.goingAway(old, .noError))
        #expect(attempts(moved) == 1 && !moved.contains(.close(old)))
        _ = phone.send(.opened(new, resumedAt: .start))
        #expect(phone.send(.answered(old, call: 0)) == [])
        #expect(phone.send(.answered(old, call: 1)) == [.closeGracefully(old)])
    }

    /// Broken: the old connection is closed before the new one is open, because its calls are answered; or it stays.
    @Test func theOldConnectionStaysUntilTheNewOneIsOpen() {
        var phone = draining()
        _ = phone.send(.goingAway(old, .noError))
        for call in 0..<2 as Range<UInt32> { #expect(phone.send(.answered(old, call: call)) == []) }
        let later = phone.send(.failed(new, .refused)) + phone.advance(by: .seconds(5))
        #expect(attempts(later) == 1 && !later.contains(.closeGracefully(old)))
        #expect(phone.send(.opened(new, resumedAt: .start)).filter { $0 == .closeGracefully(old) }.count == 1)
    }

    /// Broken: the calls of the old connection are sent a second time, because the new connection could not be opened.
    @Test func aFailedNewConnectionEndsNoCallOfTheOldOne() {
        var phone = draining()
        func callsSent(_ actions: [Action]) -> Int {
            actions.count { if case .call = $0 { true } else { false } }
        }
        _ = phone.send(.goingAway(old, .noError))
        var later = phone.send(.wantsToCall(Message(index: 2, bytes: 100)))
        later += phone.send(.failed(new, .refused)) + phone.advance(by: .seconds(5))
        #expect(attempts(later) > 0 && callsSent(later) == 0 && !later.contains(.closeGracefully(old)), "\(later)")
        #expect(callsSent(phone.send(.opened(new, resumedAt: .start))) == 1)
        // A new connection that is lost takes only its own call with it.
        later = phone.send(.closed(new, .reset)) + phone.advance(by: .seconds(5))
        #expect(attempts(later) > 0 && callsSent(later) == 0 && later.contains(.abandon(call: 2, .unavailable)))
        #expect(callsSent(phone.send(.opened(new, resumedAt: .start))) == 0)
        #expect(phone.send(.answered(old, call: 0)) == [])
        #expect(phone.send(.answered(old, call: 1)) == [.closeGracefully(old)])
    }

    /// Broken: a client keeps the old connection although the GOAWAY reports an error.
    @Test func anErrorEndsTheOldConnectionAtOnce() {
        var phone = draining()
        let moved = phone.send(.goingAway(old, .tooManyPings))
        #expect(attempts(moved) == 1 && moved.contains(.close(old)))
    }

    /// Broken: a message that arrives on the old connection is delivered but not persisted.
    @Test func messagesOfTheOldConnectionCount() {
        var alone = draining([("resume", "persisted")])
        var phone = draining([("resume", "persisted")])
        _ = phone.send(.goingAway(old, .noError))
        let expected = alone.send(.received(old, upTo: Cursor(1), bytes: 9))
        #expect(expected.count > 1)
        #expect(phone.send(.received(old, upTo: Cursor(1), bytes: 9)) == expected)
    }

    /// Broken: an event of a connection that the client does not have is processed.
    @Test func unknownConnectionsAreIgnored() {
        var phone = StrategyHarness.open(["transport": "grpc"])
        #expect(phone.send(.received(new, upTo: Cursor(1), bytes: 9)) == [])
        #expect(phone.send(.closed(new, .reset)) == [])
        #expect(phone.send(.received(old, upTo: Cursor(1), bytes: 9)) != [])
    }
}
