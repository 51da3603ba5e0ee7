public import DeadzonePrimitives

/// How large each message of a direction is: a function of its index, so that no one has to remember.
public struct MessageSizes: ~Copyable, Sendable {
    let size: Distribution
    /// Of the phone whose messages they are.
    public var dice: Dice
    let envelope: Envelope
    /// Of streams side by side the size of every message; nil: all are drawn from one law.
    var listed: [UInt32]?
    private let anchor = Anchor()

    public init(_ size: Distribution, dice: Dice, in envelope: Envelope = .none) {
        self.size = size
        self.dice = dice
        self.envelope = envelope
    }

    /// With its envelope.
    public func bytes(of index: UInt32) -> UInt32 { envelope.message(payload(of: index), index) }

    private func payload(of index: UInt32) -> UInt32 {
        if let bytes = size.constant { return Self.clamp(bytes) }
        if let listed { return Int(index) < listed.count ? listed[Int(index)] : 0 }
        return Self.clamp(size.draw(dice.at(UInt64(index))))
    }

    /// No payload is larger than a gibibyte, however heavy the tail it is drawn from: its bytes and its airtime, with every
    /// header, still fit their counters.
    public static func clamp(_ bytes: Int64) -> UInt32 { UInt32(clamping: min(max(bytes, 0), 1 << 30)) }
}
