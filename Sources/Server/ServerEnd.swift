public import DeadzoneClient
import DeadzonePrimitives
public import DeadzoneProtocols
public import DeadzoneTransport

/// The server's end of one connection: its kernel's, and what its program remembers of it.
@usableFromInline struct ServerEnd: ~Copyable {
    @usableFromInline let terms: UnsafePointer<Terms>
    let generation: UInt16
    let resuming: Resuming
    /// What the phone's library lets it send; nil: no windows.
    let window: HTTP2Allowance?
    /// Silence of the client that ends it; `.longest`: none does.
    let silenceLimit: TimeSpan
    /// The program makes sure of the client by itself.
    let asksForSigns: Bool

    @usableFromInline var kernel = TCPEnd()
    /// The kernel has its end of it; since when, if it is the server's and no portal's.
    @usableFromInline var isHeld = false
    var heldSince = Instant.never
    /// A hello of it has come, which was taken or refused.
    var isJudged = false
    /// A portal has answered in the server's name.
    @usableFromInline var isCaptured = false
    /// The program will never look at it: it was accepted while the program was frozen.
    @usableFromInline var isForgotten = false
    /// It waits for the shared server.
    var isQueued = false
    /// The program has answered the first flight that is its own.
    var isAccepted = false
    /// What has come on it of which the shared server will have decided when the round is over: until then nobody knows what leaves first,
    /// an answer or the acknowledgement that waits for it.
    var undecided: UInt8 = 0
    /// Who has it; nil: nobody yet, or a server that is one.
    var instance: UInt8?
    /// The program serves the phone's session on it.
    var isAttached = false
    /// The session is on a newer connection; this one finishes what was begun on it.
    var isPassedOn = false
    /// The last byte is written.
    var isEnding = false
    /// When the app last said something, as the program knows.
    var saidAt = Instant.zero
    var start = SessionStart()
    /// Everything anew has yet to be written.
    var owesSnapshot = false
    /// There was more to say than the window let through, since; `.never`: there was not.
    var shutSince = Instant.never

    /// Where the phone is, the address before that which was proven last, and when the latest packet left that came from there: an
    /// older one from an old address moves nothing (RFC 9000 §9.3).
    var address: Address
    var provenAddress: Address
    var latest = Instant.zero
    var path = QUICPath()

    // What its protocol has it remember.
    var policy: PingPolicy
    var draining: HTTP2Draining
    var exchange: Exchange
    var taken = WindowsTaken()
    var owed = Owed()
    /// Calls that it has seen, and those of them that it has yet to answer; bit n: it has seen a call whose index ends in n.
    var calls: UInt32 = 0
    var openCalls: UInt32 = 0
    var seen: UInt64 = 0
    var receipts = Receipts()
    var care = Care()
    private let anchor = Anchor()

    init(_ opening: Opening, generation: UInt16, _ profile: UnsafePointer<ServerProfile>) {
        terms = opening.terms
        self.generation = generation
        resuming = opening.resuming
        window = opening.window
        silenceLimit = opening.terms.pointee.carrier.patience(profile.pointee.idleLimit) ?? .longest
        asksForSigns = profile.pointee.keepalive != nil || profile.pointee.heartbeat != nil
        address = opening.address
        provenAddress = opening.address
        policy = profile.pings ?? PingPolicy(strikesAllowed: 0)
        draining = HTTP2Draining(grace: profile.pointee.grace)
        exchange = Exchange(patience: opening.terms.pointee.holdsPolls ? profile.pointee.hold : .zero)
    }

    var isDatagram: Bool { terms.pointee.isDatagram }
    var isHTTP2: Bool { terms.pointee.isHTTP2 }
    var isQUIC: Bool { terms.pointee.isQUIC }
    /// Beyond its session the client's streams have odd numbers (RFC 9113 §5.1.1): the session's is the first, each call has one more.
    var lastStream: UInt32 { 1 + 2 * calls }
    /// The session's stream is open for as long as the connection, a call's until it is answered.
    var hasStreams: Bool { (terms.pointee.carrier.holdsStream && !isPassedOn) || openCalls > 0 }
    var isResuming: Bool { resuming != .fresh }
    var setup: Setup { terms.setup(isResuming: isResuming) }

