import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct PatientTests {
    private let connection = ConnectionSlot(0)

    /// Broken: a silent server is never detected. A ping after 45 s, the close 10 s later, then a new attempt within
    /// the base wait.
    @Test func closesASilentConnection() {
        var phone = StrategyHarness(Patient.self)
        #expect(phone.send(.started) == [.connect(connection, .webSocket, resuming: .from(.start))])
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(phone.advance(by: .milliseconds(44_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.ping(connection)])
        #expect(phone.advance(by: .milliseconds(9_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
        #expect(phone.advance(by: .milliseconds(500)) == [.connect(connection, .webSocket, resuming: .from(.start))])
    }

    /// Broken: a live connection is closed, or pinged although it was not silent for a whole interval.
    @Test func everySignOfLifePostponesThePing() {
        var phone = StrategyHarness(Patient.self)
        _ = phone.send(.started)
        _ = phone.send(.opened(connection, resumedAt: .start))
        for index in 1...20 as ClosedRange<UInt32> {
            #expect(phone.advance(by: .seconds(44)) == [])
            let actions = phone.send(.received(connection, upTo: Cursor(index), bytes: 100))
            #expect(actions == [.deliver(Cursor(index))])
        }
        #expect(phone.advance(by: .seconds(45)) == [.ping(connection)])
        #expect(phone.send(.pong(connection, after: .milliseconds(60))) == [])
        #expect(phone.advance(by: .seconds(44)) == [])
    }

    /// Broken: a client stays on a socket of a network that it has left, or waits before it uses the new network.
    @Test func followsThePathAtOnce() {
        var phone = StrategyHarness(Patient.self)
        _ = phone.send(.started)
        _ = phone.send(.opened(connection, resumedAt: .start))
        phone.session.cursor = Cursor(7)
        phone.session.network.path = .cellular
        let actions = phone.send(
            .network(NetworkChange(.available, of: .cellular, now: .cellular, replacesDefaultPath: true)))
        #expect(actions == [.close(connection), .connect(connection, .webSocket, resuming: .from(Cursor(7)))])
        #expect(phone.session.random.isUnused)
    }

    /// Broken: messages written while there was no connection are forgotten, or sent twice.
    @Test func sendsUnconfirmedMessages() {
        var phone = StrategyHarness(Patient.self)
        _ = phone.send(.started)
        #expect(phone.send(.wantsToSend(Message(index: 0, bytes: 10))) == [])
        phone.session.produced = Cursor(3)
        phone.session.acknowledged = Cursor(1)
        #expect(
            phone.send(.opened(connection, resumedAt: .start)).contains(
                .send(connection, from: Cursor(1), upTo: Cursor(3))))
        #expect(
            phone.send(.wantsToSend(Message(index: 3, bytes: 10))) == [
                .send(connection, from: Cursor(3), upTo: Cursor(4))
            ])
    }

    /// Broken: the client makes attempts without a network, or its timers keep running and wake the phone for
    /// nothing.
    @Test func doesNothingWithoutANetwork() {
        var phone = StrategyHarness(Patient.self)
        phone.session.network.path = nil
        #expect(phone.send(.started) == [])
        #expect(phone.advance(by: .hours(1)) == [])
    }
}

extension Dice {
    /// `true` if no random number was drawn from the stream in order.
    fileprivate var isUnused: Bool {
        var next = self
        return next.next() == at(0)
    }
}
