import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

/// Strategies that are whole by themselves, where they differ from `composed`.
@Suite struct PlainStrategyTests {
    private let line = ConnectionSlot(0)

    private func lane<S: Strategy>(_ type: S.Type, _ setting: Setting, seed: UInt64 = 1) -> ManualLane<S> {
        var reader = SettingsReader(setting.node, of: S.name)
        let strategy = S(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [])
        return ManualLane(strategy, seed: seed)
    }

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    /// Broken: a full queue loses another part than its older half, or is full at another number.
    @Test(arguments: [2, 3, 4, 9, 10] as [UInt32])
    func aFullQueueLosesItsOlderHalf(bound: UInt32) {
        var socket = lane(IntervalSocket.self, ["queue": .text("\(bound)")])
        _ = socket.tell(.started)
        for index in 0..<bound { #expect(socket.tell(.wantsToSend(Message(index: index, bytes: 9))) == [], "\(index)") }
        let half = (bound + 1) / 2
        #expect(socket.tell(.wantsToSend(Message(index: bound, bytes: 9))) == [.forget(below: Cursor(half))])
        // Full again once as many have come as were lost.
        for index in (bound + 1)..<(bound + half) {
            #expect(socket.tell(.wantsToSend(Message(index: index, bytes: 9))) == [])
        }
        #expect(socket.tell(.wantsToSend(Message(index: bound + half, bytes: 9))).count == 1)
    }

    /// Broken: a new socket is closed for the pong that the old one did not bring.
    @Test func aNewSocketOwesNoPong() {
        var socket = lane(IntervalSocket.self, ["tick": "8s", "age": "10s"])
        _ = socket.tell(.started)
        _ = socket.tell(.opened(line, resumedAt: .start))
        #expect(socket.advance(by: .seconds(8)) == [.ping(line)])
        _ = socket.tell(.pong(line, after: .zero))
        #expect(socket.advance(by: .seconds(9)) == [.ping(line)])
        _ = socket.tell(.closed(line, .reset))
        #expect(attempts(socket.advance(by: .seconds(1))) == 1)
        _ = socket.advance(by: .seconds(4))
        _ = socket.tell(.opened(line, resumedAt: .start))
        #expect(socket.advance(by: .seconds(2)) == [.ping(line)])
    }

    /// Broken: a second network puts the ping off, or has one of its own.
    @Test func aSecondNetworkLeavesThePing() {
        var datagrams = lane(Datagrams.self, ["ping": "10s"])
        _ = datagrams.tell(.started)
        _ = datagrams.tell(.opened(line, resumedAt: .start))
        #expect(datagrams.advance(by: .seconds(6)) == [])
        #expect(
            attempts(
                datagrams.tell(
                    .network(NetworkChange(.available, of: .cellular, now: .cellular, replacesDefaultPath: true)))) == 1
        )
        _ = datagrams.tell(.opened(line, resumedAt: .start))
        #expect(datagrams.advance(by: .seconds(4)) == [.ping(line)])
        #expect(datagrams.advance(by: .seconds(19)) == [.ping(line)])
    }

    /// Broken: a client without a connection pings.
    @Test func nobodyPingsWithoutAConnection() {
        var eager = lane(Eager.self, [:])
        _ = eager.tell(.started)
        _ = eager.tell(.opened(line, resumedAt: .start))
        _ = eager.advance(by: .seconds(15))
        _ = eager.tell(.closed(line, .reset))
        let actions = eager.advance(by: .minutes(1))
        #expect(attempts(actions) == 1 && !actions.contains(.ping(line)))
    }

    /// Broken: on a new network a client goes on waiting as long as on the one that failed it so often.
    @Test func aNewNetworkIsTriedAsTheFirst() {
        var patient = lane(Patient.self, ["backoff": ["base": "500ms", "cap": "1h", "jitter": "none"]])
        _ = patient.tell(.started)
        for _ in 0..<8 {
            _ = patient.tell(.failed(line, .refused))
            _ = patient.advance(by: .hours(1))
        }
        patient.session.network.path = .cellular
        let change = NetworkChange(.available, of: .cellular, now: .cellular, replacesDefaultPath: true)
        #expect(attempts(patient.tell(.network(change))) == 1)
        _ = patient.tell(.failed(line, .refused))
        #expect(attempts(patient.advance(by: .milliseconds(500))) == 1)
    }
}

/// A connection that the server has said goodbye on, beside the one that follows it.
@Suite struct DrainingTests {
    private let old = ConnectionSlot(0)
    private let new = ConnectionSlot(1)

    private func draining(_ more: [(String, Setting)] = []) -> ManualLane<Composed> {
        let settings: [(String, Setting)] = [
            ("transport", "grpc"), ("on-goaway", "drain"), ("calls", ["deadline": "60s", "retry": "false"]),
        ]
        var lane = ManualLane.open(.map(settings + more))
        for index in 0..<2 as Range<UInt32> { _ = lane.tell(.wantsToCall(Message(index: index, bytes: 100))) }
        return lane
    }

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    /// Broken: calls that were asked on the old connection end with the first of them that is answered.
    @Test func theOldConnectionStaysForAllItsCalls() {
        var lane = draining()
        let moved = lane.tell(.goingAway(old, .noError))
        #expect(attempts(moved) == 1 && !moved.contains(.close(old)))
        _ = lane.tell(.opened(new, resumedAt: .start))
        #expect(lane.tell(.answered(old, call: 0)) == [])
        #expect(lane.tell(.answered(old, call: 1)) == [.leave(old)])
    }

    /// Broken: who was sent away for an error waits on the old connection.
    @Test func anErrorEndsTheOldConnectionAtOnce() {
        var lane = draining()
        let moved = lane.tell(.goingAway(old, .tooManyPings))
        #expect(attempts(moved) == 1 && moved.contains(.close(old)))
    }

    /// Broken: what the old connection still brings is shown, and not remembered.
    @Test func whatTheOldConnectionBringsCounts() {
        var alone = draining([("resume", "persisted")])
        var lane = draining([("resume", "persisted")])
        _ = lane.tell(.goingAway(old, .noError))
        let expected = alone.tell(.received(old, upTo: Cursor(1), bytes: 9))
        #expect(expected.count > 1)
        #expect(lane.tell(.received(old, upTo: Cursor(1), bytes: 9)) == expected)
    }

    /// Broken: a word of a connection that is none of the client's is heard.
    @Test func nobodyElseIsHeard() {
        var lane = ManualLane.open(["transport": "grpc"])
        #expect(lane.tell(.received(new, upTo: Cursor(1), bytes: 9)) == [])
        #expect(lane.tell(.closed(new, .reset)) == [])
        #expect(lane.tell(.received(old, upTo: Cursor(1), bytes: 9)) != [])
    }
}
