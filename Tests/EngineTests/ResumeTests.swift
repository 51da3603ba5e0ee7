import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Reconnects every ten seconds from a cursor that differs from the app's.
private struct Stubborn: Strategy {
    static let name = "stubborn"
    static let about = "resumes from a cursor of its own"
    let cursor: Cursor
    init(from cursor: Cursor) { self.cursor = cursor }
    init(_ settings: inout SettingsReader) { cursor = .start }
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired:
            out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .from(cursor)))
            session.arm(TimerSlot(0), after: .seconds(10))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        default: break
        }
    }
}

/// Opens a second connection after the given time and sends on it once it is open.
private struct Changeover: Strategy {
    static let name = "changeover"
    static let about = "sends on its second connection from when it is open"
    let after: TimeSpan
    init(after: TimeSpan) { self.after = after }
    init(_ settings: inout SettingsReader) { after = .zero }
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started:
            out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .fresh))
            session.arm(TimerSlot(0), after: after)
        case .fired: out.append(.connect(ConnectionSlot(1), .webSocket, resuming: .fresh))
        case .opened(let slot, _): state = slot.index
        case .wantsToSend(let message):
            out.append(.send(ConnectionSlot(state), from: message.cursor, upTo: message.next))
        default: break
        }
    }
}

@Suite struct ResumeTests {
    private static let world = Fixture.cellularWorld(Traffic(down: .every(.seconds(2))), horizon: .seconds(25))

    /// Broken: messages that the server sends again on request are not counted.
    @Test func repeatedMessagesAreDuplicates() {
        let run = Simulation(world: Self.world, strategy: AnyStrategy(Stubborn(from: .start)), seed: 1).allRecords()
        // Four messages arrive before 10 s, nine before 20 s.
        #expect(run.count(.opened) == 3 && run.sum(.suppressedDown) == 4 + 9, "\(run.sum(.suppressedDown))")
        #expect(run.count(.deliveredDown) == 12 && run.sum(.duplicatedDown) == 0)
    }

    /// Broken: messages that a strategy skipped count as delivered although they never arrived.
    @Test func messagesBelowTheCursorAreLost() {
        // The network is up from 11 s on, so the client connects at 20 s; ten messages are written by then.
        var world = Self.world
        world.timeline[0].at = .zero + .seconds(11)
        let run = Simulation(world: world, strategy: AnyStrategy(Stubborn(from: Cursor(7))), seed: 1).allRecords()
        #expect(run.count(.opened) == 1 && run.sum(.lostDown) == 7 && run.count(.deliveredDown) == 5)
        #expect(run.sum(.pendingDown) == 0)
    }

    /// Broken: the ends of a second connection disagree about its first message, so nothing is ever accepted. The
    /// acknowledgement on the first connection arrives after the server's acceptance and before the client's event.
    @Test func bothEndsOfASuccessorAgreeWhereToBegin() {
        let world = Fixture.cellularWorld(Traffic(up: .every(.seconds(1))), horizon: .seconds(60))
        for offset in stride(from: 29_780, to: 30_020, by: 5) as StrideTo<Int64> {
            let strategy = AnyStrategy(Changeover(after: .milliseconds(offset)))
            let run = Simulation(world: world, strategy: strategy, seed: 1).allRecords()
            #expect(
                run.count(.opened) == 2 && run.count(.deliveredUp) >= 56, "at \(offset) ms: \(run.count(.deliveredUp))")
        }
    }
}
