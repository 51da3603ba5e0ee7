import DeadzoneNetwork
import DeadzonePrimitives

/// One connection of a phone as it truly is, beside what each end believes.
struct Reality: BitwiseCopyable {
    enum Truth: UInt8, BitwiseCopyable {
        /// There is none.
        case absent
        /// A byte sent now would be answered.
        case working
        /// Cut off: no coverage, no internet, a frozen server. When that is over, the connection works again.
        case blocked
        /// No byte sent on it now or later will ever be answered.
        case dead
    }

    var truth = Truth.absent
    /// When the period on the books began: with `truth`, or when an app that believes in a dead connection was last stopped.
    var since = Instant.zero
    /// When it died, if it is dead.
    var diedAt = Instant.never
    /// An earlier connection of the slot that may have been given up for nothing.
    var givenUp: GivenUp?

    /// What the boxes on its path remember of it.
    var boxes = BoxMemory()

    var isUntouched: Bool { truth == .absent && givenUp == nil && boxes.endsAt == .never }
}
