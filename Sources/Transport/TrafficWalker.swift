public import DeadzonePrimitives

/// A position in one stream of messages: the next message's index and when it comes. Several walk the same stream at their
/// own pace (written, seen by the app, known to be there), so a pending message costs no memory: its time is drawn again.
public struct TrafficWalker: BitwiseCopyable, Sendable {
    public private(set) var index: UInt32 = 0
    /// Of the stream's stretches, the first being the stream's own. Beside the index, where it takes no room.
    private var stretch: UInt32 = 0
    /// `.never` once the stream is over.
    public private(set) var at: Instant

    public init(_ course: Course?) {
        at = course?.stream.pointee.from ?? .never
        if let course { step(course) }
    }

    public mutating func advance(_ course: Course) {
        index += 1
        step(course)
    }

    /// The draw of a message of a strand.
    static func slot(of index: UInt32, strand: UInt32) -> UInt64 { UInt64(strand) << 32 | UInt64(index) }

    private mutating func step(_ course: Course) {
        let stream = course.stream
        guard stream.pointee.moments.isEmpty else {
            at = Int(index) < stream.pointee.moments.count ? stream.pointee.moments[Int(index)] : .never
            if stream.pointee.until <= at { at = .never }
            return
        }
        let word = course.dice.at(Self.slot(of: index, strand: course.strand))
        at += Self.gap(stretch == 0 ? stream.pointee.gap : stream.pointee.later[Int(stretch) - 1].gap, word)
        while (stretch == 0 ? stream.pointee.until : stream.pointee.later[Int(stretch) - 1].until) <= at {
            guard Int(stretch) < stream.pointee.later.count else { return at = .never }
            at = stream.pointee.later[Int(stretch)].from + Self.gap(stream.pointee.later[Int(stretch)].gap, word)
            stretch += 1
        }
    }

    private static func gap(_ law: Distribution, _ word: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: max(law.draw(word), 1))
    }
}
