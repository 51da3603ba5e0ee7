public import DeadzonePrimitives

/// What one phone and its server say to each other, whoever does: the streams of traffic and the sizes of what is said, all of
/// them weather, functions of the phone's dice.
public struct Conversation: ~Copyable {
    public let traffic: Traffic
    private let seed: UInt64
    private var phone = PhoneID(0)
    /// Messages of the server, messages of the app, its calls, and their answers.
    public private(set) var down: MessageSizes
    public private(set) var up: MessageSizes
    public private(set) var call: MessageSizes
    public private(set) var answer: MessageSizes
    private let anchor = Anchor()

    public init(_ traffic: Traffic, seed: UInt64) {
        self.traffic = traffic
        self.seed = seed
        let dice = Dice(seed: seed, phone: phone, purpose: .sizeUp)
        func sizes(_ size: Distribution?, in envelope: Envelope = .none) -> MessageSizes {
            MessageSizes(size ?? .constant(0), dice: dice, in: envelope)
        }
        down = sizes(traffic.down?.size, in: traffic.envelope)
        up = sizes(traffic.up?.size, in: traffic.envelope)
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
    }

    public func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
}
