public import DeadzonePrimitives

/// A position in one stream of messages: the next message's index and when it comes. Several walk the same stream at their
/// own pace (written, seen by the app, known to be there), so a pending message costs no memory: its time is drawn again.
public struct TrafficWalker: BitwiseCopyable, Sendable {
    public private(set) var index: UInt32 = 0
    /// Of the stream's stretches, the first being the stream's own. Beside the index, where it takes no room.
    private var stretch: UInt32 = 0
    /// `.never` once the stream is over.
    public private(set) var at: Instant

    public init(_ stream: TrafficStream?, dice: Dice) { self.init(stream, dice: dice, strand: 0) }

    /// - Parameter strand: which of the streams of its direction it is.
    init(_ stream: TrafficStream?, dice: Dice, strand: UInt32) {
        at = stream?.from ?? .never
        if let stream { step(stream, dice: dice, strand: strand) }
    }

    public mutating func advance(_ stream: TrafficStream, dice: Dice) { advance(stream, dice: dice, strand: 0) }

    mutating func advance(_ stream: TrafficStream, dice: Dice, strand: UInt32) {
        index += 1
        step(stream, dice: dice, strand: strand)
    }

    /// The draw of a message of a strand.
    static func slot(of index: UInt32, strand: UInt32) -> UInt64 { UInt64(strand) << 32 | UInt64(index) }

    private mutating func step(_ stream: TrafficStream, dice: Dice, strand: UInt32) {
        guard stream.moments.isEmpty else {
            at = Int(index) < stream.moments.count ? stream.moments[Int(index)] : .never
            if stream.until <= at { at = .never }
            return
        }
        let word = dice.at(Self.slot(of: index, strand: strand))
        at += Self.gap(stretch == 0 ? stream.gap : stream.later[Int(stretch) - 1].gap, word)
        while (stretch == 0 ? stream.until : stream.later[Int(stretch) - 1].until) <= at {
            guard Int(stretch) < stream.later.count else { return at = .never }
            at = stream.later[Int(stretch)].from + Self.gap(stream.later[Int(stretch)].gap, word)
            stretch += 1
        }
    }

    private static func gap(_ law: Distribution, _ word: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: max(law.draw(word), 1))
    }
}
