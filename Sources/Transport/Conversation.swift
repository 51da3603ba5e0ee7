public import DeadzonePrimitives

/// What one phone and its server say to each other, whoever does: the streams of traffic and the sizes of what is said, all of
/// them weather, functions of the phone's dice.
public struct Conversation: ~Copyable {
    /// Where streams run side by side, what they come to on this phone.
    public private(set) var traffic: Traffic
    private let told: Traffic
    private let horizon: Instant
    private let seed: UInt64
    private var phone = PhoneID(0)
    /// Nil where every direction has one stream.
    private var weaves: Weaves?
    /// Whose messages are listed.
    private var listed: PhoneID?
    /// Messages of the server, messages of the app, its calls, and their answers.
    public private(set) var down: MessageSizes
    public private(set) var up: MessageSizes
    public private(set) var call: MessageSizes
    public private(set) var answer: MessageSizes
    private let anchor = Anchor()

    /// - Parameters:
    ///   - horizon: no message is said from then on.
    ///   - phones: who take turns.
    public init(_ traffic: Traffic, seed: UInt64, until horizon: Instant = .never, phones: Range<UInt32> = 0..<0) {
        self.traffic = traffic
        told = traffic
        self.horizon = horizon
        self.seed = seed
        let isWoven = [traffic.down, traffic.up].contains { $0?.beside.isEmpty == false }
        precondition(!isWoven || horizon != .never, "streams side by side need an end")
        weaves = isWoven ? Weaves(of: phones) : nil
        let dice = Dice(seed: seed, phone: phone, purpose: .sizeUp)
        func sizes(_ size: Distribution?, in envelope: Envelope = .none) -> MessageSizes {
            MessageSizes(size ?? .constant(0), dice: dice, in: envelope)
        }
        // What is drawn of several laws is of none of them.
        func law(_ stream: TrafficStream?) -> Distribution? {
            stream.map { $0.beside.isEmpty ? $0.size : .uniform(0, 1) }
        }
        down = sizes(law(traffic.down), in: traffic.envelope)
        up = sizes(law(traffic.up), in: traffic.envelope)
        call = sizes(traffic.calls?.size)
        answer = sizes(traffic.answer)
    }

    /// From now on it is this phone's.
    public mutating func turn(to phone: PhoneID) {
        self.phone = phone
        down.dice = dice(.sizeDown)
        up.dice = dice(.sizeUp)
        call.dice = dice(.sizeCall)
        answer.dice = dice(.sizeAnswer)
        if weaves != nil, listed != phone { list() }
    }

    private mutating func list() {
        listed = phone
        let (times, sizes) = ((dice(.trafficDown), dice(.trafficUp)), (dice(.sizeDown), dice(.sizeUp)))
        let pair = weaves?.pair(of: phone) { [told, horizon] in
            Weaves.Pair(
                down: Weave(told.down, times: times.0, sizes: sizes.0, until: horizon),
                up: Weave(told.up, times: times.1, sizes: sizes.1, until: horizon))
        }
        if let weave = pair?.down { (traffic.down, down.listed) = (weave.stream, weave.bytes) }
        if let weave = pair?.up { (traffic.up, up.listed) = (weave.stream, weave.bytes) }
    }

    public func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
}
