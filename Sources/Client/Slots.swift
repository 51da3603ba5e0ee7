/// The number of one of a strategy's twelve timers. A timer is armed or disarmed; there are no handles that could leak.
public struct TimerSlot: Hashable, Sendable, BitwiseCopyable {
    public static let count = 12

    public let index: UInt8

    @inlinable public init(_ index: UInt8) {
        precondition(index < 12, "a strategy has twelve timer slots, 0 to 11, not \(index)")
        self.index = index
    }
}

/// The number of one of the two connections that a strategy may hold.
public struct ConnectionSlot: Hashable, Sendable, BitwiseCopyable {
    public static let count = 2

    public let index: UInt8

    @inlinable public init(_ index: UInt8) {
        precondition(index < 2, "a phone holds two connections, slots 0 and 1, not \(index)")
        self.index = index
    }
}

/// A position in the message stream of one direction: all messages below it have been processed.
public struct Cursor: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var position: UInt32

    @inlinable public init(_ position: UInt32) { self.position = position }

    public static let start = Cursor(0)

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.position < b.position }
}

/// A message that the app sends: its index among the app's messages, and its size.
public struct Message: Hashable, Sendable, BitwiseCopyable {
    public var index: UInt32
    public var bytes: UInt32

    @inlinable public init(index: UInt32, bytes: UInt32) {
        self.index = index
        self.bytes = bytes
    }

    public var cursor: Cursor { Cursor(index) }
    public var next: Cursor { Cursor(index + 1) }
}
