public import DeadzonePrimitives

/// How a connection winds down after the last bit, or the last signalling: up to four levels, each until so long after it,
/// then released. A step at `.activeDown` goes on at the base power of the direction that flowed last.
public struct TailLadder: Hashable, Sendable, BitwiseCopyable {
    public struct Step: Hashable, Sendable, BitwiseCopyable {
        public var level: PowerLevel
        /// From the last bit.
        public var until: TimeSpan

        public init(_ level: PowerLevel, until: TimeSpan) {
            self.level = level
            self.until = until
        }
    }

    private var first, second, third, fourth: Step

    /// Steps in order of time; one that ends no later than the one before it is never entered.
    public init(_ first: Step, _ second: Step? = nil, _ third: Step? = nil, _ fourth: Step? = nil) {
        self.first = first
        self.second = second ?? first
        self.third = third ?? self.second
        self.fourth = fourth ?? self.third
    }

    /// When the connection is released.
    public var end: TimeSpan { max(max(first.until, second.until), max(third.until, fourth.until)) }

    /// The step that is on so long after the last bit; the last one for ever after its end.
    public func step(after silence: TimeSpan) -> Step {
        if silence < first.until { return first }
        if silence < second.until { return second }
        if silence < third.until { return third }
        return fourth
    }

    /// The phone gives the connection back this long after the last bit: fast dormancy (3GPP TS 25.331, release 8).
    public func cut(at limit: TimeSpan) -> TailLadder {
        func cut(_ step: Step) -> Step { Step(step.level, until: min(step.until, limit)) }
        return TailLadder(cut(first), cut(second), cut(third), cut(fourth))
    }
}
