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
    /// Nil where each direction has one stream, and calls have.
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
        let isWoven = [traffic.down, traffic.up, traffic.calls].contains { $0?.beside.isEmpty == false }
        precondition(!isWoven || horizon != .never, "streams side by side need an end")
        weaves = isWoven ? Weaves(of: phones) : nil
        let dice = Dice(seed: seed, phone: phone, purpose: .sizeUp)
        func sizes(_ size: Distribution?, in envelope: Envelope = .none) -> MessageSizes {
            MessageSizes(size ?? .constant(0), dice: dice, in: envelope)
        }
        // What is drawn of several laws is of none of them.
        func law(_ own: Distribution?, of stream: TrafficStream?) -> Distribution? {
            stream?.beside.isEmpty == false ? .uniform(0, 1) : own
        }
        down = sizes(law(traffic.down?.size, of: traffic.down), in: traffic.envelope)
        up = sizes(law(traffic.up?.size, of: traffic.up), in: traffic.envelope)
        call = sizes(law(traffic.calls?.size, of: traffic.calls))
        answer = sizes(law(traffic.answer, of: traffic.calls))
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
        let trio = weaves?.trio(of: phone) { [seed, phone, told, horizon] in
            func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
            func weave(
                _ stream: TrafficStream?, _ times: Purpose, _ sizes: Purpose, _ answers: Weave.Answers? = nil
            ) -> Weave? {
                Weave(stream, times: dice(times), sizes: dice(sizes), answers, until: horizon)
            }
            let answers = Weave.Answers(laws: [told.answer] + told.answersBeside, dice: dice(.sizeAnswer))
            return Weaves.Trio(
                down: weave(told.down, .trafficDown, .sizeDown), up: weave(told.up, .trafficUp, .sizeUp),
                calls: weave(told.calls, .trafficCall, .sizeCall, answers))
        }
        if let weave = trio?.down { (traffic.down, down.listed) = (weave.stream, weave.bytes) }
        if let weave = trio?.up { (traffic.up, up.listed) = (weave.stream, weave.bytes) }
        guard let weave = trio?.calls else { return }
        (traffic.calls, call.listed, answer.listed) = (weave.stream, weave.bytes, weave.answers)
    }

    public func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
}
