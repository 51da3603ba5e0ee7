package import DeadzoneBase

/// The sizes of a phone's messages in one direction. A size is computed from the message's index and not stored.
package struct MessageSizes: ~Copyable, Sendable {
    let size: Distribution
    /// Source of the random numbers (dice) of the phone to which the messages belong.
    package var dice: Dice
    let envelope: Envelope
    /// Payload size in bytes of every message, if parallel streams are merged. `nil` if all sizes are drawn from one
    /// distribution.
    var listedSizes: [UInt32]?
    private let addressStable = AddressStable()

    package init(_ size: Distribution, dice: Dice, in envelope: Envelope = .none) {
        self.size = size
        self.dice = dice
        self.envelope = envelope
    }

    /// Size in bytes of the message with this index, including its envelope.
    package func bytes(of index: UInt32) -> UInt32 { envelope.message(payload(of: index), index) }

    private func payload(of index: UInt32) -> UInt32 {
        if let bytes = size.constant { return Self.clamp(bytes) }
        if let listedSizes { return Int(index) < listedSizes.count ? listedSizes[Int(index)] : 0 }
        return Self.clamp(size.draw(dice.at(UInt64(index))))
    }

    /// Limits the payload of a message to between 0 and 2^30 bytes (one gibibyte), whatever its distribution returns.
    /// So the bytes and the airtime of the message, with all headers, fit their counters.
    package static func clamp(_ bytes: Int64) -> UInt32 { UInt32(clamping: min(max(bytes, 0), 1 << 30)) }
}
