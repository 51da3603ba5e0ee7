public import DeadzonePrimitives

/// For how long a change of cell, or of the NR leg, interrupts data. What is prepared before that does not.
public struct HandoverLaw: Hashable, Sendable {
    /// Another cell of the same kind.
    public var execution: Distribution
    /// An LTE leg gets an NR leg, or loses it.
    public var addition: Distribution
    public var release: Distribution
    /// How often the new cell is not found: the connection is made anew there, with all that it holds.
    public var failure: Probability
    public var reestablishment: Distribution

    /// - Parameter execution: also how long a leg takes, where nothing else is said.
    public init(
        _ execution: Distribution, addition: Distribution? = nil, release: Distribution? = nil,
        failure: Probability = .zero, reestablishment: Distribution = .constant(0)
    ) {
        self.execution = execution
        self.addition = addition ?? execution
        self.release = release ?? execution
        self.failure = failure
        self.reestablishment = reestablishment
    }

    /// Soft, as that of UMTS: it interrupts nothing.
    public static let none = HandoverLaw(.constant(0))

    /// Each one takes so long.
    public static func always(_ span: TimeSpan) -> HandoverLaw { HandoverLaw(.constant(span.nanoseconds)) }

    public var isNone: Bool { self == .none }

    /// Another cell, at that moment.
    public func length(_ phases: RadioPhases, at now: Instant) -> TimeSpan {
        let luck = phases.dice(at: now)
        let failed = failure.hits(luck.1) ? reestablishment.span(luck.0) : .zero
        return execution.span(luck.0) + failed
    }
}

extension RadioProfile {
    /// From a network with an LTE leg to another: the NR leg comes or goes, or goes, comes again and has another anchor in
    /// between. Nil: one of them has no LTE leg, and nothing of the connection stays.
    func length(ofLegFrom old: RadioProfile, _ phases: RadioPhases, at now: Instant) -> TimeSpan? {
        let luck = phases.dice(at: now).0
        switch (old.technology, technology) {
        case (.lte, .lte): return handover.execution.span(luck)
        case (.lte, .nrNSA): return handover.addition.span(luck)
        case (.nrNSA, .lte): return old.handover.release.span(luck)
        case (.nrNSA, .nrNSA):
            return old.handover.release.span(luck) + handover.execution.span(luck) + handover.addition.span(luck)
        default: return nil
        }
    }
}
