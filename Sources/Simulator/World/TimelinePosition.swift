import DeadzoneBase

/// The position of one phone in the timeline: the next entry that takes effect on this phone.
struct TimelinePosition: BitwiseCopyable {
    /// Index of the entry; the number of entries if none is left.
    private(set) var index: UInt32
    /// Instant at which the entry takes effect; `.never` if none is left.
    private(set) var at: Instant

    /// The first entry of a timeline.
    init(in timeline: [TimelineEntry], maxDisplacement: Int, _ dice: TimelineDice) {
        (index, at) = (0, .never)
        find(after: nil, in: timeline, maxDisplacement, dice)
    }

    /// Moves on to the next entry, after the current one has taken effect.
    mutating func advance(in timeline: [TimelineEntry], maxDisplacement: Int, _ dice: TimelineDice) {
        find(after: Int(index), in: timeline, maxDisplacement, dice)
    }

    private mutating func find(
        after last: Int?, in timeline: [TimelineEntry], _ maxDisplacement: Int, _ dice: TimelineDice
    ) {
        let next = timeline.next(after: last, at: at, maxDisplacement: maxDisplacement, dice)
        (index, at) = next.map { (UInt32($0.index), $0.at) } ?? (UInt32(timeline.count), .never)
    }
}
