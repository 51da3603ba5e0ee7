import DeadzonePrimitives
import DeadzoneTransport
import Testing

@Suite struct FramingTests {
    struct Row: Sendable {
        var tongue: Framing.Tongue
        var payload: UInt32
        var up: UInt32
        var down: UInt32
    }

    private static let rows = [
        Row(tongue: .webSocket, payload: 300, up: 308, down: 304),
        // 9 of frame and 5 of gRPC; 16,380 with its 5 needs a second frame.
        Row(tongue: .http2, payload: 300, up: 314, down: 314),
        Row(tongue: .http2, payload: 16_379, up: 16_379 + 5 + 9, down: 16_379 + 5 + 9),
        Row(tongue: .http2, payload: 16_380, up: 16_380 + 5 + 18, down: 16_380 + 5 + 18),
        Row(tongue: .http3, payload: 300, up: 308, down: 308),
        Row(tongue: .http1, payload: 300, up: 600, down: 302),
        Row(tongue: .events, payload: 300, up: 600, down: 330),
        // Topic 2 + 20, packet identifier 2; the length takes a second byte from 128 on.
        Row(tongue: .mqtt, payload: 103, up: 129, down: 129),
        Row(tongue: .mqtt, payload: 104, up: 131, down: 131),
    ]

    /// Broken: bytes on the wire of the same message on different carriers.
    @Test(arguments: rows)
    func wrapsAMessage(_ row: Row) {
        #expect(Framing(row.tongue, .none, .up).message(row.payload) == row.up)
        #expect(Framing(row.tongue, .none, .down).message(row.payload) == row.down)
        #expect(Framing(row.tongue, .tls13, .up).message(row.payload) >= row.up)
    }

    /// Broken: what a sign of life costs, up and down: HTTP/2 17 bytes, MQTT 2, WebSocket 6 and 2, a poll two headers; and what
    /// is said to a message that arrived.
    @Test(
        arguments: [
            (.http2, 17, 17, 0), (.mqtt, 2, 2, 4), (.webSocket, 6, 2, 0), (.http1, 300, 150, 120), (.http3, 1, 1, 0),
            (.events, 300, 150, 120),
        ] as [(Framing.Tongue, UInt32, UInt32, UInt32)])
    func pricesASignOfLife(_ tongue: Framing.Tongue, _ up: UInt32, _ down: UInt32, _ confirmation: UInt32) {
        let (upward, downward) = (Framing(tongue, .none, .up), Framing(tongue, .none, .down))
        #expect(upward.ping == up && downward.ping == down && downward.confirmation == confirmation)
    }

    /// Broken: headers that a client names and that its bytes know nothing of. What is said in requests has them each time, what comes
    /// in an answer once; a connection that is no HTTP/1.1 has none.
    @Test(arguments: [Framing.Tongue.http1, .events, .webSocket, .http2, .http3, .mqtt])
    func weighsItsHeaders(_ tongue: Framing.Tongue) {
        let more = HeaderSizes(request: 1_300, answer: 400)
        func grown(_ direction: Direction, _ bytes: (Framing) -> UInt32) -> UInt32 {
            bytes(Framing(tongue, .none, direction, headers: more)) - bytes(Framing(tongue, .none, direction))
        }
        let repeats = tongue == .http1 || tongue == .events
        #expect(grown(.up, \.ping) == (repeats ? 1_000 : 0) && grown(.down, \.ping) == (repeats ? 250 : 0))
        #expect(grown(.up) { $0.message(80) } == (repeats ? 1_000 : 0) && grown(.down) { $0.message(80) } == 0)
        #expect(grown(.up) { $0.exchange(80) } == (repeats ? 1_000 : 0))
        #expect(grown(.down) { $0.exchange(80) } == (repeats ? 250 : 0))
        let setUp = [more, HeaderSizes()].map { Setup(tongue, .none, isResuming: false, headers: $0).flight(0) }
        #expect(setUp[0].up - setUp[1].up == (repeats ? 1_000 : 0))
        #expect(setUp[0].down - setUp[1].down == (repeats ? 250 : 0))
    }

    /// Broken: flow control that counts more or less than the other end gives back. 300 bytes and the prefix of 5.
    @Test func countsWhatIsControlled() {
        let framing = Framing(.http2, .tls13, .down)
        #expect(framing.controlled(framing.message(300), count: 1, isMessage: true) == 305)
        #expect(framing.controlled(framing.message(300) * 7, count: 7, isMessage: true) == 305 * 7)
        #expect(framing.controlled(framing.exchange(300), count: 1, isMessage: false) == 305)
        #expect(HTTP2Wire.goAway(.noError) == 17 && HTTP2Wire.goAway(.enhanceYourCalm) == 31)
    }
}

@Suite struct ExchangeTests {
    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    /// Broken: a short poll waits.
    @Test func answersAShortPollAtOnce() {
        var exchange = Exchange(patience: .zero)
        let answers = [
            exchange.ask(hasNews: false, at: at(0)), exchange.tell(), exchange.ask(hasNews: true, at: at(1)),
        ]
        #expect(answers == [true, false, true] && exchange.deadline == .never)
    }

    /// Broken: a long poll that is answered too early, too late or twice.
    @Test func holdsALongPoll() {
        var exchange = Exchange(patience: Exchange.hold)
        let withNews = exchange.ask(hasNews: true, at: at(0))
        #expect(withNews && !exchange.isHeld)
        let without = exchange.ask(hasNews: false, at: at(10))
        #expect(!without && exchange.deadline == at(40))
        let told = [exchange.tell(), exchange.tell(), exchange.ask(hasNews: false, at: at(50))]
        #expect(told == [true, false, false] && exchange.deadline == at(80))
        exchange.expire()
        let late = exchange.tell()
        #expect(!late && !exchange.isHeld)
    }

    /// Broken: the broker's patience: one and a half keep alive times, of at most 65,535 s.
    @Test(arguments: [(1_000, 1_500), (60_000, 90_000), (100_000_000, 98_302_500)] as [(Int64, Int64)])
    func brokersWaitOneAndAHalfTimes(_ interval: Int64, _ limit: Int64) {
        #expect(MQTTKeepAlive.limit(.milliseconds(interval)) == .milliseconds(limit))
    }
}
