import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator

/// Searches for broken invariants with many seeds. Each seed determines a random environment (world) and a random
/// client.
package struct Sweep: Sendable {
    /// The result of an invariant check with one seed.
    package struct SeedResult: Sendable {
        package let seed: UInt64
        package let client: String
        /// One sentence for each broken invariant.
        package let broken: [String]
        /// For each coverage goal: `true` if the required event occurred.
        package let seen: [Bool]
        /// The fewest timeline changes that still break an invariant; `nil` if none is broken, or if the random
        /// environment was not reduced.
        package var shortest: [String]?
    }

    /// Words for the summary: the subject that is counted ("worlds"), and the offence of those that fail ("broke a
    /// law").
    package let subject: String
    /// The subject if there is one.
    package let oneSubject: String
    package let offence: String
    /// Events that must occur in many of the worlds. Without them the search proves nothing.
    package let coverageGoals: [String]
    private let check: @Sendable (UInt64) -> SeedResult

    init(
        of subject: String, one oneSubject: String, which offence: String = "broke a law", coverageGoals: [String],
        check: @escaping @Sendable (UInt64) -> SeedResult
    ) {
        self.subject = subject
        self.oneSubject = oneSubject
        self.offence = offence
        self.coverageGoals = coverageGoals
        self.check = check
    }

    package func result(_ seed: UInt64) -> SeedResult { check(seed) }
}

/// A client strategy with random settings for invariant tests, composed of facets such as backoff and keepalive.
struct RandomClient {
    let strategy: AnyStrategy
    /// The settings, on one line.
    let name: String
    /// Faults in the settings. A fault is a bug in the code that drew them.
    let faults: [String]

    /// - Parameter composed: The strategy that is composed of facets.
    init(_ composed: StrategyKind, _ settings: [Node.MapEntry]) {
        var reader = SettingsReader(.map(settings), of: composed.name)
        strategy = composed.make(&reader)
        name = settings.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ")
        faults = reader.faults.isEmpty ? [] : ["\(reader.faults)"]
    }
}

extension Node {
    static func entries(_ entries: [(String, String)]) -> Node {
        .map(entries.map { .init(key: $0.0, value: .text($0.1)) })
    }

    var flow: String {
        guard let entries else { return scalar ?? "" }
        return "{" + entries.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ") + "}"
    }
}