    // MARK: Saying

    /// A word of the protocol, now or as soon as the stream has a place for it.
    mutating func say(_ word: Word) {
        if owed.isEmpty && write(word) { return }
        owed.add(word)
        speak()
    }

    /// As much of what is owed as there are places for. To be called before whatever else is written.
    mutating func speak() {
        while let word = owed.first, write(word) { owed.remove(word) }
    }

    private mutating func write(_ word: Word) -> Bool {
        let rules = terms.downward
        return kernel.write(
            word.track, word.item, bytes: word.bytes(rules.pointee.framing), cause: terms.pointee.cause(of: word), rules
        )
    }

    mutating func writeAnswer(toFlight index: UInt32) {
        let flight = setup.flight(index)
        _ = kernel.write(.flight, index, bytes: flight.down, cause: flight.cause, terms.downward)
    }

    mutating func writeAnswer(to call: UInt32, _ said: borrowing Conversation) -> Bool {
        let rules = terms.downward
        policy.spoke()
        let bytes = rules.pointee.framing.exchange(said.answer.bytes(of: call))
        guard kernel.write(.answer, call, bytes: bytes, cause: .payload, rules) else { return false }
        openCalls -= min(openCalls, 1)
        return true
    }

    mutating func writeRefusal(_ refusal: Refusal, of call: UInt32) {
        let rules = terms.downward
        // An answer without content; RST_STREAM has 13 bytes (RFC 9113 §6.4).
        let bytes = refusal == .unprocessed ? rules.pointee.framing.control(13) : rules.pointee.framing.exchange(0)
        policy.spoke()
        openCalls -= min(openCalls, 1)
        // Without room for a few bytes the server lets the call go: its client's deadline ends it.
        _ = kernel.write(.refusal, refusal.item(call), bytes: bytes, cause: .payload, rules)
    }

    /// Messages up to `end` are there: it says so now, or when it is next asked.
    mutating func offer(upTo end: UInt32) {
        guard terms.pointee.carrier.holdsStream else { return }
        guard terms.pointee.answersOnly else {
            kernel.offer(from: end - 1, upTo: end)
            return policy.spoke()
        }
        if exchange.tell() { answerPoll(upTo: end) }
    }

    /// The same of all that came up while the program stood still.
    mutating func catchUp(to written: UInt32) {
        guard kernel.offered < written else { return }
        guard terms.pointee.answersOnly else { return kernel.offer(upTo: written) }
        if exchange.tell() { answerPoll(upTo: written) }
    }

    mutating func answerPoll(upTo written: UInt32) {
        say(.pollAnswer)
        kernel.offer(from: written, upTo: written)
    }

    /// Items of the app have reached the program: it confirms them, and grants what it has taken.
    @inline(__always)
    mutating func took(_ run: Run) {
        let (upward, downward) = (terms.pointee.upward.framing, terms.pointee.downward.framing)
        if run.track == .message && downward.confirmation > 0 { say(.confirmation(run.count)) }
        guard isHTTP2 else { return }
        let grant = taken.take(run, upward)
        if grant.connection > 0 { say(.grant(grant.connection)) }
        if grant.stream > 0 { say(.grantStream(grant.stream)) }
    }

    // MARK: Setting up

    /// The first flight of a QUIC connection with early data is also its hello.
    @inline(__always)
    func isEarly(_ packet: Packet) -> Bool {
        terms.pointee.isEarly && packet.content == .data && !isHeld && saidAt == .zero
    }

    /// No reader is behind it who could be told.
    mutating func letGo() {
        heldSince = .never
        isHeld = false
        isAttached = false
        kernel.close()
    }
}

/// What a phone opens a connection with.
public struct Opening: BitwiseCopyable {
    public var terms: UnsafePointer<Terms>
    public var resuming: Resuming
    public var address: Address
    /// What the phone's library grants at first; nil: there are no windows.
    public var window: HTTP2Allowance?

    public init(
        _ terms: UnsafePointer<Terms>, resuming: Resuming = .fresh, from address: Address, window: HTTP2Allowance? = nil
    ) {
        self.terms = terms
        self.resuming = resuming
        self.address = address
        self.window = window
    }
}
