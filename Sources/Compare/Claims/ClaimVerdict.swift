/// What is to be thought of a claim. No verdict is written down anywhere: each comes of a `ClaimRule` and of findings.
public enum ClaimVerdict: String, Hashable, CaseIterable, Sendable {
    /// It is so, in every world that was looked at.
    case confirmed
    /// In some of them, and the report says in which.
    case conditional
    case refuted
    /// What it recommends changes nothing.
    case inert
    /// Two things that the same article says exclude each other.
    case contradiction
    /// Something that it speaks of could not be measured.
    case open
}
