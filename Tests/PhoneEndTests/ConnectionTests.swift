import DeadzoneClient
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneTransport
import Testing

/// Connections as the phone's end has them, without a server, an engine or a radio.
@Suite struct ConnectionTests {
    private static let slot = ConnectionSlot(0)

    /// Broken: an app that believes in a connection that nobody has answered, or not in one that was.
    @Test(arguments: [Carrier.Kind.webSocket, .mqtt, .http2, .serverSentEvents, .quic])
    func anAppBelievesWhatWasAnswered(_ kind: Carrier.Kind) {
        let desk = Desk()
        desk.setOut(Carrier(kind))
        #expect(desk.belief == .opening && desk.up.first?.content == .hello)
        desk.open(Carrier(kind))
        #expect(desk.belief == .open && desk.events.contains(.greeted(Self.slot)))
        #expect(desk.events.contains(.opened(Self.slot, resumedAt: Cursor(0))))
    }

    /// Broken: a SYN that is repeated for ever, or a refusal that is taken for silence.
    @Test func nobodyAnswersOrSomebodyRefuses() {
        let silent = Desk()
        silent.setOut()
        silent.waitInVain(until: .zero + .minutes(10))
        #expect(silent.events == [.failed(Self.slot, .timedOut)] && silent.belief == .closed)
        #expect(silent.up.count { $0.content == .hello } == silent.up.count && silent.up.count > 5)

        let refused = Desk()
        refused.setOut()
        refused.hear(Packet(.goodbye, cause: .connect, bytes: 40, stamp: .zero))
        #expect(refused.events == [.failed(Self.slot, .refused)])
    }

    /// Broken: data in flight that is given up without a word, too early, or not at all; or a verdict that is held against nobody.
    @Test func silenceUnderDataEndsAConnection() {
        let desk = Desk(Traffic(up: .every(.seconds(1), bytes: 100)))
        desk.open()
        desk.act { $0.send(0..<1, 0, at: .zero, &$3) }
        desk.lose()
        desk.waitInVain(until: .zero + .hours(1))
        #expect(desk.events.last == .closed(Self.slot, .timedOut) && desk.count(.closed) == 1)
        #expect(desk.asks.contains { if case .gaveUp(0) = $0 { true } else { false } })
        #expect(.minutes(10) < desk.closedAt - .zero && desk.closedAt - .zero < .minutes(20), "\(desk.closedAt)")
    }

    /// Broken: an app that is told while it does not run, or never.
    @Test func whoDoesNotRunLearnsLater() {
        let desk = Desk()
        desk.open()
        desk.runs = false
        desk.hear(Packet(.goodbye, cause: .connect, bytes: 40, stamp: .zero))
        #expect(desk.belief == .open && desk.count(.closed) == 0)
        desk.runs = true
        desk.act { $0.learnLosses(at: .zero, &$3) }
        #expect(desk.belief == .closed && desk.events.last == .closed(Self.slot, .reset))
    }

    /// Broken: a phone that keeps still about a connection that it does not know, or argues about the end of one.
    @Test func whatIsUnknownIsReset() {
        let desk = Desk()
        desk.open()
        desk.act { $0.close(0, isDone: true, at: .zero, $2, &$3) }
        #expect(desk.up.map(\.content) == [.goodbye])
        desk.lose()
        desk.hear(Packet(.data, cause: .payload, bytes: 100, stamp: .zero))
        #expect(desk.up.map(\.content) == [.goodbye])
        desk.lose()
        desk.hear(Packet(.goodbye, cause: .connect, bytes: 40, stamp: .zero))
        #expect(desk.up.isEmpty && desk.events.allSatisfy { $0 != .closed(Self.slot, .reset) })
    }

    /// Broken: who leaves for a better network, or at the server's wish, counts as one who gives up.
    @Test(arguments: [(false, false, true), (true, false, false), (false, true, false)])
    func whoGivesUp(isElsewhere: Bool, isDismissed: Bool, gaveUp: Bool) {
        let desk = Desk()
        desk.open(Carrier(.http2))
        if isElsewhere { desk.session.network.handle = 2 }
        if isDismissed { desk.sayWord(.goAway) }
        desk.act { $0.close(0, isDone: false, at: .zero, $2, &$3) }
        let hasGivenUp = desk.asks.contains { if case .gaveUp = $0 { true } else { false } }
        #expect(hasGivenUp == gaveUp && desk.belief == .closed)
    }

    /// Broken: a connection that outlives its address on TCP, or does not on QUIC; one that moves to where it is.
    @Test(arguments: [(Carrier.Kind.quic, true), (.webSocket, false)])
    func onlyQUICMoves(_ kind: Carrier.Kind, moves: Bool) {
        let desk = Desk()
        desk.open(Carrier(kind))
        let stays = desk.act { $0.move(0, $1, at: .zero, $2, &$3) }
        #expect(!stays)
        desk.session.network = NetworkView(path: .cellular, handle: 2)
        let moved = desk.act { $0.move(0, $1, at: .zero, $2, &$3) }
        #expect(moved == moves && desk.belief == .open)
        guard moves else { return }
        #expect(desk.phone[0].interface == .cellular && desk.phone[0].epoch == 2)
        desk.act { $0.prove(0, at: .zero, &$3) }
        #expect(desk.up.contains { $0.content == .challenge })
        desk.waitInVain(until: .zero + .minutes(5))
        #expect(desk.events.last == .closed(Self.slot, .timedOut), "nobody is there")
    }

    /// Broken: a name that is asked for again though it is known, not asked for on another network, or waited for for ever.
    @Test func namesAreAskedForOnce() {
        let resolver = Resolver()
        let desk = Desk(Traffic(), PhoneEndRules(resolver: resolver, intake: Intake(), holdsCredit: false))
        desk.setOut()
        #expect(desk.up.map(\.content) == [.question] && desk.belief == .opening)
        desk.lose()
        desk.hearResolver(hasAddress: true)
        #expect(desk.up.map(\.content) == [.hello] && desk.count(.resolved) == 1)
        desk.lose()
        desk.setOut()
        #expect(desk.up.map(\.content) == [.hello], "it is known")
        desk.lose()
        desk.session.network.handle = 2
        desk.setOut()
        #expect(desk.up.map(\.content) == [.question], "on another network nobody knows")
        desk.lose()
        desk.hearResolver(hasAddress: false)
        #expect(desk.events.last == .failed(Self.slot, .unresolved) && desk.belief == .closed)
    }
}

extension Desk {
    fileprivate func sayWord(_ word: Word) { say(word.track, word.item) }

    fileprivate func hearResolver(hasAddress: Bool) {
        let answer = Packet(.resolution, cause: .dns, bytes: 80, number: hasAddress ? 1 : 0, stamp: .zero)
        let network = session.network
        act { phone, _, session, out in
            phone.hearResolver(
                answer, 0, generation: phone[0].generation, over: .wifi, epoch: network.handle, at: .zero, session,
                &out)
        }
    }
}
