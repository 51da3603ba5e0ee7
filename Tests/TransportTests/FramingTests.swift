import DeadzoneBase
import DeadzoneTransport
import Testing

@Suite struct FramingTests {
    struct MessageSizeRow: Sendable {
        var wireProtocol: Framing.WireProtocol
        var payload: UInt32
        var up: UInt32
        var down: UInt32
    }

    private static let rows = [
        MessageSizeRow(wireProtocol: .webSocket, payload: 300, up: 308, down: 304),
        // 9 bytes of frame header and 5 of gRPC; 16,380 with its 5 needs a second frame.
        MessageSizeRow(wireProtocol: .http2, payload: 300, up: 314, down: 314),
        MessageSizeRow(wireProtocol: .http2, payload: 16_379, up: 16_379 + 5 + 9, down: 16_379 + 5 + 9),
        MessageSizeRow(wireProtocol: .http2, payload: 16_380, up: 16_380 + 5 + 18, down: 16_380 + 5 + 18),
        MessageSizeRow(wireProtocol: .http3, payload: 300, up: 308, down: 308),
        MessageSizeRow(wireProtocol: .http1, payload: 300, up: 600, down: 302),
        MessageSizeRow(wireProtocol: .events, payload: 300, up: 600, down: 330),
        // Topic 2 + 20, packet identifier 2; from 128 on, the length takes a second byte.
        MessageSizeRow(wireProtocol: .mqtt, payload: 103, up: 129, down: 129),
        MessageSizeRow(wireProtocol: .mqtt, payload: 104, up: 131, down: 131),
        MessageSizeRow(wireProtocol: .lengthPrefixed, payload: 300, up: 304, down: 304),
    ]

    /// Broken: the wire size of the same message on different transports.
    @Test(arguments: rows)
    func wrapsAMessage(_ row: MessageSizeRow) {
        #expect(Framing(row.wireProtocol, .none, .up).message(row.payload) == row.up)
        #expect(Framing(row.wireProtocol, .none, .down).message(row.payload) == row.down)
        #expect(Framing(row.wireProtocol, .tls13, .up).message(row.payload) >= row.up)
    }

    /// Broken: the cost of a ping, up and down: HTTP/2 17 bytes, MQTT 2, WebSocket 6 and 2, a poll two headers. Also
    /// the cost of confirming a message.
    @Test(
        arguments: [
            (.http2, 17, 17, 0), (.mqtt, 2, 2, 4), (.webSocket, 6, 2, 0), (.http1, 300, 150, 120), (.http3, 1, 1, 0),
            (.events, 300, 150, 120), (.lengthPrefixed, 4, 4, 0),
        ] as [(Framing.WireProtocol, UInt32, UInt32, UInt32)])
    func hasThePingSizesOfItsProtocol(
        _ wireProtocol: Framing.WireProtocol, _ up: UInt32, _ down: UInt32, _ confirmation: UInt32
    ) {
        let (upward, downward) = (Framing(wireProtocol, .none, .up), Framing(wireProtocol, .none, .down))
        #expect(upward.ping == up && downward.ping == down && downward.confirmationBytes == confirmation)
    }

    /// Broken: the client's header sizes are not part of its bytes. Requests repeat the headers each time; an answer
    /// has them once. A connection without HTTP/1.1 has none.
    @Test(arguments: [Framing.WireProtocol.http1, .events, .webSocket, .http2, .http3, .mqtt])
    func countsItsHeaders(_ wireProtocol: Framing.WireProtocol) {
        let more = HTTP1HeaderSizes(request: 1_300, answer: 400)
        func grown(_ direction: Direction, _ bytes: (Framing) -> UInt32) -> UInt32 {
            bytes(Framing(wireProtocol, .none, direction, headers: more))
                - bytes(Framing(wireProtocol, .none, direction))
        }
        let repeats = wireProtocol == .http1 || wireProtocol == .events
        #expect(grown(.up, \.ping) == (repeats ? 1_000 : 0) && grown(.down, \.ping) == (repeats ? 250 : 0))
        #expect(grown(.up) { $0.message(80) } == (repeats ? 1_000 : 0) && grown(.down) { $0.message(80) } == 0)
        #expect(grown(.up) { $0.exchange(80) } == (repeats ? 1_000 : 0))
        #expect(grown(.down) { $0.exchange(80) } == (repeats ? 250 : 0))
        let setUp = [more, HTTP1HeaderSizes()].map {
            ConnectionSetup(wireProtocol, .none, isResuming: false, headers: $0).flight(0)
        }
        #expect(setUp[0].up - setUp[1].up == (repeats ? 1_000 : 0))
        #expect(setUp[0].down - setUp[1].down == (repeats ? 250 : 0))
    }

    /// Broken: flow control counts more or less than the other end returns. 300 bytes and the prefix of 5.
    @Test func countsFlowControlledBytes() {
        let framing = Framing(.http2, .tls13, .down)
        #expect(framing.flowControlledBytes(framing.message(300), count: 1, isMessage: true) == 305)
        #expect(framing.flowControlledBytes(framing.message(300) * 7, count: 7, isMessage: true) == 305 * 7)
        #expect(framing.flowControlledBytes(framing.exchange(300), count: 1, isMessage: false) == 305)
        #expect(HTTP2Wire.goAway(.noError) == 17 && HTTP2Wire.goAway(.enhanceYourCalm) == 31)
    }
}

@Suite struct PollHoldTests {
    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    /// Broken: a short poll waits.
    @Test func answersAShortPollAtOnce() {
        var exchange = PollHold(holdTime: .zero)
        let answers = [
            exchange.receiveRequest(hasNews: false, at: at(0)), exchange.answerHeldRequest(),
            exchange.receiveRequest(hasNews: true, at: at(1)),
        ]
        #expect(answers == [true, false, true] && exchange.deadline == .never)
    }

    /// Broken: a long poll is answered too early, too late or twice.
    @Test func holdsALongPoll() {
        var exchange = PollHold(holdTime: PollHold.hold)
        let withNews = exchange.receiveRequest(hasNews: true, at: at(0))
        #expect(withNews && !exchange.isHeld)
        let without = exchange.receiveRequest(hasNews: false, at: at(10))
        #expect(!without && exchange.deadline == at(40))
        let told = [
            exchange.answerHeldRequest(), exchange.answerHeldRequest(),
            exchange.receiveRequest(hasNews: false, at: at(50)),
        ]
        #expect(told == [true, false, false] && exchange.deadline == at(80))
        exchange.expire()
        let late = exchange.answerHeldRequest()
        #expect(!late && !exchange.isHeld)
    }

    /// Broken: the broker's timeout: one and a half keep-alive intervals, with an interval of at most 65,535 s.
    @Test(arguments: [(1_000, 1_500), (60_000, 90_000), (100_000_000, 98_302_500)] as [(Int64, Int64)])
    func brokersWaitOneAndAHalfTimes(_ interval: Int64, _ limit: Int64) {
        #expect(MQTTKeepAlive.limit(.milliseconds(interval)) == .milliseconds(limit))
    }
}
