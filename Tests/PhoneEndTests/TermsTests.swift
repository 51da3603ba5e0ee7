import DeadzoneClient
import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport
import Testing

/// What a connection is opened on, carrier by carrier.
struct TermsTests {
    private static let kinds: [Carrier.Kind] = [
        .webSocket, .datagram, .http2, .grpc, .quic, .polling, .longPolling, .serverSentEvents, .mqtt,
    ]

    private func terms(_ carrier: Carrier, migrates: Bool = true) -> Terms {
        var table = TermsTable(
            .xnu,
            ServerTerms(
                quicIdle: .seconds(30), sendBuffer: 7_000, authenticates: true, allowsMigration: migrates,
                saysReceipts: false))
        return table.place(of: carrier).pointee
    }

    @Test(arguments: kinds)
    func aCarrierHasWhatItsProtocolHas(_ kind: Carrier.Kind) {
        // Broken: TCP moves, QUIC never becomes idle, a datagram is logged in, or who only answers speaks by itself.
        let terms = terms(Carrier(kind))
        let (isQUIC, isPolled) = (kind == .quic, kind == .polling || kind == .longPolling)
        #expect(
            terms.isQUIC == isQUIC && terms.isDatagram == (kind == .datagram)
                && terms.isHTTP2 == [.http2, .grpc].contains(kind))
        #expect(terms.isUDP == (isQUIC || kind == .datagram))
        #expect(terms.canMove == isQUIC && !self.terms(Carrier(kind), migrates: false).canMove)
        #expect(terms.authenticates == (kind != .datagram))
        #expect(
            terms.setups.resuming.authenticates == terms.authenticates && terms.setups.resuming.isResuming
                && !terms.setups.beginning.isResuming)
        // One flight more than the others of HTTP/2 before there is a session.
        #expect(terms.setups.beginning.settlesFirst == (kind == .grpc))
        #expect(terms.answersOnly == isPolled)
        #expect(terms.pingsArePolls == (kind == .polling) && terms.holdsPolls == (kind == .longPolling))
        #expect(terms.pongCause == (isPolled ? .poll : .pong) && terms.pingCause == (isPolled ? .poll : .keepalive))
        #expect(terms.cause(of: .heartbeat) == .keepalive)
        #expect((terms.goodbyeBytes == Wire.tcp) != isQUIC)
        #expect(terms.downward.idle == (isQUIC ? .seconds(30) : nil) && terms.upward.idle == terms.downward.idle)
        #expect(terms.upward.kernel.family == (isQUIC ? .quic : .xnu))
        #expect(terms.downward.kernel.family == (isQUIC ? .quic : .linux))
    }

    @Test(arguments: kinds)
    func eachDirectionHasItsOwnFraming(_ kind: Carrier.Kind) {
        // Broken: what goes down is framed as what goes up, or one end has the other's buffer.
        var carrier = Carrier(kind)
        carrier.sendBuffer = 9_000
        carrier.userTimeout = .seconds(11)
        let terms = terms(carrier)
        #expect(terms.upward.sendBuffer == 9_000 && terms.downward.sendBuffer == 7_000)
        #expect(terms.upward.framing.direction == .up && terms.downward.framing.direction == .down)
        #expect(terms.upward.framing.tongue == terms.downward.framing.tongue)
        #expect(terms.upward.userTimeout == (kind == .quic ? nil : .seconds(11)) && terms.downward.userTimeout == nil)
        let tongues: [Carrier.Kind: Framing.Tongue] = [
            .webSocket: .webSocket, .datagram: .webSocket, .http2: .http2, .grpc: .http2, .quic: .http3,
            .polling: .http1,
            .longPolling: .http1, .serverSentEvents: .events, .mqtt: .mqtt,
        ]
        #expect(terms.upward.framing.tongue == tongues[kind])
    }

    @Test func twoCarriersOfOneKindHaveTermsOfTheirOwn() {
        // Broken: a connection that is opened with another buffer has that of the one before.
        let server = ServerTerms(
            quicIdle: .seconds(30), sendBuffer: nil, authenticates: false, allowsMigration: false, saysReceipts: true)
        var table = TermsTable(.linux, server)
        var small = Carrier(.http2)
        small.sendBuffer = 1_000
        let (plain, own) = (table.place(of: Carrier(.http2)), table.place(of: small))
        #expect(plain != own && own.pointee.upward.sendBuffer == 1_000 && plain.pointee.upward.sendBuffer == nil)
        #expect(table.place(of: small) == own)
    }
}
