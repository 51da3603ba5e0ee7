package import DeadzoneBase

/// Durations for which data stops during a handover: a change of cell, or of the NR leg (the 5G link beside LTE).
/// Preparation before that does not interrupt data.
package struct HandoverTimings: Hashable, Sendable {
    /// Interruption by a change to another cell of the same kind, in nanoseconds.
    package var execution: Distribution
    /// Interruption by adding an NR leg to an LTE leg, in nanoseconds.
    package var addition: Distribution
    /// Interruption by removing the NR leg, in nanoseconds.
    package var release: Distribution
    /// The probability that the new cell is not found. The connection is then re-established there and keeps its data.
    package var failure: Probability
    package var reestablishment: Distribution

    /// Creates timings from the distributions of the interruptions.
    /// - Parameter execution: Interruption by a change of cell; also the default for `addition` and `release`.
    package init(
        _ execution: Distribution, addition: Distribution? = nil, release: Distribution? = nil,
        failure: Probability = .zero, reestablishment: Distribution = .constant(0)
    ) {
        self.execution = execution
        self.addition = addition ?? execution
        self.release = release ?? execution
        self.failure = failure
        self.reestablishment = reestablishment
    }

    /// A soft handover, as in UMTS: data is not interrupted.
    package static let none = HandoverTimings(.constant(0))

    /// Returns timings in which every handover has the same length.
    package static func always(_ span: TimeSpan) -> HandoverTimings { HandoverTimings(.constant(span.nanoseconds)) }

    package var isNone: Bool { self == .none }

    /// Draws the length of the interruption by a change to another cell at that instant.
    package func length(_ phases: RadioPhases, at now: Instant) -> TimeSpan {
        let luck = phases.dice(at: now)
        let failed = failure.hits(luck.1) ? reestablishment.span(luck.0) : .zero
        return execution.span(luck.0) + failed
    }
}

extension RadioProfile {
    /// Draws the length of the interruption by a change between two networks with an LTE leg. An NR leg is added or
    /// released. Between two NSA networks it is released, the LTE anchor changes, and the leg is added again. `nil` if
    /// one of the networks has no LTE leg, or a
    /// device saves power on it: the connection does not survive.
    func length(ofLegFrom old: RadioProfile, _ phases: RadioPhases, at now: Instant) -> TimeSpan? {
        guard powerSaving == nil, old.powerSaving == nil else { return nil }
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
