/// What a strategy promises of messages. Nothing enforces it: laws hold a strategy to it.
public struct Claims: Hashable, Sendable, BitwiseCopyable {
    public enum Promise: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case nothing
        /// No message is taken for new twice.
        case atMostOnce
        /// No message is lost.
        case atLeastOnce
        case exactlyOnce

        public var isLossless: Bool { self == .atLeastOnce || self == .exactlyOnce }
        public var isWithoutDuplicates: Bool { self == .atMostOnce || self == .exactlyOnce }
    }

    public var up: Promise
    public var down: Promise
    /// What comes, comes in the order in which it was sent.
    public var isOrdered: Bool

    public init(up: Promise = .nothing, down: Promise = .nothing, isOrdered: Bool = false) {
        self.up = up
        self.down = down
        self.isOrdered = isOrdered
    }
}
