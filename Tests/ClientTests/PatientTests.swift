import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct PatientTests {
    private let line = ConnectionSlot(0)

    /// Broken: a silent server that is never noticed. Ping after 45 s, closed 10 s later, then a new attempt within the base.
    @Test func closesWhatDoesNotAnswer() {
        var lane = ManualLane(Patient.self)
        #expect(lane.tell(.started) == [.connect(line, .webSocket, resuming: .from(.start))])
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(lane.advance(by: .milliseconds(44_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.ping(line)])
        #expect(lane.advance(by: .milliseconds(9_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
        #expect(lane.advance(by: .milliseconds(500)) == [.connect(line, .webSocket, resuming: .from(.start))])
    }

    /// Broken: a living connection that is closed, or pinged more often than it is silent.
    @Test func everySignOfLifePutsThePingOff() {
        var lane = ManualLane(Patient.self)
        _ = lane.tell(.started)
        _ = lane.tell(.opened(line, resumedAt: .start))
        for index in 1...20 as ClosedRange<UInt32> {
            #expect(lane.advance(by: .seconds(44)) == [])
            let actions = lane.tell(.received(line, upTo: Cursor(index), bytes: 100))
            #expect(actions == [.deliver(Cursor(index))])
        }
        #expect(lane.advance(by: .seconds(45)) == [.ping(line)])
        #expect(lane.tell(.pong(line, after: .milliseconds(60))) == [])
        #expect(lane.advance(by: .seconds(44)) == [])
    }

    /// Broken: a client that stays on a socket of a network it has left, or waits before it uses the new one.
    @Test func followsThePathAtOnce() {
        var lane = ManualLane(Patient.self)
        _ = lane.tell(.started)
        _ = lane.tell(.opened(line, resumedAt: .start))
        lane.session.cursor = Cursor(7)
        lane.session.network.path = .cellular
        let actions = lane.tell(
            .network(NetworkChange(.available, of: .cellular, now: .cellular, replacesDefaultPath: true)))
        #expect(actions == [.close(line), .connect(line, .webSocket, resuming: .from(Cursor(7)))])
        #expect(lane.session.random.isUnused)
    }

    /// Broken: messages wanted while there was no connection are forgotten, or sent twice.
    @Test func handsOverWhatIsNotConfirmed() {
        var lane = ManualLane(Patient.self)
        _ = lane.tell(.started)
        #expect(lane.tell(.wantsToSend(Message(index: 0, bytes: 10))) == [])
        lane.session.produced = Cursor(3)
        lane.session.acknowledged = Cursor(1)
        #expect(
            lane.tell(.opened(line, resumedAt: .start)).contains(.send(line, from: Cursor(1), upTo: Cursor(3))))
        #expect(
            lane.tell(.wantsToSend(Message(index: 3, bytes: 10))) == [.send(line, from: Cursor(3), upTo: Cursor(4))])
    }

    /// Broken: without a network there is nothing to try, and timers that run on would only wake the phone.
    @Test func restsWithoutAPath() {
        var lane = ManualLane(Patient.self)
        lane.session.network.path = nil
        #expect(lane.tell(.started) == [])
        #expect(lane.advance(by: .hours(1)) == [])
    }
}

extension Dice {
    /// No die of the stream was rolled in order.
    fileprivate var isUnused: Bool {
        var next = self
        return next.next() == at(0)
    }
}
