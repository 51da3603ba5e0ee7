import DeadzonePrimitives

/// A position in one stream of messages: the next message's index and when it comes. Several walk the same stream at their
/// own pace (written, seen by the app, known to be there), so a pending message costs no memory: its time is drawn again.
struct TrafficWalker: BitwiseCopyable, Sendable {
    private(set) var index: UInt32 = 0
    /// `.never` once the stream is over.
    private(set) var at: Instant

    init(_ stream: TrafficStream?, dice: Dice) {
        at = stream?.from ?? .never
        if let stream { step(stream, dice: dice) }
    }

    mutating func advance(_ stream: TrafficStream, dice: Dice) {
        index += 1
        step(stream, dice: dice)
    }

    private mutating func step(_ stream: TrafficStream, dice: Dice) {
        if stream.moments.isEmpty {
            at += TimeSpan(nanoseconds: max(stream.gap.draw(dice.at(UInt64(index))), 1))
        } else {
            at = Int(index) < stream.moments.count ? stream.moments[Int(index)] : .never
        }
        if stream.until <= at { at = .never }
    }
}
