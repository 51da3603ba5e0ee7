import DeadzoneBase
import DeadzoneClient
import Testing

/// Subscriptions of one connection, driven by hand.
@Suite struct SubscriptionPolicyTests {
    private static let slot = TimerSlot(6)
    private static let line = ConnectionSlot(0)

    /// One client with its state, and what it has asked to join.
    private final class Client {
        var policy = SubscriptionPolicy(slot: SubscriptionPolicyTests.slot)
        var state = SubscriptionPolicy.State()
        var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
        var out = Outbox()

        init(_ set: (inout SubscriptionPolicy) -> Void = { _ in }) {
            policy.count = 4
            set(&policy)
        }

        func open() { policy.opened(SubscriptionPolicyTests.line, &state, &session, &out) }

        func hear(_ change: SubscriptionChange, _ bits: UInt64) -> Bool {
            policy.changed(change, SubscriptionSet(bits: bits), &state, &session)
        }

        /// Moves the clock to the timer and fires it. Returns the time since the start in milliseconds.
        func fire() -> Int64 {
            session.now = session.timers[SubscriptionPolicyTests.slot].at
            _ = session.popTimer(SubscriptionPolicyTests.slot)
            policy.fired(over: SubscriptionPolicyTests.line, &state, &session, &out)
            return (session.now - Instant.zero).nanoseconds / 1_000_000
        }

        /// Returns the requests since the last call, and forgets them.
        func joins() -> [UInt64] {
            defer { out.removeAll() }
            return (0..<out.count).compactMap {
                if case .join(SubscriptionPolicyTests.line, let subscriptions) = out[$0] {
                    subscriptions.bits
                } else {
                    nil
                }
            }
        }
    }

