package import DeadzoneBase

/// The tail of a radio: up to four power levels in order, each with the time of its end, then the release of the
/// connection. Times are counted from the last bit or the last signalling. A step at `.activeDown` continues at the
/// base power of the direction that flowed last.
package struct TailLadder: Hashable, Sendable, BitwiseCopyable {
    package struct TailStep: Hashable, Sendable, BitwiseCopyable {
        package var level: PowerLevel
        /// End of the step, counted from the last bit.
        package var until: TimeSpan

        package init(_ level: PowerLevel, until: TimeSpan) {
            self.level = level
            self.until = until
        }
    }

    private var first, second, third, fourth: TailStep

    /// Creates a tail from its steps in order of time. A step that ends no later than the one before it is never
    /// entered.
    package init(_ first: TailStep, _ second: TailStep? = nil, _ third: TailStep? = nil, _ fourth: TailStep? = nil) {
        self.first = first
        self.second = second ?? first
        self.third = third ?? self.second
        self.fourth = fourth ?? self.third
    }

    /// Time from the last bit until the connection is released.
    package var end: TimeSpan { max(max(first.until, second.until), max(third.until, fourth.until)) }

    /// Returns the step of the tail after this length of silence. After the end of the tail, the last step is returned.
    package func step(after silence: TimeSpan) -> TailStep {
        if silence < first.until { return first }
        if silence < second.until { return second }
        if silence < third.until { return third }
        return fourth
    }

    /// Returns a tail that ends at most this long after the last bit: the phone releases the connection itself (fast
    /// dormancy, 3GPP TS 25.331, release 8).
    package func cut(at limit: TimeSpan) -> TailLadder {
        func cut(_ step: TailStep) -> TailStep { TailStep(step.level, until: min(step.until, limit)) }
        return TailLadder(cut(first), cut(second), cut(third), cut(fourth))
    }
}
