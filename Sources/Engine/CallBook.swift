import DeadzoneClient
import DeadzonePrimitives

/// The app's calls and which of them are open. When each was wished for is weather: it is drawn again where it is needed, so an
/// open call costs one bit.
struct CallBook: BitwiseCopyable, Sendable {
    /// How many calls can be open. When another comes, the oldest has failed.
    static let window: UInt32 = 64

    /// The next call that the app will wish for.
    private(set) var wanted: TrafficWalker
    /// The strategy has heard of every call below this.
    private(set) var told: UInt32 = 0
    /// Stands at the first call of the window; no call below it is open.
    private var first: TrafficWalker
    /// Bit n: the n-th call of the window is open.
    private var bits: UInt64 = 0

    init(_ stream: TrafficStream?, dice: Dice) {
        wanted = TrafficWalker(stream, dice: dice)
        first = wanted
    }

    var openCount: Int { bits.nonzeroBitCount }

    func isOpen(_ call: UInt32) -> Bool {
        first.index <= call && call - first.index < Self.window && bits >> UInt64(call - first.index) & 1 == 1
    }

    /// The first open call that the strategy has heard of.
    var oldestTold: UInt32? {
        let oldest = first.index + UInt32(bits.trailingZeroBitCount)
        return bits != 0 && oldest < told ? oldest : nil
    }

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

    mutating func add(_ stream: TrafficStream, dice: Dice) {
        if wanted.index - first.index == Self.window { slide(by: 1, stream, dice: dice) }
        bits |= 1 << UInt64(wanted.index - first.index)
        wanted.advance(stream, dice: dice)
    }

    /// Ends an open call. Returns when the app wished for it.
    mutating func close(_ call: UInt32, _ stream: TrafficStream, dice: Dice) -> Instant {
        precondition(isOpen(call), "call \(call) is not open")
        var walker = first
        while walker.index < call { walker.advance(stream, dice: dice) }
        bits &= ~(1 << UInt64(call - first.index))
        let closed = bits == 0 ? wanted.index - first.index : UInt32(bits.trailingZeroBitCount)
        slide(by: min(closed, wanted.index - first.index), stream, dice: dice)
        return walker.at
    }

    private mutating func slide(by count: UInt32, _ stream: TrafficStream, dice: Dice) {
        for _ in 0..<count { first.advance(stream, dice: dice) }
        bits = count < 64 ? bits >> UInt64(count) : 0
    }
}
