/// The verdict on an article's claim, such as confirmed or refuted. Verdicts are never written by hand: each is
/// computed by a `ClaimRule` from findings.
package enum ClaimVerdict: String, Hashable, CaseIterable, Sendable {
    /// The claim holds in every tested environment.
    case confirmed
    /// The claim holds in some of the tested environments; the report says in which.
    case conditional
    case refuted
    /// The recommended setting changes nothing.
    case inert
    /// Two statements of the same article exclude each other.
    case contradiction
    /// A quantity in the claim could not be measured.
    case open
}
