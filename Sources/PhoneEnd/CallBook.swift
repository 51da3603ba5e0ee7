import DeadzoneClient
import DeadzonePrimitives
public import DeadzoneTransport

/// The app's calls and which of them are open. When each was wished for is weather: it is drawn again where it is needed, so an
/// open call costs one bit.
public struct CallBook: BitwiseCopyable, Sendable {
    /// How many calls can be open. When another comes, the oldest has failed.
    static let window: UInt32 = 64

    /// Of calls that are open at one time no two have the same.
    static func bit(_ call: UInt32) -> UInt64 { 1 << UInt64(call % window) }

    /// The next call that the app will wish for.
    public private(set) var wanted: TrafficWalker
    /// The strategy has heard of every call below this.
    @usableFromInline private(set) var told: UInt32 = 0
    /// Stands at the first call of the window; no call below it is open.
    public private(set) var first: TrafficWalker
    /// Bit n: the n-th call of the window is open.
    private var bits: UInt64 = 0
    /// Bit n: the n-th call of the window was handed to a connection.
    private var asked: UInt64 = 0
    /// How often the server has seen it, up to 7: three bits, each in a word of its own.
    private var seen = (UInt64.zero, UInt64.zero, UInt64.zero)

    init(_ course: Course?) {
        wanted = TrafficWalker(course)
        first = wanted
    }

    /// No call below it is open.
    var firstIndex: UInt32 { first.index }
    public var openCount: Int { bits.nonzeroBitCount }

    public func isOpen(_ call: UInt32) -> Bool {
        first.index <= call && call - first.index < Self.window && bits >> UInt64(call - first.index) & 1 == 1
    }

    /// The first open call that the strategy has heard of.
    var oldestTold: UInt32? {
        let oldest = first.index + UInt32(bits.trailingZeroBitCount)
        return bits != 0 && oldest < told ? oldest : nil
    }

    /// The client hands it to a connection. Returns whether it did so before.
    mutating func ask(_ call: UInt32) -> Bool {
        let bit: UInt64 = 1 << UInt64(call - first.index)
        defer { asked |= bit }
        return asked & bit != 0
    }

    /// The server sees a call. Returns how often it did so before; of one that is over nobody counts.
    mutating func meet(_ call: UInt32) -> UInt64 {
        guard isOpen(call) else { return 0 }
        let at = UInt64(call - first.index)
        let count = seen.0 >> at & 1 | (seen.1 >> at & 1) << 1 | (seen.2 >> at & 1) << 2
        guard count < 7 else { return count }
        let next = count + 1
        let others = ~(1 << at) as UInt64
        seen.0 = seen.0 & others | (next & 1) << at
        seen.1 = seen.1 & others | (next >> 1 & 1) << at
        seen.2 = seen.2 & others | (next >> 2 & 1) << at
        return count
    }

    /// There may be a call that the strategy has not heard of.
    @inlinable public var hasUntold: Bool { told < wanted.index }

    /// The next call that the strategy has to hear of.
    mutating func nextUntold() -> UInt32? {
        while told < wanted.index {
            told += 1
            if isOpen(told - 1) { return told - 1 }
        }
        return nil
    }

    /// The app wishes for the next call. Returns the one that has to make room for it, still open.
    func oldestInTheWay() -> UInt32? {
        guard wanted.index - first.index == Self.window, bits & 1 == 1 else { return nil }
        return first.index
    }

    mutating func add(_ course: Course) {
        if wanted.index - first.index == Self.window { slide(by: 1, course) }
        bits |= 1 << UInt64(wanted.index - first.index)
        wanted.advance(course)
    }

    /// Ends an open call. Returns when the app wished for it.
    mutating func close(_ call: UInt32, _ course: Course) -> Instant {
        precondition(isOpen(call), "call \(call) is not open")
        var walker = first
        while walker.index < call { walker.advance(course) }
        bits &= ~(1 << UInt64(call - first.index))
        let closed = bits == 0 ? wanted.index - first.index : UInt32(bits.trailingZeroBitCount)
        slide(by: min(closed, wanted.index - first.index), course)
        return walker.at
    }

    private mutating func slide(by count: UInt32, _ course: Course) {
        for _ in 0..<count { first.advance(course) }
        func slid(_ word: UInt64) -> UInt64 { count < 64 ? word >> UInt64(count) : 0 }
        bits = slid(bits)
        asked = slid(asked)
        seen = (slid(seen.0), slid(seen.1), slid(seen.2))
    }
}
