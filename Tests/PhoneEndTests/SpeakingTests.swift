import DeadzoneClient
import DeadzoneJournal
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneTransport
import Testing

/// What an app and its library say on a connection, and what comes of it.
@Suite struct SpeakingTests {
    private static let slot = ConnectionSlot(0)
    private static let calling = Traffic(calls: .every(.seconds(1), bytes: 300))

    /// Broken: pongs that are counted for other pings than theirs.
    @Test func pongsBelongToTheirPings() {
        let desk = Desk()
        desk.open()
        desk.act { $0.ping(0, at: .zero, &$3) }
        desk.at(.zero + .seconds(2))
        desk.act { $0.ping(0, at: .zero + .seconds(2), &$3) }
        desk.at(.zero + .seconds(3))
        desk.carry()
        desk.say(.pong, 0)
        desk.say(.pong, 1)
        let spans = desk.events.compactMap { if case .pong(_, let span) = $0 { span } else { nil } }
        #expect(spans == [.seconds(3), .seconds(1)] && desk.count(.pinged) == 2 && desk.count(.ponged) == 2)
    }

    /// Broken: a full send buffer that takes pings, or does not say that it is full, or when it is not.
    @Test func aFullBufferTakesNoPing() {
        var carrier = Carrier(.webSocket)
        carrier.sendBuffer = 3_000
        // It counts in bytes.
        let desk = Desk(Traffic(up: .every(.seconds(1), bytes: 3_000)), kernel: .xnu)
        desk.open(carrier)
        desk.act { $0.send(0..<30, 0, at: .zero, &$3) }
        #expect(desk.events.last == .stalled(Self.slot) && desk.count(.socketFilled) == 1)
        desk.act { $0.ping(0, at: .zero, &$3) }
        #expect(desk.count(.pinged) == 0)
        desk.carry()
        #expect(desk.events.contains(.writable(Self.slot)) && desk.count(.socketStalled) == 1)
        desk.act { $0.ping(0, at: .zero, &$3) }
        #expect(desk.count(.pinged) == 1)
    }

    /// Broken: pings of the server that nobody answers once the app runs again, or that a sleeping app answers.
    @Test func whoSleepsAnswersLater() {
        let desk = Desk()
        desk.open()
        desk.runs = false
        let before = desk.peer.expected
        desk.say(.ping, 0)
        desk.say(.ping, 1)
        let beats = desk.asks.count { if case .beat = $0 { true } else { false } }
        #expect(beats == 2 && desk.peer.expected == before, "its kernel is all that answers")
        desk.runs = true
        desk.act { $0.catchUp(at: .zero, &$3) }
        desk.carry()
        #expect(before < desk.peer.expected, "two pongs")
    }

    /// Broken: a call that is answered twice, never, or by the wrong connection's answer.
    @Test func aCallIsOpenUntilItIsAnswered() {
        let desk = Desk(Self.calling)
        desk.open(Carrier(.http2))
        desk.act { $0.wantCall(at: .zero, &$3) }
        let wish = desk.phone.nextCall()
        #expect(wish == .wantsToCall(Message(index: 0, bytes: 300)) && desk.phone.nextCall() == nil)
        for _ in 0..<2 { desk.act { $0.ask(0, 0, at: .zero, &$3) } }
        #expect(desk.count(.callRepeated) == 1 && desk.phone.calls.isOpen(0))
        desk.carry()
        desk.say(.answer, 0)
        #expect(desk.events.last == .answered(Self.slot, call: 0) && desk.phone.calls.openCount == 0)
        desk.say(.answer, 0)
        #expect(desk.count(.answered) == 1 && desk.count(.answerUnused) == 1)
    }

    /// Broken: a call on a connection that was told to go away, and nobody is told that it was never looked at.
    @Test func aDismissedConnectionTakesNoCall() {
        let desk = Desk(Self.calling)
        desk.open(Carrier(.http2))
        for _ in 0..<2 { desk.act { $0.wantCall(at: .zero, &$3) } }
        desk.act { $0.ask(0, 0, at: .zero, &$3) }
        desk.say(Word.goAway.track, Word.goAway.item)
        let refusal = CallRefusal(.unavailable, isUnprocessed: true, isGoodbye: true)
        desk.act { $0.ask(1, 0, at: .zero, &$3) }
        #expect(desk.events.last == .rejected(Self.slot, call: 1, refusal))
        // The second GOAWAY names no stream: the server has not seen the first call either.
        desk.say(Word.goAwaySettled.track, Word.goAwaySettled.item)
        #expect(desk.events.last == .rejected(Self.slot, call: 0, refusal) && desk.phone.calls.openCount == 2)
    }

    /// Broken: a call that finds no room is forgotten, asked twice, or looked for on a connection that is gone.
    @Test func aCallWithoutRoomLooksAgain() {
        var carrier = Carrier(.http2)
        carrier.sendBuffer = 2_304
        let desk = Desk(Traffic(calls: .every(.seconds(1), bytes: 30_000)))
        desk.open(carrier)
        let calls = 0..<4 as Range<UInt32>
        for _ in calls { desk.act { $0.wantCall(at: .zero, &$3) } }
        for call in calls { desk.act { $0.ask(call, 0, at: .zero, &$3) } }
        let looks = desk.asks.compactMap { if case .lookAgain(let call, let at, _, _) = $0 { (call, at) } else { nil } }
        let first = looks.first?.0 ?? 0
        #expect(0 < first && looks.map(\.0) == Array(first..<4) && looks.first?.1 == .zero + .milliseconds(100))
        let generation = desk.phone[0].generation
        let inVain = desk.act { $0.askAgain(first, 0, generation: generation, at: .zero, &$3) }
        #expect(inVain == true)
        desk.carry()
        let asked = desk.act { $0.askAgain(first, 0, generation: generation, at: .zero, &$3) }
        #expect(asked == false)
        let gone = desk.act { $0.askAgain(first, 0, generation: generation &- 1, at: .zero, &$3) }
        #expect(gone == nil)
    }

    /// Broken: the process ends, and what it had asked stays open for ever; or calls that it never heard of fail, too.
    @Test func aProcessTakesItsCallsWithIt() {
        let desk = Desk(Self.calling)
        desk.act { $0.wantCall(at: .zero, &$3) }
        _ = desk.phone.nextCall()
        desk.act { $0.wantCall(at: .zero, &$3) }
        desk.act { $0.failCalls(at: .zero + .seconds(5), &$3) }
        #expect(desk.count(.callFailed) == 1 && desk.phone.calls.openCount == 1)
        #expect(desk.phone.nextCall() == .wantsToCall(Message(index: 1, bytes: 300)))
        desk.act { $0.endCallOutage(at: .zero + .seconds(9), &$3) }
        #expect(desk.notes.last { $0.kind == .callOutage }?.value == TimeSpan.seconds(8).nanoseconds, "since the wish")
    }
}
