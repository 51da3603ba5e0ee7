import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneClient

/// Clients with several transports: when they fall, what they remember, and when they climb.
@Suite struct TransportLadderTests {
    private static let slot = ConnectionSlot(0)

    private func client(
        _ ladder: [(String, Setting)] = [], kinds: Setting = ["quic", "http2"], onEnd: [(String, Setting)] = [],
        onPathChange: Setting = "reconnect"
    ) -> StrategyHarness<Composed> {
        let backoff: [(String, Setting)] = [("base", "1s"), ("cap", "8s"), ("jitter", "none")]
        return StrategyHarness(
            .map([
                ("transport", .map([("ladder", kinds)] + ladder)), ("on-path-change", onPathChange),
                ("backoff", .map(backoff + (onEnd.isEmpty ? [] : [("on-end", .map(onEnd))]))),
                ("connect", ["timeout": "10s"]),
            ]))
    }

    /// The transports of the attempts among these actions.
    private func kinds(_ actions: [Action]) -> [Transport.TransportKind] {
        actions.compactMap { if case .connect(_, let transport, _) = $0 { transport.kind } else { nil } }
    }

    /// Lets the attempt open a connection on which the server answers.
    private func answer(_ phone: inout StrategyHarness<Composed>) {
        _ = phone.send(.opened(Self.slot, resumedAt: .start))
        _ = phone.send(.serverResponded(Self.slot))
    }

    /// The transport of the next attempt after the connection has ended.
    private func next(_ phone: inout StrategyHarness<Composed>) -> [Transport.TransportKind] {
        kinds(phone.send(.closed(Self.slot, .ended)) + phone.advance(by: .seconds(1)))
    }