    /// Broken: a client loses a property as soon as its server has streams, such as its visits without a wake lock.
    @Test func streamsKeepTheClientsProperties() throws {
        let settings: Setting = [
            "streams": ["count": "3"], "life-cycle": ["background": "close", "poll": ["every": "15m"]],
            "names": ["family": "ipv4"], "claims": ["down": "at-most-once"], "intake": ["read-ahead": "5"],
            "on-path-change": "reconnect",
        ]
        var reader = SettingsReader(settings.node, of: "composed")
        let client = AnyStrategy(Composed(&reader))
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [])
        let subscribing = try #require(client.subscribing())
        #expect(client.unlockedVisit != nil && subscribing.unlockedVisit == client.unlockedVisit)
        #expect(subscribing.names == client.names && subscribing.subscriptions?.count == 3)
        #expect(subscribing.name == client.name && subscribing.migrates == client.migrates && !client.migrates)
        #expect("\(subscribing.privileges)" == "\(client.privileges)")
        #expect("\(subscribing.guarantees)" == "\(client.guarantees)")
        #expect("\(subscribing.receivePolicy)" == "\(client.receivePolicy)")
        #expect("\(String(describing: subscribing.transport))" == "\(String(describing: client.transport))")
        #expect(subscribing.subscribing() == nil)
    }

    /// Broken: a set loses a number, finds one that it does not contain, or cuts a range at the wrong place.
    @Test func setsHoldSixtyFourNumbers() {
        var all = SubscriptionSet(upTo: 64)
        #expect(all.count == 64 && all.contains(63) && SubscriptionSet(upTo: 0).isEmpty)
        let whole = all.popRange()
        let (range, number) = (all.popRange(), all.popFirst())
        #expect(whole == 0..<64 && all.isEmpty && range == nil && number == nil)
        var gaps = SubscriptionSet(bits: 0b1011_0110)
        let first = gaps.popRange()
        let rest = gaps.bits
        let (next, second, third) = (gaps.popFirst(), gaps.popRange(), gaps.popRange())
        #expect(first == 1..<3 && rest == 0b1011_0000 && next == 4 && second == 5..<6 && third == 7..<8 && gaps.isEmpty)
        var last = SubscriptionSet(63)
        #expect(last.first == 63)
        let end = last.popRange()
        #expect(end == 63..<64 && last.isEmpty)
    }

    /// Broken: a connection joins none or only some, an answer leaves the timer armed, or a lost connection does.
    @Test func aConnectionJoinsAll() {
        let client = Client()
        client.open()
        #expect(client.joins() == [0b1111] && client.session.isArmed(Self.slot) && client.state.joining.count == 4)
        #expect(!client.hear(.joined, 0b0111) && client.session.isArmed(Self.slot))
        #expect(!client.hear(.joined, 0b1000) && !client.session.isArmed(Self.slot))
        #expect(client.state.joined == client.policy.all && client.state.joining.isEmpty)
        client.policy.lost(&client.state, &client.session)
        client.open()
        #expect(client.joins() == [0b1111] && client.state.joined.isEmpty)
        client.policy.lost(&client.state, &client.session)
        #expect(!client.session.isArmed(Self.slot))
        // Without a new request, the client takes the subscriptions of the connection before for joined.
        let naive = Client { $0.rejoinsOnOpen = false }
        naive.open()
        _ = naive.hear(.joined, 0b1111)
        naive.policy.lost(&naive.state, &naive.session)
        #expect(naive.joins() == [0b1111])
        naive.open()
        #expect(naive.joins() == [] && naive.state.joined == naive.policy.all)
    }

    /// Broken: subscriptions share a wait although each has its own, or the waits do not grow by failures in a row.
    @Test func eachSubscriptionWaitsForItself() {
        let client = Client()
        client.open()
        _ = client.joins()
        _ = client.hear(.joined, 0b1111)
        _ = client.hear(.ended, 0b0001)
        client.session.now = Instant.zero + .milliseconds(400)
        _ = client.hear(.ended, 0b0010)
        #expect(client.state.waiting.bits == 0b0011 && client.state.joined.bits == 0b1100)
        #expect(client.fire() == 1_000 && client.joins() == [0b0001])
        _ = client.hear(.refused, 0b0001)
        #expect(client.fire() == 1_400 && client.joins() == [0b0010])
        _ = client.hear(.joined, 0b0010)
        #expect(client.fire() == 3_000 && client.joins() == [0b0001])
        _ = client.hear(.joined, 0b0001)
        _ = client.hear(.ended, 0b0001)
        #expect(client.fire() == 4_000)
    }

    /// Broken: with a shared timer a subscription begins a wait of its own, or the wait forgets earlier failures.
    @Test func allWaitTogether() {
        let client = Client { $0.sharesTimer = true }
        client.open()
        _ = client.joins()
        _ = client.hear(.joined, 0b1111)
        _ = client.hear(.ended, 0b0001)
        client.session.now = Instant.zero + .milliseconds(400)
        _ = client.hear(.ended, 0b0110)
        #expect(client.fire() == 1_000 && client.joins() == [0b0111])
        _ = client.hear(.joined, 0b0011)
        _ = client.hear(.refused, 0b0100)
        #expect(client.fire() == 3_000 && client.joins() == [0b0100])
        _ = client.hear(.joined, 0b0100)
        _ = client.hear(.ended, 0b1000)
        #expect(client.fire() == 4_000 && client.joins() == [0b1000])
    }

    /// Broken: a request without an answer is awaited for ever, or is repeated without a wait.
    @Test func anUnansweredRequestIsRepeated() {
        let client = Client { $0.joinTimeout = .seconds(3) }
        client.open()
        _ = client.hear(.joined, 0b0111)
        _ = client.joins()
        #expect(client.fire() == 3_000 && client.joins() == [] && client.state.waiting.bits == 0b1000)
        #expect(client.fire() == 4_000 && client.joins() == [0b1000])
        #expect(client.fire() == 7_000 && client.fire() == 9_000 && client.joins() == [0b1000])
    }

    /// Broken: with a shared timer, a request is repeated without a wait if its time limit ends with the wait of others.
    @Test func aTimeLimitBeginsASharedWait() {
        let client = Client {
            $0.sharesTimer = true
            $0.joinTimeout = .seconds(1)
        }
        client.open()
        _ = client.hear(.joined, 0b0111)
        _ = client.hear(.ended, 0b0001)
        _ = client.joins()
        let first = client.fire()
        #expect(first == 1_000 && client.state.joining.bits == 0b0001 && client.state.waiting.bits == 0b1000)
        let second = client.fire()
        #expect(second == 2_000 && client.joins() == [0b0001])
        let third = client.fire()
        #expect(third == 3_000 && client.joins() == [0b1001])
    }

    /// Broken: an end or a refusal has another reaction than the settings say.
    @Test func reactionsFollowTheSettings() {
        for change in [SubscriptionChange.ended, .refused] {
            for reaction in [SubscriptionPolicy.StreamReaction.rejoin, .reconnect, .drop, .ignore] {
                if change == .refused, reaction == .ignore { continue }
                let client = Client {
                    if change == .ended { $0.onEnd = reaction } else { $0.onRefusal = reaction }
                }
                client.open()
                _ = client.joins()
                _ = client.hear(.joined, change == .ended ? 0b1111 : 0b0111)
                let givesUp = client.hear(change, 0b1000)
                #expect(givesUp == (reaction == .reconnect), "\(change) \(reaction)")
                #expect(client.state.waiting.bits == (reaction == .rejoin ? 0b1000 : 0), "\(change) \(reaction)")
                #expect(client.state.joined.contains(3) == (reaction == .ignore || givesUp && change == .ended))
                if reaction == .drop || reaction == .ignore {
                    #expect(client.state.joining.isEmpty && !client.session.isArmed(Self.slot))
                }
            }
        }
    }
}
