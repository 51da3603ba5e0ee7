/// The delivery guarantees that a strategy claims for each direction. Nothing enforces them; tests of invariants (laws)
/// check them.
public struct DeliveryGuarantees: Hashable, Sendable, BitwiseCopyable {
    public enum DeliveryGuarantee: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case nothing
        /// No message is accepted as new more than once.
        case atMostOnce
        /// No message is lost.
        case atLeastOnce
        case exactlyOnce

        package var isLossless: Bool { self == .atLeastOnce || self == .exactlyOnce }
        package var isWithoutDuplicates: Bool { self == .atMostOnce || self == .exactlyOnce }
    }

    public var up: DeliveryGuarantee
    public var down: DeliveryGuarantee
    /// `true` if messages arrive in the order in which they were sent.
    public var isOrdered: Bool

    public init(up: DeliveryGuarantee = .nothing, down: DeliveryGuarantee = .nothing, isOrdered: Bool = false) {
        self.up = up
        self.down = down
        self.isOrdered = isOrdered
    }
}