    /// Broken: a client falls after another number of failed attempts, waits before a fall, counts it in the backoff, or
    /// stays on the last transport although none works.
    @Test(arguments: [1, 2, 3] as [Int64])
    func fallsAfterFailures(failures: Int64) {
        var phone = client(
            [("falls-after", ["failures": .text("\(failures)")])], kinds: ["quic", "http2", "polling"])
        var attempts = [(kinds(phone.send(.started)), Int64(0))]
        for _ in 0..<(6 * failures) {
            var found = kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero))
            var wait = Int64(0)
            while found.isEmpty, wait < 60 {
                wait += 1
                found = kinds(phone.advance(by: .seconds(1)))
            }
            attempts.append((found, wait))
        }
        var expected: [([Transport.TransportKind], Int64)] = [([.quic], 0)]
        var wait: Int64 = 1
        for round in 0..<2 {
            for (place, kind) in [Transport.TransportKind.quic, .http2, .polling].enumerated() {
                for attempt in 0..<failures where round + place + Int(attempt) > 0 {
                    // Only the first attempt over the next transport needs no wait.
                    let isFall = attempt == 0 && place > 0
                    expected.append(([kind], isFall ? 0 : wait))
                    if !isFall { wait = min(2 * wait, 8) }
                }
            }
        }
        expected.append(([.quic], wait))
        #expect(attempts.map(\.0) == expected.map(\.0))
        #expect(attempts.map(\.1) == expected.map(\.1))
    }

    /// Broken: the short limit does not end an attempt over the first transport, or ends one over the last.
    @Test func theLastTransportHasTheUsualLimit() {
        var phone = client([("falls-after", "2s")])
        #expect(kinds(phone.send(.started)) == [.quic])
        #expect(kinds(phone.advance(by: .milliseconds(1_999))) == [])
        #expect(kinds(phone.advance(by: .milliseconds(1))) == [.http2])
        #expect(kinds(phone.advance(by: .milliseconds(9_999))) == [])
        _ = phone.advance(by: .milliseconds(1))
        #expect(kinds(phone.advance(by: .seconds(1))) == [.quic])
        let other = client()
        #expect(other.strategy.transportSettings.ladder?.attemptLimit == nil)
    }

    /// Broken: an end that every transport would have makes the client fall, or an end of the transport does not.
    @Test func onlyFailuresOfTheTransportCount() {
        let failures: [(ConnectFailure, Bool)] = [
            (.noPath, false), (.timedOut, true), (.refused, true), (.unresolved, false), (.untrusted, false),
            (.sessionRefused, false),
        ]
        for (failure, falls) in failures {
            var phone = client()
            _ = phone.send(.started)
            if failure == .sessionRefused {
                _ = phone.send(.sessionRefused(Self.slot, SessionRefusal(isPermanent: false)))
            }
            let actions = phone.send(.failed(Self.slot, failure)) + phone.advance(by: .seconds(1))
            #expect(kinds(actions) == [falls ? .http2 : .quic], "\(failure)")
        }
        // A connection on which the server has never answered is a failed attempt; one that worked is not.
        for (isAnswered, kind) in [(false, Transport.TransportKind.http2), (true, .quic)] {
            var phone = client()
            _ = phone.send(.started)
            _ = phone.send(.opened(Self.slot, resumedAt: .start))
            if isAnswered { _ = phone.send(.serverResponded(Self.slot)) }
            let actions = phone.send(.closed(Self.slot, .reset)) + phone.advance(by: .seconds(1))
            #expect(kinds(actions) == [kind], "\(isAnswered)")
        }
        // The reaction by kind of end decides about the wait, not about the transport.
        var phone = client(onEnd: [("refused", "5s")])
        _ = phone.send(.started)
        #expect(kinds(phone.send(.failed(Self.slot, .refused)) + phone.advance(by: .milliseconds(4_999))) == [])
        #expect(kinds(phone.advance(by: .milliseconds(1))) == [.http2])
    }

    /// Broken: a transport that works is remembered for another time than the setting says, or another network has no
    /// effect, or the wrong one.
    @Test(
        arguments: [("nothing", [false, false]), ("network", [true, false]), ("process", [true, true])],
        [1, 2] as [UInt16])
    func remembersWhatWorks(_ memory: (word: String, isKept: [Bool]), handle: UInt16) {
        let (word, isKept) = memory
        var phone = client([("remembers", .text(word))])
        phone.session.network.handle = 1
        _ = phone.send(.started)
        #expect(kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero)) == [.http2])
        answer(&phone)
        #expect(next(&phone) == [isKept[0] ? .http2 : .quic])
        if !isKept[0] { _ = phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero) }
        answer(&phone)
        // Handles are counted for each interface.
        #expect(kinds(phone.change(to: .cellular, handle: handle)) == [isKept[1] ? .http2 : .quic])
        // The last transport alone is not given up after failures, once it has worked.
        guard isKept[1] else { return }
        for _ in 0..<4 {
            #expect(kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .seconds(9))) == [.http2])
        }
    }

    /// Broken: a client that fell from a transport that worked stays on the last one, although none works.
    @Test func aFallForgetsWhatWorked() {
        var phone = client(kinds: ["quic", "http2", "polling"])
        #expect(kinds(phone.send(.started)) == [.quic])
        #expect(kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero)) == [.http2])
        answer(&phone)
        #expect(next(&phone) == [.http2])
        for kind in [Transport.TransportKind.polling, .quic] {
            #expect(kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .seconds(9))) == [kind])
        }
    }

    /// Broken: the first transport is tried again a part of a second too early.
    @Test func climbsNotBeforeItsTime() {
        var phone = client([("climbs", ["after": "10s"]), ("remembers", "process")])
        _ = phone.send(.started)
        #expect(kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero)) == [.http2])
        _ = phone.advance(by: .milliseconds(500))
        answer(&phone)
        // The next attempts begin 9.7 s and 10.7 s after the answer.
        _ = phone.advance(by: .milliseconds(8_700))
        #expect(next(&phone) == [.http2])
        answer(&phone)
        #expect(next(&phone) == [.quic])
    }

    /// Broken: the first transport is tried again too early or too late, the time does not double up to its limit, or a
    /// success does not end the doubling.
    @Test func climbsAfterATime() {
        var phone = client([("climbs", ["after": "10s", "cap": "35s"]), ("remembers", "process")])
        _ = phone.send(.started)
        for (round, span) in ([10, 20, 35, 35] as [Int64]).enumerated() {
            #expect(kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero)) == [.http2])
            answer(&phone)
            _ = phone.advance(by: .seconds(span - 2))
            // The attempt is a second after the end.
            #expect(next(&phone) == [.http2], "round \(round)")
            answer(&phone)
            #expect(next(&phone) == [.quic], "round \(round)")
        }
        answer(&phone)
        _ = phone.advance(by: .seconds(100))
        #expect(next(&phone) == [.quic])
        #expect(kinds(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero)) == [.http2])
        answer(&phone)
        _ = phone.advance(by: .seconds(9))
        #expect(next(&phone) == [.quic])
    }

    /// Broken: without a limit in time a client climbs, or a memory of many years overflows.
    @Test func climbsNeverWithoutATime() {
        var ladder = TransportLadder([Transport(.quic), Transport(.http2)])
        for after in [TimeSpan.longest, .hours(24 * 366)] {
            ladder.climbsAfter = after
            ladder.climbLimit = after
            var state = TransportLadder.State()
            var session = Session(random: Dice(fixed: .usual))
            session.network = NetworkView(path: .wifi, handle: 3, isValidated: true)
            ladder.began(&state, session)
            #expect(ladder.failed(.unanswered, &state) && state.index == 1)
            for _ in 0..<40 { ladder.answered(&state, session) }
            session.now = .zero + .hours(24 * 365)
            ladder.began(&state, session)
            #expect(state.index == 1)
            session.now = .zero + .hours(24 * 367)
            ladder.began(&state, session)
            #expect(state.index == (after == .longest ? 1 : 0))
        }
    }

    /// Broken: the first handshake of each transport is not a full one, or a later one is.
    @Test func eachTransportHasAFirstHandshake() {
        var phone = client([("tls", "1.3-resumed"), ("remembers", "nothing")])
        func security(_ actions: [Action]) -> [Transport.TLSMode] {
            actions.compactMap { if case .connect(_, let transport, _) = $0 { transport.security } else { nil } }
        }
        #expect(security(phone.send(.started)) == [.tls13])
        answer(&phone)
        #expect(security(phone.send(.closed(Self.slot, .ended)) + phone.advance(by: .seconds(1))) == [.tls13Resumed])
        #expect(security(phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero)) == [.tls13])
    }

    /// Broken: a client moves a connection that cannot move, or opens a new one in place of one that can.
    @Test func onlyQUICMigrates() {
        for isQUIC in [true, false] {
            var phone = client(onPathChange: "migrate")
            phone.session.network.handle = 1
            _ = phone.send(.started)
            if !isQUIC { _ = phone.send(.failed(Self.slot, .timedOut)) + phone.advance(by: .zero) }
            answer(&phone)
            let actions = phone.change(to: .cellular, handle: 2)
            #expect(kinds(actions) == (isQUIC ? [] : [.quic]))
            #expect(actions.contains { if case .migrate = $0 { true } else { false } } == isQUIC)
        }
    }

    /// Broken: options that one transport does not have are refused for all, or given to it.
    @Test func everyTransportHasItsOptions() throws {
        let line =
            "transport.ladder: [quic http2 sse mqtt]; transport.user-timeout: 9s; transport.library: quiche; "
            + "transport.keep-alive: 50s; transport.headers.request: 2B"
        let read = SettingLine(line).read()
        #expect(read.faults == [])
        let transports = try #require(read.client.transportSettings.ladder).transports
        #expect(transports.map(\.kind) == [.quic, .http2, .serverSentEvents, .mqtt])
        #expect(transports.map(\.userTimeout) == [nil, .seconds(9), .seconds(9), .seconds(9)])
        #expect(transports.map { $0.quicLibrary == .quiche } == [true, false, false, false])
        #expect(transports.map(\.mqttKeepAlive) == [nil, nil, nil, .seconds(50)])
        #expect(transports.map(\.headerSizes.request) == [300, 300, 2, 300])
        #expect(read.client.transportSettings.transport == transports[0])
    }

    /// Broken: a wrong ladder is accepted, or a correct one refused.
    @Test(
        arguments: [
            ("transport.ladder: [quic http2]", []), ("transport.ladder: [quic websocket polling sse]", []),
            ("transport.ladder: [quic]", ["1 items"]),
            ("transport.ladder: [quic quic]", ["`quic` twice in a ladder"]),
            ("transport.ladder: [datagram quic]", ["`datagram` in a ladder"]),
            ("transport.ladder: [quic http4]", ["unknown word `http4`"]),
            ("transport.kind: quic; transport.ladder: [quic http2]", ["`kind` beside `ladder`"]),
            ("transport.falls-after: 2s", ["`falls-after` without `ladder`"]),
            ("transport.climbs: 2s", ["`climbs` without `ladder`"]),
            ("transport.remembers: network", ["`remembers` without `ladder`"]),
            ("transport.ladder: [http2 quic]; transport.tls: 1.2", ["`tls` with QUIC"]),
            ("transport.ladder: [http2 quic]; transport.stream: false", ["`stream: false` without HTTP/2"]),
            (
                "transport.ladder: [http2 quic]; transport.remembers: nothing; transport.climbs: 5m",
                ["`climbs` beside `remembers: nothing`"]
            ),
            ("transport.ladder: [websocket http2]; on-path-change: migrate", ["`migrate` without QUIC"]),
            ("transport.ladder: [http2 quic]; on-path-change: migrate", []),
        ] as [(String, [String])])
    func refusesWrongLadders(line: String, faults: [String]) {
        #expect(SettingLine(line).read().faults == faults, "\(line)")
    }

    /// Broken: the state of a ladder makes every phone larger.
    @Test func theStateTakesOneWord() {
        typealias Layout = MemoryLayout<Composed.State>
        #expect(MemoryLayout<TransportLadder.State>.size == 8)
        // It lies between two words, where two flags and six unused bytes would be without it. The flags fill a gap.
        #expect(Layout.offset(of: \.ladder).map { $0 + 8 } == Layout.offset(of: \.lastReceivedAt))
        #expect(Layout.offset(of: \.retry) == 16)
    }
}
