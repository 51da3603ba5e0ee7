import DeadzoneBase
import DeadzoneClient
@testable import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Connections of the client transport, without a server, an engine or a radio.
@Suite struct ClientConnectionTests {
    private static let slot = ConnectionSlot(0)

    /// Broken: the app believes that a connection is open although no answer arrived, or does not although one did.
    @Test(arguments: [Transport.TransportKind.webSocket, .mqtt, .http2, .serverSentEvents, .quic])
    func anAnsweredConnectionCountsAsOpen(_ kind: Transport.TransportKind) {
        let harness = PhoneEndHarness()
        harness.startConnection(Transport(kind))
        #expect(harness.belief == .opening && harness.outgoing.first?.content == .hello)
        harness.open(Transport(kind))
        #expect(harness.belief == .open && harness.events.contains(.serverResponded(Self.slot)))
        #expect(harness.events.contains(.opened(Self.slot, resumedAt: Cursor(0))))
    }

    /// Broken: SYNs are repeated for ever, or a refusal is taken for silence.
    @Test func silenceTimesOutAndARefusalFails() {
        let silent = PhoneEndHarness()
        silent.startConnection()
        silent.runTimers(until: .zero + .minutes(10))
        #expect(silent.events == [.failed(Self.slot, .timedOut)] && silent.belief == .closed)
        #expect(silent.outgoing.count { $0.content == .hello } == silent.outgoing.count && silent.outgoing.count > 5)

        let refused = PhoneEndHarness()
        refused.startConnection()
        refused.receive(Packet(.reset, cause: .connect, bytes: 40, stamp: .zero))
        #expect(refused.events == [.failed(Self.slot, .refused)])
    }

    /// Broken: the kernel gives up unacknowledged data without an event, too early, or never. Or the timeout is not
    /// recorded as a connection given up.
    @Test func silenceUnderDataEndsAConnection() {
        let harness = PhoneEndHarness(Traffic(up: .every(.seconds(1), bytes: 100)))
        harness.open()
        harness.act { $0.send(0..<1, 0, at: .zero, &$3) }
        harness.dropPackets()
        harness.runTimers(until: .zero + .hours(1))
        #expect(harness.events.last == .closed(Self.slot, .timedOut) && harness.count(.closed) == 1)
        #expect(harness.otherEffects.contains { if case .gaveUp(0) = $0 { true } else { false } })
        #expect(
            .minutes(10) < harness.closedAt - .zero && harness.closedAt - .zero < .minutes(20), "\(harness.closedAt)")
    }

    /// Broken: the app is notified while it does not run, or never.
    @Test func aSuspendedAppIsNotifiedLater() {
        let harness = PhoneEndHarness()
        harness.open()
        harness.runs = false
        harness.receive(Packet(.reset, cause: .connect, bytes: 40, stamp: .zero))
        #expect(harness.belief == .open && harness.count(.closed) == 0)
        harness.runs = true
        harness.act { $0.reportPendingLosses(at: .zero, &$3) }
        #expect(harness.belief == .closed && harness.events.last == .closed(Self.slot, .reset))
    }

    /// Broken: the phone does not answer a packet of an unknown connection with a reset, or answers a reset.
    @Test func unknownConnectionsAreReset() {
        let harness = PhoneEndHarness()
        harness.open()
        harness.act { $0.close(0, isDone: true, at: .zero, $2, &$3) }
        #expect(harness.outgoing.map(\.content) == [.reset])
        harness.dropPackets()
        harness.receive(Packet(.data, cause: .payload, bytes: 100, stamp: .zero))
        #expect(harness.outgoing.map(\.content) == [.reset])
        harness.dropPackets()
        harness.receive(Packet(.reset, cause: .connect, bytes: 40, stamp: .zero))
        #expect(harness.outgoing.isEmpty && harness.events.allSatisfy { $0 != .closed(Self.slot, .reset) })
    }

    /// Broken: a connection that is closed for a better network, or at the server's request, counts as given up.
    @Test(arguments: [(false, false, true), (true, false, false), (false, true, false)])
    func countsConnectionsGivenUp(isElsewhere: Bool, isDismissed: Bool, gaveUp: Bool) {
        let harness = PhoneEndHarness()
        harness.open(Transport(.http2))
        if isElsewhere { harness.session.network.handle = 2 }
        if isDismissed { harness.sendControlFrame(.goAway) }
        harness.act { $0.close(0, isDone: false, at: .zero, $2, &$3) }
        let hasGivenUp = harness.otherEffects.contains { if case .gaveUp = $0 { true } else { false } }
        #expect(hasGivenUp == gaveUp && harness.belief == .closed)
    }

    /// Broken: a TCP connection outlives its address, or a QUIC connection does not. Or a connection migrates to the
    /// network that it is on.
    @Test(arguments: [(Transport.TransportKind.quic, true), (.webSocket, false)])
    func onlyQUICMigrates(_ kind: Transport.TransportKind, moves: Bool) {
        let harness = PhoneEndHarness()
        harness.open(Transport(kind))
        let stays = harness.act { $0.migrate(0, $1, at: .zero, $2, &$3) }
        #expect(!stays)
        harness.session.network = NetworkView(path: .cellular, handle: 2)
        let moved = harness.act { $0.migrate(0, $1, at: .zero, $2, &$3) }
        #expect(moved == moves && harness.belief == .open)
        guard moves else { return }
        #expect(harness.phone[0].interface == .cellular && harness.phone[0].addressNumber == 2)
        harness.act { $0.validatePath(0, at: .zero, &$3) }
        #expect(harness.outgoing.contains { $0.content == .challenge })
        harness.runTimers(until: .zero + .minutes(5))
        #expect(harness.events.last == .closed(Self.slot, .timedOut), "no server answers")
    }

    /// Broken: a cached name is queried again, not queried on another network, or waited for without end.
    @Test func namesAreQueriedOnce() {
        let resolver = Resolver()
        let harness = PhoneEndHarness(
            Traffic(), PhoneEndSettings(resolver: resolver, intake: ReceivePolicy(), holdsCredit: false))
        harness.startConnection()
        #expect(harness.outgoing.map(\.content) == [.dnsQuery] && harness.belief == .opening)
        harness.dropPackets()
        harness.receiveResolution(hasAddress: true)
        #expect(harness.outgoing.map(\.content) == [.hello] && harness.count(.resolved) == 1)
        harness.dropPackets()
        harness.startConnection()
        #expect(harness.outgoing.map(\.content) == [.hello], "the name is cached")
        harness.dropPackets()
        harness.session.network.handle = 2
        harness.startConnection()
        #expect(harness.outgoing.map(\.content) == [.dnsQuery], "another network has its own cache")
        harness.dropPackets()
        harness.receiveResolution(hasAddress: false)
        #expect(harness.events.last == .failed(Self.slot, .unresolved) && harness.belief == .closed)
    }
}

extension PhoneEndHarness {
    fileprivate func sendControlFrame(_ word: ControlFrame) { send(word.kind, word.item) }

    fileprivate func receiveResolution(hasAddress: Bool) {
        let answer = Packet(.dnsResponse, cause: .dns, bytes: 80, number: hasAddress ? 1 : 0, stamp: .zero)
        let network = session.network
        act { phone, _, session, out in
            phone.receiveResolution(
                answer, 0, generation: phone[0].generation, over: .wifi, addressNumber: network.handle, at: .zero,
                session,
                &out)
        }
    }
}
